"""Rows that are kept on disk are the rows that were read, and problems are made of them as if they lay in memory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.bench import make_benchmark
from steelyard.bench import problems as problems_module
from steelyard.bench.datasets import open_dataset
from steelyard.bench.rows import BLOCK, Row, Rows
from steelyard.errors import DataError
from steelyard.lift import plain

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", max_size=2), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(
    st.lists(
        st.dictionaries(st.text("xyz", min_size=1, max_size=2), VALUES, max_size=4), max_size=5
    ),
    st.integers(0, 150),
)
def test_what_is_kept_is_what_was_read(columns: list[dict[str, Any]], more: int) -> None:
    given = [
        Row(place, plain(row), {"x": "1.50"})
        for place, row in enumerate([*columns, *({"n": n} for n in range(more))])
    ]
    kept = Rows(given)
    assert list(kept) == given
    assert [kept[at] for at in range(len(given))] == given
    assert kept[1:3] == given[1:3]
    assert [list(row.columns) for row in kept] == [list(row.columns) for row in given], (
        "columns keep their order"
    )
    assert kept.hash == Rows(iter(given)).hash


def test_the_hash_is_that_of_the_content_and_not_of_the_order_of_columns() -> None:
    one, other = Rows([Row(1, {"a": 1, "b": 2})]), Rows([Row(1, {"b": 2, "a": 1})])
    assert one.hash == other.hash
    assert one.hash != Rows([Row(1, {"a": 1, "b": 3})]).hash


def test_problems_are_the_same_however_few_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"q": f"What is {n}?", "target": n} for n in range(5 * BLOCK + 7)]
    whole = list(make_benchmark("b", rows, "{q}", "numeric_match").problems())
    monkeypatch.setattr(problems_module, "KEPT_BYTES", 1)
    few = make_benchmark("b", rows, "{q}", "numeric_match").problems()
    assert list(few) == whole
    assert [few[at] for at in (300, 0, 64, 63, -1)] == [whole[at] for at in (300, 0, 64, 63, -1)]
    with pytest.raises(IndexError):
        few[len(whole)]


def test_an_id_that_is_there_twice_is_told_with_both_places(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text("".join(json.dumps({"id": n % 200, "target": "x"}) + "\n" for n in range(300)))
    with pytest.raises(DataError, match=r"rows\.jsonl:201: the id '0' is that of line 1 already"):
        make_benchmark("b", file, "{id}", "exact_match").problems()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_long_files_are_read_in_pieces_with_their_lines(tmp_path: Path, end: str) -> None:
    text = "long " * 200
    lines, table = tmp_path / "rows.jsonl", tmp_path / "rows.csv"
    lines.write_bytes("".join(json.dumps({"q": f"{text}{n}"}) + end for n in range(1000)).encode())
    table.write_bytes(
        f"q{end}".encode() + "".join(f'"{text}{n}, ""x"""{end}' for n in range(1000)).encode()
    )
    for file, first, tail in ((lines, 1, ""), (table, 2, ', "x"')):
        found = open_dataset(file, Path()).rows
        assert [(row.place, row.columns["q"]) for row in found] == [
            (n + first, f"{text}{n}{tail}") for n in range(1000)
        ]
    with lines.open("ab") as more:
        more.write(b'{"q": "\xff"}\n')
    with pytest.raises(DataError, match=r"rows\.jsonl:1001: not UTF-8"):
        len(open_dataset(lines, Path()).rows)


def test_what_json_cannot_hold_is_told() -> None:
    with pytest.raises(DataError, match="row 1 cannot be written as JSON"):
        len(open_dataset([{"q": "half \ud800"}], Path()).rows)
