"""Results grouped by a category of their metadata."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from steelyard.errors import DataError
from steelyard.metrics.intervals import NO_BOUND, Interval, NoBound, mean_interval, wilson_interval
from steelyard.score import Score

UNKNOWN = "unknown"


class CategoryStats(msgspec.Struct, frozen=True, kw_only=True):
    """One category: how many samples it has, how many of them have no score, and the mean of the others.

    ``n_samples`` counts every sample. ``worst`` and ``best`` are what the mean could become once the
    unscored ones are scored.
    """

    category: str
    n_samples: int
    n_unscored: int
    total: float
    interval: Interval | None

    @property
    def mean_reward(self) -> float | NoBound:
        """The mean over the scored samples; where there are none it prints as an en dash and equals None."""
        return NO_BOUND if self.interval is None else self.interval.value

    @property
    def ci_lower(self) -> float | NoBound:
        """The lower bound of the interval."""
        return NO_BOUND if self.interval is None else self.interval.ci_lower

    @property
    def ci_upper(self) -> float | NoBound:
        """The upper bound of the interval."""
        return NO_BOUND if self.interval is None else self.interval.ci_upper

    @property
    def worst(self) -> float:
        """The mean over all samples if every unscored one earned nothing."""
        return self.total / self.n_samples

    @property
    def best(self) -> float:
        """The mean over all samples if every unscored one earned full marks."""
        return (self.total + self.n_unscored) / self.n_samples


def category_breakdown(results: Iterable[Any], key: str) -> list[CategoryStats]:
    """One CategoryStats for each value that ``metadata[key]`` takes, sorted by name.

    A result is a mapping or an object with ``reward`` (or ``score``) and ``metadata``. A missing or null
    category is "unknown". A reward of None is counted as unscored: it stays in ``n_samples`` and out of
    the mean. A reward that is no number in 0..1 is a DataError that names the result.

    >>> rows = [{"reward": 1.0, "metadata": {"category": "law"}}, {"reward": 0.0, "metadata": {}}]
    >>> [(c.category, c.mean_reward, c.n_samples) for c in category_breakdown(rows, "category")]
    [('law', 1.0, 1), ('unknown', 0.0, 1)]
    """
    groups: dict[str, list[float | None]] = {}
    for place, result in enumerate(results):
        groups.setdefault(_category(result, key), []).append(_reward(place, result))
    return [_stats(name, groups[name]) for name in sorted(groups)]


def _stats(category: str, rewards: list[float | None]) -> CategoryStats:
    scored = [reward for reward in rewards if reward is not None]
    return CategoryStats(
        category=category,
        n_samples=len(rewards),
        n_unscored=len(rewards) - len(scored),
        total=math.fsum(scored),
        interval=_interval(scored) if scored else None,
    )


def _interval(scored: list[float]) -> Interval:
    """Wilson's where every reward is 0 or 1, Student's otherwise; a single score has none."""
    if len(scored) > 1 and all(reward in {0.0, 1.0} for reward in scored):
        return wilson_interval(int(sum(scored)), len(scored))
    return mean_interval(len(scored), math.fsum(scored), math.fsum(reward * reward for reward in scored))


def _field(result: Any, name: str) -> Any:
    return result.get(name) if isinstance(result, Mapping) else getattr(result, name, None)


def _has(result: Any, name: str) -> bool:
    return name in result if isinstance(result, Mapping) else hasattr(result, name)


def _category(result: Any, key: str) -> str:
    metadata = _field(result, "metadata")
    category = metadata.get(key) if isinstance(metadata, Mapping) else None
    return UNKNOWN if category is None else str(category)


def _reward(place: int, result: Any) -> float | None:
    name = next((name for name in ("reward", "score", "value") if _has(result, name)), None)
    if name is None:
        raise DataError(f"result {place} has no reward")
    reward = _field(result, name)
    if isinstance(reward, Score):
        reward = reward.value
    if reward is None:
        return None
    try:
        number = math.nan if isinstance(reward, (str, bytes)) else float(reward)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not 0 <= number <= 1:
        shown = reward if isinstance(reward, float) else type(reward).__name__
        raise DataError(f"result {place} has the reward {shown}; a number in 0..1, or None, is needed")
    return number
