"""Several attempts at one problem: every number is what trying all draws gives."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from statistics import mean
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.metrics import (
    best_of_k,
    bootstrap_ci,
    default_interval,
    learning_curve,
    majority_at_k,
    over_problems,
    pass_at_k,
    pass_hat_k,
    wilson_interval,
)
from steelyard.metrics.repeats import vote

GRADES = st.sampled_from([0, 1, 0.25, 0.5, 0.8])


def drawing(values: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[list[Any], int]]:
    some = st.lists(values, min_size=1, max_size=7)
    return some.flatmap(lambda found: st.tuples(st.just(found), st.integers(1, len(found))))


def by_trying(attempts: list[Any], k: int, worth: Callable[[tuple[Any, ...]], Fraction]) -> float:
    """The mean over every way to draw k."""
    draws = list(itertools.combinations(attempts, k))
    return float(sum(map(worth, draws), Fraction(0)) / len(draws))


def vote_worth(draw: tuple[tuple[str | None, int], ...]) -> Fraction:
    counts = Counter(answer for answer, _ in draw if answer is not None)
    winners = [answer for answer, count in counts.items() if count == max(counts.values())]
    return sum((Fraction(dict(draw)[winner]) for winner in winners), Fraction(0)) / max(
        1, len(winners)
    )


@given(drawing(st.booleans()))
def test_passes_are_those_of_all_draws(case: tuple[list[bool], int]) -> None:
    attempts, k = case
    n, right = len(attempts), sum(attempts)
    assert pass_at_k(n, right, k) == by_trying(attempts, k, lambda draw: Fraction(any(draw)))
    assert pass_hat_k(n, right, k) == by_trying(attempts, k, lambda draw: Fraction(all(draw)))
    assert best_of_k(attempts, k) == pass_at_k(n, right, k)


@given(drawing(GRADES))
def test_the_best_is_that_of_all_draws(case: tuple[list[float], int]) -> None:
    values, k = case
    assert best_of_k(values, k) == by_trying(values, k, lambda draw: Fraction(max(draw)))
    assert best_of_k(values, len(values)) == max(values)
    assert best_of_k(values, 1) == pytest.approx(mean(values))


@given(drawing(st.sampled_from(["A", "B", "C", None])))
def test_the_vote_is_that_of_all_draws(case: tuple[list[str | None], int]) -> None:
    answers, k = case
    attempts = [(answer, int(answer == "A")) for answer in answers]
    want = by_trying(attempts, k, vote_worth)
    assert majority_at_k(answers, [value for _, value in attempts], k) == want


def test_a_vote_of_many_is_quick_and_right() -> None:
    answers = ["A"] * 8 + ["B"] * 8 + list(map(str, range(48)))
    first, second, others = (
        [int(part <= place < part + size) for place in range(64)]
        for part, size in ((0, 8), (8, 8), (16, 48))
    )
    won = [majority_at_k(answers, values, 16) for values in (first, second, others)]
    assert won[0] == won[1] > won[2] > 0
    assert sum(won) == pytest.approx(1, abs=1e-12)
    assert majority_at_k(answers, first, 64) == 0.5


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("4", "4.0", True),
        ("1/2", "0.5", True),
        ("1,000", "1000", True),
        ("Paris", " paris. ", True),
        ("A", "B", False),
        ("-5", "5", False),
        (4, "4", True),
        (4, 4.0, True),
        (True, 1, False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ([1, 2], [2, 1], False),
        ("1e999999", "1e999998", False),
        (0.1, "0.1", True),
        (0.1, Decimal("0.1"), True),
        (0.1, Fraction(1, 10), True),
        (np.float32(0.1), "0.10", True),
        (1e-7, "0.0000001", True),
        (0.1 + 0.2, "0.3", False),
        (float("nan"), float("nan"), True),
        ({1: 2}, {1: 2}, True),
        ({1: 2}, {1: 3}, False),
        ({(1, 2): "\ud800"}, {(1, 2): "\ud800"}, True),
    ],
)
def test_what_is_the_same_answer(one: Any, other: Any, same: bool) -> None:
    assert (vote(one) == vote(other)) is same


def test_who_says_nothing_does_not_vote() -> None:
    assert vote("") is vote(None) is None
    assert majority_at_k([None, None, "A"], [0, 0, 1], 3) == 1
    assert majority_at_k([None, None], [0, 0], 2) == 0
    assert (
        majority_at_k(["A", "A"], [1, 0], 2) == 0.5
    )  # one answer, about which two verdicts differ


@pytest.mark.parametrize(
    "call",
    [
        lambda: best_of_k([], 1),
        lambda: best_of_k([1], 2),
        lambda: best_of_k([1], 0),
        lambda: best_of_k([1], True),
        lambda: best_of_k([1.5], 1),
        lambda: best_of_k([None], 1),
        lambda: best_of_k(["1"], 1),
        lambda: best_of_k([float("nan")], 1),
        lambda: majority_at_k(["A"], [1, 0], 1),
        lambda: majority_at_k([], [], 1),
        lambda: majority_at_k(["A"], [2], 1),
        lambda: pass_hat_k(0, 0, 1),
        lambda: pass_hat_k(3, 4, 1),
        lambda: pass_hat_k(3, 2, 4),
        lambda: pass_hat_k(3.0, 2, 1),
        lambda: pass_hat_k(3, -1, 1),
        lambda: pass_hat_k(3, 2, 0),
        lambda: learning_curve([]),
        lambda: learning_curve([[1]], clusters=[1, 2]),
        lambda: learning_curve([[2]]),
        lambda: over_problems([], lambda row: 1),
        lambda: over_problems([1], lambda row: None),
        lambda: over_problems([1], lambda row: 1, clusters=[]),
        lambda: over_problems([1, 0], lambda row: row, clusters=[1, 2], resamples=10),
        lambda: best_of_k(None, 1),
        lambda: majority_at_k(None, [1], 1),
        lambda: majority_at_k(["A"], 1, 1),
        lambda: learning_curve(None),
        lambda: learning_curve([None]),
        lambda: learning_curve([[1]], clusters=3),
        lambda: over_problems(None, float),
    ],
)
def test_what_cannot_be_is_refused(call: Callable[[], Any]) -> None:
    with pytest.raises(ValueError, match=r".{10,}"):
        call()


@given(
    st.integers(2, 10**6).flatmap(
        lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))
    )
)
def test_passing_always_is_not_failing_once(case: tuple[int, int, int]) -> None:
    n, right, k = case
    assert pass_hat_k(n, right, k) == pytest.approx(1 - pass_at_k(n, n - right, k), abs=1e-9)


def test_pass_hat_k_of_very_many() -> None:
    assert pass_hat_k(10**15, 10**15 - 10**8, 10**7) == pytest.approx(0.36787944, rel=1e-6)
    assert pass_hat_k(10**400, 10**400 - 10**200, 10**200) == pytest.approx(0.36787944, rel=1e-6)


def test_the_curve_is_over_problems_by_attempt() -> None:
    curve = learning_curve([[0, 1, 1], [0, None, 1], [1, 1]])
    assert [(point.attempt, point.n_samples, point.n_unscored) for point in curve] == [
        (1, 3, 0),
        (2, 3, 1),
        (3, 2, 0),
    ]
    assert [point.interval for point in curve] == [
        wilson_interval(1, 3),
        wilson_interval(2, 2),
        wilson_interval(2, 2),
    ]
    assert learning_curve([[None], [None]])[0].interval is None
    shared = learning_curve([[0], [0], [1], [1]], clusters=["a", "a", "b", "b"])[0].interval
    assert shared == default_interval([0, 0, 1, 1], ["a", "a", "b", "b"])


@given(st.lists(st.integers(0, 8), min_size=2, max_size=20))
def test_over_problems(right: list[int]) -> None:
    values = [pass_at_k(8, count, 3) for count in right]
    assert over_problems(right, lambda count: pass_at_k(8, count, 3)) == default_interval(values)
    drawn = over_problems(right, lambda count: pass_at_k(8, count, 3), resamples=200)
    assert drawn == bootstrap_ci(values, resamples=200)
    odd = [None if count % 2 else count / 8 for count in right]
    if any(value is not None for value in odd):
        assert over_problems(odd, lambda value: value).n == sum(value is not None for value in odd)
