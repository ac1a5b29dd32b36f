"""Equality: of the whole value, and position by position."""

from __future__ import annotations

from fractions import Fraction

from steelyard.primitives.values import (
    Unreadable,
    array,
    describe,
    key,
    keys_of,
    truth_items,
    truth_key,
)
from steelyard.registry import PRIMITIVES
from steelyard.score import Score, full, graded, zero


@PRIMITIVES.register("exact_match")
def exact_match(got: object, want: object) -> Score:
    """Full marks for the same JSON value, else none.

    The order of arrays and the case of strings count; kinds differ, so ``1``, ``"1"`` and ``true`` do.

    >>> exact_match({"a": [1, 2]}, {"a": [1.0, 2]}).points
    1000.0
    >>> exact_match(True, 1).reason
    'expected 1, got true'
    """
    wanted = truth_key(want)
    try:
        same = key(got) == wanted
    except Unreadable as bad:
        return zero(f"expected {describe(want)}, got {bad}")
    if same:
        return full("the value is the expected one")
    if describe(got) == describe(want):
        return zero(f"expected {describe(want)}, got another one")
    return zero(f"expected {describe(want)}, got {describe(got)}")


@PRIMITIVES.register("exact_match_ratio")
def exact_match_ratio(got: object, want: object) -> Score:
    """The share of the ground truth's positions that hold the same value.

    Missing positions are wrong; extra ones are ignored.

    >>> exact_match_ratio(["a", "x"], ["a", "b", "c", "d"]).points
    250.0
    """
    wanted = [truth_key(item) for item in truth_items(want)]
    items = array(got)
    if items is None or isinstance(got, (set, frozenset)):
        return zero(f"expected an array, got {describe(got)}")
    found = keys_of(items[: len(wanted)])
    right = [a == b for a, b in zip(found, wanted, strict=False)]
    count = sum(right)
    reason = f"{count} of {len(wanted)} positions match"
    if count < len(wanted):
        first = right.index(False) if False in right else len(right)
        reason += f"; the first that does not is [{first}]"
    return graded(Fraction(count, len(wanted)), reason)
