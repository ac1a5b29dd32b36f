"""Counts that stream: small, exact, and added up in the order of the input."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import msgspec

from steelyard.batch.outcomes import Outcomes, ReadingCounts
from steelyard.batch.problems import Attempts, Problems
from steelyard.batch.reasons import OTHERS, Reasons
from steelyard.metrics import ArtifactCollector, Interval, mean_interval, wilson_interval
from steelyard.metrics.clusters import Clusters
from steelyard.metrics.whole import exact_sum
from steelyard.score import Score

UNKNOWN = "unknown"
# Names beyond these are counted together, so that memory stays flat whatever the rows hold.
MOST_GROUPS = 1000
_encoder = msgspec.json.Encoder(enc_hook=str, decimal_format="number")


class Moments:
    """How many rows, how many of them scored, and the exact sums of their values.

    ``clusters`` are the sums over problems, where some have several rows.

    >>> moments = Moments()
    >>> moments.add([Score(value=0.5, correct=False), Score(value=None, correct=False)])
    >>> moments.total, moments.scored, moments.worst, moments.best
    (2, 1, 0.25, 0.75)
    """

    __slots__ = (
        "binary",
        "clusters",
        "correct",
        "outcomes",
        "pending",
        "scored",
        "squares",
        "sum",
        "total",
    )

    def __init__(self) -> None:
        self.outcomes = Outcomes()
        self.total = self.scored = self.pending = self.correct = 0
        self.sum = self.squares = Fraction(0)
        self.binary = True
        self.clusters: Clusters | None = None

    def add(self, scores: Sequence[Score]) -> None:
        """Take in scores; their sums are exact."""
        values = [score.value for score in scores if score.value is not None]
        self.total += len(scores)
        self.scored += len(values)
        self.correct += [score.correct for score in scores].count(True)
        ones = values.count(1.0)
        if ones + values.count(0.0) == len(values):
            self.sum += ones
            self.squares += ones
        else:
            self.binary = False
            self.sum += exact_sum(values)
            self.squares += exact_sum(value * value for value in values)
        if len(values) < len(scores):
            self.pending += sum(score.pending for score in scores if score.value is None)
        self.outcomes.add(scores)

    def merge(self, other: Moments) -> None:
        """Take in what another one counted."""
        self.total += other.total
        self.scored += other.scored
        self.pending += other.pending
        self.correct += other.correct
        self.outcomes.merge(other.outcomes)
        self.sum += other.sum
        self.squares += other.squares
        self.binary = self.binary and other.binary

    @property
    def mean(self) -> float | None:
        """The mean over the scored rows."""
        return float(self.sum / self.scored) if self.scored else None

    @property
    def worst(self) -> float | None:
        """The mean if every row that has no score earned nothing."""
        return float(self.sum / self.total) if self.total else None

    @property
    def best(self) -> float | None:
        """The mean if every row that has no score earned full marks."""
        return float((self.sum + self.total - self.scored) / self.total) if self.total else None

    @property
    def reading(self) -> ReadingCounts | None:
        """How answers were read; None for a scorer that reads none."""
        return self.outcomes.counts(self.sum, self.scored)

    @property
    def problems(self) -> int:
        """How many problems have a score."""
        return self.scored if self.clusters is None else self.clusters.count

    def interval(self) -> Interval | None:
        """Wilson's interval for 0/1 data, Student's for other, clustered where problems have several scores; one has none."""
        if self.clusters is not None:
            return self.clusters.interval()
        if self.scored < 2:
            return None
        if self.binary:
            return wilson_interval(int(self.sum), self.scored)
        return mean_interval(self.scored, float(self.sum), float(self.squares))


class Tally:
    """Everything that a summary needs to know of the rows, from one block or from all.

    ``reasons`` are those of a block's rows without a score; ``why`` are those of all blocks that were merged. In the same way
    ``attempts`` are those of a block; ``repeated`` says of all whether rows share an id, once that is settled.
    """

    def __init__(self) -> None:
        self.all = Moments()
        self.groups: dict[str, Moments] = {}
        self.bad = 0
        self.failures = ArtifactCollector()
        self.reasons: Counter[str] = Counter()
        self.why = Reasons()
        self.results: Counter[str] = Counter()
        self.attempts: Attempts | None = None
        self.repeated = False
        self._problems: Problems | None = None

    def add_groups(self, names: Iterable[str], scores: Iterable[Score]) -> None:
        """Take in the scores of a block under the names of their groups; how many there may be is settled where blocks meet."""
        found: dict[str, list[Score]] = {}
        for name, score in zip(names, scores, strict=True):
            found.setdefault(name, []).append(score)
        for name, members in found.items():
            self.groups.setdefault(name, Moments()).add(members)

    def _group(self, name: str) -> Moments:
        if name not in self.groups and len(self.groups) >= MOST_GROUPS:
            name = OTHERS
        return self.groups.setdefault(name, Moments())

    def merge(self, other: Tally) -> None:
        """Take in the next block's counts."""
        self.all.merge(other.all)
        self.bad += other.bad
        self.failures.merge(other.failures)
        self.results.update(other.results)
        for name, moments in other.groups.items():
            self._group(name).merge(moments)
        self.why.merge(other.reasons)
        if other.attempts is not None:
            self._problems = self._problems or Problems()
            self._problems.add(other.attempts, lambda name: name if name in self.groups else OTHERS)

    def settle(self) -> None:
        """Find out whether scored rows share an id, once all are in; if so, intervals are by problem from now on."""
        self.repeated = self._problems is not None and self._problems.repeated()
        if self._problems is not None and self.repeated:
            for name, found in self._problems.clusters().items():
                (self.all if name is None else self.groups[name]).clusters = found


def group_name(value: Any) -> str:
    """The name of a group: text as it is, also an empty one, anything else as JSON, nothing as ``unknown``.

    >>> group_name("physics"), group_name(""), group_name(3), group_name(None), group_name(Decimal("1.50"))
    ('physics', '', '3', 'unknown', '1.5')
    """
    if isinstance(value, str):
        return value
    if isinstance(value, Decimal):
        value = float(value)  # 1.50 is 1.5, however exactly the row was read
    return UNKNOWN if value is None else as_text(value)


def as_text(value: Any) -> str:
    """Any value of a row as JSON, where it can be written.

    >>> as_text({"code": 429})
    '{"code":429}'
    """
    try:
        return _encoder.encode(value).decode()
    except (RecursionError, ValueError):
        return f"{type(value).__name__} that cannot be written"
