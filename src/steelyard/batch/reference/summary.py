"""What a run over a folder came to: the mean with its denominator, by half, by matching type, by profile."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from steelyard.batch.reference.record import ProblemScore, ReferenceFault
from steelyard.batch.tally import Moments
from steelyard.metrics.whole import exact_mean
from steelyard.score import Score

FORMAT = "steelyard.reference.summary/1"
TYPES = ("exact", "select", "fuzzy", "fuzzy_select")


class TypeScore(msgspec.Struct, frozen=True, kw_only=True):
    """All questions of one matching type: ``full`` of them earned full marks."""

    type: str
    questions: int
    scored: int
    full: int
    mean: float | None


class CompatMean(msgspec.Struct, frozen=True, kw_only=True):
    """What a compatibility profile makes of the same run; ``differing`` questions have another value there.

    ``own_mean`` is our mean over the same problems, so that the two can be compared.
    """

    profile: str
    scored: int
    mean: float | None
    answer_mean: float | None
    own_mean: float | None
    differing: int


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One problem in the summary."""

    id: str
    state: str
    value: float | None
    answer: float | None
    explanation: float | None
    reason: str = ""


class ReferenceSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The summary of a folder: total = scored + unscored + skipped, always.

    ``mean`` is over the scored problems; missing and malformed solutions are among them, as zeros, unless the
    malformed ones are skipped. ``worst`` and ``best`` are what the mean could be over all of them.
    ``reused`` problems had been scored before and were not scored again.
    """

    format: str = FORMAT
    total: int
    scored: int
    unscored: int
    skipped: int
    missing: int
    malformed: int
    mean: float | None
    ci_lower: float | None
    ci_upper: float | None
    interval: str | None
    worst: float | None
    best: float | None
    answer_mean: float | None
    explanation_mean: float | None
    explanations: int
    by_type: tuple[TypeScore, ...]
    compat: CompatMean | None
    answer_format_misfits: int
    reused: int
    interrupted: bool
    settings: dict[str, Any]
    engine: str
    signature: str
    reference_faults: tuple[ReferenceFault, ...]
    warnings: tuple[str, ...]
    problems: tuple[Line, ...]

    @property
    def complete(self) -> bool:
        """Whether every problem that was asked for has a score."""
        return self.scored == self.total

    @property
    def exit_code(self) -> int:
        """130 after Ctrl-C, 2 after faults of references, 1 where scores are missing, else 0."""
        if self.interrupted:
            return 130
        if self.reference_faults:
            return 2
        return 0 if self.unscored == 0 else 1

    def to_json(self) -> bytes:
        """The summary as one JSON object for a reader; no NaN, ever."""
        return msgspec.json.format(msgspec.json.encode(self), indent=2) + b"\n"


def numbers(records: Sequence[ProblemScore]) -> dict[str, Any]:
    """The counts and means of a summary.

    >>> numbers([])["mean"] is None
    True
    """
    moments = Moments()
    moments.add([_score(record.value) for record in records])
    interval = moments.interval()
    judged = [record.explanation for record in records if record.explanation is not None]
    skipped = sum(record.skipped for record in records)
    return {
        "total": moments.total,
        "scored": moments.scored,
        "unscored": moments.total - moments.scored - skipped,
        "skipped": skipped,
        "missing": sum(record.state == "missing" for record in records),
        "malformed": sum(record.state == "malformed" for record in records),
        "mean": moments.mean,
        "ci_lower": interval.lower if interval else None,
        "ci_upper": interval.upper if interval else None,
        "interval": interval.method if interval else None,
        "worst": moments.worst,
        "best": moments.best,
        "answer_mean": mean(record.answer for record in records),
        "explanation_mean": mean(judged),
        "explanations": len(judged),
        "by_type": by_type(records),
        "compat": compat_mean(records),
        "answer_format_misfits": sum(bool(record.answer_format_errors) for record in records),
    }


def by_type(records: Iterable[ProblemScore]) -> tuple[TypeScore, ...]:
    """The questions of all problems, by matching type; skipped problems have none."""
    found: dict[str, list[float | None]] = {}
    for record in records:
        for question in record.questions:
            found.setdefault(question.type, []).append(question.value)
    order = sorted(
        found, key=lambda name: (TYPES.index(name) if name in TYPES else len(TYPES), name)
    )
    return tuple(_type_score(name, found[name]) for name in order)


def _type_score(name: str, values: list[float | None]) -> TypeScore:
    known = [value for value in values if value is not None]
    return TypeScore(
        type=name, questions=len(values), scored=len(known), full=known.count(1.0), mean=mean(known)
    )


def compat_mean(records: Sequence[ProblemScore]) -> CompatMean | None:
    """The profile's own mean beside ours, over the problems that both have a value for."""
    both = [
        (record, record.compat)
        for record in records
        if record.compat is not None
        and record.value is not None
        and record.compat.value is not None
    ]
    profiles = [record.compat.profile for record in records if record.compat is not None]
    if not profiles:
        return None
    differing = sum(
        question.value != other.questions.get(question.question, question.value)
        for record, other in both
        for question in record.questions
    )
    return CompatMean(
        profile=profiles[0],
        scored=len(both),
        differing=differing,
        mean=mean(other.value for _, other in both),
        answer_mean=mean(other.answer for _, other in both),
        own_mean=mean(record.value for record, _ in both),
    )


def mean(values: Iterable[float | None]) -> float | None:
    """The mean of the values that are there, rounded once.

    >>> mean([1.0, None, 0.5]), mean([])
    (0.75, None)
    """
    known = [value for value in values if value is not None]
    return exact_mean(known) if known else None


def _score(value: float | None) -> Score:
    return Score(value=value, correct=value == 1)
