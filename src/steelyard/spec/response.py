"""A field of a submission as the text that a scorer reads."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from steelyard.errors import SpecError
from steelyard.lift import plain_numbers
from steelyard.primitives.values import Unreadable, describe, key
from steelyard.scoring.types import ScorerInput
from steelyard.spec.model import ENCODER
from steelyard.values.normal import is_blank


def scorer_input(got: object, want: object, *, of_text: bool = False) -> ScorerInput | str:
    """What a scorer is given, or one sentence that says why the answer cannot be given to it.

    Text stays as it is; any other JSON value is written as JSON, but for a scorer ``of_text`` an array or an object is of the
    wrong type: whoever hands in a list of guesses has not answered. An array of strings as the ground truth is
    also handed on as the several correct answers.

    >>> scorer_input(42, ["42", "forty-two"]).metadata
    {'correct_answers': ['42', 'forty-two']}
    """
    target = as_text(want) if want is not None else ""
    if target is None:
        raise SpecError(f"the ground truth is {describe(want)}, which cannot be written as text")
    if got is None:
        return "expected an answer, got null"
    if of_text and isinstance(got, (list, tuple, Mapping)):
        return f"expected text, got {describe(got)}"
    response = as_text(got)
    if response is None:
        return f"expected text or JSON, got {describe(got)}"
    metadata: dict[str, Any] = {}
    if isinstance(want, (list, tuple)) and want and all(map(_is_answer, want)):
        # A stock scorer compares them as they are written; a user's takes plain numbers.
        metadata["correct_answers"] = list(want) if of_text else plain_numbers(want)
    return ScorerInput(response=response, target=target, metadata=metadata)


def lacks_target(want: object, *, several: bool = True) -> bool:
    """Whether a ground truth holds nothing that a text could be compared with; an array has it where ``several`` may be right.

    >>> lacks_target(" "), lacks_target([]), lacks_target(0), lacks_target(["x", "y"]), lacks_target({"k": 1})
    (True, True, False, False, True)
    """
    if isinstance(want, (list, tuple)):
        return not (several and want and all(map(_is_answer, want)))
    return want is None or isinstance(want, Mapping) or (isinstance(want, str) and is_blank(want))


def _is_answer(item: object) -> bool:
    if isinstance(item, str):
        return not is_blank(item)
    return isinstance(item, (int, float, Decimal)) and not isinstance(item, bool)


def as_text(value: object) -> str | None:
    """Text as it is, any other JSON value as JSON; None for what is not JSON."""
    if isinstance(value, str):
        return value
    try:
        key(value)
        return ENCODER.encode(value).decode()
    except (Unreadable, RecursionError, ValueError, TypeError, OverflowError):
        return None
