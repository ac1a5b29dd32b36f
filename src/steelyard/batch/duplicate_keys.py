"""Find the keys that an object of a row has twice: nobody can tell which of the two values is meant."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from steelyard.batch.full_json import Repeated, loads, parts

_decoder, _encoder = msgspec.json.Decoder(), msgspec.json.Encoder()


def in_block(data: bytes) -> Iterator[tuple[int, str]]:
    """The places of the lines that hold a key twice, and what is wrong there.

    >>> list(in_block(b'{"a": 1}\\n{"a": 1, "a": 2}\\n'))
    [(1, "the key 'a' is given twice")]
    """
    if _may_repeat(data):
        for place, line in enumerate(data.split(b"\n")):
            if line and (message := in_line(line)):
                yield place, message


def in_line(data: bytes) -> str:
    """What is wrong with a row; an empty text where no key is given twice."""
    return in_text(data.decode()) if _may_repeat(data) else ""


def in_text(text: str) -> str:
    """The same for a row that is not plain JSON; what cannot be read at all is reported elsewhere.

    >>> in_text('{"a": {"b": NaN, "b": 2}}')
    "a: the key 'b' is given twice"
    """
    try:
        row = loads(text, literals=True, mark=True)
    except ValueError:
        return ""
    if isinstance(row, Repeated):
        return f"the key {min(row.twice)!r} is given twice"
    for name, value in row.items() if isinstance(row, dict) else ():
        for part in parts(value):
            if isinstance(part, Repeated):
                return f"{name}: the key {min(part.twice)!r} is given twice"
    return ""


def _may_repeat(data: bytes) -> bool:
    r"""Whether a key may be lost when the lines are read: then a colon is lost with it.

    A colon that is written as \u003a shows up only when it is read, so nothing is known where one is.
    """
    try:
        kept = _encoder.encode(_decoder.decode_lines(data))
    except (ValueError, OverflowError, RecursionError):
        return True
    return data.count(b":") != kept.count(b":") or b"\\u003" in data
