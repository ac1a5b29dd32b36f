"""An interval for the mean of attempts that share their problem: attempts at one problem are no independent evidence."""

from __future__ import annotations

import math
from fractions import Fraction

from steelyard.metrics.intervals import Interval, wilson_interval
from steelyard.metrics.student import t_quantile
from steelyard.metrics.whole import share


class Clusters:
    """The sums that a clustered interval needs; they stream, one problem after the other.

    >>> clusters = Clusters()
    >>> clusters.add(4, Fraction(3))
    >>> clusters.add(4, Fraction(1))
    >>> clusters.interval().value
    0.5
    """

    __slots__ = ("_binary", "_cross", "_sizes", "_sizes_squared", "_sums", "_sums_squared", "count")

    def __init__(self) -> None:
        self.count = 0
        self._sizes = self._sizes_squared = 0
        # Whole numbers as long as all sums are: they add up many times faster.
        self._sums: int | Fraction = 0
        self._sums_squared: int | Fraction = 0
        self._cross: int | Fraction = 0
        self._binary = True

    def add(self, size: int, total: int | Fraction, *, binary: bool = True) -> None:
        """Take in a problem: how many of its attempts have a value, and the sum of the values."""
        if size == 0:
            return
        self.count += 1
        self._sizes += size
        self._sizes_squared += size * size
        self._sums += total
        self._sums_squared += total * total
        self._cross += total * size
        self._binary = self._binary and binary

    def interval(self, confidence: float = 0.95) -> Interval | None:
        """The mean over all attempts with its cluster-robust interval; one problem or none has no interval.

        Where every attempt earned the same 0 or 1 the spread is zero, which would claim certainty: there it is
        Wilson's interval with as many samples as there are problems.
        """
        confidence = share("confidence", confidence)
        if self.count < 2:
            return None
        mean = Fraction(self._sums) / self._sizes
        squares = self._sums_squared - 2 * mean * self._cross + mean * mean * self._sizes_squared
        if squares == 0 and self._binary and mean in {0, 1}:
            bounds = wilson_interval(int(mean) * self.count, self.count, confidence)
            lower, upper, method = bounds.lower, bounds.upper, "wilson over problems"
        else:
            variance = squares * Fraction(self.count, self.count - 1) / self._sizes**2
            reach = t_quantile(0.5 + confidence / 2, self.count - 1) * math.sqrt(variance)
            value = float(mean)
            lower, upper, method = max(0.0, value - reach), min(1.0, value + reach), "clustered"
        return Interval(
            value=float(mean), lower=lower, upper=upper, n=self._sizes, method=method, confidence=confidence
        )
