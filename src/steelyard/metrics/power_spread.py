"""How the differences between two sides vary: assumed from a few rates, or measured."""

from __future__ import annotations

import functools
import math
from typing import Any

import msgspec
import numpy as np

_DRAWS = 40_000
_DATA_SETS = 5_000
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
        return self.loss + self.gain - (self.gain - self.loss) ** 2 if self.variance is None else self.variance

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


def shares(base: float, candidate: float, correlation: float) -> tuple[float, float]:
    """What share of problems only the base and only the candidate gets right, with that correlation between the two.

    >>> [round(share, 3) for share in shares(0.8, 0.8, 0.5)]
    [0.08, 0.08]
    """
    both = base * candidate + correlation * math.sqrt(base * (1 - base) * candidate * (1 - candidate))
    both = min(base, candidate, max(both, base + candidate - 1, 0.0))
    return base - both, candidate - both


def assumed(base: float, candidate: float, correlation: float, consistency: float, *,
            cluster_size: float = 1.0, cluster_icc: float = 0.0) -> Spread:  # fmt: skip
    """The spread that follows from two rates, their correlation, and how alike repeats of one problem are.

    ``consistency`` is the correlation of two attempts of one side at the same problem: 1 where a repeat is always
    answered alike, so that repeats tell nothing new. It cannot be below the correlation of the two sides.
    """
    loss, gain = shares(base, candidate, correlation)
    consistency = max(consistency, correlation)
    within = (1 - consistency) * (base * (1 - base) + candidate * (1 - candidate))
    return Spread(loss=loss, gain=gain, within=within, cluster_size=cluster_size, cluster_icc=cluster_icc,
                  rate=base, consistency=consistency)  # fmt: skip


@functools.lru_cache(maxsize=256)
def shape(spread: Spread, repeats: int) -> tuple[float, float]:
    """The typical size of a unit's difference where it is not zero, and how heavy the tails are (3 for the normal's).

    >>> shape(Spread(loss=0.1, gain=0.1), 1)
    (1.0, 5.0)
    """
    if spread.counted(repeats):
        return 1.0, max(1.0, 1 / max(spread.loss + spread.gain, 1e-9))
    if spread.rate is not None and 0 < spread.rate < 1:
        return _moments(_drawn(spread, repeats, _DRAWS))
    if spread.step is not None and spread.tails is not None:
        return spread.step, spread.tails
    least = 1 / (repeats * max(1.0, spread.cluster_size)) if spread.binary else 0.0
    return min(1.0, max(least, _ROOT_HALF_PI * math.sqrt(spread.of_unit(repeats)))), _NORMAL_TAILS


def measured_shape(values: Any) -> tuple[float, float]:
    """The same, of the differences of units that were seen.

    >>> measured_shape([0.5, -0.5, 0.0, 0.0])
    (0.5, 2.0)
    """
    return _moments(np.asarray(values, dtype=np.float64))


def _moments(values: Any) -> tuple[float, float]:
    squares = float((values**2).mean())
    if squares == 0:
        return 1.0, _NORMAL_TAILS
    return min(1.0, squares / float(np.abs(values).mean())), float((values**4).mean()) / squares**2


@functools.lru_cache(maxsize=2)
def drawn_units(spread: Spread, repeats: int, units: int) -> Any:
    """The differences of so many units (across) in many data sets (down), as the assumptions have them."""
    return _drawn(spread, repeats, _DATA_SETS * units).reshape(_DATA_SETS, units)


def _drawn(spread: Spread, repeats: int, units: int) -> Any:
    """Units as the assumptions have them: chances of each problem from a beta distribution, some shared by both sides."""
    dice = np.random.Generator(np.random.PCG64(0))
    rate, consistency = spread.rate or 0.5, spread.consistency or 0.0
    apart = spread.single / max(2 * rate * (1 - rate), 1e-9)
    shared = min(1.0, (1 - apart) / consistency) if consistency > 0 else 0.0
    size = max(1, round(spread.cluster_size))
    shape_ = (units, size)
    base = _chances(rate, consistency, shape_, dice)
    candidate = np.where(dice.random(shape_) < shared, base, _chances(rate, consistency, shape_, dice))
    found = (dice.binomial(repeats, candidate) - dice.binomial(repeats, base)) / repeats
    alike = dice.random((len(found), 1)) < spread.cluster_icc
    return np.where(alike, found[:, :1], found).mean(axis=1)


def _chances(rate: float, consistency: float, size: tuple[int, int], dice: np.random.Generator) -> Any:
    if consistency >= 1:
        return (dice.random(size) < rate).astype(float)
    if consistency <= 0:
        return np.full(size, rate)
    weight = (1 - consistency) / consistency
    return dice.beta(rate * weight, (1 - rate) * weight, size)
