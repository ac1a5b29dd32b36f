"""Two sides over the same problems: the difference of their means, and how far it can be trusted.

The bounds come from a score statistic: a difference is inside them as long as what was seen would be no surprise if it
were the true one. For 0/1 answers, one a problem, this is Tango's interval. It is carried over to values between 0 and
1, and to problems that are asked several times or share a passage, by taking each problem (or passage) as one unit and
the typical size of a unit's difference as the step that a right or wrong answer is there.
"""

from __future__ import annotations

import functools
import math
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from steelyard.metrics.intervals import Interval
from steelyard.metrics.student import t_quantile
from steelyard.metrics.whole import exact_mean, share

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_HALVINGS = 60
# Units of equal size that must be as good as those seen: with fewer, one passage is nearly all there is.
FEWEST = 2.0
# Units that differ: with fewer, no sign-flip test could find anything, and the size of what was seen is no measure.
FEWEST_DIFFERING = 6
# The share of the questions in which a loss that nobody has seen may hide.
_TOP = 0.25


class Sums(NamedTuple):
    """All that the statistic needs: what units lost and gained in all, the squares, and how many units there are.

    A unit's value is the sum of its differences over the mean size of units, and its weight its size over the same.
    Where units are of unequal size, ``largest`` is the largest weight, ``uneven`` how much the squares of the weights
    exceed the weights, ``skew`` how much the products of values and weights exceed the values, and ``heavy`` the mean
    weight of what lies in the largest units. Numbers, or arrays of numbers for many data sets at once.
    """

    losses: Any
    gains: Any
    squares: Any
    units: Any
    largest: Any = 1.0
    uneven: Any = 0.0
    skew: Any = 0.0
    heavy: Any = 1.0

    def with_one_lost(self) -> Sums:
        """As if there were one more unit, as large as the largest, on which everything was lost."""
        one = self.largest
        return Sums(
            self.losses + one,
            self.gains,
            self.squares + one * one,
            self.units + one,
            one,
            self.uneven + one * (one - 1),
            self.skew - one * (one - 1),
            self.heavy,
        )

    def turned(self) -> Sums:
        """The two sides the other way round."""
        return self._replace(losses=self.gains, gains=self.losses, skew=-self.skew)

    def times(self, factor: float) -> Sums:
        """As if so many times as many units had come out the same way."""
        return Sums(
            self.losses * factor,
            self.gains * factor,
            self.squares * factor,
            self.units * factor,
            self.largest,
            self.uneven * factor,
            self.skew * factor,
            self.heavy,
        )

    def first(self) -> Sums:
        """The first of many data sets, as plain numbers."""
        return Sums(*(float(np.ravel(part)[0]) for part in self))

    @property
    def effective(self) -> Any:
        """How many units of equal size would say as much: a few large ones among many small ones are few."""
        return self.units * self.units / (self.units + self.uneven)

    @property
    def spread(self) -> Any:
        """How many times as large units of unequal size make the variance: that of a ratio over that of a mean."""
        mean = (self.gains - self.losses) / self.units
        plain = self.squares - self.units * mean * mean
        linear = plain - 2 * mean * self.skew + mean * mean * self.uneven
        sound = (plain > 1e-12) & (linear > 0)
        return np.where(sound, linear / np.where(sound, plain, 1.0), 1.0)


def unit_sums(differences: Any, sizes: Any) -> Sums:
    """The sums of many data sets (down), of the summed differences of their units (across) and the sizes of these."""
    count = sizes.shape[1]
    scale = count / sizes.sum(axis=1, keepdims=True)
    values, weights = differences * scale, sizes * scale
    lost, gained = np.maximum(-values, 0).sum(axis=1), np.maximum(values, 0).sum(axis=1)
    uneven, skew = (weights * (weights - 1)).sum(axis=1), (values * (weights - 1)).sum(axis=1)
    squares, units = (values * values).sum(axis=1), np.full(len(values), float(count))
    return Sums(lost, gained, squares, units, weights.max(axis=1), uneven, skew, _heavy(weights))


def _heavy(weights: Any) -> Any:
    """The mean weight, by weight, in the largest units that hold a quarter of everything.

    What is lost in fewer units than those is seen to be lost in most of them; what is spread over more weighs less.
    """
    ordered = -np.sort(-weights, axis=1)
    before = np.cumsum(ordered, axis=1) - ordered
    inside = np.clip(_TOP * weights.sum(axis=1, keepdims=True) - before, 0, ordered)
    return (inside * ordered).sum(axis=1) / inside.sum(axis=1)


def statistic(sums: Sums, delta: float) -> Any:
    """How many standard errors the difference seen lies above ``delta``, with the error as it would be at ``delta``.

    >>> round(float(statistic(Sums(2, 8, 10, 100), 0.0)), 4)
    1.8974
    """
    size = sums.losses + sums.gains
    step = np.where(size > 0, sums.squares / np.where(size > 0, size, 1), 1.0)
    # A difference of delta on average needs some of at least that size, even if none was seen.
    step = np.maximum(step, min(1.0, 2 * abs(delta)))
    lost, gained, at, n = sums.losses / step, sums.gains / step, delta / step, sums.units
    middle = lost * (1 - at) + gained * (1 + at) - 2 * n * at
    root = np.sqrt(np.maximum(middle * middle + 8 * n * lost * at * (1 - at), 0))
    share_lost = (middle + root) / (4 * n)  # the likeliest one, if delta is true
    variance = n * (2 * share_lost + at * (1 - at)) * np.maximum(sums.spread, 1.0)
    # It may all lie in large units, and none of those need have been seen to differ.
    hidden = n * abs(delta) * (1 - abs(delta)) * (sums.heavy - 1 / sums.heavy)
    variance = np.maximum(variance, hidden / (step * step))
    distance = gained - lost - n * at
    with np.errstate(divide="ignore", invalid="ignore"):
        found = distance / np.sqrt(np.maximum(variance, 0))
    return np.where(np.abs(distance) < 1e-12, 0.0, found)


def freedom(sums: Sums) -> int:
    """The degrees of freedom of Student's quantile: one less than the units of equal size that would say as much."""
    return max(1, math.floor(float(sums.effective) + 1e-9) - 1)


def lower_bound(sums: Sums, critical: float) -> float:
    """The least difference that lies within ``critical`` standard errors of what was seen; at least −1."""
    low, high = -1.0, float((sums.gains - sums.losses) / sums.units)
    if high <= low or statistic(sums, low) <= critical:
        return low
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if statistic(sums, middle) > critical else (low, middle)
    return low


def upper_bound(sums: Sums, critical: float) -> float:
    """The largest difference that lies within ``critical`` standard errors of what was seen; at most 1."""
    return -lower_bound(sums.turned(), critical)


class Pairs:
    """The values of both sides, pair by pair, and the unit that each pair belongs to.

    >>> pairs = Pairs([1, 1, 0, 1], [1, 0, 0, 0])
    >>> pairs.difference, pairs.losses, pairs.gains, pairs.binary
    (-0.5, 2, 0, True)
    """

    def __init__(self, base: Any, candidate: Any, units: Any = None) -> None:
        self.base, self.candidate = _values("base", base), _values("candidate", candidate)
        if len(self.base) != len(self.candidate):
            raise ValueError(
                f"there are {len(self.base)} and {len(self.candidate)} values; pairs need as many of each"
            )
        codes = np.arange(len(self.base)) if units is None else _codes(units)
        if codes.shape != self.base.shape:
            raise ValueError("every pair needs its unit")
        self.unit_of = np.unique(codes, return_inverse=True)[1].reshape(-1)
        self.differences = self.candidate - self.base

    @property
    def n(self) -> int:
        """How many pairs there are."""
        return len(self.base)

    @functools.cached_property
    def units(self) -> int:
        """How many problems, or passages, the pairs come from."""
        return int(self.unit_of.max()) + 1 if self.n else 0

    @functools.cached_property
    def binary(self) -> bool:
        """Whether all values are 0 or 1."""
        return bool(np.isin(self.base, (0, 1)).all() and np.isin(self.candidate, (0, 1)).all())

    @property
    def alone(self) -> bool:
        """Whether each pair is a unit of its own."""
        return self.units == self.n

    @property
    def difference(self) -> float | None:
        """The mean of the candidate less that of the base; None where there are no pairs."""
        return exact_mean(self.differences.tolist()) if self.n else None

    @property
    def losses(self) -> int:
        """In how many pairs the candidate has less."""
        return int((self.differences < 0).sum())

    @property
    def gains(self) -> int:
        """In how many pairs the candidate has more."""
        return int((self.differences > 0).sum())

    @functools.cached_property
    def unit_sums(self) -> Floats:
        """The sum of the differences in each unit."""
        found: Floats = np.bincount(
            self.unit_of, weights=self.differences, minlength=self.units
        ).astype(np.float64)
        return found

    @functools.cached_property
    def sums(self) -> Sums:
        """What the statistic needs."""
        sizes = np.bincount(self.unit_of, minlength=self.units)
        return unit_sums(self.unit_sums[None, :], sizes[None, :]).first()

    @property
    def few(self) -> bool:
        """Whether the units are too few, or one of them is so large that the others hardly count."""
        return self.units < 2 or self.sums.effective < FEWEST

    @property
    def guessed(self) -> bool:
        """Whether so few of the units differ that nothing tells how much they do; a right or wrong answer differs by one."""
        differing = int((self.unit_sums != 0).sum())
        return not (self.binary and self.alone) and 0 < differing < min(
            FEWEST_DIFFERING, self.units / 2
        )

    @property
    def error(self) -> float | None:
        """The standard error of the difference, never zero; None where the units are too few."""
        if self.few:
            return None
        # Where nothing differs, that another sample would show nothing either is not known.
        sums = self.sums if self.sums.squares > 0 else self.sums.with_one_lost()
        mean = (sums.gains - sums.losses) / sums.units
        variance = float((sums.squares / sums.units - mean * mean) * sums.spread / (sums.units - 1))
        return math.sqrt(max(variance, 1 / self.units**2 * sums.squares / sums.units))

    def critical(self, tail: float) -> float:
        """What the statistic stays below but for that chance: the normal's for 0/1 pairs that stand alone, else Student's."""
        if self.binary and self.alone:
            return NormalDist().inv_cdf(1 - tail)
        return t_quantile(1 - tail, freedom(self.sums))

    def interval(self, confidence: float = 0.95) -> Interval | None:
        """The difference with its two-sided interval; None where there is no pair."""
        confidence = share("confidence", confidence)
        if self.difference is None:
            return None
        lower = upper = None
        if not self.few:
            critical = self.critical((1 - confidence) / 2)
            below, above = self.sums, self.sums.turned()
            if self.guessed:
                below, above = below.with_one_lost(), above.with_one_lost()
            lower = min(lower_bound(below, critical), self.difference)
            upper = max(-lower_bound(above, critical), self.difference)
        method = "score" if self.alone else "score, clustered"
        return Interval(
            value=self.difference,
            lower=lower,
            upper=upper,
            n=self.n,
            method=method,
            confidence=confidence,
        )


def _codes(units: Any) -> Any:
    """The units as numbers. Names are never made an array of text, which is as wide as the longest and drops NULs."""
    if isinstance(units, np.ndarray) and units.dtype.kind in "iu":
        return units
    numbers: dict[Any, int] = {}
    try:
        return np.array([numbers.setdefault(unit, len(numbers)) for unit in units], dtype=np.int64)
    except TypeError:
        raise ValueError("every pair needs its unit, which is a name or a number") from None


def _values(name: str, given: Any) -> Floats:
    values = np.asarray(given, dtype=np.float64)
    if values.ndim != 1:
        raise ValueError(f"{name} must be one row of numbers")
    if not ((values >= 0) & (values <= 1)).all():
        raise ValueError(f"{name} must lie in 0..1; what has no score is left out before")
    return values
