"""What a score holds as evidence, in the form in which JSON gives it back."""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

import msgspec

_write, _read = msgspec.json.Encoder().encode, msgspec.json.Decoder().decode


class _NoFormError(Exception):
    """JSON has no form for a value; the message says what it is."""


def held(value: Any, name: str) -> Any:
    """The value as JSON gives it back: itself where it is that already; a ValueError where JSON has no form for it.

    A tuple or a set becomes a list, a key becomes text, and a number of another type an int or a float.

    >>> held({"at": (1, 2)}, "detail")
    {'at': [1, 2]}
    >>> held(float("nan"), "detail")
    Traceback (most recent call last):
    ValueError: a score's detail holds NaN, which JSON has no form for
    """
    try:
        if _read(_write(value)) == value:
            return value
    except (TypeError, ValueError, OverflowError, RecursionError, msgspec.MsgspecError):
        pass
    try:
        return _form(value)
    except _NoFormError as what:
        raise ValueError(f"a score's {name} holds {what}, which JSON has no form for") from None
    except RecursionError:
        raise ValueError(f"a score's {name} is nested too deeply for JSON") from None


def writable(text: str) -> str:
    """The text as a file can hold it: U+FFFD for each half of a surrogate pair.

    >>> writable("a\\ud800b")
    'a\N{REPLACEMENT CHARACTER}b'
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def is_truth(value: object) -> bool:
    """True and False, also those of numpy, which are no bool.

    >>> is_truth(False), is_truth(0)
    (True, False)
    """
    return isinstance(value, bool) or type(value).__name__ in {"bool", "bool_"}


def _form(value: Any) -> Any:
    if value is None:
        return None
    if isinstance(value, str):
        return writable(str.__str__(value))
    if is_truth(value):
        return bool(value)
    if isinstance(value, (Real, Decimal)):
        return _number(value)
    if isinstance(value, Mapping):
        return _object(value)
    if isinstance(value, (set, frozenset)):
        value = sorted(
            value, key=repr
        )  # else the same score would be written in another order each time
    return (
        [_form(inner) for inner in value]
        if isinstance(value, (list, tuple))
        else _form(_built(value))
    )


def _number(value: Real | Decimal) -> int | float:
    if isinstance(value, Integral):
        return _whole(int(value))
    try:
        number = float(value)
    except (OverflowError, ValueError):  # a large fraction, or a NaN that signals
        raise _NoFormError("a number beyond all floats") from None
    if not math.isfinite(number):
        raise _NoFormError("NaN" if math.isnan(number) else "an infinity")
    return number


def _whole(number: int) -> int:
    try:
        str(number)
    except ValueError:
        raise _NoFormError("an integer with too many digits") from None
    return number


def _object(value: Mapping[Any, Any]) -> dict[str, Any]:
    found = {writable(str(key)): _form(inner) for key, inner in value.items()}
    if len(found) < len(value):
        raise _NoFormError("an object with two keys that are one as text")
    return found


def _built(value: object) -> Any:
    """A struct, a dataclass, a date and their like in plain types."""
    try:
        found = msgspec.to_builtins(value)
    except (TypeError, ValueError, OverflowError):
        raise _NoFormError(f"a Python {type(value).__name__}") from None
    if type(found) is type(value):
        raise _NoFormError(f"a Python {type(value).__name__}")
    return found
