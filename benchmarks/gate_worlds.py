"""Worlds in which the truth is known: two sides over the same problems, drawn many times at once."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from steelyard.metrics.noninferiority import critical_value
from steelyard.metrics.paired import FEWEST, Sums, freedom, statistic, unit_sums
from steelyard.metrics.student import t_quantile


class World(NamedTuple):
    """How often the base is right, and how the two sides hang together.

    ``consistency`` is the correlation of two attempts of one side at a problem, ``shared`` the share of problems that are
    as hard for the candidate as for the base. With the chance ``alike`` all problems of a cluster come out the same way.
    ``graded`` names a world of values between 0 and 1 instead.
    """

    problems: int
    base: float = 0.7
    loss: float = 0.0
    repeats: int = 1
    consistency: float = 0.6
    shared: float = 0.8
    cluster: int = 1
    alike: float = 0.0
    graded: str = ""

    @property
    def alone(self) -> bool:
        """Whether each pair is 0 or 1 and a unit of its own."""
        return not self.graded and self.repeats == self.cluster == 1


def differences(world: World, draws: int, dice: np.random.Generator) -> Any:
    """The mean difference of each unit (across) in each drawn data set (down)."""
    shape = draws, world.problems
    found = _graded(world, shape, dice) if world.graded else _binary(world, shape, dice)
    if world.cluster > 1:
        found = found.reshape(draws, -1, world.cluster)
        same = dice.random(found.shape[:2]) < world.alike
        found = np.where(same[..., None], found[..., :1], found).mean(axis=2)
    return found


def _binary(world: World, shape: tuple[int, int], dice: np.random.Generator) -> Any:
    base = _chances(world, shape, dice)
    own = _chances(world, shape, dice)
    candidate = np.where(dice.random(shape) < world.shared, base, own) * (
        1 - world.loss / world.base
    )
    return (
        dice.binomial(world.repeats, candidate) - dice.binomial(world.repeats, base)
    ) / world.repeats


def _chances(world: World, shape: tuple[int, int], dice: np.random.Generator) -> Any:
    if world.consistency >= 1:
        return (dice.random(shape) < world.base).astype(float)
    if world.consistency <= 0:
        return np.full(shape, world.base)
    weight = (1 - world.consistency) / world.consistency
    return dice.beta(world.base * weight, (1 - world.base) * weight, shape)


def _graded(world: World, shape: tuple[int, int], dice: np.random.Generator) -> Any:
    if world.graded == "small steps":
        return np.clip(dice.normal(-world.loss, 0.1, shape), -1, 1)
    if world.graded == "rare and total":
        # What is lost is lost whole: noise around -1 would be cut on one side, and the true loss be less than it says.
        return np.where(dice.random(shape) < world.loss, -1.0, dice.normal(0, 0.02, shape))
    levels, odds = [0.0, 0.5, 1.0], [(1 - world.base) / 2, (1 - world.base) / 2, world.base]
    base = dice.choice(levels, p=odds, size=shape)
    candidate = np.where(
        dice.random(shape) < world.shared, base, dice.choice(levels, p=odds, size=shape)
    )
    mean = (1 + 3 * world.base) / 4
    # Lowered on a share of the problems, so that the values stay on their levels.
    return np.where(dice.random(shape) < world.loss / mean, 0.0, candidate) - base


def says_go(world: World, found: Any, margin: float, confidence: float = 0.95) -> Any:
    """Which of the drawn data sets the gate lets through; the rule of ``noninferiority.bounds``, for all at once."""
    units = found.shape[1]
    lost, gained = (
        np.where(found < 0, -found, 0).sum(axis=1),
        np.where(found > 0, found, 0).sum(axis=1),
    )
    sums = Sums(lost, gained, (found * found).sum(axis=1), units)
    if world.alone:
        return statistic(sums, -margin) > critical_value(units, margin, confidence)
    return statistic(sums.with_one_lost(), -margin) > t_quantile(confidence, units - 1)


def go_rate(
    world: World, margin: float, *, draws: int, seed: int = 0, confidence: float = 0.95
) -> float:
    """How often the gate says GO in that world."""
    dice = np.random.Generator(np.random.PCG64(seed))
    block = max(1, 2**20 // world.problems)
    passed = sum(
        int(
            says_go(
                world, differences(world, min(block, draws - done), dice), margin, confidence
            ).sum()
        )
        for done in range(0, draws, block)
    )
    return passed / draws


class Uneven(NamedTuple):
    """Passages of unequal size, of which some are lost whole, so that the true difference is minus ``loss``.

    ``sizes`` is ``one``: a single passage is large; ``some``: so large a ``share`` of them is; or ``lognormal``. ``where``
    is what can be lost: ``any`` passage, or only those larger than the ``half``. ``noise`` is the chance of an answer to
    flip, each way.
    """

    units: int
    sizes: str = "some"
    share: float = 0.05
    large: float = 20.0
    where: str = "any"
    noise: float = 0.0
    loss: float = 0.0


def uneven_passages(world: Uneven, draws: int, dice: np.random.Generator) -> tuple[Any, Any]:
    """The summed difference of each passage (across) in each drawn data set (down), and how many questions it has."""
    if world.sizes == "lognormal":
        sizes = np.maximum(1, np.round(np.exp(dice.normal(1, world.large, (draws, world.units)))))
    else:
        many = 1 if world.sizes == "one" else max(1, round(world.share * world.units))
        sizes = np.ones((draws, world.units))
        sizes[:, :many] = world.large
    open_to = (
        sizes > np.median(sizes, axis=1, keepdims=True) if world.where == "half" else sizes > 0
    )
    chance = (
        world.loss * sizes.sum(axis=1, keepdims=True) / (sizes * open_to).sum(axis=1, keepdims=True)
    )
    lost = (dice.random(sizes.shape) < chance) & open_to
    rest = np.where(lost, 0, sizes).astype(int)
    up = dice.binomial(rest, world.noise)
    down = dice.binomial(rest - up, world.noise / (1 - world.noise))
    return np.where(lost, -sizes, up - down), sizes


def uneven_rates(
    world: Uneven, *, draws: int, seed: int = 0, confidence: float = 0.95
) -> tuple[float, float]:
    """How often the gate says GO with the loss as its margin, and how often the two-sided interval holds the truth."""
    dice = np.random.Generator(np.random.PCG64(seed))
    sums = unit_sums(*uneven_passages(world, draws, dice))
    degrees = [freedom(Sums(*row)) for row in zip(*sums, strict=True)]
    levels = (confidence, (1 + confidence) / 2)
    one_sided, two_sided = (
        np.array([t_quantile(level, each) for each in degrees]) for level in levels
    )
    told = sums.effective >= FEWEST
    go = told & (statistic(sums.with_one_lost(), -world.loss) > one_sided)
    held = ~told | (np.abs(statistic(sums, -world.loss)) <= two_sided)
    return float(go.mean()), float(held.mean())
