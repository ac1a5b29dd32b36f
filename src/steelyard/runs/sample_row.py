"""One sample of a run that lies in its folder: what was asked, what came back, and what it scored."""

from __future__ import annotations

from typing import Any

import msgspec

from steelyard.models.types import Message
from steelyard.score import Part, Status


class JudgeReply(msgspec.Struct, frozen=True, kw_only=True):
    """What a judge said about a sample; ``key`` is that of its call in ``judge.jsonl``."""

    key: str
    text: str = ""
    reasoning: str = ""


class SampleRow(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a run's files say of one sample.

    ``value`` is None where there is no score, and ``response`` is None where no answer came. ``seconds`` is how long the
    model took. ``failure`` is the category that the sample is counted in, if it failed.
    """

    key: str
    id: str
    problem: int
    repeat: int
    category: str | None
    cluster: str | None
    status: Status
    value: float | None
    correct: bool
    extracted: Any
    span: tuple[int, int] | None
    reason: str
    parts: tuple[Part, ...]
    detail: dict[str, Any]
    target: str
    messages: tuple[Message, ...]
    response: str | None
    reasoning: str
    finish: str
    error: str
    error_kind: str
    input_tokens: int | None
    output_tokens: int | None
    seconds: float | None
    failure: str | None
    judged: bool
    judge: tuple[JudgeReply, ...]

    @property
    def metadata(self) -> dict[str, Any]:
        """What samples can be grouped by."""
        return {name: getattr(self, name) or None for name in _GROUPS} | {"repeat": self.repeat}

    @property
    def prompt(self) -> str:
        """The last thing that was said to the model."""
        return self.messages[-1].content if self.messages else ""


_GROUPS = ("category", "cluster", "status", "failure", "finish", "error_kind")


class ScoredLine(msgspec.Struct, frozen=True, kw_only=True):
    """What is read of a line of ``scores.jsonl``."""

    key: str
    id: str
    status: Status
    value: float | None
    correct: bool
    target: str = ""
    category: str | None = None
    cluster: str | None = None
    extracted: Any = None
    span: tuple[int, int] | None = None
    reason: str = ""
    parts: tuple[Part, ...] = ()
    detail: dict[str, Any] = {}
    judged: bool = False
    failure: str | None = None

    def __post_init__(self) -> None:
        if self.value is not None and not 0 <= self.value <= 1:
            raise ValueError(f"the value is {self.value:g}; it must lie in 0..1, or be null")


class AskedLine(msgspec.Struct, frozen=True, kw_only=True):
    """What is read of a line of ``attempts.jsonl``."""

    key: str
    id: str
    problem: int
    repeat: int
    messages: tuple[Message, ...]
    response: str | None
    reasoning: str = ""
    finish: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    error: str = ""
    error_kind: str = ""


class TimedLine(msgspec.Struct, frozen=True, kw_only=True):
    """What is read of a line of ``timings.jsonl``."""

    key: str
    seconds: float


def joined(
    scored: ScoredLine, asked: AskedLine, seconds: float | None, judge: tuple[JudgeReply, ...] = ()
) -> SampleRow:
    """The lines of one sample made one row."""
    return SampleRow(
        key=asked.key,
        id=asked.id,
        problem=asked.problem,
        repeat=asked.repeat,
        messages=asked.messages,
        response=asked.response,
        reasoning=asked.reasoning,
        finish=asked.finish,
        input_tokens=asked.input_tokens,
        output_tokens=asked.output_tokens,
        error=asked.error,
        error_kind=asked.error_kind,
        status=scored.status,
        value=scored.value,
        correct=scored.correct,
        target=scored.target,
        category=scored.category,
        cluster=scored.cluster,
        extracted=scored.extracted,
        span=scored.span,
        reason=scored.reason,
        parts=scored.parts,
        detail=scored.detail,
        judged=scored.judged,
        failure=scored.failure,
        seconds=seconds,
        judge=judge,
    )
