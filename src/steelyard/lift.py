"""What a user's own function is given, as plain numbers, and what it returned, as a Score."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from decimal import Decimal
from numbers import Real
from typing import Any

import msgspec
from msgspec import UNSET

from steelyard.errors import EngineError
from steelyard.evidence import is_truth, writable
from steelyard.score import Score, pending

_NUMBERS = ("value", "score", "reward")
_MOST_DIGITS = 4_300  # as Python's own bound for an integer in a text
_LIFTED = frozenset({"correct", "extracted", "needs_judge", *_NUMBERS, "reason", "span", "detail"})


def lift(result: object, *, by: str = "the scorer") -> Score:
    """What a user's own scorer returned, as a Score: the one place where a dict becomes one.

    Anything that cannot be a score is an EngineError: the attempt does not pay for a scorer's bug.

    >>> lift({"correct": True, "extracted": "4"}).extracted
    '4'
    >>> lift(0.5).correct
    False
    """
    if isinstance(result, Score):
        return result
    try:
        return _lift_mapping(_as_mapping(result, by), by)
    except ValueError as wrong:  # what JSON has no form for, as an integer of very many digits
        raise EngineError(f"{by} returned what no score can hold: {wrong}") from None


def _as_mapping(result: object, by: str) -> Mapping[str, Any]:
    if isinstance(result, Mapping):
        return result
    if is_truth(result):
        return {"correct": bool(result)}
    if isinstance(result, (Real, Decimal)):
        return {"value": result}
    raise EngineError(
        f"{by} returned {type(result).__name__}; a Score, a dict with 'correct', or a number is needed"
    )


def _lift_mapping(result: Mapping[str, Any], by: str) -> Score:
    extracted = plain(result["extracted"]) if "extracted" in result else UNSET
    if result.get("needs_judge"):
        waits = pending(str(result.get("reason") or "waits for the judge"))
        return msgspec.structs.replace(waits, extracted=extracted)
    value = next((result[key] for key in _NUMBERS if result.get(key) is not None), None)
    if value is None and (
        "value" in result
        or (any(key in result for key in _NUMBERS) and result.get("correct") is None)
    ):
        return _without_value(result, extracted, by)
    correct = result.get("correct")
    if value is None and correct is None:
        raise EngineError(
            f"{by} returned a dict without 'correct' or 'value': it has {sorted(map(str, result))}"
        )
    if correct is not None and not isinstance(correct, int) and not is_truth(correct):
        raise EngineError(f"{by} returned correct={correct!r}; True or False is needed")
    number = _number(value, by) if value is not None else float(bool(correct))
    return Score(
        value=number,
        correct=number == 1 if correct is None else bool(correct),
        extracted=extracted,
        span=_span(result.get("span"), by),
        reason=str(result.get("reason") or ""),
        detail=_detail(result, by),
    )


def _without_value(result: Mapping[str, Any], extracted: Any, by: str) -> Score:
    """A value that is said to be None is no zero, whatever stands beside it: there is no number, or not yet."""
    waits = result.get("pending") is True
    reason = str(
        result.get("reason") or ("waits for the judge" if waits else f"{by} gave no value")
    )
    rest = {key: inner for key, inner in result.items() if key != "pending"} if waits else result
    return Score(
        value=None,
        correct=False,
        reason=reason,
        extracted=extracted,
        span=_span(result.get("span"), by),
        detail=_detail(rest, by),
        pending=waits,
    )


def _detail(result: Mapping[str, Any], by: str) -> dict[str, Any]:
    given = result.get("detail") or {}
    if not isinstance(given, Mapping):
        raise EngineError(f"{by} returned detail={given!r}; a dict is needed")
    rest = {key: value for key, value in result.items() if key not in _LIFTED}
    evidence: dict[str, Any] = plain({**given, **rest})
    return evidence


def _span(span: Any, by: str) -> tuple[int, int] | None:
    if span is None:
        return None
    if (
        isinstance(span, (tuple, list))
        and len(span) == 2
        and all(isinstance(end, int) for end in span)
    ):
        start, end = span
        if 0 <= start <= end:
            return (start, end)
    raise EngineError(
        f"{by} returned span={span!r}; two positions are needed, where it begins and where it ends"
    )


def plain(value: Any, depth: int = 0, *, mend: bool = True) -> Any:
    """The value as JSON can hold it without loss: lists for tuples, text for what JSON has no form for.

    >>> plain({"a": (1, Decimal("0.5")), 2: float("nan")})
    {'a': [1, 0.5], '2': 'nan'}
    """
    if value is None or isinstance(value, (str, bool, int)):
        return writable(value) if mend and isinstance(value, str) else value
    if is_truth(value):
        return bool(value)
    if depth > 50:
        return repr(value)
    if isinstance(value, Mapping):
        return {
            plain(str(key), mend=mend): plain(inner, depth + 1, mend=mend)
            for key, inner in value.items()
        }
    if isinstance(value, (set, frozenset)):
        value = sorted(
            value, key=repr
        )  # else the same score would be written in another order each time
    if isinstance(value, (list, tuple)):
        return [plain(inner, depth + 1, mend=mend) for inner in value]
    if isinstance(value, (Real, Decimal)):
        return _plain_number(value)
    return value if isinstance(value, msgspec.Struct) else _named(value)


def given_plainly(fn: Callable[..., Any]) -> Callable[..., Any]:
    """The same function for a caller that counts in exact decimals: it is given the int and float that JSON gives."""

    @functools.wraps(fn)
    def plainly(*args: Any, **kwargs: Any) -> Any:
        return fn(*map(plain_numbers, args), **plain_numbers(kwargs))

    return plainly


def plain_numbers(root: Any) -> Any:
    """The value with an int or a float for each Decimal in it, however deep; all else is as it was.

    >>> plain_numbers({"a": [Decimal("0.50"), 2, "x"]})
    {'a': [0.5, 2, 'x']}
    """
    made: dict[int, Any] = {}
    ahead: list[Any] = []

    def one(value: Any) -> Any:
        if isinstance(value, Decimal):
            return _int_or_float(value)
        if not isinstance(value, (dict, list, tuple)):
            return value
        if id(value) not in made:  # what holds itself is copied once
            made[id(value)] = {} if isinstance(value, dict) else []
            ahead.append(value)
        return made[id(value)]

    top = one(root)
    for value in ahead:
        if isinstance(value, dict):
            made[id(value)].update({key: one(inner) for key, inner in value.items()})
        else:
            made[id(value)].extend(map(one, value))
    return top


def _int_or_float(value: Decimal) -> int | float:
    """An integer is a Decimal only where it is very long."""
    if value.is_nan():
        return math.nan
    whole = value.is_finite() and value.as_tuple().exponent == 0 and value.adjusted() < _MOST_DIGITS
    return int(value) if whole else float(value)


def _named(value: object) -> str:
    """What a thing says of itself; its type where that is only where it lies in memory, which varies.

    >>> _named(object()), _named(1j)
    ('<object>', '1j')
    """
    text = str(value)
    return f"<{type(value).__qualname__}>" if f" at 0x{id(value):x}" in text else text


def _plain_number(value: Real | Decimal) -> Any:
    try:
        number = float(value)
    except OverflowError:  # a fraction may be beyond all floats
        return str(value)
    if not math.isfinite(number):
        return str(value)
    return (
        int(number)
        if number == value and type(value).__name__.startswith(("int", "uint"))
        else number
    )


def _number(value: Any, by: str) -> float:
    try:
        number = float(value)
    except OverflowError:
        raise EngineError(
            f"{by} returned a number beyond all floats; a value is between 0 and 1"
        ) from None
    except (TypeError, ValueError):
        raise EngineError(f"{by} returned the value {value!r}, which is not a number") from None
    if not math.isfinite(number) or not 0 <= number <= 1:
        raise EngineError(f"{by} returned the value {value!r}; a value is between 0 and 1")
    return number
