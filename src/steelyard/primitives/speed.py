"""How fast it was."""

from __future__ import annotations

from decimal import Decimal

from steelyard.errors import SpecError
from steelyard.primitives.values import describe, number, ratio
from steelyard.registry import PRIMITIVES
from steelyard.score import Score, full, graded, zero


@PRIMITIVES.register("time_decay", reads="time")
def time_decay(time_used: object, *, time_limit_secs: int | float | Decimal) -> Score:
    """What is left of the time limit: full marks at once, none at the limit.

    A time below zero counts as zero. A time too short to be seen in a float next to 1 counts as none.

    >>> time_decay(270, time_limit_secs=300).points
    100.0
    """
    limit = number(time_limit_secs)
    if limit is None or limit <= 0:
        raise SpecError(
            f"must be a positive number, not {describe(time_limit_secs)}", path="time_limit_secs"
        )
    used = number(time_used)
    if used is None:
        return zero(f"the time used is {describe(time_used)}; a number of seconds is needed")
    reason = f"{describe(time_used)} of {describe(time_limit_secs)} seconds used"
    if used >= limit:
        return zero(reason)
    return full(reason) if used <= 0 else graded(1 - ratio(used, limit), reason)
