"""Numbers of JSON texts: what is written, also where no float is that."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Any

from steelyard.score import writable as writable_text
from steelyard.text.late import late

# So short a number without an exponent is always the shortest way to write its float.
_SHORT = 16
# What a number needs for a float not to be it (many digits, or an exponent of some size), and a text to be no text.
_ODD = late(r"[0-9][0-9.]{15}|[eE][+-]?[0-9]{2}|\\u[dD]|[\ud800-\udfff]")


def exact_number(written: str) -> float | Decimal:
    """The float whose decimals are the written ones, else a Decimal; a ValueError where not even that can hold it.

    >>> exact_number("0.10"), exact_number("1e400"), exact_number("1e-400")
    (0.1, Decimal('1E+400'), Decimal('1E-400'))
    """
    near = float(written)
    if len(written) <= _SHORT and "e" not in written and "E" not in written:
        return near
    try:
        exact = Decimal(written)
    except InvalidOperation:
        raise ValueError(f"the number {written[:40]} is beyond what can be held") from None
    return near if Decimal(repr(near)) == exact else exact


def writable(value: Any, written: str) -> Any:
    """A value that was read from the text, as JSON can hold it there and back.

    A number that no float is, is the text of its decimals; half of a surrogate pair is U+FFFD.

    >>> writable({"a": Decimal("1e400")}, '{"a": 1e400}'), writable([1], "[1]")
    ({'a': '1E+400'}, [1])
    """
    return _writable(value) if _ODD.search(written) else value


def _writable(value: Any) -> Any:
    if isinstance(value, dict):
        return {writable_text(name): _writable(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_writable(inner) for inner in value]
    if isinstance(value, str):
        return writable_text(value)
    return str(value) if isinstance(value, Decimal) else value
