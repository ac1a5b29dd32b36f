"""The intervals of a report once more, for many outcomes at a time.

The code that reports use takes one at a time, in exact fractions, which would make the tables take hours. So this is the same
in arrays, and each time it is asked some of its answers are compared with that code: the two cannot drift apart.
"""

from __future__ import annotations

from statistics import NormalDist
from typing import Any

import numpy as np

from steelyard.metrics.clusters import Clusters
from steelyard.metrics.intervals import ROUNDING
from steelyard.metrics.student import t_quantile

COMPARED = 25
_NORMAL = NormalDist().inv_cdf(0.975)


def kinds(sizes: tuple[int, ...]) -> list[tuple[int, int]]:
    """The sizes that there are, and how many clusters have each."""
    return [(size, sizes.count(size)) for size in sorted(set(sizes))]


def sizes_of(told: str, n: int) -> tuple[int, ...]:
    """The sizes of the clusters; unequal ones are as 1 to 2 to 3 to 4 to 5.

    >>> sizes_of("4 unequal", 20), sizes_of("2 + 3 x 1", 5)
    ((2, 4, 6, 8), (2, 1, 1, 1))
    """
    if told.endswith("unequal"):
        weights = 1 + np.arange(int(told.split()[0])) % 5
        ends = np.round(n * np.cumsum(weights) / weights.sum()).astype(int)
        return tuple(np.maximum(1, np.diff(ends, prepend=0)).tolist())
    parts = [part.split(" x ") for part in told.split(" + ")]
    return tuple(
        size for part in parts for size in [int(part[-1])] * (int(part[0]) if len(part) > 1 else 1)
    )


def intervals(sizes: tuple[int, ...], sums: Any) -> tuple[Any, Any]:
    """The bounds; a row of sums has the sum and the sum of squares for each size of cluster."""
    lower, upper = _in_arrays(sizes, sums)
    for place in np.linspace(0, len(sums) - 1, COMPARED).astype(int).tolist():
        row = sums[place].tolist()
        given = {
            size: (many, *row[2 * at : 2 * at + 2]) for at, (size, many) in enumerate(kinds(sizes))
        }
        found = Clusters.of_sums(given).interval()
        assert found is not None
        want = np.array([found.lower, found.upper], dtype=float)
        if not np.allclose([lower[place], upper[place]], want, atol=1e-7, rtol=0):
            raise AssertionError(
                f"{given}: {lower[place]}..{upper[place]} in arrays, {found} in reports"
            )
    return lower, upper


def graded(sizes: tuple[int, ...], sums: Any) -> tuple[Any, Any]:
    """The bounds for grades; a row has the sum of each cluster, in thousandths."""
    n, count, each = sum(sizes), len(sizes), np.array(sizes)
    alone, total = n * n / int((each**2).sum()), sums.sum(axis=1)
    mean = total / n / 1000
    # In whole numbers up to here, so that clusters of the same mean differ by exactly nothing.
    error = (
        ((n * sums - total[:, None] * each) ** 2).sum(axis=1)
        * (count / (count - 1))
        / (n * n * 1e3) ** 2
    )
    same = error <= ROUNDING / n
    worth = np.maximum(alone, mean * (1 - mean) / np.where(same, 1, error))
    wide = t_quantile(0.975, max(1, round(alone) - 1))
    quantile = _NORMAL + (wide - _NORMAL) * (1 - alone / n) * np.where(same, 0, 0.3)
    return _with_room(mean, alone, _score(mean, np.where(same, alone, worth), quantile))


def singles(total: Any, squares: Any, n: int) -> tuple[Any, Any]:
    """Student's bounds for grades that stand alone, from their sum in thousandths and their squares in millionths."""
    mean, spread = total / n / 1000, (n * squares - total**2) / n / 1e6
    reach = t_quantile(0.975, n - 1) * np.sqrt(spread / (n - 1) / n)
    same, (lower, upper) = spread <= n * ROUNDING, _score(mean, n, _NORMAL)
    return np.where(same, lower, np.maximum(0, mean - reach)), np.where(
        same, upper, np.minimum(1, mean + reach)
    )


def _in_arrays(sizes: tuple[int, ...], sums: Any) -> tuple[Any, Any]:
    n, alone = sum(sizes), sum(sizes) ** 2 / sum(size * size for size in sizes)
    mean = sums[:, ::2].sum(axis=1) / n
    found = _correlation(sizes, sums, mean)
    alike, part = np.where(found > 1e-9, np.minimum(found, 1), 0), 1 - alone / n
    telling = _telling(sizes, alike)
    doubt = 0.25 * part * alike**0.25 * (1 - alike) ** 4
    quantile = _NORMAL + (_students(np.maximum(1, telling - 1)) - _NORMAL) * doubt
    inward = found + 0.15 * part * np.sqrt(alike * (1 - alike) / telling) * np.abs(1 - 2 * mean)
    least = 1 - 0.45 * np.sqrt(2 / max(1.0, alone - 1))
    outer, inner = (
        _score(mean, n / np.clip(1 + (n / alone - 1) * each, least, n / alone), quantile)
        for each in (found, inward)
    )
    high = mean > 0.5
    return _with_room(
        mean, alone, (np.where(high, inner[0], outer[0]), np.where(high, outer[1], inner[1]))
    )


def _students(degrees: Any) -> Any:
    """Student's quantile for degrees that need not be whole: straight in 1 / degrees."""
    whole = np.arange(1, int(degrees.max()) + 3)
    known = np.array([t_quantile(0.975, int(each)) for each in whole])
    return np.interp(1 / degrees, 1 / whole[::-1], known[::-1])


def _telling(sizes: tuple[int, ...], alike: Any) -> Any:
    weights = [(many, size * (1 + (size - 1) * alike)) for size, many in kinds(sizes)]
    return sum(many * each for many, each in weights) ** 2 / sum(
        many * each**2 for many, each in weights
    )


def _with_room(mean: Any, alone: float, bounds: tuple[Any, Any]) -> tuple[Any, Any]:
    (lower, upper), widest = bounds, _score(mean, alone, _NORMAL)
    seen = (0.025 / 0.4) ** (1 / (alone + 1))
    lower, upper = (
        np.maximum(np.minimum(lower, seen), widest[0]),
        np.minimum(np.maximum(upper, 1 - seen), widest[1]),
    )
    return np.minimum(lower, mean), np.maximum(upper, mean)


def _correlation(sizes: tuple[int, ...], sums: Any, mean: Any) -> Any:
    n, squared = sum(sizes), sum(size * size for size in sizes)
    error, largest, apart, by_chance, at_most = 1 / n, squared / n**2, 0.0, 0.0, 0.0
    for at, (size, many) in enumerate(kinds(sizes)):
        spread = sums[:, 2 * at + 1] - 2 * mean * size * sums[:, 2 * at] + (mean * size) ** 2 * many
        apart = apart + spread / size**0.5
        by_chance += many * size**1.5 * ((1 - 2 * size / n) / size + error)
        at_most += many * size**1.5 * (1 - 2 * size / n + largest)
    with np.errstate(invalid="ignore", divide="ignore"):
        seen = apart / (mean * (1 - mean))
        found = (seen * (1 - error) - by_chance) / (at_most - by_chance + seen * (largest - error))
    return np.where((sums[:, ::2].sum(axis=1) % n) == 0, 1.0, found)


def _score(mean: Any, size: Any, quantile: Any) -> tuple[Any, Any]:
    centre, square = mean + quantile**2 / size / 2, quantile**2 / size
    reach = np.sqrt(square * (mean * (1 - mean) + square / 4))
    return (centre - reach) / (1 + square), (centre + reach) / (1 + square)
