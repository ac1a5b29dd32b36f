"""The counts that results are made of; they stream in sample order, one problem at a time."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from steelyard.batch.tally import MOST_GROUPS, MOST_REASONS, OTHERS, Moments, group_name
from steelyard.metrics import ArtifactCollector, Interval, pass_at_k
from steelyard.metrics.clusters import Clusters
from steelyard.runs.lines import AttemptLine
from steelyard.score import Score

_LONGEST_REASON = 300
_HELD = 256


class Count:
    """The moments of some samples, and the same grouped by problem where problems were asked several times."""

    def __init__(self, repeats: int) -> None:
        self._moments, self._clusters, self._repeats = Moments(), Clusters(), repeats
        self._held: list[Score] = []

    @property
    def moments(self) -> Moments:
        """The moments of all samples so far."""
        if self._held:
            self._moments.add(self._held)
            self._held = []
        return self._moments

    def add(self, scores: Sequence[Score]) -> None:
        """Take in the attempts at one problem. Exact sums are slow, so that many scores are summed at a time."""
        self._held.extend(scores)
        if len(self._held) >= _HELD:
            self._moments.add(self._held)
            self._held = []
        if self._repeats == 1:
            return
        values = [score.value for score in scores if score.value is not None]
        binary = all(value in {0.0, 1.0} for value in values)
        total = int(sum(values)) if binary else Fraction(math.fsum(values))
        self._clusters.add(len(values), total, binary=binary)

    def interval(self) -> Interval | None:
        """Wilson's (Student's where values lie between 0 and 1) with one attempt a problem, else clustered by problem.

        Values that are all the same between 0 and 1 have no spread to go by, which is no certainty: no interval.
        """
        found = self._clusters.interval() if self._repeats > 1 else self.moments.interval()
        return None if found is not None and found.lower == found.upper else found


class PassAtK:
    """The mean of pass@k over the problems; a problem with fewer than k scored attempts has none."""

    def __init__(self, k: int, repeats: int) -> None:
        self.k, self._repeats = k, repeats
        self.problems = self.total = 0
        self._sum: int | Fraction = 0
        self._squares: int | Fraction = 0
        self._worst: int | Fraction = 0
        self._best: int | Fraction = 0
        self._binary = True

    def add(self, scores: Sequence[Score]) -> None:
        """Take in the attempts at one problem."""
        scored = sum(score.value is not None for score in scores)
        right = sum(score.correct for score in scores)
        missing = len(scores) - scored
        self.total += 1
        if self._repeats == 1:
            self._note(scored, right, right + missing)
            return
        self._worst += _exact(pass_at_k(len(scores), right, self.k))
        self._best += _exact(pass_at_k(len(scores), right + missing, self.k))
        if scored >= self.k:
            value = _exact(pass_at_k(scored, right, self.k))
            self.problems += 1
            self._sum += value
            self._squares += value * value
            self._binary = self._binary and value in {0, 1}

    def _note(self, scored: int, right: int, at_best: int) -> None:
        """One attempt: it passes or it does not."""
        self.problems += scored
        self._sum += right
        self._squares += right
        self._worst += right
        self._best += at_best

    def found(self) -> dict[str, Any]:
        """The estimate with its interval over problems, and what it could still become."""
        told: dict[str, Any] = {"value": None, "ci_lower": None, "ci_upper": None}
        if self.problems:
            told["value"] = float(self._sum / self.problems)
        if self.problems > 1:
            from steelyard.metrics import mean_interval, wilson_interval

            bounds = (wilson_interval(int(self._sum), self.problems) if self._binary
                      else mean_interval(self.problems, float(self._sum), float(self._squares)))  # fmt: skip
            if bounds.lower != bounds.upper:
                told |= {"ci_lower": bounds.lower, "ci_upper": bounds.upper, "interval": bounds.method}
        told |= {"problems": self.problems, "total": self.total}
        if self.total:
            told |= {"worst": float(self._worst / self.total), "best": float(self._best / self.total)}
        return told


def _exact(value: float) -> int | Fraction:
    """The value, as a whole number where it is one: those add up many times faster."""
    return int(value) if value in {0.0, 1.0} else Fraction(value)


def draws(repeats: int) -> list[int]:
    """The k that are told: 1, 2, 4, … and the number of repeats.

    >>> draws(1), draws(6), draws(8)
    ([1], [1, 2, 4, 6], [1, 2, 4, 8])
    """
    doubled = [2**power for power in range(repeats.bit_length()) if 2**power <= repeats]
    return sorted({*doubled, repeats})


def told_error(attempt: AttemptLine) -> str | None:
    """The error of a model call as failures are told by; None where there was none.

    Its kind decides: the words of an endpoint's message may speak of anything. They are read only where there is none.
    """
    if not attempt.error or not attempt.error_kind:
        return attempt.error or None
    return attempt.error_kind if attempt.error_kind in {"timeout", "rate_limit"} else "model_error"


class RunTally:
    """All counts of a run."""

    def __init__(self, repeats: int) -> None:
        self.all = Count(repeats)
        self.groups: dict[str, Count] = {}
        self.passes = [PassAtK(k, repeats) for k in draws(repeats)]
        self.failures = ArtifactCollector()
        self.reasons: Counter[str] = Counter()
        self.errors: Counter[str] = Counter()
        self.input_tokens = self.output_tokens = self.untold_tokens = 0
        self.asked = self.truncated = 0
        self._repeats = repeats

    def add(
        self, problem: int, category: Any, attempts: Sequence[AttemptLine | None], scores: Sequence[Score]
    ) -> list[str | None]:
        """Take in one problem: its attempts, None where there was none, and their scores; what each failed by."""
        self.all.add(scores)
        self._group(group_name(category)).add(scores)
        for one in self.passes:
            one.add(scores)
        return [self._note(problem, attempt, score) for attempt, score in zip(attempts, scores, strict=True)]

    def _group(self, name: str) -> Count:
        if name not in self.groups and len(self.groups) >= MOST_GROUPS:
            name = OTHERS
        return self.groups.setdefault(name, Count(self._repeats))

    def _note(self, problem: int, attempt: AttemptLine | None, score: Score) -> str | None:
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
        return self.failures.add_score(score, attempt.response, error=error, problem_idx=problem)
