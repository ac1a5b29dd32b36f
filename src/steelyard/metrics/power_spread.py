"""How the differences between two sides vary: assumed from a few rates, or measured."""

from __future__ import annotations

import functools
import math
from statistics import NormalDist
from typing import Any

import msgspec
import numpy as np

_DATA_SETS = 5_000
# Up to so many repeats the differences of a problem are counted: the work grows with their square.
_COUNTED_REPEATS = 2_000
# Up to so many attempts at a passage its differences are counted; beyond, a mean of independent ones is normal.
_COUNTED_ATTEMPTS = 10_000
_NORMAL_POINTS = 2_001
# Chances below this are rounding.
_NO_CHANCE = 1e-12
_ROOT_HALF_PI = math.sqrt(math.pi / 2)
_NORMAL_TAILS = 3.0


class Spread(msgspec.Struct, frozen=True, kw_only=True):
    """How the differences between two sides vary.

    ``loss`` and ``gain`` are the shares of single attempts that only the base, and only the candidate, gets right; for
    graded answers ``variance`` is given instead. ``within`` is the part of the variance that is new with every repeat of
    a problem. ``cluster_size`` problems share a passage, and their differences have the correlation ``cluster_icc``.
    ``rate`` and ``consistency`` are known where the spread was assumed; ``step`` and ``tails`` where it was measured.
    """

    loss: float = 0.0
    gain: float = 0.0
    variance: float | None = None
    within: float = 0.0
    cluster_size: float = 1.0
    cluster_icc: float = 0.0
    rate: float | None = None
    consistency: float | None = None
    step: float | None = None
    tails: float | None = None

    @property
    def binary(self) -> bool:
        """Whether single attempts are right or wrong."""
        return self.variance is None

    @property
    def single(self) -> float:
        """The variance of the difference of one attempt at each side."""
        return (
            self.loss + self.gain - (self.gain - self.loss) ** 2
            if self.variance is None
            else self.variance
        )

    def of_problem(self, repeats: int) -> float:
        """The variance of a problem's mean difference over so many repeats."""
        within = min(self.within, self.single)
        return self.single - within + within / repeats

    def of_unit(self, repeats: int) -> float:
        """The variance of a unit's mean difference: the problem's, or the passage's where several share one."""
        size = max(1.0, self.cluster_size)
        return self.of_problem(repeats) * (1 + (size - 1) * self.cluster_icc) / size

    def counted(self, repeats: int) -> bool:
        """Whether each pair is 0 or 1 on both sides and stands alone, so that outcomes can be counted."""
        return self.binary and repeats == 1 and self.cluster_size <= 1

    def known(self, repeats: int) -> bool:
        """Whether the assumptions say how likely each difference of a unit is."""
        return self.rate is not None and 0 < self.rate < 1 and repeats <= _COUNTED_REPEATS


def shares(base: float, candidate: float, correlation: float) -> tuple[float, float]:
    """What share of problems only the base and only the candidate gets right, with that correlation between the two.

    >>> [round(share, 3) for share in shares(0.8, 0.8, 0.5)]
    [0.08, 0.08]
    """
    both = base * candidate + correlation * math.sqrt(
        base * (1 - base) * candidate * (1 - candidate)
    )
    both = min(base, candidate, max(both, base + candidate - 1, 0.0))
    return base - both, candidate - both


def assumed(
    base: float,
    candidate: float,
    correlation: float,
    consistency: float,
    *,
    cluster_size: float = 1.0,
    cluster_icc: float = 0.0,
) -> Spread:
    """The spread that follows from two rates, their correlation, and how alike repeats of one problem are.

    ``consistency`` is the correlation of two attempts of one side at the same problem: 1 where a repeat is always
    answered alike, so that repeats tell nothing new. It cannot be below the correlation of the two sides.
    """
    loss, gain = shares(base, candidate, correlation)
    consistency = max(consistency, correlation)
    within = (1 - consistency) * (base * (1 - base) + candidate * (1 - candidate))
    return Spread(
        loss=loss,
        gain=gain,
        within=within,
        cluster_size=cluster_size,
        cluster_icc=cluster_icc,
        rate=base,
        consistency=consistency,
    )


@functools.lru_cache(maxsize=256)
def shape(spread: Spread, repeats: int) -> tuple[float, float]:
    """The typical size of a unit's difference where it is not zero, and how heavy the tails are (3 for the normal's).

    >>> shape(Spread(loss=0.1, gain=0.1), 1)
    (1.0, 5.0)
    """
    if spread.counted(repeats):
        return 1.0, max(1.0, 1 / max(spread.loss + spread.gain, 1e-9))
    if spread.known(repeats):
        return _moments(*unit_chances(spread, repeats))
    if spread.step is not None and spread.tails is not None:
        return spread.step, spread.tails
    least = 1 / (repeats * max(1.0, spread.cluster_size)) if spread.binary else 0.0
    return min(1.0, max(least, _ROOT_HALF_PI * math.sqrt(spread.of_unit(repeats)))), _NORMAL_TAILS


def measured_shape(values: Any) -> tuple[float, float]:
    """The same, of the differences of units that were seen.

    >>> measured_shape([0.5, -0.5, 0.0, 0.0])
    (0.5, 2.0)
    """
    seen = np.asarray(values, dtype=np.float64)
    return _moments(seen, np.full(len(seen), 1 / max(1, len(seen))))


def _moments(values: Any, chances: Any) -> tuple[float, float]:
    squares = float((values**2 * chances).sum())
    if squares == 0:
        return 1.0, _NORMAL_TAILS
    return min(1.0, squares / float((np.abs(values) * chances).sum())), float(
        (values**4 * chances).sum()
    ) / squares**2


@functools.lru_cache(maxsize=2)
def drawn_units(spread: Spread, repeats: int, units: int) -> Any:
    """The differences of so many units (across) in many data sets (down), as the assumptions have them.

    A unit is drawn as a whole, so that a large passage takes no more time or memory than a problem.
    """
    values, chances = unit_chances(spread, repeats)
    dice = np.random.Generator(np.random.PCG64(0))
    upto = np.cumsum(chances)
    places = np.searchsorted(upto, dice.random((_DATA_SETS, units)) * upto[-1], side="right")
    return values[np.minimum(places, len(values) - 1)]


def unit_chances(spread: Spread, repeats: int) -> tuple[Any, Any]:
    """The differences that a unit can have and how likely each is: all problems of a passage are alike, or none are.

    >>> values, chances = unit_chances(assumed(0.7, 0.7, 0.5, 0.5, cluster_size=2, cluster_icc=1.0), 1)
    >>> values.tolist(), chances.round(3).tolist()
    ([-1.0, 0.0, 1.0], [0.105, 0.79, 0.105])
    """
    chances = _problem_chances(spread, repeats)
    values = np.arange(-repeats, repeats + 1) / repeats
    size = max(1, round(spread.cluster_size))
    if size > 1:
        alike = min(1.0, max(0.0, spread.cluster_icc))
        means, mixed = _mean_chances(values, chances, size)
        values, chances = (
            np.concatenate((values, means)),
            np.concatenate((alike * chances, (1 - alike) * mixed)),
        )
    possible = chances > _NO_CHANCE
    return values[possible], chances[possible] / chances[possible].sum()


def _mean_chances(values: Any, chances: Any, size: int) -> tuple[Any, Any]:
    """The means of so many independent problems and how likely each is."""
    attempts = size * (len(values) // 2)
    if attempts > _COUNTED_ATTEMPTS:
        error = math.sqrt(float((values**2 * chances).sum()) / size)
        normal = [
            NormalDist().inv_cdf((place + 0.5) / _NORMAL_POINTS) for place in range(_NORMAL_POINTS)
        ]
        return error * np.array(normal), np.full(_NORMAL_POINTS, 1 / _NORMAL_POINTS)
    length = 2 * attempts + 1
    return np.arange(-attempts, attempts + 1) / attempts, np.fft.irfft(
        np.fft.rfft(chances, length) ** size, length
    )


def _problem_chances(spread: Spread, repeats: int) -> Any:
    """How likely each difference of right attempts is, from −repeats to repeats.

    The chance of being right follows a beta distribution over problems. On some problems both sides have the same one, on
    the others each has its own.
    """
    rate, consistency = spread.rate or 0.5, spread.consistency or 0.0
    apart = spread.single / max(2 * rate * (1 - rate), 1e-9)
    shared = min(1.0, max(0.0, (1 - apart) / consistency)) if consistency > 0 else 0.0
    # At a consistency of 0 or 1 the beta distribution has one point or two: as good as these, and no case of its own.
    weight = min(1e12, max(1e-13, (1 - consistency) / max(consistency, 1e-13)))
    ways, both = _log_ways(repeats), _log_orders(rate, weight, 2 * repeats)
    own = np.exp(ways + _log_orders(rate, weight, repeats))
    found = (1 - shared) * np.convolve(own, own[::-1])
    for right in range(repeats + 1):
        together = np.exp(ways[right] + ways + both[right : right + repeats + 1])
        found[repeats - right : 2 * repeats - right + 1] += shared * together
    return found


def _log_ways(attempts: int) -> Any:
    """The logarithm of how many orders have so many right, for each number from none to all."""
    factorials = _log_rises(1.0, attempts)
    return factorials[-1] - factorials - factorials[::-1]


def _log_orders(rate: float, weight: float, attempts: int) -> Any:
    """The logarithm of the chance of one order of right and wrong attempts, for each number of right ones."""
    right, wrong = _log_rises(rate * weight, attempts), _log_rises((1 - rate) * weight, attempts)
    return right + wrong[::-1] - _log_rises(weight, attempts)[-1]


def _log_rises(start: float, most: int) -> Any:
    """The logarithm of start × (start + 1) × …, for no factor up to so many."""
    return np.concatenate(([0.0], np.cumsum(np.log(start + np.arange(most)))))
