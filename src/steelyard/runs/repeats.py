"""What several attempts at each problem come to, as means over problems; the sums stream, one problem at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from msgspec import UNSET

from steelyard.metrics import (
    Interval,
    best_of_k,
    majority_at_k,
    mean_interval,
    pass_at_k,
    pass_hat_k,
    wilson_interval,
)
from steelyard.metrics.clusters import Clusters
from steelyard.runs.cluster_book import ClusterBook
from steelyard.score import Score


class ProblemMean:
    """The mean over problems of one number; a problem that does not have it is counted beside it."""

    def __init__(self, book: ClusterBook | None = None) -> None:
        self.problems = self.total = 0
        self._sum: int | Fraction = 0
        self._squares: int | Fraction = 0
        self._worst: int | Fraction = 0
        self._best: int | Fraction = 0
        self._binary = True
        self._named = book.page() if book is not None else None
        self._attempts, self._sizes = Clusters(), set[int]()

    def add_attempts(self, right: int, scored: int, total: int, cluster: str | None = None) -> None:
        """Take in a problem as its attempts; the number is the share of right ones."""
        if scored:
            self._sizes.add(scored)
            self._attempts.add(scored, right)
        value = right / scored if scored else None
        self.add(value, right / total, (right + total - scored) / total, cluster)

    def add(
        self, value: float | None, worst: float, best: float, cluster: str | None = None
    ) -> None:
        """Take in a problem: its number if it has one, and what that could become once everything is scored."""
        self.total += 1
        self._worst += _exact(worst)
        self._best += _exact(best)
        if value is None:
            return
        exact = _exact(value)
        self.problems += 1
        self._sum += exact
        self._squares += exact * exact
        self._binary = self._binary and value in {0, 1}
        if self._named is not None:
            self._named.add(cluster, [value])

    def found(self) -> dict[str, Any]:
        """The mean with its interval over problems, and what it could still become."""
        told: dict[str, Any] = {"value": None, "ci_lower": None, "ci_upper": None}
        if self.problems:
            told["value"] = float(self._sum / self.problems)
        if (bounds := self._interval()) is not None:
            told |= {"ci_lower": bounds.lower, "ci_upper": bounds.upper, "interval": bounds.method}
        told |= {"problems": self.problems, "total": self.total}
        if self.total:
            told |= {
                "worst": float(self._worst / self.total),
                "best": float(self._best / self.total),
            }
        return told

    def _interval(self) -> Interval | None:
        if self.problems < 2:
            return None
        if self._named is not None:
            return self._named.interval()
        if len(self._sizes) == 1 and max(self._sizes) > 1:  # problems count by their attempts
            return self._attempts.interval()
        if self._binary:
            return wilson_interval(int(self._sum), self.problems)
        return mean_interval(self.problems, float(self._sum), float(self._squares))


class Repeats:
    """pass@k, pass^k, the best of k and the vote of k, for each k that is told."""

    def __init__(self, repeats: int, book: ClusterBook | None = None) -> None:
        self._repeats, self._several = repeats, draws(repeats)[1:]
        self._votes = True
        names = ["pass@1", *(name.format(k) for name in _NAMES for k in self._several)]
        self._means = {name: ProblemMean(book) for name in names}

    def add(self, scores: Sequence[Score], cluster: str | None = None) -> None:
        """Take in the attempts at one problem. A number that needs more scored attempts than there are is None."""
        scored = [score for score in scores if score.value is not None]
        right, n = sum(score.correct for score in scored), len(scores)
        missing = n - len(scored)
        self._means["pass@1"].add_attempts(right, len(scored), n, cluster)
        if not self._several:
            return
        self._votes = self._votes and all(score.extracted is not UNSET for score in scored)
        values = [score.value for score in scored if score.value is not None]
        for k in self._several:
            enough = len(scored) >= k
            for name, chance in ((_PASS, pass_at_k), (_ALWAYS, pass_hat_k)):
                told = chance(len(scored), right, k) if enough else None
                bounds = chance(n, right, k), chance(n, right + missing, k)
                self._means[name.format(k)].add(told, *bounds, cluster)
            low, high = (best_of_k([*values, *[unknown] * missing], k) for unknown in (0, 1))
            self._means[_BEST.format(k)].add(
                best_of_k(values, k) if enough else None, low, high, cluster
            )
            self._vote(k, scored, values, missing, cluster)

    def _vote(
        self,
        k: int,
        scored: Sequence[Score],
        values: Sequence[float],
        missing: int,
        cluster: str | None,
    ) -> None:
        """One attempt that is not scored yet may turn a vote either way."""
        if not self._votes:
            return
        answers = [score.extracted for score in scored]
        worth = majority_at_k(answers, values, k) if len(scored) >= k else None
        low, high = (0.0, 1.0) if missing or worth is None else (worth, worth)
        self._means[_VOTE.format(k)].add(worth, low, high, cluster)

    def found(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Each number under its name. There is no vote where a scorer reads no answer that could be counted."""
        for name, mean in self._means.items():
            if self._votes or not name.startswith("majority"):
                yield name, mean.found()


_PASS, _ALWAYS, _BEST, _VOTE = _NAMES = ("pass@{}", "pass^{}", "best-of-{}", "majority@{}")


def draws(repeats: int) -> list[int]:
    """The k that are told: 1, 2, 4, … and the number of repeats.

    >>> draws(1), draws(6), draws(8)
    ([1], [1, 2, 4, 6], [1, 2, 4, 8])
    """
    doubled = [2**power for power in range(repeats.bit_length()) if 2**power <= repeats]
    return sorted({*doubled, repeats})


def _exact(value: float) -> int | Fraction:
    """The value, as a whole number where it is one: those add up many times faster."""
    return int(value) if value in {0.0, 1.0} else Fraction(value)
