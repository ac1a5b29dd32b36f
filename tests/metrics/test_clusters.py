"""Intervals for attempts that share their problem."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.metrics.clusters import Clusters
from steelyard.metrics.student import t_quantile

problems = st.lists(st.lists(st.sampled_from([0, 1]), min_size=1, max_size=5), min_size=2, max_size=12)


def clusters(given: list[list[int]]) -> Clusters:
    made = Clusters()
    for values in given:
        made.add(len(values), Fraction(sum(values)))
    return made


def by_hand(given: list[list[int]]) -> tuple[float, float]:
    """The mean and its cluster-robust standard error, the long way round."""
    every = [value for values in given for value in values]
    mean = sum(every) / len(every)
    squares = sum(sum(value - mean for value in values) ** 2 for values in given)
    count = len(given)
    return mean, math.sqrt(squares * count / (count - 1)) / len(every)


@given(problems)
def test_it_is_the_sum_over_problems(given: list[list[int]]) -> None:
    mean, error = by_hand(given)
    found = clusters(given).interval()
    assert found is not None
    assert found.value == pytest.approx(mean)
    if found.method == "clustered":
        reach = t_quantile(0.975, len(given) - 1) * error
        assert found.lower == pytest.approx(max(0, mean - reach), abs=1e-12)
        assert found.upper == pytest.approx(min(1, mean + reach), abs=1e-12)


@given(st.lists(st.sampled_from([0, 1]), min_size=3, max_size=30).filter(lambda values: 0 < sum(values) < len(values)))
def test_repeating_the_same_answer_adds_no_evidence(values: list[int]) -> None:
    once = clusters([[value] for value in values]).interval()
    often = clusters([[value] * 10 for value in values]).interval()
    assert once is not None
    assert often is not None
    assert (often.lower, often.upper) == pytest.approx((once.lower, once.upper))


@pytest.mark.parametrize("value", [0, 1])
def test_no_spread_is_no_certainty(value: int) -> None:
    found = clusters([[value] * 8] * 5).interval()
    assert found is not None
    assert found.method == "wilson over problems"
    assert (found.upper or 0) - (found.lower or 0) > 0.3


def test_one_problem_has_no_interval() -> None:
    assert clusters([[0, 1, 1]]).interval() is None
    assert Clusters().interval() is None
