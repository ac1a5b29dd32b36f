"""Inputs: every format and compression gives the same rows; what cannot be read says so."""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.batch import Options, ScorerPlan, Source, Summary, score_files
from steelyard.batch import block as blocks
from steelyard.batch import source as sources
from steelyard.batch.source import whole_lines
from steelyard.errors import DataError

ROWS = [
    {"id": "a", "response": "Answer: 1,000", "target": "1000", "category": "x"},
    {"id": "b", "response": 'He said "42",\nthen left.', "target": "43", "category": "y"},
    {"id": "c", "response": "κόσμε 7", "target": "7", "category": "x"},
    {"id": "d", "response": "", "target": "5", "category": "y"},
]
LINES = "".join(json.dumps(row) + "\n" for row in ROWS).encode()


def write_csv(path: Path, delimiter: str = ",") -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(ROWS[0]), delimiter=delimiter)
        writer.writeheader()
        writer.writerows(ROWS)


def write_zstd(path: Path, data: bytes) -> None:
    with pa.CompressedOutputStream(str(path), "zstd") as stream:
        stream.write(data)


WRITERS: dict[str, Callable[[Path], object]] = {
    "in.jsonl": lambda path: path.write_bytes(LINES),
    "in.ndjson": lambda path: path.write_bytes(b"\xef\xbb\xbf" + LINES),
    "crlf.jsonl": lambda path: path.write_bytes(LINES.replace(b"\n", b"\r\n\r\n")),
    "noend.jsonl": lambda path: path.write_bytes(LINES.rstrip()),
    "in.jsonl.gz": lambda path: path.write_bytes(gzip.compress(LINES, mtime=0)),
    "parts.jsonl.gz": lambda path: path.write_bytes(
        gzip.compress(LINES[:50], mtime=0) + gzip.compress(LINES[50:])
    ),
    "misnamed.jsonl": lambda path: path.write_bytes(gzip.compress(LINES, mtime=0)),
    "in.jsonl.zst": lambda path: write_zstd(path, LINES),
    "in.csv": write_csv,
    "in.tsv": lambda path: write_csv(path, "\t"),
    "in.parquet": lambda path: pq.write_table(pa.Table.from_pylist(ROWS), path),
}


def score(path: Path, **options: Any) -> tuple[Summary, list[dict[str, Any]]]:
    out = path.parent / "scored.jsonl"
    plan = ScorerPlan(scorer="numeric_match", by="category")
    summary = score_files(plan, [Source(str(path))], Options(output=str(out), **options))
    return summary, [json.loads(line) for line in out.read_bytes().splitlines()]


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_gives_the_same_scores(name: str, tmp_path: Path) -> None:
    WRITERS[name](tmp_path / name)
    summary, rows = score(tmp_path / name)
    assert [row["id"] for row in rows] == ["a", "b", "c", "d"]
    assert [row["value"] for row in rows] == [1.0, 0.0, 1.0, 0.0]
    assert [(group.name, group.total, group.mean) for group in summary.breakdown] == [
        ("x", 2, 1.0),
        ("y", 2, 0.0),
    ]


def test_the_line_is_that_of_the_file(tmp_path: Path) -> None:
    wanted = {
        "in.jsonl": [1, 2, 3, 4],
        "crlf.jsonl": [1, 3, 5, 7],
        "in.csv": [2, 3, 5, 6],
        "in.parquet": [1, 2, 3, 4],
    }
    for name, lines in wanted.items():
        WRITERS[name](tmp_path / name)
        assert [row["line"] for row in score(tmp_path / name)[1]] == lines


def test_the_hash_is_that_of_the_rows(tmp_path: Path) -> None:
    """For a plain file of lines that is what ``sha256sum`` says of it; how it is packed and how lines end is no matter."""
    wanted = hashlib.sha256(LINES).hexdigest()
    for name in WRITERS:
        WRITERS[name](tmp_path / name)
        same = "jsonl" in name or "ndjson" in name
        assert (score(tmp_path / name)[0].signature.data == wanted) is same
    (tmp_path / "other.jsonl").write_bytes(LINES + LINES.splitlines()[0])
    assert score(tmp_path / "other.jsonl")[0].signature.data != wanted


@pytest.mark.parametrize("name", WRITERS)
def test_a_limit_hashes_the_rows_that_it_leaves(name: str, tmp_path: Path) -> None:
    WRITERS[name](tmp_path / name)
    signed = [score(tmp_path / name, limit=limit)[0].signature for limit in (1, 2, 3, 4, 5, None)]
    assert len({str(one) for one in signed}) == 4
    assert None not in {one.data for one in signed}
    assert signed[3] == signed[4] == signed[5]


def test_rows_beyond_the_limit_have_no_part_in_the_hash(tmp_path: Path) -> None:
    lines = LINES.splitlines(keepends=True)
    for name, data in (
        ("a.jsonl", LINES),
        ("b.jsonl", b"".join(lines[:3]) + b"other\n"),
        ("c.jsonl", b"".join(lines[:3])),
        ("d.jsonl", b"".join([*lines[:2], lines[3]])),
    ):
        (tmp_path / name).write_bytes(data)
    found = [
        score(tmp_path / name, limit=3)[0].signature_text
        for name in ("a.jsonl", "b.jsonl", "c.jsonl", "d.jsonl")
    ]
    assert found[0] == found[1] == found[2] != found[3]
    whole = score_files(
        ScorerPlan(scorer="numeric_match", by="category"), [Source(str(tmp_path / "c.jsonl"))]
    )
    assert whole.signature_text == found[0]


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("in.jsonl", b"", "no rows"),
        ("in.jsonl", b"\n \n\r\n", "no rows"),
        ("in.csv", b"", "no rows"),
        ("in.csv", b"response,target\n", "no rows"),
        ("in.csv", b"response,response\na,b\n", "twice"),
        ("in.jsonl", "{}".encode("utf-16"), "UTF-16"),
        ("in.jsonl.gz", gzip.compress(LINES, mtime=0)[:30], "damaged gzip"),
        ("in.csv", "response,target\na,b\n".encode("utf-16"), "UTF-16"),
        (
            "in.csv",
            b"response;target\na;b\n",
            r"no column 'response': there are 'response;target'; cells are .* commas",
        ),
        ("in.csv", b"response\ttarget\na\tb\n", "--format tsv"),
        (
            "in.csv",
            b"id,output,target\n1,a,b\n",
            r"there are 'id', 'output', 'target'; .* --field response=NAME",
        ),
        ("in.csv", b"response,want\na,b\n", r"no column 'target'"),
        ("in.jsonl.gz", b"\x1f\x8bnonsense", "damaged gzip"),
        ("in.jsonl.zst", b"\x28\xb5\x2f\xfdnonsense", "damaged zstd data"),
        ("in.parquet", b"PAR1 nonsense", "not Parquet"),
        ("in.txt", LINES, "format"),
    ],
)
def test_files_that_cannot_be_read(name: str, data: bytes, told: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(data)
    (tmp_path / "scored.jsonl").write_text("what was there before")
    with pytest.raises(DataError, match=told) as caught:
        score(tmp_path / name)
    assert name in str(caught.value)
    assert (tmp_path / "scored.jsonl").read_text() == "what was there before"


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        Source(str(tmp_path / "none.jsonl"))
    (tmp_path / "folder.jsonl").mkdir()
    with pytest.raises(DataError, match="a folder"):
        Source(str(tmp_path / "folder.jsonl"))


@given(st.binary(max_size=60).map(lambda data: data.replace(b"a", b"\n")), st.integers(1, 7))
def test_lines_are_never_cut(data: bytes, size: int) -> None:
    pieces = list(whole_lines(data[i : i + size] for i in range(0, len(data), size)))
    assert b"".join(piece for piece, _ in pieces) == data
    assert all(piece.endswith(b"\n") for piece, _ in pieces[:-1])


def test_a_line_beyond_all_bounds_is_a_bad_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "LINE_LIMIT", 2 * blocks.BLOCK_BYTES)
    good = b'{"response":"7","target":"7"}\n'
    long = b'{"response":"' + b"7" * 3 * blocks.BLOCK_BYTES + b'","target":"7"}\n'
    (tmp_path / "in.jsonl").write_bytes(good + long + good + long.rstrip())
    bad: list[Any] = []
    _, rows = score(tmp_path / "in.jsonl", on_bad=bad.append)
    assert [b.line for b in bad] == [2, 4]
    assert [row["value"] for row in rows] == [1.0, None, 1.0, None]
    assert [row["line"] for row in rows] == [1, 2, 3, 4]


def test_a_huge_line_within_bounds_is_scored(tmp_path: Path) -> None:
    long = json.dumps({"response": "word " * 400_000 + "7", "target": "7"}).encode()
    (tmp_path / "in.jsonl").write_bytes(long + b"\n" + LINES)
    _, rows = score(tmp_path / "in.jsonl")
    assert [row["value"] for row in rows] == [1.0, 1.0, 0.0, 1.0, 0.0]


CUT = {
    "in.jsonl.gz": b"".join(LINES for _ in range(2000)),
    "in.csv.gz": b"response,target\n" + b"7,7\n" * 20_000,
}


@pytest.mark.parametrize("name", CUT)
def test_of_damaged_data_all_that_stands_before_is_scored(name: str, tmp_path: Path) -> None:
    packed = gzip.compress(CUT[name], compresslevel=0, mtime=0)
    (tmp_path / name).write_bytes(packed[: len(packed) // 2])
    summary, rows = score(tmp_path / name)
    whole = CUT[name][: len(CUT[name]) // 2].count(b"\n")
    assert 0.9 * whole < rows[-1]["line"] <= whole
    assert summary.broken is not None
    assert "damaged gzip data: " in summary.broken
    assert summary.broken.endswith(f", after line {rows[-1]['line']}")
    assert (summary.signature.data, summary.files[0].sha256, summary.exit_code) == (None, None, 2)
    with pytest.raises(DataError, match="damaged gzip data"):
        score(tmp_path / name, strict=True)


def test_damaged_zstd_is_scored_up_to_the_damage(tmp_path: Path) -> None:
    lines = [
        json.dumps({"response": os.urandom(500).hex(), "target": "7"}).encode() + b"\n"
        for _ in range(1000)
    ]
    write_zstd(tmp_path / "in.jsonl.zst", b"".join(lines))
    packed = (tmp_path / "in.jsonl.zst").read_bytes()
    (tmp_path / "in.jsonl.zst").write_bytes(packed[: len(packed) // 2])
    summary, rows = score(tmp_path / "in.jsonl.zst")
    assert 200 < summary.total == len(rows) < 800
    assert summary.broken is not None
    assert summary.broken.endswith(
        f"damaged zstd data: Truncated compressed stream, after line {len(rows)}"
    )


def test_a_file_whose_name_is_no_text(tmp_path: Path) -> None:
    path = os.fsdecode(os.fsencode(tmp_path) + b"/\xff.jsonl")
    Path(path).write_bytes(LINES)
    out = str(tmp_path / "out.jsonl")
    summary = score_files(
        ScorerPlan(scorer="numeric_match"), [Source(path), Source(path)], Options(output=out)
    )
    assert json.loads(summary.to_json())["files"][0]["name"].endswith("/\ufffd.jsonl")
    assert json.loads(Path(out).read_bytes().splitlines()[0])["file"].endswith("/\ufffd.jsonl")


def test_the_guide_and_the_help_name_every_kind_of_file() -> None:
    from steelyard.cli.score import ROWS

    guide = (Path(__file__).parent.parent.parent / "docs" / "guide" / "score.md").read_text(
        encoding="utf-8"
    )
    for suffix in (*sources._SUFFIXES, *sources._PACKED):
        assert f"`{suffix}`" in guide
        assert suffix in ROWS or suffix in {".ndjson", ".json"}  # which say no more than .jsonl
