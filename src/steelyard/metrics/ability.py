"""Abilities of agents and difficulties of challenges, fitted together: the order of the matches does not matter.

The chance of a win is logistic in ability − difficulty. A draw, a loss and an expired match are all no win. Both sides
have a normal prior around zero, so an agent that nobody knows is average, with a wide interval. Attempt number k of an
agent at a challenge counts 1/k and all its attempts there together at most `MOST_WEIGHT`: playing one challenge again and
again says less and less, whatever comes out.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

CENTRE: Final = 1000.0
SCALE: Final = 400 / math.log(10)
MOST_WEIGHT: Final = 3.0
_PRIOR = 1 / 1.5**2  # the precision of both priors, on the logistic scale
_STEPS, _CLOSE = 100, 1e-10

Floats = NDArray[np.float64]
Places = NDArray[np.intp]


class Played(NamedTuple):
    """One finished match: who, on what, as which attempt there, and whether it was won."""

    agent: Hashable
    challenge: Hashable
    attempt: int
    won: bool


class Rated(NamedTuple):
    """A fitted strength on Elo's scale with its interval."""

    value: float
    lower: float
    upper: float


class Ratings(NamedTuple):
    """What the matches say of everybody in them."""

    agents: Mapping[Hashable, Rated]
    challenges: Mapping[Hashable, Rated]


def fit_ratings(matches: Iterable[Played], confidence: float = 0.95) -> Ratings:
    """The most plausible abilities and difficulties, with intervals; the same for any order of the matches.

    >>> fit = fit_ratings([Played("ada", "maze", 1, True), Played("bo", "maze", 1, False)])
    >>> fit.agents["ada"].value > fit.agents["bo"].value
    True
    """
    pairs = _pairs(matches)
    if not pairs:
        return Ratings({}, {})
    agents = sorted({agent for agent, _ in pairs}, key=str)
    challenges = sorted({challenge for _, challenge in pairs}, key=str)
    data = _Data(pairs, agents, challenges)
    ability, difficulty = data.fitted()
    spread_a, spread_c = data.spreads(ability, difficulty)
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    return Ratings(
        {name: _rated(ability[i], z * spread_a[i]) for i, name in enumerate(agents)},
        {name: _rated(difficulty[i], z * spread_c[i]) for i, name in enumerate(challenges)},
    )


def _pairs(matches: Iterable[Played]) -> dict[tuple[Hashable, Hashable], tuple[float, float]]:
    """For each agent and challenge the weight of its attempts and the share of it that was won."""
    sums: dict[tuple[Hashable, Hashable], tuple[float, float]] = {}
    for match in sorted(matches, key=lambda one: (str(one.agent), str(one.challenge), one.attempt, one.won)):
        weight, won = sums.get((match.agent, match.challenge), (0.0, 0.0))
        counts = 1 / max(match.attempt, 1)
        sums[match.agent, match.challenge] = weight + counts, won + counts * match.won
    return {pair: (min(weight, MOST_WEIGHT), won / weight) for pair, (weight, won) in sums.items()}


def _rated(value: float, reach: float) -> Rated:
    centre = CENTRE + SCALE * float(value)
    return Rated(centre, centre - SCALE * float(reach), centre + SCALE * float(reach))


class _Data:
    """The pairs as arrays, and Newton's method on them: agents never meet, so only challenges need a matrix."""

    def __init__(
        self,
        pairs: Mapping[tuple[Hashable, Hashable], tuple[float, float]],
        agents: list[Hashable],
        challenges: list[Hashable],
    ) -> None:
        place_a = {name: i for i, name in enumerate(agents)}
        place_c = {name: i for i, name in enumerate(challenges)}
        self.agent: Places = np.array([place_a[agent] for agent, _ in pairs], dtype=np.intp)
        self.challenge: Places = np.array([place_c[challenge] for _, challenge in pairs], dtype=np.intp)
        self.weight: Floats = np.array([weight for weight, _ in pairs.values()])
        self.won: Floats = np.array([won for _, won in pairs.values()])
        self.sizes = len(agents), len(challenges)

    def fitted(self) -> tuple[Floats, Floats]:
        """The mode of the posterior."""
        ability, difficulty = np.zeros(self.sizes[0]), np.zeros(self.sizes[1])
        for _ in range(_STEPS):
            gap = self.weight * (self.won - self._chance(ability, difficulty))
            slope_a = np.bincount(self.agent, gap, self.sizes[0]) - _PRIOR * ability
            slope_c = -np.bincount(self.challenge, gap, self.sizes[1]) - _PRIOR * difficulty
            step_a, step_c = self._solve(ability, difficulty, slope_a, slope_c)
            # A step of more than a few logits leaves where the curve is known.
            size = max(1.0, float(np.abs(step_a).max(initial=0)), float(np.abs(step_c).max(initial=0)))
            ability, difficulty = ability + step_a / size, difficulty + step_c / size
            if max(float(np.abs(step_a).max(initial=0)), float(np.abs(step_c).max(initial=0))) < _CLOSE:
                break
        return ability, difficulty

    def spreads(self, ability: Floats, difficulty: Floats) -> tuple[Floats, Floats]:
        """The standard deviations of the posterior, as if it were normal."""
        own_a, links, inverse = self._curvature(ability, difficulty)
        reach = links / own_a[:, None]
        return np.sqrt(1 / own_a + np.einsum("ij,jk,ik->i", reach, inverse, reach)), np.sqrt(np.diag(inverse))

    def _chance(self, ability: Floats, difficulty: Floats) -> Floats:
        logits: Floats = ability[self.agent] - difficulty[self.challenge]
        return 1 / (1 + np.exp(-logits))

    def _curvature(self, ability: Floats, difficulty: Floats) -> tuple[Floats, Floats, Floats]:
        """The agents' own curvature, what links them to challenges, and the inverse for the challenges."""
        chance = self._chance(ability, difficulty)
        each = self.weight * chance * (1 - chance)
        own_a = (np.bincount(self.agent, each, self.sizes[0]) + _PRIOR).astype(np.float64)
        own_c = np.bincount(self.challenge, each, self.sizes[1]) + _PRIOR
        links: Floats = np.zeros(self.sizes)
        np.add.at(links, (self.agent, self.challenge), each)
        inverse = np.linalg.inv(np.diag(own_c) - links.T @ (links / own_a[:, None])).astype(np.float64)
        return own_a, links, inverse

    def _solve(
        self, ability: Floats, difficulty: Floats, slope_a: Floats, slope_c: Floats
    ) -> tuple[Floats, Floats]:
        own_a, links, inverse = self._curvature(ability, difficulty)
        step_c: Floats = inverse @ (slope_c + links.T @ (slope_a / own_a))
        step_a: Floats = (slope_a + links @ step_c) / own_a
        return step_a, step_c
