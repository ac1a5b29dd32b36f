"""Count how answers were read, and what a judge decided about those that were not found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import msgspec
from msgspec import UNSET, UnsetType

from steelyard.score import Score
from steelyard.scoring.cascade import OUTCOMES, is_verdict


class JudgeCounts(msgspec.Struct, frozen=True, kw_only=True):
    """How many answers were left to the judge, how many it decided, and how many it called right.

    ``mean_by_rules`` is the mean without the judge, where all of these answers score 0.
    """

    asked: int
    decided: int
    changed: int
    mean_by_rules: float | None


class ReadingCounts(msgspec.Struct, frozen=True, kw_only=True):
    """How many answers were found, unclear and missing, and the mean if all unclear ones were right."""

    found: int
    unclear: int
    missing: int
    mean_if_unclear_right: float | None
    judge: JudgeCounts | UnsetType = UNSET


class Outcomes:
    """The outcomes of reading in some scores.

    >>> from steelyard.score import zero
    >>> outcomes = Outcomes()
    >>> outcomes.add([zero("", detail={"reading": "unclear"}), zero("", detail={"reading": "found"})])
    >>> outcomes.counts(Fraction(0), 2).mean_if_unclear_right
    0.5
    """

    __slots__ = ("_asked", "_changed", "_counts", "_open", "_whole")

    def __init__(self) -> None:
        # Whether each answer is a whole score. Of parts, the mean does not follow from the counts.
        self._whole = True
        self._counts: Counter[str] = Counter()
        # Of the unclear and the missing answers: left to a judge, called right, and still open.
        self._asked: Counter[str] = Counter()
        self._changed: Counter[str] = Counter()
        self._open: Counter[str] = Counter()

    def add(self, scores: Sequence[Score]) -> None:
        """Take in scores."""
        parts = [part.score for score in scores for part in score.parts]
        if any("reading" in part.detail for part in parts):
            scores = [*(score for score in scores if not score.parts), *parts]
            self._whole = False
        self._counts.update(
            score.detail["reading"] for score in scores if "reading" in score.detail
        )
        if any(self._counts[outcome] for outcome in OUTCOMES):
            for score in scores:
                if score.value is None or is_verdict(score):
                    self._add_asked(score)

    def _add_asked(self, score: Score) -> None:
        outcome = score.detail.get("reading")
        if outcome not in OUTCOMES:
            return
        self._asked[outcome] += 1
        self._changed[outcome] += score.correct
        self._open[outcome] += score.value is None

    def merge(self, other: Outcomes) -> None:
        """Take in what another one counted."""
        self._counts.update(other._counts)
        self._asked.update(other._asked)
        self._changed.update(other._changed)
        self._open.update(other._open)
        self._whole = self._whole and other._whole

    def counts(self, total: Fraction, scored: int) -> ReadingCounts | None:
        """Return the counts, given the sum and the number of all values; None where no answer was read."""
        if not self._counts:
            return None
        unclear = self._counts["unclear"]
        gained = unclear - self._changed["unclear"]
        return ReadingCounts(
            found=self._counts["found"],
            unclear=unclear,
            missing=self._counts["missing"],
            mean_if_unclear_right=self._mean(total + gained, scored + self._open["unclear"]),
            judge=self._judged(total, scored),
        )

    def _judged(self, total: Fraction, scored: int) -> JudgeCounts | UnsetType:
        asked, changed, left = (
            sum(counts.values()) for counts in (self._asked, self._changed, self._open)
        )
        if not asked:
            return UNSET
        return JudgeCounts(
            asked=asked,
            decided=asked - left,
            changed=changed,
            mean_by_rules=self._mean(total - changed, scored + left),
        )

    def _mean(self, total: Fraction, count: int) -> float | None:
        return float(total / count) if count and self._whole else None
