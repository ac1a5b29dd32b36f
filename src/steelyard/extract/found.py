"""What an extractor returns, and the trace that tells how it got there."""

from __future__ import annotations

from typing import Any, NamedTuple


class Found(NamedTuple):
    """A value read out of a text, where it stands there verbatim, and by which stage."""

    value: Any
    span: tuple[int, int]
    stage: str


class Step(NamedTuple):
    """One step of a trace: the stage, what happened, and the place in the response if there is one."""

    stage: str
    note: str
    span: tuple[int, int] | None = None


class Trace:
    """The steps that led to a score, for ``steelyard explain``; scoring without one costs nothing."""

    def __init__(self) -> None:
        self.steps: list[Step] = []

    def add(self, stage: str, note: str, span: tuple[int, int] | None = None) -> None:
        """Note a step."""
        self.steps.append(Step(stage, note, span))
