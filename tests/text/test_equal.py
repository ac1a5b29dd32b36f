"""When two answers are the same: a table of pairs, and what holds for every pair."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.text.equal import same_answer
from steelyard.text.maths.expression import canonical
from steelyard.text.normal import is_blank
from steelyard.text.wrap import unwrapped

CASES = Path(__file__).parent.parent / "cases" / "text"
PIECES = (CASES / "pieces.txt").read_text(encoding="utf-8").split()
PIECES += [" ", "\ud800"]
MATHS = st.lists(st.sampled_from(PIECES), max_size=16).map("".join)
NUMBERS = st.fractions(max_denominator=50)


def _rows(name: str) -> list[Any]:
    lines = (CASES / name).read_text(encoding="utf-8").splitlines()
    return [
        pytest.param(json.loads(line), id=f"{name}:{at}") for at, line in enumerate(lines, start=1)
    ]


@pytest.mark.parametrize("row", _rows("equal.jsonl"))
def test_same_answer(row: dict[str, Any]) -> None:
    assert same_answer(row["got"], row["want"]) is row["same"]
    assert same_answer(row["want"], row["got"]) is row["same"], "either side may be the target"


@given(got=MATHS, want=MATHS)
@settings(deadline=None, max_examples=400)
def test_nothing_makes_it_raise_and_what_is_there_equals_itself(got: str, want: str) -> None:
    assert same_answer(got, want) in {True, False}
    assert same_answer(got, got) is not is_blank(got)
    assert canonical(got) == canonical(got)


@given(text=MATHS.filter(lambda text: text.strip() and "$" not in text))
@settings(deadline=None, max_examples=200)
def test_dollars_around_the_whole_do_not_matter(text: str) -> None:
    assert same_answer(f"${text}$", text) or not unwrapped(text)


@given(left=NUMBERS, right=NUMBERS)
def test_members_compare_by_value(left: Any, right: Any) -> None:
    got = rf"\left(\frac{{{left.numerator}}}{{{left.denominator}}}, x\right)"
    assert same_answer(got, f"({right}, x)") is (left == right)


@given(
    terms=st.lists(
        st.sampled_from(["x", "2y", "x^2", "3", r"\frac{1}{2}", r"\pi"]), min_size=2, max_size=4
    )
)
def test_a_wrapped_sum_is_the_sum_and_its_negative_is_not(terms: list[str]) -> None:
    plain = "+".join(terms)
    assert same_answer(f"({plain})", plain)
    assert same_answer(rf"\left({plain}\right)", " + ".join(terms))
    assert not same_answer(f"-({plain})", f"-{plain}")


@pytest.mark.parametrize(
    "piece", ["`", "{,}", "(", "(,", "\\frac", "√", "^", "{", "\\text{", "=", "1,", "-", "<|", "x="]
)
def test_long_hostile_answers_are_compared_in_one_go(piece: str) -> None:
    """A quadratic pattern or a recursion without bounds would hang or raise here."""
    for size in (390, 100_000):
        text = piece * (size // len(piece)) + "x"
        assert not same_answer(text, "42")
        assert not same_answer("42", text)
