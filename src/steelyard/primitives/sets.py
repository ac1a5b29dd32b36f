"""How much of a set was found."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction

from steelyard.errors import SpecError
from steelyard.primitives.spread import spread_set
from steelyard.primitives.values import array, describe, keys_of, truth_items, truth_key
from steelyard.registry import PRIMITIVES
from steelyard.score import Score, graded, zero

METHODS = ("intersection", "jaccard")


@PRIMITIVES.register("coverage_ratio")
def coverage_ratio(got: object, want: object) -> Score:
    """The share of the distinct expected items that occur in the submission.

    >>> coverage_ratio([1, 1, 2, 9], [1, 2, 3, 4]).points
    500.0
    """
    expected, found = _sets(got, want)
    if found is None:
        return zero(f"expected an array, got {describe(got)}")
    shared = len(expected & found)
    return graded(
        Fraction(shared, len(expected)), f"{shared} of {len(expected)} expected items are covered"
    )


@PRIMITIVES.register("set_overlap")
def set_overlap(got: object, want: object, *, method: str) -> Score:
    """The shared items over the expected ones (``intersection``) or over all (``jaccard``).

    Duplicates count once.

    >>> set_overlap(["a", "b"], ["b", "c"], method="intersection").points
    500.0
    >>> set_overlap(["a", "b"], ["b", "b", "c", "d"], method="jaccard").points
    250.0
    """
    if method not in METHODS:
        raise SpecError(
            f"must be 'intersection' or 'jaccard', not {describe(method)}", path="method"
        )
    expected, found = _sets(got, want)
    if found is None:
        return zero(f"expected an array, got {describe(got)}")
    shared = len(expected & found)
    if method == "intersection":
        return graded(
            Fraction(shared, len(expected)), f"{shared} of {len(expected)} expected items found"
        )
    union = len(expected) + len(found) - shared
    return graded(Fraction(shared, union), f"{shared} items shared out of {union} in both sets")


def _sets(got: object, want: object) -> tuple[set[Hashable], set[Hashable] | None]:
    expected = spread_set([truth_key(item) for item in truth_items(want)])
    items = array(got)
    return expected, None if items is None else spread_set(keys_of(items))
