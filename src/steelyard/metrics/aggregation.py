"""Results grouped by a category of their metadata."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from steelyard.errors import DataError
from steelyard.metrics.clusters import default_interval
from steelyard.metrics.intervals import NO_BOUND, Interval, NoBound
from steelyard.metrics.tables import Table
from steelyard.metrics.whole import each, listed
from steelyard.primitives.values import describe
from steelyard.score import Score

UNKNOWN = "unknown"
# Where a result says what it shares with others, the widest first.
_SHARED = ("cluster", "problem_id", "problem_idx", "problem")


class CategoryStats(msgspec.Struct, frozen=True, kw_only=True):
    """One category: how many samples it has, how many of them have no score, and the mean of the others.

    ``keys`` has the names one by one where the results were grouped by several. ``n_samples`` counts every
    sample. ``worst`` and ``best`` are what the mean could become once the unscored ones are scored.
    """

    category: str
    keys: tuple[str, ...]
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
        return (
            self.total / self.n_samples
            if self.n_unscored or self.interval is None
            else self.interval.value
        )

    @property
    def best(self) -> float:
        """The mean over all samples if every unscored one earned full marks."""
        return (self.total + self.n_unscored) / self.n_samples if self.n_unscored else self.worst


def category_breakdown(results: Iterable[Any], key: str | Sequence[str]) -> Table[CategoryStats]:
    """One CategoryStats for each value that ``metadata[key]`` takes, sorted by name; by several keys at once in a list.

    A result is a mapping or an object with ``reward`` (or ``score``) and ``metadata``. A missing or null
    category is "unknown". A reward of None is counted as unscored: it stays in ``n_samples`` and out of
    the mean. A reward that is no number in 0..1 is a DataError that names the result. Results that say
    which cluster or problem they belong to (``cluster``, ``problem_id``, ``problem_idx`` or ``problem``) have an
    interval that knows of it.

    >>> rows = [{"reward": 1.0, "metadata": {"category": "law"}}, {"reward": 0.0, "metadata": {}}]
    >>> [(c.category, c.mean_reward, c.n_samples) for c in category_breakdown(rows, "category")]
    [('law', 1.0, 1), ('unknown', 0.0, 1)]
    >>> rows = [{"reward": 1.0, "metadata": {"category": "law", "level": 2}}]
    >>> [(c.category, c.keys) for c in category_breakdown(rows, ["category", "level"])]
    [('law / 2', ('law', '2'))]
    """
    keys = (key,) if isinstance(key, str) else tuple(listed("key", key))
    if not keys:
        raise ValueError("there are no keys; name at least one that results are grouped by")
    fields = [name for name in _SHARED if name not in keys]
    groups: dict[tuple[str, ...], list[tuple[float | None, Hashable]]] = {}
    for place, result in enumerate(each("results", results)):
        name = tuple(_category(result, one) for one in keys)
        groups.setdefault(name, []).append((_reward(place, result), _cluster(result, fields)))
    return Table(_stats(name, groups[name]) for name in sorted(groups))


def _stats(keys: tuple[str, ...], rows: list[tuple[float | None, Hashable]]) -> CategoryStats:
    scored = [(reward, cluster) for reward, cluster in rows if reward is not None]
    rewards = [reward for reward, _ in scored]
    return CategoryStats(
        category=" / ".join(keys),
        keys=keys,
        n_samples=len(rows),
        n_unscored=len(rows) - len(scored),
        total=math.fsum(rewards),
        interval=default_interval(rewards, [cluster for _, cluster in scored]) if scored else None,
    )


def _cluster(result: Any, fields: Iterable[str]) -> Hashable:
    """What the result shares with others; None where it does not say."""
    metadata = _field(result, "metadata")
    for name in fields:
        found = _field(result, name)
        if found is None and isinstance(metadata, Mapping):
            found = metadata.get(name)
        if found is not None:
            return name, found if isinstance(found, (str, int)) else repr(found)
    return None


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
        raise DataError(
            f"result {place} has the reward {describe(reward)}; a number in 0..1, or None, is needed"
        )
    return number
