"""Worlds of clusters: how many samples of a cluster are right, where p of all samples are and two of one cluster correlate.

Each world is a function of the size of a cluster, the truths p and the correlation; it returns the chance of 0, 1, … right
samples, a row for each p. Whoever has these chances can work out or draw everything about independent clusters.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import optimize, special, stats

_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(80)
_WEIGHTS = _WEIGHTS / _WEIGHTS.sum()


def binomial(size: int, chance: Any) -> Any:
    """Of independent samples; ``chance`` may have any shape, and the counts are a new last axis."""
    counts, chance = np.arange(size + 1), np.asarray(chance)[..., None]
    ways = (
        special.gammaln(size + 1) - special.gammaln(counts + 1) - special.gammaln(size - counts + 1)
    )
    return np.exp(ways + special.xlogy(counts, chance) + special.xlog1py(size - counts, -chance))


def one_piece(size: int, truth: Any) -> Any:
    """All samples of a cluster are the same."""
    chances = np.zeros((len(truth), size + 1))
    chances[:, 0], chances[:, -1] = 1 - truth, truth
    return chances


def beta(size: int, truth: Any, alike: float) -> Any:
    """The chances of clusters follow a beta distribution around p."""
    right, wrong = ((1 - alike) / alike * share[:, None] for share in (truth, 1 - truth))
    return stats.betabinom.pmf(np.arange(size + 1), size, right, wrong)


def probit(size: int, truth: Any, alike: float) -> Any:
    """A sample is right where its own and its cluster's normal traits come above a threshold; traits correlate."""
    chance = special.ndtr(
        (special.ndtri(truth)[:, None] + math.sqrt(alike) * _NODES) / math.sqrt(1 - alike)
    )
    return (binomial(size, chance) * _WEIGHTS[:, None]).sum(axis=1)


def logit(size: int, truth: Any, alike: float) -> Any:
    """Clusters shift the log odds by a normal amount; the latent correlation is ``alike``, and the mean is p."""
    spread = math.sqrt(alike / (1 - alike) * math.pi**2 / 3)

    centres = np.array([_centre(p, spread) for p in truth.tolist()])
    chance = special.expit(centres[:, None] + spread * _NODES)
    return (binomial(size, chance) * _WEIGHTS[:, None]).sum(axis=1)


@functools.cache
def _centre(p: float, spread: float) -> float:
    """The log odds that normal shifts of that spread turn into a mean of p; every shape asks for the same ones."""

    def above(x: float) -> float:
        return float(special.expit(x + spread * _NODES) @ _WEIGHTS - p)

    return float(optimize.brentq(above, -99.0, 99.0))


def mixture(size: int, truth: Any, alike: float) -> Any:
    """Some clusters are of one piece, and the others have nothing in common."""
    return alike * one_piece(size, truth) + (1 - alike) * binomial(size, truth)


def leaning(size: int, truth: Any, alike: float) -> Any:
    """Each cluster leans to right or to wrong; its samples follow it, or go their own way, by chance."""
    follow = math.sqrt(alike)
    own = (1 - follow) * truth
    right, wrong = binomial(size, own + follow), binomial(size, own)
    return truth[:, None] * right + (1 - truth)[:, None] * wrong


WORLDS: dict[str, Callable[[int, Any, float], Any]] = {
    "beta": beta,
    "probit": probit,
    "logit": logit,
    "mixture": mixture,
    "leaning": leaning,
}


def chances(world: str, size: int, truth: Any, alike: float) -> Any:
    """The chance of each count in a cluster of that size. Without correlation, and with a full one, all worlds are the same."""
    truth = np.asarray(truth, dtype=float)
    if alike in {0, 1}:
        return binomial(size, truth) if alike == 0 else one_piece(size, truth)
    found = WORLDS[world](size, truth, alike)
    return found / found.sum(axis=-1, keepdims=True)
