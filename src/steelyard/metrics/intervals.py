"""Intervals: how far the number would move if other samples had been drawn."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from statistics import NormalDist
from typing import Any, Final

import msgspec

from steelyard.metrics.student import t_quantile
from steelyard.metrics.whole import exact, share, whole


class NoBound:
    """A bound that is not there: equal to None, false, and an en dash wherever it is printed.

    >>> f"{NO_BOUND:.4f}", NO_BOUND == None, bool(NO_BOUND)
    ('–', True, False)
    """

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        return "–"

    def __str__(self) -> str:
        return "–"

    def __repr__(self) -> str:
        return "None"

    def __bool__(self) -> bool:
        return False

    def __round__(self, digits: int | None = None) -> NoBound:
        return self

    def __eq__(self, other: object) -> bool:
        return other is None or isinstance(other, NoBound)

    def __hash__(self) -> int:
        return hash(None)

    def __reduce__(self) -> str:
        return "NO_BOUND"


NO_BOUND: Final = NoBound()
_LARGEST_BITS = 500
# Scores that are the same differ by no more than this, squared, once they were summed as floats.
ROUNDING = 2.0**-50


class Interval(msgspec.Struct, frozen=True, kw_only=True):
    """A mean with the bounds around it; ``lower`` and ``upper`` are None where there is no interval.

    These two are what belongs into a file or a test for ``is None``; an Interval itself is JSON, with null
    for a bound that is not there. ``ci_lower`` and ``ci_upper`` are the same bounds, made to be printed:
    where there is none they equal None (``==``), are false, and format as an en dash.

    >>> one = Interval(value=1.0, lower=None, upper=None, n=1, method="bootstrap")
    >>> f"{one.value:.4f} [{one.ci_lower:.4f}, {one.ci_upper:.4f}]"
    '1.0000 [–, –]'
    >>> f"{wilson_interval(8, 10):.3f}"
    '0.800 [0.490, 0.943]'
    """

    value: float
    lower: float | None = msgspec.field(name="ci_lower")
    upper: float | None = msgspec.field(name="ci_upper")
    n: int
    method: str
    confidence: float = 0.95

    @property
    def ci_lower(self) -> float | NoBound:
        """The lower bound, or what prints as an en dash and equals None."""
        return NO_BOUND if self.lower is None else self.lower

    @property
    def ci_upper(self) -> float | NoBound:
        """The upper bound, or what prints as an en dash and equals None."""
        return NO_BOUND if self.upper is None else self.upper

    def __format__(self, spec: str) -> str:
        each = spec or ".4f"
        return f"{self.value:{each}} [{self.ci_lower:{each}}, {self.ci_upper:{each}}]"

    def __str__(self) -> str:
        return format(self, "")

    def _repr_html_(self) -> str:
        from html import escape

        return f'<span title="{escape(self.method)}, n = {self.n:,}">{self}</span>'


def bootstrap_ci(
    scores: Iterable[Any], confidence: float = 0.95, *, resamples: int = 10_000, seed: int = 0
) -> Interval:
    """The mean of the scores with its percentile bootstrap interval; the same seed gives the same bounds.

    The order of the scores does not matter. A single score has no interval. No scores, or one that is
    None, NaN, infinite or not a number, is a ValueError.

    >>> bootstrap_ci([1, 1, 1]).ci_lower
    1.0
    >>> bootstrap_ci([0.25]).ci_lower == None
    True
    """
    confidence = share("confidence", confidence)
    resamples, seed = whole("resamples", resamples), whole("seed", seed)
    if resamples < 1:
        raise ValueError(f"resamples is {resamples}; at least one is needed")
    if seed < 0:
        raise ValueError(f"seed is {seed}; it must not be negative")
    from steelyard.metrics.resampling import mean, read, resampled_bounds

    values = read(scores)
    lower, upper = (
        (None, None) if len(values) == 1 else resampled_bounds(values, confidence, resamples, seed)
    )
    return Interval(
        value=mean(values),
        lower=lower,
        upper=upper,
        n=len(values),
        method="bootstrap",
        confidence=confidence,
    )


def wilson_interval(successes: int, n: int, confidence: float = 0.95) -> Interval:
    """Wilson's score interval for successes out of n; its bounds never leave 0..1.

    >>> wilson_interval(0, 10).lower, wilson_interval(10, 10).upper
    (0.0, 1.0)
    """
    successes, n, confidence = (
        whole("successes", successes),
        whole("n", n),
        share("confidence", confidence),
    )
    if n < 1:
        raise ValueError(f"n is {n}; at least one sample is needed")
    if not 0 <= successes <= n:
        raise ValueError(f"successes is {successes}; it must be between 0 and n = {n}")
    z, value = NormalDist().inv_cdf(0.5 + confidence / 2), successes / n
    lower, upper = _wilson(successes, n, z)
    if 2 * successes > n:  # near 1 it is the failures that are few
        lower, upper = (1 - bound for bound in reversed(_wilson(n - successes, n, z)))
    # Roundings must not carry a bound across the share itself.
    lower, upper = min(lower, value), max(upper, value)
    return Interval(
        value=value, lower=lower, upper=upper, n=n, method="wilson", confidence=confidence
    )


def _wilson(successes: int, n: int, z: float) -> tuple[float, float]:
    """The two roots of Wilson's quadratic, each in the form that has no cancellation for few successes."""
    if successes.bit_length() > _LARGEST_BITS:
        return successes / n, successes / n  # so many leave no room that a float could show
    both = Fraction(
        2 * successes + z * z + z * math.sqrt(z * z + 4 * successes * (n - successes) / n)
    )
    return float(2 * successes**2 / (n * both)), float(both / (2 * (n + Fraction(z * z))))


def mean_interval(
    count: int, total: float | Fraction, squares: float | Fraction, confidence: float = 0.95
) -> Interval:
    """Student's interval for the mean of values in 0..1, from their count, sum and sum of squares.

    The three sums can be kept while scores stream by, and added up over workers. The bounds are cut to
    0..1, where scores live. A single value has no interval. Where all values are the same there is no spread to
    learn from, and no certainty is claimed: the bounds are Wilson's, since no distribution on 0..1 varies more than
    zeros and ones with that mean do. Sums that no values in 0..1 can have are a ValueError.

    >>> f"{mean_interval(4, 2.0, 1.5):.3f}"
    '0.500 [0.000, 1.000]'
    >>> f"{mean_interval(3, 2.4, 1.92):.3f}"
    '0.800 [0.288, 0.975]'
    """
    count, confidence = whole("count", count), share("confidence", confidence)
    if count < 1:
        raise ValueError(f"count is {count}; at least one score is needed")
    if count.bit_length() > _LARGEST_BITS:
        raise ValueError(
            f"count is a number of {count.bit_length()} bits; no run has so many scores"
        )
    exact_total, exact_squares = exact("total", total), exact("squares", squares)
    _refuse_impossible(count, exact_total, exact_squares)
    mean = min(max(float(exact_total / count), 0.0), 1.0)
    if count == 1:
        return Interval(
            value=mean, lower=None, upper=None, n=1, method="student", confidence=confidence
        )
    # In fractions, so that the difference of two nearly equal sums loses nothing more.
    spread = exact_squares - exact_total**2 / count
    if spread <= count * ROUNDING:
        lower, upper = score_bounds(mean, count, NormalDist().inv_cdf(0.5 + confidence / 2))
        return Interval(
            value=mean, lower=lower, upper=upper, n=count, method="wilson", confidence=confidence
        )
    reach = t_quantile(0.5 + confidence / 2, count - 1) * math.sqrt(spread / (count - 1) / count)
    lower, upper = max(0.0, mean - reach), min(1.0, mean + reach)
    return Interval(
        value=mean, lower=lower, upper=upper, n=count, method="student", confidence=confidence
    )


def _refuse_impossible(count: int, total: Fraction, squares: Fraction) -> None:
    """Values in 0..1 add up to 0..count; their squares are least where all are alike, and most where all but one are 0 or 1."""
    # Floats that were added one by one are off by as many roundings.
    slack = count * min(count * Fraction(ROUNDING), Fraction(1, 10**6))
    if not -slack <= total <= count + slack:
        raise ValueError(f"total is {float(total)!r}; {count} values in 0..1 add up to 0..{count}")
    least, most = total**2 / count, math.floor(total) + (total - math.floor(total)) ** 2
    if not least - 2 * slack <= squares <= most + 2 * slack:
        raise ValueError(
            f"squares is {float(squares)!r}; the squares of {count} values in 0..1 that add up to {float(total)!r} "
            f"come to {float(least)!r}..{float(most)!r}"
        )


def score_bounds(mean: float, size: float, quantile: float) -> tuple[float, float]:
    """Wilson's bounds around a mean, with as much evidence as that many independent zeros and ones, whole or not.

    >>> score_bounds(0.8, 10, 1.959963984540054) == (wilson_interval(8, 10).lower, wilson_interval(8, 10).upper)
    True
    """
    few = min(mean, 1 - mean) * size  # near 1 it is the failures that are few
    both = 2 * few + quantile**2 + quantile * math.sqrt(quantile**2 + 4 * few * (1 - few / size))
    lower, upper = 2 * few * few / (size * both), both / (2 * (size + quantile**2))
    if mean > 0.5:
        lower, upper = 1 - upper, 1 - lower
    return min(lower, mean), max(upper, mean)
