"""What ``steelyard explain`` shows, worked out: in a process of its own where the scorer is the user's."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import msgspec

from steelyard.batch.own import OwnFile, guarded, own_file, sound_span
from steelyard.engine import run_apart
from steelyard.errors import EngineError
from steelyard.foreign import shown
from steelyard.reading.found import Step, Trace
from steelyard.registry import SCORERS
from steelyard.score import Score, unscored
from steelyard.scoring.types import ScorerInput


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """One sample and what is to score it."""

    scorer: str
    own: OwnFile | None
    params: dict[str, Any]
    sample: ScorerInput

    def __str__(self) -> str:
        return f"the response with {self.scorer}"


class Explained(msgspec.Struct, frozen=True, kw_only=True):
    """The Score with the steps that led to it; None where the scorer keeps no trace."""

    name: str
    version: str
    steps: tuple[Step, ...] | None
    score: Score


def explained(scorer: str, params: dict[str, Any], sample: ScorerInput) -> Explained:
    """How the score of the sample comes about."""
    own = own_file(scorer)
    question = Question(scorer=scorer, own=own, params=params, sample=sample)
    return _explain(question) if own is None else run_apart(_explainer, question)


def _explainer() -> Callable[[Question], Explained]:
    return _explain


def _explain(question: Question) -> Explained:
    known = SCORERS.get(question.scorer) if question.own is None else question.own.load()
    bound, trace = known.bind(question.params), Trace()
    traced = "trace" in inspect.signature(known.fn).parameters
    score = guarded(bound, apart=question.own is not None)(
        question.sample, **({"trace": trace} if traced else {})
    )
    steps = tuple(_step(step) for step in trace.steps) if traced else None
    return Explained(name=known.name, version=known.version, steps=steps, score=_written(score))


def _written(score: Score) -> Score:
    """The score, or none where `steelyard score` could not write it either: that is the scorer's fault."""
    try:
        msgspec.json.encode(score)
    except (TypeError, ValueError, OverflowError, RecursionError) as wrong:
        return unscored(f"the score cannot be written as JSON: {type(wrong).__name__}: {wrong}")
    return score


def _step(step: Step) -> Step:
    """The same step, whatever the user's code put into it."""
    try:
        span = sound_span(step.span)
    except EngineError:
        span = None
    return Step(shown(step.stage), shown(step.note), span)
