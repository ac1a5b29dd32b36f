"""Values that no file of cases can hold: huge, bottomless and foreign ones."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from decimal import Decimal, localcontext
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.errors import SpecError
from steelyard.primitives import (
    coverage_ratio,
    exact_match,
    exact_match_ratio,
    fuzzy_string,
    numeric_tolerance,
    set_overlap,
    time_decay,
    token_efficiency,
)
from steelyard.primitives.numeric import within
from steelyard.primitives.spread import spread
from steelyard.primitives.values import describe
from steelyard.score import graded

HUGE = Decimal("1e999999999")


def deep(levels: int, leaf: Any = 1) -> Any:
    for _ in range(levels):
        leaf = [leaf]
    return leaf


def endless() -> list[Any]:
    loop: list[Any] = []
    loop.append(loop)
    return loop


@pytest.mark.parametrize(
    ("a", "b", "bound", "inside"),
    [
        (HUGE, HUGE, 0, True),
        (HUGE, 1, 5, False),
        (HUGE, 1, HUGE, True),  # one less than the bound
        (HUGE, -1, HUGE, False),  # one more than the bound
        (HUGE, Decimal("2e999999999"), HUGE, True),
        (Decimal("1e400"), 10**400 + 1, 1, True),
        (Decimal("1e-999999999"), 0, 0, False),
        (Decimal("1e-999999999"), 0, Decimal("1e-999999999"), True),
        (10**5000, 10**5000 + 3, 3, True),
        (10**5000, 10**5000 + 4, 3, False),
        (10**5000, Decimal("1e5000"), 0, True),
    ],
    ids=describe,
)
def test_distance_is_exact_at_any_size(a: Any, b: Any, bound: Any, inside: bool) -> None:
    assert within(a, b, bound) is inside
    assert numeric_tolerance(a, b, tolerance=bound).correct is inside


@pytest.mark.parametrize(
    "value", [HUGE, 10**5000, -(10**5000), Decimal("1e-999999999")], ids=describe
)
def test_huge_numbers_can_be_scored_and_told(value: Any) -> None:
    assert exact_match(value, 1).points == 0
    assert exact_match(value, value).points == 1000
    assert exact_match_ratio([value], [1]).points == 0
    assert coverage_ratio([value], [value]).points == 1000
    assert len(describe(value)) < 60
    assert time_decay(value, time_limit_secs=300).points in {0, 1000}
    limit = value.copy_abs() if isinstance(value, Decimal) else abs(value)
    assert time_decay(30, time_limit_secs=limit).points in {0, 1000}
    step = {"type": "llm_call", "input_tokens": value, "output_tokens": 0}
    assert token_efficiency({"steps": [step]}, token_budget=5).points == 0


@pytest.mark.parametrize(
    "value",
    [
        deep(100_000),
        endless(),
        {"a": endless()},
        {1: 2},
        object(),
        b"bytes",
        {1, 2},
        1j,
        Decimal("sNaN"),
        Decimal("-Infinity"),
        "\ud800",
        [b"x"],
        [{2: 1}],
        range(3),
    ],
    ids=lambda value: type(value).__name__,
)
def test_no_value_makes_a_primitive_raise(value: Any) -> None:
    assert exact_match(value, "x").points == 0
    assert exact_match_ratio(value, ["x"]).points == 0
    assert numeric_tolerance(value, 7, tolerance=1).points == 0
    assert numeric_tolerance(value, [7], tolerance=1).points == 0
    assert fuzzy_string(value, "x").points == 0
    assert coverage_ratio(value, ["x"]).points == 0
    assert set_overlap([value], ["x"], method="jaccard").points == 0
    assert time_decay(value, time_limit_secs=5).points == 0
    assert token_efficiency(value, token_budget=5).points == 0
    assert token_efficiency({"steps": [value]}, token_budget=5).points == 0


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (10**34 + 1, "10000000000000000000000000000000001"),
        (-(10**34), "-10000000000000000000000000000000000"),
        (2**53 + 1, "9007199254740993"),
        (10**40 + 1, "100000000000…000000000001 (of 41 digits)"),
        (10**5000, "1E+5000"),
        (10**5000 + 1, "100000000000…000000000001 (of 5001 digits)"),
        (10**100_000, "a whole number of about 100000 digits"),
        (Decimal("0.1000000000000000055511151231257827"), "0.1000000000000000055511151231257827"),
        (Decimal("1." + "3" * 60), "133333333333…333333333333E-60 (of 61 digits)"),
        (HUGE, "1E+999999999"),
    ],
    ids=lambda value: describe(value)[:20],
)
def test_a_reason_shows_the_exact_number_or_says_that_it_is_cut(value: Any, shown: str) -> None:
    assert describe(value) == shown
    assert exact_match(value, "x").reason == f"expected 'x', got {shown}"


def test_a_near_miss_among_large_numbers_can_be_seen() -> None:
    reason = numeric_tolerance(10**34 + 1, 10**34, tolerance=0.5).reason
    assert reason == f"the value is {10**34 + 1}; expected {10**34} within 0.5"


def test_depth_itself_is_no_fault() -> None:
    assert exact_match(deep(9_000), deep(9_000)).points == 1000
    assert exact_match(deep(9_000), deep(9_000, leaf=2)).points == 0


def test_a_bottomless_truth_is_the_authors_error() -> None:
    with pytest.raises(SpecError, match="nested more than"):
        exact_match(1, endless())


def test_large_sets_are_compared_in_one_pass() -> None:
    items = [{"id": i} for i in range(50_000)]
    assert set_overlap(items[::-1], items, method="jaccard").points == 1000


MODULUS = sys.hash_info.modulus


@pytest.mark.parametrize(
    "item",
    [
        lambda i: i * MODULUS,
        lambda i: [i * MODULUS],
        lambda i: Decimal(i * MODULUS) + Decimal("0.5"),
        lambda i: Decimal(pow(10, -25 * (i + 200), MODULUS)).scaleb(25 * (i + 200)),
    ],
    ids=["integers", "in arrays", "decimals", "exponents"],
)
def test_numbers_that_share_their_hash_are_compared_in_one_pass(item: Callable[[int], Any]) -> None:
    items = [item(i) for i in range(1, 20_001)]
    assert len({hash(one if not isinstance(one, list) else one[0]) for one in items}) == 1
    began = time.process_time()
    assert coverage_ratio(items[::-1], items).points == 1000
    assert set_overlap(items[:10_000], items, method="jaccard").points == 500
    assert time.process_time() - began < 5  # one by one it takes more than ten times as long


NUMBERS = st.integers(-(10**40), 10**40) | st.decimals(
    allow_nan=False, allow_infinity=False, places=3
)


@given(NUMBERS, NUMBERS, st.integers(0, 5_000))
def test_a_number_for_a_set_is_equal_where_it_was(one: Any, other: Any, zeros: int) -> None:
    assert (spread(one) == spread(other)) is (one == other)
    longer = Decimal(
        f"{Decimal(one):f}" + ("" if "." in f"{Decimal(one):f}" else ".") + "0" * zeros
    )
    assert spread(longer) == spread(one)
    assert hash(spread(longer)) == hash(spread(one))


def test_texts_too_long_to_compare_are_a_zero_and_no_wait() -> None:
    score = fuzzy_string("a" * 1_000_000, "b" * 1_000_000)
    assert score.points == 0
    assert "too many" in score.reason
    assert fuzzy_string("a" * 1_000_000, "A" * 1_000_000).points == 1000


def test_points_do_not_follow_the_callers_decimal_context() -> None:
    with localcontext() as context:
        context.prec = 3
        assert graded(0.123456789).points == 123.456789
        assert graded(5e-324).points == 5e-321


def _forged(base: type) -> type:
    """A type whose values call themselves equal to anything, and are shown as what was wanted."""

    def yes(self: object, other: object) -> bool:
        return True

    def no(self: object, other: object) -> bool:
        return False

    told = {
        "__eq__": yes,
        "__ne__": no,
        "__hash__": lambda self: 5,
        "__int__": lambda self: 5,
        "__index__": lambda self: 5,
        "__le__": yes,
        "__lt__": yes,
        "__ge__": yes,
        "__gt__": yes,
        "__sub__": lambda self, other: 0,
    }
    return type("Forged", (base,), told)


@pytest.mark.parametrize(("base", "value"), [(int, 7), (float, 7.5), (Decimal, "7.5")])
def test_a_number_that_calls_itself_equal_to_anything_is_what_it_is(base: type, value: Any) -> None:
    got = _forged(base)(value)
    assert exact_match(got, 5).points == 0
    assert exact_match_ratio([got], [5]).points == 0
    assert numeric_tolerance(got, 5, tolerance=0).points == 0
    assert (
        coverage_ratio([got], [5]).points == set_overlap([got], [5], method="jaccard").points == 0
    )
    assert exact_match(got, base(value)).points == 1000


def test_a_text_that_calls_itself_equal_to_anything_is_what_it_is() -> None:
    sly = _forged(str)
    got = type("Sly", (sly,), {"__str__": lambda self: sly("right")})("wrong")
    assert exact_match(got, "right").points == 0
    assert exact_match(got, "wrong").points == 1000


@pytest.mark.parametrize("kind", [np.int64, np.uint8, np.int16])
def test_an_integer_of_numpy_is_that_integer(kind: Any) -> None:
    assert exact_match(kind(5), 5).points == 1000
    assert exact_match(kind(6), 5).reason == "expected 5, got 6"
    assert exact_match([{"a": kind(5)}], [{"a": 5}]).points == 1000
    assert numeric_tolerance(kind(5), 5.5, tolerance=0.5).points == 1000
    assert coverage_ratio([kind(5)], [5]).points == 1000
    assert exact_match(np.bool_(True), 1).points == 0
