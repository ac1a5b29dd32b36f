"""Laws that hold for all values."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from steelyard import primitives
from steelyard.primitives.numeric import within
from steelyard.primitives.values import key, number
from steelyard.score import exact

SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.decimals() | st.text(max_size=5)
)
VALUES: Any = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=12,
)
SMALL = st.integers(-3, 3) | st.booleans() | st.sampled_from(["", "1", "a", None, 1.0, 0.5])
FINITE = st.floats(allow_nan=False, allow_infinity=False) | st.integers()


def same(a: Any, b: Any) -> bool:
    """Equality of JSON values in the plainest words."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return exact(a) == exact(b)
    if type(a) is not type(b):
        return False
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    return bool(a == b)


NESTED: Any = st.recursive(
    SMALL,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("ab"), inner),
    max_leaves=5,
)


@given(NESTED, NESTED)
def test_keys_are_equal_exactly_when_values_are(a: Any, b: Any) -> None:
    assert (key(a) == key(b)) is same(a, b)
    assert key(a) != key(b) or hash(key(a)) == hash(key(b))


@given(VALUES)
def test_no_submission_makes_a_primitive_raise(got: Any) -> None:
    for name, want, params in (
        ("exact_match", {"a": [1]}, {}),
        ("exact_match_ratio", [1, "x", None], {}),
        ("numeric_tolerance", 5, {"tolerance": 0.5}),
        ("numeric_tolerance", [5, 6], {"tolerance": 0.5}),
        ("fuzzy_string", "some text", {}),
        ("coverage_ratio", [1, 2], {}),
        ("set_overlap", [1, 2], {"method": "jaccard"}),
        ("set_overlap", [1, 2], {"method": "intersection"}),
    ):
        score = getattr(primitives, name)(got, want, **params)
        assert 0 <= score.value <= 1
        assert score.reason
    assert primitives.time_decay(got, time_limit_secs=10).value is not None
    assert primitives.call_efficiency(got, max_llm_calls=3).value is not None


@given(st.lists(SMALL, min_size=1, max_size=6))
def test_the_truth_itself_earns_full_marks(want: list[Any]) -> None:
    assert primitives.exact_match(want, want).points == 1000
    assert primitives.exact_match_ratio(want, want).points == 1000
    assert primitives.coverage_ratio(want, want).points == 1000
    assert primitives.set_overlap(want, want, method="jaccard").points == 1000


@given(FINITE, FINITE, st.floats(0, 1e308))
def test_within_agrees_with_fractions(a: Any, b: Any, bound: float) -> None:
    numbers = [number(a), number(b), number(bound)]
    assert within(*numbers) is (abs(exact(a) - exact(b)) <= exact(bound))


@given(st.lists(SMALL, max_size=6), st.lists(SMALL, min_size=1, max_size=6))
def test_sets_agree_with_counting(got: list[Any], want: list[Any]) -> None:
    def distinct(items: list[Any]) -> list[Any]:
        kept: list[Any] = []
        for item in items:
            if not any(same(item, other) for other in kept):
                kept.append(item)
        return kept

    mine, theirs = distinct(got), distinct(want)
    shared = sum(any(same(a, b) for b in theirs) for a in mine)
    jaccard = Fraction(shared, len(mine) + len(theirs) - shared)
    assert primitives.set_overlap(got, want, method="jaccard").value == float(jaccard)
    assert primitives.coverage_ratio(got, want).value == float(Fraction(shared, len(theirs)))


@given(st.lists(SMALL, min_size=1, max_size=6), st.integers(0, 5))
def test_leaving_out_a_right_item_never_pays(want: list[Any], position: int) -> None:
    less = want[: position % len(want)] + want[position % len(want) + 1 :]
    for name, params in (
        ("coverage_ratio", {}),
        ("set_overlap", {"method": "jaccard"}),
        ("exact_match_ratio", {}),
    ):
        full = getattr(primitives, name)(want, want, **params).value
        assert getattr(primitives, name)(less, want, **params).value <= full
