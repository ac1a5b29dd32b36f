"""Scores stay exact fractions until the end."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from spec.specs import dimension, free
from steelyard.spec import evaluate
from steelyard.spec.evaluation import rational


def test_fractions_stay_exact_to_the_end() -> None:
    spec = free(dimension("a", 0.6, primitive="exact_match_ratio"), dimension("b", 0.4))
    found = evaluate(spec, {"a": [1, 2, 0], "b": 0}, {"a": [1, 2, 3], "b": 1})
    assert found.score_breakdown["a"]["weighted"] == 400
    assert type(found.score_breakdown["a"]["weighted"]) is int
    assert (found.score, found.total.value, found.total.points) == (400, 0.4, 400)


def test_a_gate_takes_the_exact_fraction() -> None:
    spec = free(
        dimension("a", 0.5, primitive="exact_match_ratio"),
        dimension("b", 0.5, requires={"a": Decimal("666.666666666666666")}),
    )
    assert (
        evaluate(spec, {"a": [1, 2, 0], "b": 1}, {"a": [1, 2, 3], "b": 1}).score_breakdown["b"][
            "score"
        ]
        == 1000
    )


@given(st.integers(1, 10**6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_every_simple_fraction_is_known_by_its_float(case: tuple[int, int]) -> None:
    assert rational(case[0] / case[1]) == Fraction(*case)


def test_what_is_no_simple_fraction_is_the_decimal_as_written() -> None:
    assert rational(0.12345678912345) == Fraction("0.12345678912345")
    assert rational(5e-324) == Fraction("5e-324")
    assert rational(0.9999999999999999) < 1


@given(st.floats(0, 1))
def test_any_other_value_is_the_nearest_simple_fraction_or_the_decimal(value: float) -> None:
    written, simple = Fraction(repr(value)), Fraction(value).limit_denominator(10**6)
    wanted = written if written.denominator <= 10**6 or float(simple) != value else simple
    assert rational(value) == wanted
