"""Agreement of two raters: confusion, rates, Cohen's kappa, consistency."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction

from steelyard.metrics.clusters import Clusters
from steelyard.metrics.intervals import Interval, wilson_interval

Pair = tuple[Hashable, Hashable]
RESAMPLES = 10_000


def confusion(pairs: Sequence[tuple[bool, bool]]) -> dict[str, int]:
    """Count agreements and disagreements of (label, judge) pairs.

    >>> confusion([(True, True), (True, False), (False, False)])
    {'true_positive': 1, 'false_positive': 0, 'false_negative': 1, 'true_negative': 1}
    """
    seen = Counter(pairs)
    return {
        "true_positive": seen[True, True],
        "false_positive": seen[False, True],
        "false_negative": seen[True, False],
        "true_negative": seen[False, False],
    }


def rate(hits: int, n: int) -> Interval | None:
    """Return a share with its Wilson interval, or None for n = 0."""
    return wilson_interval(hits, n) if n else None


def kappa(pairs: Sequence[Pair], *, seed: int = 0, confidence: float = 0.95) -> Interval | None:
    """Return Cohen's kappa of (label, judge) pairs with its percentile bootstrap interval.

    If all resamples agree, the bounds come from Wilson's bounds of the agreement. Kappa is None
    where it is not defined: without pairs, or if agreement by chance is certain because both sides
    always say the same one thing.

    >>> kappa([("a", "a"), ("a", "b"), ("b", "b"), ("b", "b")]).value
    0.5
    """
    classes = sorted({side for pair in pairs for side in pair}, key=repr)
    seen = Counter(pairs)
    counts = [[seen[row, column] for column in classes] for row in classes]
    value = _kappa(counts)
    if value is None:
        return None
    lower, upper = _bounds(counts, seed, confidence) if len(pairs) > 1 else (None, None)
    method = "bootstrap"
    if lower is not None and lower == upper:
        lower, upper, method = *_wilson_bounds(counts, confidence), "wilson"
    return Interval(
        value=float(value),
        lower=lower,
        upper=upper,
        n=len(pairs),
        method=method,
        confidence=confidence,
    )


def _wilson_bounds(counts: list[list[int]], confidence: float) -> tuple[float, float]:
    """Return kappa at Wilson's bounds of the agreement, with the chance of these counts."""
    n = sum(map(sum, counts))
    agreed = wilson_interval(sum(counts[i][i] for i in range(len(counts))), n, confidence)
    chance = float(_chance(counts))
    low, high = (
        (float(bound or 0.0) - chance) / (1 - chance) for bound in (agreed.lower, agreed.upper)
    )
    return max(low, -1.0), min(high, 1.0)


def _chance(counts: list[list[int]]) -> Fraction:
    """Return how often two sides with these margins agree by chance."""
    n = sum(map(sum, counts))
    rows, columns = (
        [sum(row) for row in counts],
        [sum(column) for column in zip(*counts, strict=True)],
    )
    return Fraction(sum(a * b for a, b in zip(rows, columns, strict=True)), n * n)


def _kappa(counts: list[list[int]]) -> Fraction | None:
    n = sum(map(sum, counts))
    if not n:
        return None
    chance = _chance(counts)
    agreed = Fraction(sum(counts[i][i] for i in range(len(counts))), n)
    return None if chance == 1 else (agreed - chance) / (1 - chance)


def _bounds(
    counts: list[list[int]], seed: int, confidence: float
) -> tuple[float | None, float | None]:
    """Return percentiles over resamples of the pairs in which kappa is defined."""
    import numpy as np

    table = np.array(counts, dtype=np.float64)
    n, size = int(table.sum()), len(counts)
    generator = np.random.Generator(np.random.PCG64(seed))
    drawn = (
        generator.multinomial(n, (table / n).ravel(), size=RESAMPLES).reshape(-1, size, size) / n
    )
    chance = (drawn.sum(axis=2) * drawn.sum(axis=1)).sum(axis=1)
    agreed = np.trace(drawn, axis1=1, axis2=2)
    usable = chance < 1 - 1e-12
    if not usable.any():
        return None, None
    tail = (1 - confidence) / 2
    values = (agreed[usable] - chance[usable]) / (1 - chance[usable])
    lower, upper = np.quantile(values, [tail, 1 - tail])
    return float(lower), float(upper)


def paired_share(pairs: Sequence[Sequence[bool]]) -> Interval | None:
    """Return the share of verdicts that hold, with an interval clustered by row.

    >>> paired_share([[True, True], [False, True]]).value
    0.75
    """
    given = [row for row in pairs if row]
    n, hits = sum(map(len, given)), sum(map(sum, given))
    if not n:
        return None
    clusters = Clusters()
    for row in given:
        clusters.add(len(row), sum(row))
    found = clusters.interval()
    return found or Interval(
        value=hits / n, lower=None, upper=None, n=n, method="clustered", confidence=0.95
    )


def consistency(rows: Sequence[Sequence[Hashable]]) -> tuple[Interval | None, float | None]:
    """Return the share of repeated rows with one verdict, and the mean agreement of two repeats.

    >>> share, agreement = consistency([["a", "a", "a"], ["a", "b", "a"]])
    >>> share.value, round(agreement, 3)
    (0.5, 0.667)
    """
    asked = [row for row in rows if len(row) > 1]
    if not asked:
        return None, None
    same = sum(len(set(row)) == 1 for row in asked)
    means = [_agreeing(row) for row in asked]
    return rate(same, len(asked)), float(sum(means, Fraction(0)) / len(means))


def _agreeing(row: Sequence[Hashable]) -> Fraction:
    """Return the share of pairs of repeats that agree."""
    n = len(row)
    return Fraction(sum(count * (count - 1) for count in Counter(row).values()), n * (n - 1))
