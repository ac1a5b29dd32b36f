"""The counts that results are made of; they stream in sample order, one problem at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from steelyard.batch.reasons import MOST_REASONS, OTHERS
from steelyard.batch.tally import MOST_GROUPS, Moments, group_name
from steelyard.metrics import ArtifactCollector, Interval
from steelyard.metrics.clusters import Clusters
from steelyard.metrics.whole import exact_sum
from steelyard.runs.cluster_book import ClusterBook
from steelyard.runs.lines import AttemptLine
from steelyard.runs.repeats import Repeats
from steelyard.score import Score

_LONGEST_REASON = 300
_HELD = 256


class Count:
    """The moments of some samples, and the same by cluster, or by problem where problems were asked several times."""

    def __init__(self, repeats: int, book: ClusterBook | None = None) -> None:
        self._moments, self._clusters, self._repeats = Moments(), Clusters(), repeats
        self._named = book.page() if book is not None else None
        self._held: list[Score] = []

    @property
    def moments(self) -> Moments:
        """The moments of all samples so far."""
        if self._held:
            self._moments.add(self._held)
            self._held = []
        return self._moments

    def add(self, scores: Sequence[Score], cluster: str | None = None) -> None:
        """Take in the attempts at one problem. Exact sums are slow, so that many scores are summed at a time."""
        self._held.extend(scores)
        if len(self._held) >= _HELD:
            self._moments.add(self._held)
            self._held = []
        if self._repeats == 1 and self._named is None:
            return
        values = [score.value for score in scores if score.value is not None]
        if self._named is not None:
            self._named.add(cluster, values)
            return
        binary = all(value in {0.0, 1.0} for value in values)
        total = int(sum(values)) if binary else exact_sum(values)
        self._clusters.add(len(values), total, binary=binary)

    def interval(self) -> Interval | None:
        """Clustered where the benchmark names clusters, or by problem; Wilson's or Student's with one attempt a problem."""
        if self._named is not None:
            return self._named.interval()
        return self._clusters.interval() if self._repeats > 1 else self.moments.interval()


def told_error(attempt: AttemptLine) -> str | None:
    """The error of a model call as failures are told by; None where there was none.

    Its kind decides: the words of an endpoint's message may speak of anything. They are read only where there is none.
    """
    if not attempt.error or not attempt.error_kind:
        return attempt.error or None
    return attempt.error_kind if attempt.error_kind in {"timeout", "rate_limit"} else "model_error"


class RunTally:
    """All counts of a run."""

    def __init__(self, repeats: int, *, clustered: bool = False) -> None:
        self._book = ClusterBook() if clustered else None
        self.all = Count(repeats, self._book)
        self.groups: dict[str, Count] = {}
        self.repeats = Repeats(repeats, self._book)
        self.curve = [Count(1, self._book) for _ in range(repeats)] if repeats > 1 else []
        self.failures = ArtifactCollector()
        self.reasons: Counter[str] = Counter()
        self.errors: Counter[str] = Counter()
        self.input_tokens = self.output_tokens = self.untold_tokens = 0
        self.asked = self.truncated = 0
        self.crossed: Counter[str] = Counter()
        self._repeats = repeats

    def add(
        self,
        problem: int,
        category: Any,
        attempts: Sequence[AttemptLine | None],
        scores: Sequence[Score],
        cluster: str | None = None,
    ) -> list[str | None]:
        """Take in one problem: its attempts, None where there was none, and their scores; what each failed by."""
        self.all.add(scores, cluster)
        self._group(group_name(category)).add(scores, cluster)
        self.repeats.add(scores, cluster)
        for count, score in zip(self.curve, scores, strict=False):
            count.add([score], cluster)
        return [
            self._note(problem, attempt, score)
            for attempt, score in zip(attempts, scores, strict=True)
        ]

    def _group(self, name: str) -> Count:
        if name not in self.groups and len(self.groups) >= MOST_GROUPS:
            name = OTHERS
        found = self.groups.get(name)
        if found is None:
            found = self.groups[name] = Count(self._repeats, self._book)
        return found

    def _cross_check(self, score: Score) -> None:
        """Count whether two scorers agree on what is right, where the benchmark's own tells of both."""
        check = score.detail.get("cross_check")
        if (
            score.value is None
            or not isinstance(check, dict)
            or not {"ours", "theirs"} <= check.keys()
        ):
            return
        ours, theirs = check["ours"] == 1, check["theirs"] == 1
        self.crossed["agree" if ours == theirs else "only_ours" if ours else "only_theirs"] += 1

    def _note(self, problem: int, attempt: AttemptLine | None, score: Score) -> str | None:
        if score.detail:
            self._cross_check(score)
        if score.value is None:
            reason = score.reason[:_LONGEST_REASON]
            known = reason in self.reasons or len(self.reasons) < MOST_REASONS
            self.reasons[reason if known else OTHERS] += 1
        if attempt is None:
            self.failures.n_samples += 1
            self.failures.n_unscored += 1
            return None
        self.asked += 1
        error = told_error(attempt)
        if error:
            self.errors[attempt.error_kind] += 1
        self.truncated += attempt.finish == "length"
        self.untold_tokens += attempt.output_tokens is None and not attempt.error
        self.input_tokens += attempt.input_tokens or 0
        self.output_tokens += attempt.output_tokens or 0
        return self.failures.add_score(
            score, attempt.response, error=error, finish=attempt.finish, problem_idx=problem
        )
