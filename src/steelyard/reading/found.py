"""What an extractor returns, and the steps that `steelyard explain` shows."""

from __future__ import annotations

from typing import Any, NamedTuple


class Found(NamedTuple):
    """A value read out of a text, its verbatim place, and the rule that found it."""

    value: Any
    span: tuple[int, int]
    stage: str


class Step(NamedTuple):
    """One step of a trace: the stage, what happened, and where in the response."""

    stage: str
    note: str
    span: tuple[int, int] | None = None


class Trace:
    """The steps that led to a score, for ``steelyard explain``."""

    def __init__(self) -> None:
        self.steps: list[Step] = []

    def add(self, stage: str, note: str, span: tuple[int, int] | None = None) -> None:
        """Add a step."""
        self.steps.append(Step(stage, note, span))
