"""Holm's correction: with many comparisons, some look large by chance."""

from __future__ import annotations

from collections.abc import Sequence

from steelyard.metrics.whole import exact, listed


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values adjusted, in the same order: below a level at most where all tests together keep that level.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    p_values = listed("p_values", p_values)
    for place, p in enumerate(p_values):
        if not 0 <= exact(f"p-value {place}", p) <= 1:
            raise ValueError(f"p-value {place} is {p!r}; it must lie in 0..1")
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    adjusted, largest = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = largest
    return adjusted
