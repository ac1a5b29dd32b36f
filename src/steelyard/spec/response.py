"""A field of a submission as the text that a scorer reads."""

from __future__ import annotations

from typing import Any

from steelyard.errors import SpecError
from steelyard.primitives.values import Unreadable, describe, key
from steelyard.scoring.types import ScorerInput
from steelyard.spec.model import ENCODER


def scorer_input(got: object, want: object) -> ScorerInput | str:
    """What a scorer is given, or one sentence that says why the answer cannot be given to it.

    Text stays as it is; any other JSON value is written as JSON. An array of strings as the ground truth is
    also handed on as the several correct answers.

    >>> scorer_input(42, ["42", "forty-two"]).metadata
    {'correct_answers': ['42', 'forty-two']}
    """
    target = as_text(want) if want is not None else ""
    if target is None:
        raise SpecError(f"the ground truth is {describe(want)}, which cannot be written as text")
    if got is None:
        return "expected an answer, got null"
    response = as_text(got)
    if response is None:
        return f"expected text or JSON, got {describe(got)}"
    metadata: dict[str, Any] = {}
    if isinstance(want, (list, tuple)) and want and all(isinstance(item, str) for item in want):
        metadata["correct_answers"] = list(want)
    return ScorerInput(response=response, target=target, metadata=metadata)


def as_text(value: object) -> str | None:
    """Text as it is, any other JSON value as JSON; None for what is not JSON."""
    if isinstance(value, str):
        return value
    try:
        key(value)
        return ENCODER.encode(value).decode()
    except (Unreadable, RecursionError, ValueError, TypeError, OverflowError):
        return None
