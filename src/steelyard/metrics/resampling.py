"""The percentile bootstrap of a mean: vectorised, seeded, in bounded memory."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from steelyard.metrics.whole import exact_mean
from steelyard.score import Score

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Counts = NDArray[np.intp]

_LARGEST = 1e150
_LAYERS = 512
# Up to so many scores each draw is made; up to so many distinct values they are counted.
_MANY_SCORES, _MANY_VALUES = 30_000, 1_000
_CELLS = 2**20


def read(scores: Iterable[Any]) -> Floats:
    """The scores as sorted floats; what cannot be averaged is a ValueError that names its place.

    >>> read([True, 0, 0.5]).tolist()
    [0.0, 0.5, 1.0]
    """
    if isinstance(scores, np.ndarray) and scores.dtype.kind in "biuf":
        values = _flat(scores)
    elif isinstance(scores, (str, bytes, Mapping)) or not hasattr(scores, "__iter__"):
        raise ValueError(f"scores is {type(scores).__name__}; a sequence of numbers is needed")
    else:
        values = np.array(
            [_number(place, score) for place, score in enumerate(scores)], dtype=np.float64
        )
    if not len(values):
        raise ValueError("there are no scores; an interval needs at least one")
    usable = np.isfinite(values) & (np.abs(values) <= _LARGEST)
    if not usable.all():
        place = int(np.argmin(usable))
        needed = (
            f"between -{_LARGEST:g} and {_LARGEST:g}"
            if np.isfinite(values[place])
            else "a finite number"
        )
        raise ValueError(f"score {place} is {values[place]!s}; every score must be {needed}")
    values = values + 0.0  # a negative zero would count as a second value
    values.sort()
    return values


def mean(values: Floats) -> float:
    """The mean, rounded once.

    >>> mean(read([0.1, 0.2, 0.3]))
    0.2
    """
    return exact_mean(values.tolist())


def resampled_bounds(
    values: Floats, confidence: float, resamples: int, seed: int
) -> tuple[float, float]:
    """The percentiles of the means of ``resamples`` resamples."""
    dice = np.random.Generator(np.random.PCG64(seed))
    distinct, counts = np.unique(values, return_counts=True)
    if len(distinct) == 1:
        return float(distinct[0]), float(distinct[0])
    if len(distinct) == 2:
        low, high = distinct
        n = len(values)
        means = low + (high - low) * (dice.binomial(n, counts[1] / n, resamples) / n)
    elif len(distinct) <= min(len(values) // 10, _MANY_VALUES):
        means = _by_counts(distinct, counts, resamples, dice)
    elif len(values) <= _MANY_SCORES:
        means = _by_draws(values, resamples, dice)
    else:
        means = _by_strata(values, resamples, dice)
    tail = (1 - confidence) / 2
    lower, upper = np.clip(np.quantile(means, [tail, 1 - tail]), values[0], values[-1])
    return float(lower), float(upper)


def _by_counts(
    distinct: Floats, counts: Counts, resamples: int, dice: np.random.Generator
) -> Floats:
    """How often each distinct value was drawn says all about a resample."""
    n = int(counts.sum())
    rows = max(1, _CELLS // len(distinct))
    blocks = [
        dice.multinomial(n, counts / n, size=min(rows, resamples - done)) @ distinct
        for done in range(0, resamples, rows)
    ]
    return np.concatenate(blocks) / n


def _by_draws(values: Floats, resamples: int, dice: np.random.Generator) -> Floats:
    rows = max(1, _CELLS // len(values))
    blocks = [
        values[dice.integers(0, len(values), size=(min(rows, resamples - done), len(values)))].mean(
            axis=1
        )
        for done in range(0, resamples, rows)
    ]
    return np.concatenate(blocks)


def _by_strata(values: Floats, resamples: int, dice: np.random.Generator) -> Floats:
    """Very many scores: count the draws in each of many thin layers of the sorted scores.

    An outlier has a layer of its own. Inside a layer the values lie so close together that the sum of its
    draws may be taken as normal with the layer's own mean and spread: all layers together hold a few
    millionths of the variance. The cost hardly grows with the number of scores.
    """
    layers = _layers(values)
    sizes = np.array([len(layer) for layer in layers])
    centres = np.array([layer.mean() for layer in layers])
    spreads = np.array([layer.var() for layer in layers])
    rows = max(1, _CELLS // len(layers))
    blocks = []
    for done in range(0, resamples, rows):
        drawn = dice.multinomial(len(values), sizes / len(values), size=min(rows, resamples - done))
        blocks.append(drawn @ centres + np.sqrt(drawn @ spreads) * dice.standard_normal(len(drawn)))
    return np.concatenate(blocks) / len(values)


def _layers(values: Floats) -> list[Floats]:
    """The sorted values cut at most so often; the layer that varies most is always cut next, at its mean."""
    heap, done = [_layer(values, 0, len(values))], list[tuple[float, int, int]]()
    while heap and len(heap) + len(done) < _LAYERS:
        spread, start, stop = heapq.heappop(heap)
        if spread == 0:  # this and all that follow hold one value each
            done.append((spread, start, stop))
            continue
        layer = values[start:stop]
        cut = start + min(max(int(np.searchsorted(layer, layer.mean())), 1), len(layer) - 1)
        heapq.heappush(heap, _layer(values, start, cut))
        heapq.heappush(heap, _layer(values, cut, stop))
    return [
        values[start:stop] for _, start, stop in sorted(heap + done, key=lambda layer: layer[1])
    ]


def _layer(values: Floats, start: int, stop: int) -> tuple[float, int, int]:
    """A layer for the heap, where what varies most comes first."""
    layer = values[start:stop]
    return (0.0 if layer[0] == layer[-1] else -float(layer.var()) * len(layer)), start, stop


def _flat(scores: NDArray[Any]) -> Floats:
    if scores.ndim != 1:
        raise ValueError(f"scores has {scores.ndim} dimensions; one row of numbers is needed")
    return scores.astype(np.float64)


def _number(place: int, score: Any) -> float:
    value = score.value if isinstance(score, Score) else score
    if value is None or isinstance(value, (str, bytes)):
        raise ValueError(f"score {place} is {value!r}; every score must be a number")
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(
            f"score {place} is a {type(value).__name__} that no float can hold"
        ) from None
