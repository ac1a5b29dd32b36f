"""The joint fit in arrays: Newton's method, and the posterior of each ability.

Agents meet challenges only, so that the one matrix to invert is as large as there are challenges; what links the two sides is
made a block of agents at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

PRIOR_SPREAD: Final = (
    1.5  # of abilities, and of difficulties around what was declared, on the logistic scale
)
_PRECISION = 1 / PRIOR_SPREAD**2
_STEPS, _CLOSE = 200, 1e-10
_BLOCK = 1_000_000  # numbers of a block
_NODES: Floats = np.linspace(
    -9, 9, 145
)  # where a posterior is looked at, in standard deviations from its mode


class Pairs(NamedTuple):
    """What each agent did at each challenge, by agent: the weight of it, how much of that was won, what is heard of it."""

    agent: Places
    challenge: Places
    weight: Floats
    won: Floats
    heard: Floats  # the weight with which it speaks of the challenge's difficulty
    agents: int
    centre: Floats  # for each challenge, where its difficulty is expected


class Fit(NamedTuple):
    """The mode on both sides, the spread of each ability were the difficulties known, and how these vary together."""

    ability: Floats
    difficulty: Floats
    own: Floats
    covariance: Floats


def fit(pairs: Pairs) -> Fit:
    """The mode of the posterior. Each ability is the best one for the difficulties; these listen to what is heard."""
    ability, difficulty = np.zeros(pairs.agents), pairs.centre.copy()
    for _ in range(_STEPS):
        step_a, step_c = _step(pairs, ability, difficulty)
        longest = max(float(np.abs(step_a).max(initial=0)), float(np.abs(step_c).max(initial=0)))
        # A step of more than one leaves where the curve is known.
        ability, difficulty = (
            ability + step_a / max(1.0, longest),
            difficulty + step_c / max(1.0, longest),
        )
        if longest < _CLOSE:
            break
    own, inverse = _curvature(pairs, ability, difficulty)
    return Fit(ability, difficulty, 1 / np.sqrt(own), inverse)


def bounds(pairs: Pairs, found: Fit, confidence: float) -> tuple[Floats, Floats]:
    """Between which two values each ability lies with this probability.

    They are quantiles of the posterior itself and not of a normal one in its place: whatever is multiplied with a
    likelihood that falls with the ability has every quantile further down. So a match that was not won does not pay.
    What the difficulties are unsure by comes on top.
    """
    lower, upper = np.empty(pairs.agents), np.empty(pairs.agents)
    for first, last, part in _blocks(pairs, len(_NODES)):
        nodes = found.ability[first:last, None] + found.own[first:last, None] * _NODES
        agent, challenge = pairs.agent[part] - first, pairs.challenge[part]
        logits = nodes[agent] - found.difficulty[challenge][:, None]
        each = pairs.won[part][:, None] * logits - pairs.weight[part][:, None] * np.logaddexp(
            0, logits
        )
        starts = np.searchsorted(agent, np.arange(last - first))
        height = np.add.reduceat(each, starts, axis=0) - _PRECISION / 2 * nodes**2
        lower[first:last], upper[first:last] = _quantiles(nodes, height, confidence)
    more = quantile(confidence) * _passed_on(pairs, found)
    return found.ability - np.hypot(found.ability - lower, more), found.ability + np.hypot(
        upper - found.ability, more
    )


def _passed_on(pairs: Pairs, found: Fit) -> Floats:
    """The spread that each ability has from not knowing the difficulties."""
    many, result = len(found.difficulty), np.empty(pairs.agents)
    chance = _logistic(found.ability[pairs.agent] - found.difficulty[pairs.challenge])
    each = pairs.weight * chance * (1 - chance)
    for first, last, part in _blocks(pairs, many):
        reach = _links(pairs, each, (first, last, part), many) * found.own[first:last, None] ** 2
        result[first:last] = np.sqrt(np.einsum("ij,ij->i", reach @ found.covariance, reach))
    return result


def _quantiles(nodes: Floats, height: Floats, confidence: float) -> tuple[Floats, Floats]:
    """Two quantiles of densities whose logarithms are known at these nodes."""
    density = np.exp(height - height.max(axis=1, keepdims=True))
    below: Floats = np.cumsum((density[:, 1:] + density[:, :-1]) / 2, axis=1)
    below = np.pad(below / below[:, -1:], ((0, 0), (1, 0)))
    found = []
    for share in ((1 - confidence) / 2, (1 + confidence) / 2):
        place = np.clip((below < share).sum(axis=1), 1, nodes.shape[1] - 1)
        rows = np.arange(len(nodes))
        found.append(_between(nodes, density, below, (rows, place, share)))
    return found[0], found[1]


def _between(
    nodes: Floats,
    density: Floats,
    below: Floats,
    where: tuple[NDArray[np.intp], NDArray[np.intp], float],
) -> Floats:
    """The quantile inside a cell in which the density is a straight line."""
    rows, place, share = where
    left, right = density[rows, place - 1], density[rows, place]
    part = (share - below[rows, place - 1]) / (below[rows, place] - below[rows, place - 1])
    area = part * (left + right) / 2
    # left·t + (right − left)·t²/2 = area, solved so that nothing cancels.
    root = np.sqrt(np.maximum(left**2 + 2 * (right - left) * area, 0))
    along = 2 * area / np.maximum(left + root, 1e-300)
    width = nodes[rows, place] - nodes[rows, place - 1]
    result: Floats = nodes[rows, place - 1] + np.clip(along, 0, 1) * width
    return result


def _step(pairs: Pairs, ability: Floats, difficulty: Floats) -> tuple[Floats, Floats]:
    chance = _logistic(ability[pairs.agent] - difficulty[pairs.challenge])
    gap = pairs.won - pairs.weight * chance
    slope_a = np.bincount(pairs.agent, gap, pairs.agents) - _PRECISION * ability
    heard = gap * (pairs.heard > 0)
    slope_c = -np.bincount(pairs.challenge, heard, len(difficulty)) - _PRECISION * (
        difficulty - pairs.centre
    )
    own, inverse = _curvature(pairs, ability, difficulty)
    share = slope_a[pairs.agent] / own[pairs.agent] * pairs.heard * chance * (1 - chance)
    step_c: Floats = inverse @ (slope_c + np.bincount(pairs.challenge, share, len(difficulty)))
    drawn = pairs.weight * chance * (1 - chance) * step_c[pairs.challenge]
    step_a: Floats = (slope_a + np.bincount(pairs.agent, drawn, pairs.agents)) / own
    return step_a, step_c


def _curvature(pairs: Pairs, ability: Floats, difficulty: Floats) -> tuple[Floats, Floats]:
    """The abilities' own curvature, and the inverse of what is left for the difficulties."""
    many = len(difficulty)
    chance = _logistic(ability[pairs.agent] - difficulty[pairs.challenge])
    bend = chance * (1 - chance)
    own = (np.bincount(pairs.agent, pairs.weight * bend, pairs.agents) + _PRECISION).astype(
        np.float64
    )
    heard = pairs.heard * bend
    matrix: Floats = np.diag(np.bincount(pairs.challenge, heard, many) + _PRECISION)
    for first, last, part in _blocks(pairs, many):
        links = _links(pairs, heard, (first, last, part), many)
        matrix -= links.T @ (links / own[first:last, None])
    return own, np.linalg.inv(matrix).astype(np.float64)


def _links(pairs: Pairs, each: Floats, block: tuple[int, int, slice], many: int) -> Floats:
    """What links the agents of a block to the challenges, as a matrix."""
    first, last, part = block
    flat = (pairs.agent[part] - first) * many + pairs.challenge[part]
    summed = np.bincount(flat, each[part], (last - first) * many)
    return summed.reshape(last - first, many).astype(np.float64, copy=False)


def _blocks(pairs: Pairs, width: int) -> Iterator[tuple[int, int, slice]]:
    """Agents from, agents to, and their pairs: as many at a time as leave the memory small."""
    ends = np.searchsorted(pairs.agent, np.arange(pairs.agents + 1))
    first = 0
    while first < pairs.agents:
        most = int(np.searchsorted(ends, ends[first] + max(1, _BLOCK // width), side="right")) - 1
        last = min(max(first + 1, most), first + max(1, _BLOCK // width), pairs.agents)
        yield first, last, slice(int(ends[first]), int(ends[last]))
        first = last


def _logistic(logits: Floats) -> Floats:
    return 1 / (1 + np.exp(-logits))


def quantile(confidence: float) -> float:
    """How many standard deviations a normal interval reaches to each side."""
    return NormalDist().inv_cdf(0.5 + confidence / 2)
