"""What a report draws that ``results.json`` does not have: distributions, gathered while the samples go by."""

from __future__ import annotations

import itertools
import math
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from steelyard.report.charts.axis import ticks
from steelyard.report.charts.histogram import Bins
from steelyard.report.packed import Columns, outcome
from steelyard.runs.sample_row import SampleRow
from steelyard.spill import Column, in_order

VALUE_STEPS, STEPS = 20, 24
MOST_EXAMPLES = 3
_PREVIEW = 160


class Example(NamedTuple):
    """A sample that failed."""

    key: str
    id: str
    target: str
    response: str


class Spread(NamedTuple):
    """Some of what is known of measured numbers."""

    measured: int
    median: float
    p90: float
    p99: float
    highest: float
    total: float
    bins: Bins


class Gathered:
    """Counts and columns of the samples that went by."""

    def __init__(self, *, timings: bool) -> None:
        self.columns = Columns(timings=timings)
        self.outcomes: Counter[str] = Counter()
        self.examples: dict[str, list[Example]] = {}
        self.graded = False
        self._steps = [0] * VALUE_STEPS
        self._tokens: Counter[int] = Counter()  # there are few lengths, and each is had by many
        self._seconds = Column("d")
        self._timings = timings

    def watching(self, samples: Iterable[SampleRow]) -> Iterator[SampleRow]:
        """The samples, each noted before it is handed on."""
        for row in samples:
            self._note(row)
            yield row

    def _note(self, row: SampleRow) -> None:
        self.columns.add(row)
        self.outcomes[outcome(row)] += 1
        if row.value is not None:
            self.graded = self.graded or row.value not in {0.0, 1.0}
            self._steps[min(int(row.value * VALUE_STEPS), VALUE_STEPS - 1)] += 1
        if row.output_tokens is not None:
            self._tokens[row.output_tokens] += 1
        if self._timings and row.seconds is not None and row.response is not None:
            self._seconds.append(row.seconds)
        if row.failure is not None:
            self._keep(row, row.failure)

    def _keep(self, row: SampleRow, failure: str) -> None:
        kept = self.examples.setdefault(failure, [])
        if len(kept) < MOST_EXAMPLES:
            said = " ".join((row.response or row.error or "")[: 4 * _PREVIEW].split())
            target = " ".join(row.target[: 4 * _PREVIEW].split())
            kept.append(Example(row.key, row.id, _short(target), _short(said)))

    @property
    def values(self) -> Bins:
        """How the scores are spread over 0..1."""
        return Bins(0.0, 1.0, self._steps)

    @property
    def tokens(self) -> Spread | None:
        """The output tokens of a reply."""
        return _spread(_Counted(self._tokens))

    @property
    def seconds(self) -> Spread | None:
        """The seconds that a reply took; None where they are not to be told."""
        return spread(self._seconds)


def _short(text: str) -> str:
    return text if len(text) <= _PREVIEW else f"{text[: _PREVIEW - 1]}…"


class _Counted:
    """Numbers in order, of which many are the same: each is kept once."""

    def __init__(self, counts: Mapping[int, int]) -> None:
        self._values = sorted(counts)
        self._ends = list(itertools.accumulate(counts[value] for value in self._values))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __getitem__(self, place: int) -> float:
        return float(self._values[bisect_right(self._ends, place)])

    def __iter__(self) -> Iterator[float]:
        for value, (before, end) in zip(
            self._values, itertools.pairwise([0, *self._ends]), strict=True
        ):
            yield from itertools.repeat(float(value), end - before)


def spread(values: Iterable[float]) -> Spread | None:
    """Quantiles and a histogram that reaches as far as 99 of 100 values do; None for no values.

    >>> spread([4, 1, 3, 2]).median
    2.5
    """
    return _spread(
        in_order(values)
    )  # not by numpy, which would be loaded for this alone, in every run


def _spread(found: Column | _Counted) -> Spread | None:
    """The same of values that are in order."""
    if not len(found):
        return None
    median, p90, p99 = (_quantile(found, share) for share in (0.5, 0.9, 0.99))
    highest = found[len(found) - 1]
    upper = float(ticks(highest if highest <= 1.5 * p99 else p99)[-1])
    drawn = bisect_right(found, upper)
    begins = [bisect_left(found, step * (upper / STEPS), 0, drawn) for step in range(STEPS)]
    counts = [after - begin for begin, after in itertools.pairwise([*begins, drawn])]
    return Spread(
        len(found),
        median,
        p90,
        p99,
        highest,
        math.fsum(found),
        Bins(0.0, upper, counts, len(found) - drawn),
    )


def _quantile(ordered: Column | _Counted, share: float) -> float:
    """By the straight line between the two values that it lies between, from the nearer one: so it passes neither."""
    whole = math.floor(place := share * (len(ordered) - 1))
    low, high = ordered[whole], ordered[min(whole + 1, len(ordered) - 1)]
    share_above = place - whole
    return (
        low + (high - low) * share_above
        if share_above < 0.5
        else high - (high - low) * (1 - share_above)
    )
