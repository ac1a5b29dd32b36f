"""The parts of a solution's Score as a score file shows them: by question, by criterion, by profile."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from steelyard.batch.reference.evidence import short_text, shortened
from steelyard.batch.reference.record import CompatScore, CriterionScore, QuestionScore
from steelyard.batch.reference.settings import Settings
from steelyard.reference import ReferenceSolution
from steelyard.reference.compat import lobster_solution
from steelyard.reference.solution import Entries
from steelyard.score import Part, Score

UNREADABLE = "unreadable"
# These stand elsewhere in the file.
_SHOWN_ELSEWHERE = ("matching", "criterion")


def questions_of(
    score: Score, found: ReferenceSolution, solution: Mapping[str, Any], why: str
) -> tuple[QuestionScore, ...]:
    """One row a question of the reference; ``why`` is the reason where the whole solution earns nothing."""
    entries = Entries(solution)
    return tuple(
        _question(part, found, entries.get(part.name)[1], why) for part in answers_of(score, found)
    )


def answers_of(score: Score, found: ReferenceSolution) -> tuple[Part, ...]:
    """The parts that are questions; the criteria come after them."""
    return score.parts[: len(found.questions)]


def _question(part: Part, found: ReferenceSolution, entry: Any, why: str) -> QuestionScore:
    reference = found.references.get(part.name)
    return QuestionScore(
        question=short_text(part.name),
        type=reference.kind if reference else UNREADABLE,
        value=_float(part.score.value),
        reason=short_text(why if why and part.score.value == 0 else part.score.reason),
        entry=shortened(entry),
        reference=short_text(reference.source) if reference else "",
        evidence=_evidence(part.score),
    )


def criteria_of(score: Score, found: ReferenceSolution, why: str) -> tuple[CriterionScore, ...]:
    """One row a criterion that was judged."""
    judged = score.parts[len(found.questions) :]
    return tuple(
        CriterionScore(
            criterion=short_text(text),
            value=_float(part.score.value),
            reason=short_text(why if why and part.score.value == 0 else part.score.reason),
            evidence=_evidence(part.score),
        )
        for text, part in zip(found.checklist, judged, strict=False)
    )


def compat_score(
    score: Score,
    reference: Mapping[str, Any],
    solution: Mapping[str, Any] | None,
    settings: Settings,
) -> CompatScore | None:
    """What the profile makes of the same solution; what a judge or a metric said is taken over."""
    if settings.compat is None:
        return None
    whole = lobster_solution(solution, reference, score, settings.weight)
    questions = {short_text(part.name): _float(part.score.value) for part in whole.parts}
    return CompatScore(
        profile=settings.compat,
        value=_float(whole.value),
        reason=short_text(whole.reason),
        answer=_float(whole.detail.get("answer")),
        questions=questions,
    )


def _evidence(score: Score) -> dict[str, Any]:
    shown = {key: value for key, value in score.detail.items() if key not in _SHOWN_ELSEWHERE}
    found: dict[str, Any] = shortened(shown)
    return found


def _float(value: float | None) -> float | None:
    return None if value is None else float(value)
