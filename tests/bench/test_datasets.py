"""Rows from every kind of source, and what is wrong with them told with its place."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.bench.datasets import open_dataset
from steelyard.errors import DataError, SpecError

ROWS = [{"q": "What is {x}?", "a": "1"}, {"q": 'Größe, "cm"', "a": "2"}]


def write_csv(path: Path) -> None:
    path.write_text('q,a\nWhat is {x}?,1\n"Größe, ""cm""",2\n', encoding="utf-8-sig")


WRITERS: dict[str, Callable[[Path], Any]] = {
    "rows.jsonl": lambda p: p.write_text(
        "\n".join(json.dumps(row) for row in ROWS) + "\n\n", encoding="utf-8"
    ),
    "rows.json": lambda p: p.write_text(json.dumps(ROWS, indent=1), encoding="utf-8"),
    "lines.json": lambda p: p.write_text("\n".join(map(json.dumps, ROWS)), encoding="utf-8"),
    "rows.csv": write_csv,
    "rows.tsv": lambda p: p.write_text(
        'q\ta\nWhat is {x}?\t1\n"Größe, ""cm"""\t2\n', encoding="utf-8"
    ),
    "rows.parquet": lambda p: pq.write_table(pa.Table.from_pylist(ROWS), p),
    "rows.jsonl.gz": lambda p: p.write_bytes(
        gzip.compress("\n".join(map(json.dumps, ROWS)).encode())
    ),
}


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_gives_the_same_rows(name: str, tmp_path: Path) -> None:
    WRITERS[name](tmp_path / name)
    found = open_dataset(name, tmp_path)
    assert [row.columns for row in found.rows] == ROWS
    assert found.hash == open_dataset(ROWS, tmp_path).hash


def own_rows() -> list[dict[str, str]]:
    return ROWS


def test_rows_may_come_from_a_list_a_function_or_its_name(tmp_path: Path) -> None:
    for given_as in (ROWS, tuple(ROWS), own_rows, lambda: iter(ROWS)):
        assert [row.columns for row in open_dataset(given_as, tmp_path).rows] == ROWS
    named = open_dataset("steelyard.bench.languages:rows", tmp_path)
    assert named.rows[0].columns["id"] == "2025-1.a_1"


WRONG = {
    "gone.jsonl": (None, "there is no such file"),
    "rows.docx": ("x", "its name does not tell its format"),
    "empty.jsonl": ("\n", "there are no rows"),
    "bad.jsonl": ('{"a": 1}\n{"a": }\n', "bad.jsonl:2: not JSON"),
    "list.jsonl": ('{"a": 1}\n[1]\n', "list.jsonl:2: a row is a JSON object"),
    "bad.json": ('[{"a": 1}, 2]', "item 2: a row is a JSON object"),
    "twice.jsonl": (
        '{"a": 1}\n{"a": {"b": 1, "b": 2}}\n',
        "twice.jsonl:2: a: the key 'b' is given twice",
    ),
    "twice.json": ('[{"a": 1, "a": 1}]', "twice.json: item 1: the key 'a' is given twice"),
    "torn.json": ('[{"a": 1}', "torn.json:1: not JSON"),
    "twice.csv": ("a,a\n1,2\n", "twice.csv:1: the column 'a' is there twice"),
    "short.csv": ('a,b\n"x\ny",1\n3\n', "short.csv:4: 1 cells where the header has 2"),
    "not.parquet": ("PAR", "not Parquet"),
    "latin.jsonl": (b'{"a": 1}\n{"a": "\xe9"}', "latin.jsonl:2: not UTF-8"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_with_a_file_is_told_with_its_place(name: str, tmp_path: Path) -> None:
    content, said = WRONG[name]
    if content is not None:
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(DataError) as wrong:
        _ = open_dataset(name, tmp_path).rows
    assert said in str(wrong.value)
    assert name in str(wrong.value)


def test_what_is_wrong_with_other_sources_is_told(tmp_path: Path) -> None:
    def broken() -> list[dict[str, Any]]:
        raise RuntimeError("no disk")

    with pytest.raises(DataError, match="failed: RuntimeError: no disk"):
        _ = open_dataset(broken, tmp_path).rows
    with pytest.raises(DataError, match="item 2: a row is a mapping"):
        _ = open_dataset([{"a": 1}, 7], tmp_path).rows
    with pytest.raises(SpecError, match="dataset: must be a file"):
        open_dataset(7, tmp_path)
    with pytest.raises(SpecError, match="no_such_module cannot be imported"):
        open_dataset("no_such_module:rows", tmp_path)
    with pytest.raises(SpecError, match="has no 'nothing'"):
        open_dataset("steelyard.bench.languages:nothing", tmp_path)


def test_a_fraction_keeps_the_digits_that_were_written(tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_text('{"price": 12.50, "n": 3}\n', encoding="utf-8")
    row = open_dataset("p.jsonl", tmp_path).rows[0]
    assert row.columns == {"price": 12.5, "n": 3}
    assert row.written == {"price": "12.50"}


@given(
    st.lists(
        st.dictionaries(
            st.text(min_size=1),
            st.one_of(st.text(), st.integers(-(2**53), 2**53), st.booleans()),
            min_size=1,
        ),
        min_size=1,
        max_size=5,
    )
)
def test_another_row_is_another_hash(rows: list[dict[str, Any]]) -> None:
    here = Path()
    assert open_dataset(rows, here).hash == open_dataset(list(rows), here).hash
    assert open_dataset(rows, here).hash != open_dataset([*rows, {"one": "more"}], here).hash


def test_a_dataset_of_the_hub_is_read_through_its_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "test.jsonl").write_text(
        "".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8"
    )
    import datasets

    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", str(tmp_path / "cache"))
    found = open_dataset(f"hf://{folder}?split=test", tmp_path)
    assert [row.columns for row in found.rows] == ROWS
    saved = tmp_path / "saved"
    datasets.DatasetDict({"test": datasets.Dataset.from_list(ROWS)}).save_to_disk(str(saved))
    assert [row.columns for row in open_dataset(f"hf://{saved}?split=test", tmp_path).rows] == ROWS
    with pytest.raises(DataError, match="cannot be loaded"):
        _ = open_dataset(f"hf://{folder}?split=train", tmp_path).rows


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("hf://org/name", "write hf://org/name\\?split=test"),
        ("hf://?split=test", "write hf://org/name\\?split=test"),
        ("hf://org/name?splt=test", "did you mean 'split'"),
    ],
)
def test_an_address_says_which_rows_are_meant(address: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=said):
        open_dataset(address, tmp_path)
