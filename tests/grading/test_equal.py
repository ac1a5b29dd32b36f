"""Our equality on plain data: a table of pairs, laws, and what hostile values cost."""

from __future__ import annotations

import math
import time
from collections import deque
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.grading.equal import MAX_DEPTH, Tolerance, difference, key, shown

NAN, INF = math.nan, math.inf

SAME: list[tuple[Any, Any]] = [
    ((1, 2), [1, 2]),
    ([(1,), []], [[1], ()]),
    (1, 1.0),
    (2**70, 2.0**70),
    (0.0, -0.0),
    (NAN, NAN),
    (INF, INF),
    ([NAN], [NAN]),
    (0.1 + 0.2, 0.3),
    (1 / 3, 0.33333333333),
    (3, 3.0000000001),
    (None, None),
    ("é", "é"),
    ({1: "a"}, {1.0: "a"}),
    ({"b": 1, "a": 2}, {"a": 2, "b": 1}),
    ({1, 2}, frozenset({2.0, 1})),
    ({(1, 2)}, {(1.0, 2)}),
    (b"ab", bytearray(b"ab")),
    (1 + 0j, 1),
    (complex(NAN, 1), complex(NAN, 1)),
    (Decimal("0.5"), 0.5),
    (Fraction(1, 2), 0.5),
    (Decimal(1), Fraction(1)),
    (Decimal("NaN"), NAN),
    (range(3), range(0, 3, 1)),
    (deque([1]), deque([1.0])),
    ({NAN}, {NAN}),
    (Decimal("0.1"), 0.1),
]
DIFFERENT: list[tuple[Any, Any]] = [
    (True, 1),
    (1, True),
    (False, 0),
    (True, "True"),
    (None, 0),
    (None, False),
    ("1", 1),
    (1, "1"),
    ("a", b"a"),
    ([True], [1]),
    ({1: 1}, {True: 1}),
    ({1}, {True}),
    ({1, 2}, [1, 2]),
    ([1, 2], {1, 2}),
    ({}, []),
    (set(), []),
    ([1, 2], [2, 1]),
    ([1], [1, 1]),
    ([], [[]]),
    (3.0000000001, 3),
    (2**53 + 1, 2**53),
    (float(2**53), 2**53 + 1),
    (10**18 + 1, 10**18),
    (NAN, 0.0),
    (INF, -INF),
    (INF, 1e308),
    (1e308, INF),
    (10**400, 1e308),
    (10**400, INF),
    (1e-12, 0.0),
    (0.30001, 0.3),
    ("é", "e\u0301"),
    ("A", "a"),
    ("a", "a "),
    (range(3), [0, 1, 2]),
    ([0], range(1)),
    ({"a": 1}, {"b": 1}),
    ({"a": 1}, {"a": 1, "b": 2}),
    ({"1": 1}, {1: 1}),
    (deque([True]), deque([1])),
    (deque([1]), [1]),
    (1 + 1j, 1),
    (Fraction(1, 3), Decimal("0.3333333333333333333333")),
    ({0.1 + 0.2}, {0.3}),
    ({NAN}, {1}),
    (frozenset({frozenset({1})}), {frozenset({True})}),
    (Decimal("Infinity"), 1.0),
]

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.binary(max_size=5)
)
hashables = st.recursive(
    scalars, lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=3), max_leaves=5
)
plain = st.recursive(
    scalars
    | st.decimals()
    | st.fractions()
    | st.complex_numbers()
    | st.frozensets(hashables, max_size=3),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner)
        | st.dictionaries(hashables, inner, max_size=3)
    ),
    max_leaves=12,
)


@pytest.mark.parametrize(("got", "want"), SAME, ids=str)
def test_the_same(got: Any, want: Any) -> None:
    assert difference(got, want) is None


@pytest.mark.parametrize(("got", "want"), DIFFERENT, ids=repr)
def test_not_the_same(got: Any, want: Any) -> None:
    assert difference(got, want) is not None


@pytest.mark.parametrize(
    ("got", "want", "tolerance", "same"),
    [
        (0.3, 0.2, Tolerance(abs=0.1), True),
        (0.30000001, 0.2, Tolerance(abs=0.1), False),
        (2.9999, 3, Tolerance(abs=0.001), True),
        (4, 3, Tolerance(abs=5), False),
        (0.1 + 0.2, 0.3, Tolerance(), False),
        (110.0, 100.0, Tolerance(rel=0.1), True),
        (90.0, 100.0, Tolerance(rel=0.1), True),
        (INF, 1.0, Tolerance(abs=1e308), False),
        (NAN, 1.0, Tolerance(abs=1e308), False),
        (True, 1.0, Tolerance(abs=1.0), False),
        ([1.05], (1,), Tolerance(abs=0.1), True),
    ],
)
def test_a_stated_tolerance(got: Any, want: Any, tolerance: Tolerance, same: bool) -> None:
    assert (difference(got, want, tolerance=tolerance) is None) is same


@given(plain)
def test_everything_equals_itself(value: Any) -> None:
    assert difference(value, value) is None
    assert key(value) == key(value)


@given(plain, plain)
def test_both_ways_say_the_same(one: Any, other: Any) -> None:
    nothing = Tolerance()
    assert (difference(one, other, tolerance=nothing) is None) == (
        difference(other, one, tolerance=nothing) is None
    )
    assert (difference(one, other, tolerance=nothing) is None) <= (difference(one, other) is None)


@given(hashables, hashables)
def test_keys_agree_with_equality(one: Any, other: Any) -> None:
    assert (key(one) == key(other)) == (difference(one, other, tolerance=Tolerance()) is None)


@given(plain, plain)
def test_a_reason_is_one_short_printable_line(one: Any, other: Any) -> None:
    reason = difference(one, other)
    if reason is not None:
        assert len(reason) < 600
        assert "\n" not in reason
        reason.encode()


@pytest.mark.parametrize(
    "secret", ["hunter2", 987654321, 0.987654321, [987654321], {"hunter2": 987654321}], ids=repr
)
@pytest.mark.parametrize("got", [None, 5, "x", [1], {"a": 1}, [[1]], {1}, b"x"], ids=repr)
def test_a_reason_never_tells_what_was_wanted(got: Any, secret: Any) -> None:
    for mine, wanted in (
        (got, secret),
        ([got], [secret]),
        ({"k": got}, {"k": secret}),
        ({"k": got}, {"hunter2": 1}),
    ):
        reason = difference(mine, wanted)
        assert reason is not None
        assert "hunter2" not in reason
        assert "987654321" not in reason


def test_the_place_is_told() -> None:
    assert difference([1, {"a": [0]}], [1, {"a": [2]}]) == (
        "returned an array of 2, which differs from the expected value at [1]['a'][0]"
    )


def test_what_is_too_deep_equals_nothing() -> None:
    deep: Any = 1
    for _ in range(MAX_DEPTH + 10):
        deep = [deep]
    assert difference(deep, deep) is not None
    circle: list[Any] = []
    circle.append(circle)
    assert difference(circle, circle) is not None


def test_numbers_made_to_share_a_hash_cost_no_more_than_others() -> None:
    period = 2**61 - 1
    numbers = [n * period for n in range(1, 3000)]
    begun = time.monotonic()
    assert len({key(n) for n in numbers}) == len(numbers)
    assert time.monotonic() - begun < 2


@pytest.mark.parametrize(
    "value",
    [
        10**5000,
        -(10**100_000),
        Decimal("1E+99999"),
        Decimal("sNaN"),
        Fraction(10**4000, 3),
        "\ud800",
        "x" * 10**6,
    ],
    ids=lambda value: type(value).__name__,
)
def test_any_value_can_be_shown(value: Any) -> None:
    assert len(shown(value)) < 300
    shown(value).encode()
