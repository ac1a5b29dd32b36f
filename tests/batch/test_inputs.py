"""Inputs at their edges: columns that are missing, ids that no float holds, what is too long or damaged, names with marks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from steelyard.batch import Options, ScorerPlan, Source, Summary, score_files
from steelyard.batch import block as blocks
from steelyard.batch import source as sources
from steelyard.errors import DataError, StoreError

GOOD = '{"response":"5","target":"5"}\n'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)


def score(*names: str, **options: Any) -> Summary:
    plan = ScorerPlan(scorer="numeric_match")
    return score_files(plan, [Source(name) for name in names], Options(**options))


def table(name: str, **columns: list[Any]) -> str:
    if name.endswith(".parquet"):
        pq.write_table(pa.table(columns), name)
    else:
        lines = [
            ",".join(columns),
            *(",".join(cells) for cells in zip(*columns.values(), strict=True)),
        ]
        Path(name).write_text("\n".join(lines) + "\n")
    return name


@pytest.mark.parametrize("name", ["second.csv", "second.parquet"])
def test_every_table_is_looked_at_before_the_first_row(name: str) -> None:
    first = table("first.csv", response=["5"], target=["5"])
    table(name, response=["5"])
    Path("out.jsonl").write_text("OLD")
    with pytest.raises(DataError, match="no column 'target'") as failed:
        score(first, name, output="out.jsonl")
    assert (failed.value.file, Path("out.jsonl").read_text()) == (name, "OLD")
    assert score(first, table("second.csv", response=["5"], target=["6"])).total == 2


def test_an_id_is_never_lost() -> None:
    ids = ["1e400", "-" + "9" * 6000, "NaN", "1e99999999999999999999", "1.5"]
    Path("in.jsonl").write_text(
        "".join(f'{{"id":{one},"response":"5","target":"5"}}\n' for one in ids)
    )
    told = ["1E+400", ids[1], "3", "4", "1.5"]
    score("in.jsonl", output="out.jsonl")
    lines = Path("out.jsonl").read_text().splitlines()
    assert [line.removeprefix('{"id":').partition(",")[0] for line in lines] == told
    score("in.jsonl", output="out.parquet")
    assert pq.read_table("out.parquet")["id"].to_pylist() == told


def test_a_blank_error_is_none() -> None:
    table("in.csv", response=["5", "5"], target=["5", "5"], error=[" ", "timeout"])
    summary = score("in.csv")
    assert (summary.scored, summary.unscored_reasons) == (1, {"timeout": 1})
    assert set(summary.failures["categories"]) == {"timeout"}


def hashed(name: str, content: bytes) -> str | None:
    Path(name).write_bytes(content)
    summary = score(name)
    assert summary.bad_lines
    return summary.signature.data


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("in.jsonl", b'{"response":"%s1"}\n', b'{"response":"%s2"}\n'),
        ("in.csv", b"response,target\n5,5\n1,2,3\n", b"response,target\n5,5\n9,9,9\n"),
        ("in.csv", b'response,target\n5,5\n1,"2"3\n', b'response,target\n5,5\n1,"2"4\n'),
        ("in.csv", b'response,target\n5,5\n1,"2\n4', b'response,target\n5,5\n1,"2\n3'),
        ("in.csv", b"response,target,metadata\n5,5,x\n", b"response,target,metadata\n5,5,y\n"),
        ("in.csv", b"response,target\n5,\xff\n", b"response,target\n5,\xfe\n"),
    ],
)
def test_what_cannot_be_scored_is_in_the_hash(
    name: str, first: bytes, second: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "LINE_LIMIT", blocks.BLOCK_BYTES)
    both = [one.replace(b"%s", b"x" * 3 * blocks.BLOCK_BYTES) for one in (first, second)]
    assert hashed(name, both[0]) != hashed(name, both[1])
    assert hashed(name, both[0]) == hashed(name, both[0])


def test_parquet_that_is_damaged_is_scored_up_to_there() -> None:
    rows = {
        "response": [f"Answer: {n * 7919 % 99991}" for n in range(4000)],
        "target": ["5"] * 4000,
    }
    pq.write_table(pa.table(rows), "in.parquet", row_group_size=1500)
    data = bytearray(Path("in.parquet").read_bytes())
    start = pq.ParquetFile("in.parquet").metadata.row_group(1).column(0).data_page_offset
    data[start : start + 400] = bytes(byte ^ 0x5A for byte in data[start : start + 400])
    Path("in.parquet").write_bytes(data)
    summary = score("in.parquet")
    assert (summary.total, summary.exit_code) == (1500, 2)
    assert str(summary.broken).endswith(", after row 1500")
    assert "\n" not in str(summary.broken)


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz", "out.jsonl.zst", "out.parquet"])
def test_a_full_disk_is_our_side(name: str) -> None:
    Path("in.jsonl").write_text(GOOD)
    Path(name).symlink_to("/dev/full")
    with pytest.raises(StoreError, match=rf"^{name}: cannot be written: No space left on device$"):
        score("in.jsonl", output=name)


def test_a_name_is_told_on_one_line_and_moves_no_terminal() -> None:
    name = "a\nb\x1b[31m.jsonl"
    Path(name).write_text("nonsense\n")
    bad: list[Any] = []
    score(name, on_bad=bad.append, output="out.jsonl")
    assert str(bad[0]).startswith("a␊b␛[31m.jsonl:1: not JSON")
    with pytest.raises(DataError, match=r"^a␊b␛\[31m\.jsonl:1: not JSON"):
        score(name, strict=True)
    with pytest.raises(DataError, match=r"^a␊c: there is no such file"):
        Source("a\nc", "jsonl")
    assert json.loads(score(name).to_json())["files"][0]["name"] == name
