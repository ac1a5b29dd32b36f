"""Abilities of agents and difficulties of challenges, fitted together: the order of the matches does not matter.

The chance of a win is logistic in ability − difficulty. A draw, a loss and an expired match are all no win. Both sides have a
normal prior: an agent that nobody knows is average, and a challenge as hard as it was declared, each with a wide interval.
Attempt number k of an agent at a challenge counts 1/k, and all its attempts there together at most `MOST_WEIGHT`: playing
one challenge again and again says less and less, whatever comes out. Who never won anything cannot make a challenge hard.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from steelyard.metrics.joint import PRIOR_SPREAD, Pairs, bounds, fit, quantile
from steelyard.metrics.whole import share

CENTRE: Final = 1000.0
SCALE: Final = 400 / math.log(10)
MOST_WEIGHT: Final = 2.0


class Played(NamedTuple):
    """One finished match: who, on what, as which attempt there, and whether it was won."""

    agent: Hashable
    challenge: Hashable
    attempt: int
    won: bool


class Tried(NamedTuple):
    """All matches of an agent at a challenge: the sum of 1/k over its attempts, and over those of them that were won."""

    agent: Hashable
    challenge: Hashable
    weight: float
    won: float


class Rated(NamedTuple):
    """A fitted strength on Elo's scale with its interval."""

    value: float
    lower: float
    upper: float


def _unknown(confidence: float) -> Rated:
    reach = SCALE * PRIOR_SPREAD * quantile(confidence)
    return Rated(CENTRE, CENTRE - reach, CENTRE + reach)


UNKNOWN: Final = _unknown(0.95)  # an agent of whom there is no evidence


class Ratings(NamedTuple):
    """What the matches say of everybody in them."""

    agents: Mapping[Hashable, Rated]
    challenges: Mapping[Hashable, Rated]


def fit_ratings(
    matches: Iterable[Played],
    confidence: float = 0.95,
    *,
    declared: Mapping[Hashable, float] | None = None,
) -> Ratings:
    """The most plausible abilities and difficulties, with intervals; the same for any order of the matches.

    ``declared`` is how strong each challenge is said to be, on Elo's scale; 1000 where nothing is said.

    >>> fit = fit_ratings([Played("ada", "maze", 1, True), Played("bo", "maze", 1, False)])
    >>> fit.agents["ada"].lower > fit.agents["bo"].lower
    True
    """
    sums: dict[tuple[Hashable, Hashable], list[tuple[float, bool]]] = {}
    for match in matches:
        if match.attempt < 1:
            raise ValueError(f"attempt is {match.attempt}; the first one is number 1")
        sums.setdefault((match.agent, match.challenge), []).append((1 / match.attempt, match.won))
    tried = [
        Tried(
            agent,
            challenge,
            math.fsum(counts for counts, _ in each),
            math.fsum(counts for counts, won in each if won),
        )
        for (agent, challenge), each in sums.items()
    ]
    return fit_tried(tried, confidence, declared=declared)


def fit_tried(
    tried: Sequence[Tried],
    confidence: float = 0.95,
    *,
    declared: Mapping[Hashable, float] | None = None,
) -> Ratings:
    """The same from sums, of which there is one for an agent at a challenge.

    >>> fit_tried([Tried("ada", "maze", 1.5, 1.5)]).challenges["maze"].value < 1000
    True
    """
    confidence = share("confidence", confidence)
    if not tried:
        return Ratings({}, {})
    agents = sorted({one.agent for one in tried}, key=str)
    challenges = sorted({one.challenge for one in tried}, key=str)
    pairs = _pairs(tried, agents, challenges, declared or {})
    found = fit(pairs)
    lower, upper = bounds(pairs, found, confidence)
    reach = quantile(confidence) * np.sqrt(np.diag(found.covariance))
    return Ratings(
        _rated(agents, found.ability, lower, upper),
        _rated(challenges, found.difficulty, found.difficulty - reach, found.difficulty + reach),
    )


def _pairs(
    tried: Sequence[Tried],
    agents: list[Hashable],
    challenges: list[Hashable],
    declared: Mapping[Hashable, float],
) -> Pairs:
    place_a = {name: i for i, name in enumerate(agents)}
    place_c = {name: i for i, name in enumerate(challenges)}
    agent = np.array([place_a[one.agent] for one in tried], dtype=np.intp)
    challenge = np.array([place_c[one.challenge] for one in tried], dtype=np.intp)
    order = np.lexsort((challenge, agent))
    agent, challenge = agent[order], challenge[order]
    given = np.array([one.weight for one in tried], dtype=np.float64)[order]
    weight = np.minimum(given, MOST_WEIGHT)
    won = np.array([one.won for one in tried], dtype=np.float64)[order] / given * weight
    # Where somebody who never won loses, it may be the challenge that is hard, or the agent that is none: accounts that
    # only lose cost nothing, so they say nothing.
    winner = np.bincount(agent, won, len(agents)) > 0
    centre = np.array([(declared.get(name, CENTRE) - CENTRE) / SCALE for name in challenges])
    return Pairs(agent, challenge, weight, won, weight * winner[agent], len(agents), centre)


def _rated(
    names: list[Hashable], value: np.ndarray, lower: np.ndarray, upper: np.ndarray
) -> dict[Hashable, Rated]:
    columns = [(CENTRE + SCALE * column).tolist() for column in (value, lower, upper)]
    return {name: Rated(*row) for name, *row in zip(names, *columns, strict=True)}
