"""Entries and references of an absurd size or shape: each ends, and none raises."""

from __future__ import annotations

from typing import Any

import pytest

from reference.judges import Known
from steelyard.errors import SpecError
from steelyard.reference import match_entry, normalise_entry, parse_reference, score_solution

HUGE = 50_000_000
DEEP: list[Any] = []
for _ in range(20_000):
    DEEP = [DEEP]
LOOP: list[Any] = []
LOOP.append(LOOP)
SELECT = "<select2,1,inf>['ka', 'lo', 'mi']"
ENTRIES = {
    "letters": "x" * HUGE,
    "accents": "é" * (HUGE // 2),
    "brackets": "[" * HUGE,
    "marks": "a" + "\u0301\u0316" * (HUGE // 100),
    "surrogates": "\ud800" * 1_000,
    "deep": DEEP,
    "loop": LOOP,
    "many": [str(n) for n in range(500_000)],
    "copies": ["ka"] * 1_000_000,
    "mixed": [6, float("nan"), None, {"a": DEEP}, DEEP, LOOP, b"ka", object()],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ENTRIES)
@pytest.mark.parametrize(
    "reference", ["kala", SELECT, "<fuzzy>kala", "<fuzzy><select1,1,1>['kala']"]
)
def test_it_ends_with_a_score(name: str, reference: str) -> None:
    score = match_entry(reference, ENTRIES[name], fuzzy="similarity")
    assert score.value == (0.5 if name == "copies" and reference == SELECT else 0)
    assert 0 < len(score.reason) < 500
    assert len(str(score.detail)) < 10_000


def test_padding_of_any_length_is_stripped() -> None:
    assert match_entry("kala", " " * HUGE + "kala").value == 1
    assert match_entry("kala", "[" * HUGE + "kala").value == 1
    assert match_entry("x" * HUGE, "x" * HUGE).value == 1


def test_marks_are_put_in_order_however_many_there_are() -> None:
    low, high = "\u0316", "\u0301"
    many = 100_000
    assert normalise_entry("b" + (high + low) * many) == "b" + low * many + high * many


@pytest.mark.parametrize(
    "tail",
    ["[" * 100_000, "['" + "\\" * 1_000_001, "['a'," * 100_000, "x" * HUGE, "['" + "a" * HUGE],
)
def test_a_reference_of_any_size_is_read_or_refused(tail: str) -> None:
    with pytest.raises(SpecError) as raised:
        parse_reference("<select1,1,1>" + tail)
    assert len(str(raised.value)) < 500


def test_a_judge_is_not_asked_of_what_is_no_text() -> None:
    judge = Known()
    solution = {"answer": {"1": DEEP, "2": [6, DEEP]}}
    score = score_solution(
        solution, {"answer": {"1": "<fuzzy>a", "2": "<fuzzy>" + SELECT}}, judge=judge
    )
    assert score.value == 0
    assert judge.asked == []
