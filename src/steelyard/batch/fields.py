"""The values of a row's fields, as scorers and outputs have them."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

import msgspec
from msgspec import Raw

from steelyard.batch.full_json import is_mended, literal, no_number
from steelyard.errors import DataError

PLACES = frozenset((str, int))  # the kinds of id that tell one row from another
_text: msgspec.json.Decoder[str | None] = msgspec.json.Decoder(str | None)


def known_as(number: float | Decimal) -> Any:
    """An id beyond all floats as it was written; what is no number tells no row from another."""
    if not (number.is_finite() if isinstance(number, Decimal) else math.isfinite(number)):
        return None
    return written_as(number) if isinstance(number, Decimal) else number


def refuse_odd(value: Any) -> None:
    """Refuse what an author cannot have meant: half a character, and what is no number."""
    if is_mended(value):
        raise DataError("a lone surrogate is not text")
    if (named := no_number(value)) is not None:
        raise DataError(f"{named} is no number that JSON can hold")


def written_as(value: Any) -> Raw:
    """A value as it was written; of an array or an object only that it is one."""
    if isinstance(value, (list, dict)):
        return Raw(b"[" if isinstance(value, list) else b"{")
    if isinstance(value, float):
        return Raw(literal(value).encode())
    return Raw(
        str(value).encode()
        if isinstance(value, (int, Decimal)) and not isinstance(value, bool)
        else msgspec.json.encode(value)
    )


def response_of(written: bytes) -> str | None:
    """A text, or nothing, as it is; a number or a truth value as the text that was written."""
    if written[:1] in {b'"', b"n"}:
        return _text.decode(written)
    return text_of(written.decode())


def text_of(written: str) -> str:
    """The text of a scalar that is no text; a DataError for an array or an object.

    >>> text_of("1.50")
    '1.50'
    """
    if written[0] in "{[":
        kind = "object" if written[0] == "{" else "array"
        raise DataError(f"expected text, a number or a boolean, got an {kind}")
    return written
