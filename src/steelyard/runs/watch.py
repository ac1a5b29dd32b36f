"""What can be told of a run while it runs: counts, and nothing that any file depends on."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable

import msgspec

from steelyard.metrics import Interval, wilson_interval
from steelyard.score import Score


class Watch:
    """Counts of the current run; ``clock`` is passed in for tests.

    ``clustered`` says that samples share a problem or a cluster: there is no interval then, since
    which samples belong together is known only once the run is summed up.
    """

    def __init__(
        self, total: int, *, clustered: bool = False, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.total, self._clock, self._begun = total, clock, clock()
        self._clustered = clustered
        self.phase = "asking"
        self.done = self.before = self.asked = self.judged = 0
        self.scored = self.correct = self.open = 0
        self.tokens = 0
        self.errors: Counter[str] = Counter()

    def start(self, before: int) -> None:
        """So many samples had a reply before this session began."""
        self.done = self.before = before
        self._begun = self._clock()

    def replied(self, output_tokens: int | None, error_kind: str) -> None:
        """A model call has ended."""
        self.done += 1
        self.asked += 1
        self.tokens += output_tokens or 0
        if error_kind:
            self.errors[error_kind] += 1

    def scores(self, scores: list[Score]) -> None:
        """Some samples were scored."""
        for score in scores:
            self.scored += score.value is not None
            self.correct += score.correct
            self.open += score.value is None

    def verdict(self, score: Score) -> None:
        """The judge has spoken about a sample that had no score before."""
        self.judged += 1
        self.open -= 1
        self.scores([score])

    @property
    def seconds(self) -> float:
        """How long this session has been at work."""
        return self._clock() - self._begun

    @property
    def right(self) -> Interval | None:
        """The share of right answers so far, with Wilson's interval unless samples are clustered."""
        if not self.scored:
            return None
        found = wilson_interval(self.correct, self.scored)
        if not self._clustered:
            return found
        return msgspec.structs.replace(found, lower=None, upper=None, method="clustered")

    @property
    def tokens_per_second(self) -> float:
        """Output tokens, over this session."""
        return self.tokens / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """A guess from the pace so far."""
        if not self.asked or self.seconds <= 0:
            return None
        return (self.total - self.done) * self.seconds / self.asked
