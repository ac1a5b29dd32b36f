"""Whether a candidate is at most so much worse than its base: the bounds that a decision may rest on.

A bound that is right on average is not enough here: where few pairs differ, it would wave through more than it may. So
for 0/1 pairs that stand alone the critical value is the one that keeps the promise exactly, whatever share of the pairs
differs; and for all others the bound is taken as if one more unit, as large as the largest, had been
lost entirely.
"""

from __future__ import annotations

import functools
import math
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from steelyard.metrics.paired import Pairs, Sums, freedom, lower_bound, statistic, upper_bound
from steelyard.metrics.student import t_quantile
from steelyard.metrics.whole import share

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

# Beyond so many expected losses counting has become measuring, and the normal's critical value holds.
_COUNTED = 5_000
_POINTS = 80
# Between the shares that are looked at the chance is a little larger than at them.
_INSIDE = 0.98
_REACH = 5.0
_MOST_GAINS = 200
_TIE = 1e-9


class Bounds(msgspec.Struct, frozen=True, kw_only=True):
    """One-sided bounds of the difference, each at the same confidence; None where there are too few units."""

    lower: float | None
    upper: float | None
    method: str


def bounds(pairs: Pairs, margin: float, confidence: float = 0.95) -> Bounds:
    """Bounds to be held against ``-margin``: the truth lies below ``lower``, or above ``upper``, with a chance of at most
    ``1 - confidence`` each, when it is at the margin.

    >>> found = bounds(Pairs([1] * 100, [1] * 100), 0.05)
    >>> found.method, round(found.lower, 4), round(found.upper, 4)
    ('exact score', -0.0282, 0.0326)
    """
    margin, confidence = share("margin", margin), share("confidence", confidence)
    if pairs.few:
        return Bounds(lower=None, upper=None, method="too few pairs")
    if pairs.binary and pairs.alone:
        low, high = (
            critical_value(pairs.n, margin, confidence, upper=upper) for upper in (False, True)
        )
        return Bounds(
            lower=lower_bound(pairs.sums, low),
            upper=upper_bound(pairs.sums, high),
            method="exact score",
        )
    low, high = careful_bounds(pairs.sums, confidence)
    return Bounds(lower=low, upper=high, method="score with one more unit")


def careful_bounds(sums: Sums, confidence: float) -> tuple[float, float]:
    """The bounds for values between 0 and 1 or units of several pairs: each with one more unit against it."""
    critical = t_quantile(confidence, freedom(sums))
    return (
        lower_bound(sums.with_one_lost(), critical),
        -lower_bound(sums.turned().with_one_lost(), critical),
    )


@functools.lru_cache(maxsize=4096)
def critical_value(
    n: int, margin: float, confidence: float = 0.95, *, upper: bool = False
) -> float:
    """The statistic at ``-margin`` must be above this, so that a true loss of the margin gets through at most rarely.

    "Rarely" is one time in ``1 / (1 - confidence)``, whatever the share of pairs that differ: the worst of them all is looked
    for. With ``upper`` it is the other mistake, to see a loss larger than the margin where there is none.

    >>> critical_value(100, 0.1) > 1.645
    True
    """
    usual, most = NormalDist().inv_cdf(confidence), (1 - margin) / 2
    if n * most > _MOST_GAINS:
        most = _MOST_GAINS / n
        # With more gains than are looked at below, what remains is that counts are whole: about half a pair.
        usual += 0.6 / math.sqrt(2 * _MOST_GAINS + n * margin)
    if n * margin > _COUNTED:
        return usual
    grid = most * np.linspace(0, 1, _POINTS) ** 2
    found = [_keeping(n, margin, float(gain), _INSIDE * (1 - confidence), upper) for gain in grid]
    return max(usual, *found)


def _keeping(n: int, margin: float, gain: float, level: float, upper: bool) -> float:
    """The critical value that keeps the level at this share of gains; the share of losses is larger by the margin."""
    lost, gained, chances = outcomes(n, gain + margin, gain)
    found = statistic(Sums(lost, gained, lost + gained, n), -margin)
    values = (-found if upper else found).ravel()
    order = np.argsort(-values)
    beyond = np.cumsum(chances.ravel()[order]) > level
    if not beyond.any():
        return 0.0
    return float(values[order[int(np.argmax(beyond))]]) + _TIE


def outcomes(n: int, loss: float, gain: float) -> tuple[Array, Array, Array]:
    """The numbers of losses (down) and gains (across) that can be reckoned with, and the chance of each pair of them."""
    lost, gained = _range(n, loss)[:, None], _range(n, gain)[None, :]
    rest = n - lost - gained
    table = log_factorials(n)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = (
            table[n]
            - table[lost]
            - table[gained]
            - table[np.maximum(rest, 0)]
            + _times(lost, loss)
            + _times(gained, gain)
            + _times(rest, 1 - loss - gain)
        )
    return lost, gained, np.where(rest >= 0, np.exp(np.minimum(logs, 0)), 0.0)


def _times(count: Array, chance: float) -> Array:
    if chance <= 0:
        return np.where(count == 0, 0.0, -np.inf)
    return np.asarray(count * np.log(chance))


def _range(n: int, chance: float) -> Array:
    centre, reach = n * chance, _REACH * np.sqrt(n * chance * (1 - chance)) + 8
    return np.arange(max(0, int(centre - reach)), min(n, int(centre + reach)) + 1)


@functools.lru_cache(maxsize=8)
def log_factorials(n: int) -> Array:
    """The logarithms of 0! to n!."""
    return np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, n + 1)))])
