"""Numbers within a tolerance."""

from __future__ import annotations

from decimal import ROUND_DOWN, Decimal, Inexact

from steelyard.errors import SpecError
from steelyard.primitives.values import array, describe, number, truth_items, wide
from steelyard.registry import PRIMITIVES
from steelyard.score import Score, full, zero


@PRIMITIVES.register("numeric_tolerance")
def numeric_tolerance(got: object, want: object, *, tolerance: int | float | Decimal) -> Score:
    """Full marks when ``|got - want| <= tolerance``, in exact decimals; the bound itself is inside.

    Arrays need the same length and every number inside.

    >>> numeric_tolerance(0.3, 0.2, tolerance=0.1).points
    1000.0
    >>> numeric_tolerance([1, 2], [1, 3], tolerance=0.5).reason
    '[1] is 2; expected 3 within 0.5'
    """
    bound = number(tolerance)
    if bound is None or bound < 0:
        raise SpecError(
            f"must be a finite number that is not negative, not {describe(tolerance)}",
            path="tolerance",
        )
    if array(want) is None:
        return _one(got, _truth(want), bound, "the value")
    wanted = [_truth(item, f"[{i}] ") for i, item in enumerate(truth_items(want))]
    items = array(got)
    if items is None or isinstance(got, (set, frozenset)):
        return zero(f"expected an array of {len(wanted)} numbers, got {describe(got)}")
    if len(items) != len(wanted):
        return zero(f"expected {len(wanted)} numbers, got {len(items)}")
    for position, (item, target) in enumerate(zip(items, wanted, strict=True)):
        score = _one(item, target, bound, f"[{position}]")
        if not score.correct:
            return score
    return full(f"all {len(wanted)} numbers are within {describe(tolerance)}")


def _one(got: object, want: int | Decimal, bound: int | Decimal, where: str) -> Score:
    value = number(got)
    if value is None:
        return zero(f"{where} is {describe(got)}; expected a number")
    if within(value, want, bound):
        return full(f"{describe(got)} is within {describe(bound)} of {describe(want)}")
    return zero(f"{where} is {describe(got)}; expected {describe(want)} within {describe(bound)}")


def _truth(want: object, where: str = "") -> int | Decimal:
    value = number(want)
    if value is None:
        raise SpecError(f"the ground truth {where}is {describe(want)}; a number is needed")
    return value


def within(a: int | Decimal, b: int | Decimal, bound: int | Decimal) -> bool:
    """Whether ``|a - b| <= bound``, exactly, for numbers of any size.

    >>> within(Decimal("1e999999999"), 1, 5), within(10**5000, 10**5000 + 2, 2)
    (False, True)
    """
    if a == b:
        return True
    context = wide(a, b, bound)
    context.rounding = ROUND_DOWN
    distance = context.abs(context.subtract(Decimal(a), Decimal(b)))
    # Cut digits make the true distance a little larger than this one. The bound has fewer digits than
    # the context holds, so it cannot lie between the two.
    cut = bool(context.flags[Inexact])
    return distance < bound or (distance == bound and not cut)
