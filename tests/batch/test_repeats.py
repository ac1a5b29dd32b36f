"""Rows that share an id are told of, in any number of them, and nothing grows with that."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from commands import Commands
from steelyard.batch.repeats import KEPT, Repeats, chosen


def looked_at(ids: list[Any], cut: int) -> Repeats:
    repeats = Repeats()
    for start in range(0, len(ids), cut):
        lines = list(range(start + 1, min(start + cut, len(ids)) + 1))
        repeats.add(chosen(lines, [SimpleNamespace(id=ids[line - 1]) for line in lines]))
        assert len(repeats._seen) <= KEPT
    return repeats


@pytest.mark.parametrize(
    ("ids", "found"),
    [
        (["a", "b", 1, "1", None, None, 1.5, 1.5, True, True], False),
        (["a", "b", "a"], True),
        ([1, 2, 1], True),
        (["x" * 500 + "a", "x" * 500 + "b"], False),
        (["x" * 500 + "a", "x" * 500 + "a"], True),
        ([*range(KEPT - 2), 5], True),
        ([f"q{n}" for n in range(60_000)], False),
        ([f"{n}" + "x" * 500 for n in range(25_000)], False),
        ([f"q{n % 30_000}" for n in range(60_000)], True),
        ([f"q{n // 2}" for n in range(60_000)], True),
        ([n % 30_000 for n in range(60_000)], True),
    ],
)
@pytest.mark.parametrize("cut", [977, 10_000])
def test_an_id_that_comes_again_is_found(ids: list[Any], found: bool, cut: int) -> None:
    assert looked_at(ids, cut).found is found


def test_how_rows_are_cut_changes_nothing() -> None:
    ids = [f"q{n}" for n in range(50_000)]
    assert len({frozenset(looked_at(ids, cut)._seen) for cut in (999, 10_000, 10_001, 50_000)}) == 1


def test_the_summary_says_so(steelyard: Commands, tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    for ids, told in ((("a", "a", "b"), True), (("a", "b", "c"), False), ((None, None, None), False)):
        path.write_text("".join(json.dumps({"id": known_as, "response": "x", "target": "x"}) + "\n" for known_as in ids))
        ran = steelyard("score", "--scorer", "exact_match", path, "--json")
        assert json.loads(ran.out)["repeated_ids"] is told
        assert ran.err.startswith("note: some rows share an id; ") is told
