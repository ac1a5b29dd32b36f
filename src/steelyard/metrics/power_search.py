"""The least number of problems with a wanted power."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from steelyard.metrics.noninferiority import careful_bounds, critical_value
from steelyard.metrics.paired import Sums, statistic

MOST = 10_000_000
_FEW = 120
MOST_FACTOR = 256.0


class Needed(NamedTuple):
    """How many problems are needed, and the power that they have; None where no number that could be asked has it."""

    problems: int | None
    power: float


def problems_needed(power_of: Callable[[int], float], wanted: float) -> Needed:
    """The least number of problems with that power.

    It is found by halving. Where outcomes are counted the power is no smooth curve: among few problems a smaller number
    may do, and every one is looked at.

    >>> problems_needed(lambda n: 1 - 1 / n, 0.9)
    Needed(problems=10, power=0.9)
    """
    low, high = 1, 2
    while (reached := power_of(high)) < wanted:
        if high >= MOST:
            return Needed(None, reached)
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        found = power_of(middle)
        low, high, reached = (low, middle, found) if found >= wanted else (middle, high, reached)
    if high <= _FEW:
        smaller = (
            Needed(n, found)
            for n in range(max(2, high // 2), high)
            if (found := power_of(n)) >= wanted
        )
        return next(smaller, Needed(high, reached))
    return Needed(high, reached)


class More(NamedTuple):
    """How many units in all would decide, and how, if the difference stays what it is."""

    units: int
    verdict: str


def units_to_decide(sums: Sums, margin: float, confidence: float, *, counted: bool) -> More | None:
    """How many units would decide; None where even very many more would not.

    >>> units_to_decide(Sums(10, 10, 20, 100), 0.05, 0.95, counted=True)
    More(units=236, verdict='GO')
    """
    lost = float((sums.gains - sums.losses) / sums.units) < -margin

    def decided(factor: float) -> bool:
        grown = sums.times(factor)
        if counted:
            critical = critical_value(round(grown.units), margin, confidence, upper=lost)
            found = float(statistic(grown, -margin))
            return (-found if lost else found) > critical
        lower, upper = careful_bounds(grown, confidence)
        return upper < -margin if lost else lower > -margin

    low, high = 1.0, 2.0
    while not decided(high):
        if high >= MOST_FACTOR:
            return None
        low, high = high, high * 2
    while (high - low) * sums.units > 1:
        middle = (low + high) / 2
        low, high = (low, middle) if decided(middle) else (middle, high)
    return More(-int(-high * sums.units // 1), "NO-GO" if lost else "GO")
