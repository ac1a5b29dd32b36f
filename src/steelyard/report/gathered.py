"""What a report draws that ``results.json`` does not have: distributions, gathered while the samples go by."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from steelyard.report.charts.axis import ticks
from steelyard.report.charts.histogram import Bins
from steelyard.report.packed import Columns, outcome
from steelyard.runs.sample_row import SampleRow

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
        self._tokens: array[float] = array("d")
        self._seconds: array[float] = array("d")
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
            self._tokens.append(row.output_tokens)
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
        return spread(self._tokens)

    @property
    def seconds(self) -> Spread | None:
        """The seconds that a reply took; None where they are not to be told."""
        return spread(self._seconds)


def _short(text: str) -> str:
    return text if len(text) <= _PREVIEW else f"{text[: _PREVIEW - 1]}…"


def spread(values: array[float]) -> Spread | None:
    """Quantiles and a histogram that reaches as far as 99 of 100 values do; None for no values.

    >>> spread(array("d", [1, 2, 3, 4])).median
    2.5
    """
    if not values:
        return None
    import numpy as np

    found = np.frombuffer(values)
    median, p90, p99 = (float(one) for one in np.quantile(found, (0.5, 0.9, 0.99)))
    highest = float(found.max())
    upper = float(ticks(highest if highest <= 1.5 * p99 else p99)[-1])
    counts, _ = np.histogram(found, bins=STEPS, range=(0.0, upper))
    over = int((found > upper).sum())
    bins = Bins(0.0, upper, [int(count) for count in counts], over)
    return Spread(len(found), median, p90, p99, highest, float(found.sum()), bins)
