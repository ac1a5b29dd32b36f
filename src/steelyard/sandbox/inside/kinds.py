"""The kinds of plain data that JSON has no word for: how each is written, and read again from hostile text."""

from __future__ import annotations

import sys
from _collections import OrderedDict, _count_elements, deque  # type: ignore[import-not-found]  # all that is needed of it

TYPE_CHECKING = False
if TYPE_CHECKING:  # what a value needs is loaded when the first of its kind comes: a short program is done before that
    from collections.abc import Callable
    from decimal import Decimal
    from fractions import Fraction
    from typing import Any

# A decimal with a larger exponent would fill the memory as soon as it is made an integer.
_EXPONENT = 100_000
_LONGEST_TEXT = 200_000
# Members of honest sets rarely share a hash, and never in numbers; those of hostile ones take hours to tell apart.
_SAME_HASH = 64
_HEX = "0123456789abcdef"
_DECIMAL = r"-?(?:[0-9]+(?:\.[0-9]*)?(?:E[+-]?[0-9]{1,7})?|Infinity|s?NaN[0-9]{0,20})"
_ARRAY = r"[<>|=][biufcOUS][0-9]{0,4}"


class NotPlain(TypeError):  # noqa: N818 - its name is told to the grader
    """A value that is no plain data."""


class TooLarge(ValueError):  # noqa: N818 - likewise
    """Plain data that is too deep or too long."""


def has_surrogate(text: str) -> bool:
    """Whether the text holds half a character, which JSON would join with its neighbour."""
    if text.isascii():
        return False
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def read_array(value: Any, most: int) -> tuple[str, Any] | None:
    """How something of numpy's is written, where numpy is loaded and it is something of numpy's.

    A scalar is the number that it stands for; then the name of the kind is empty.
    """
    numpy: Any = sys.modules.get("numpy")
    if numpy is None or not hasattr(numpy, "ndarray"):
        return None
    if isinstance(value, numpy.generic):
        number = numpy.generic.item(value)
        if isinstance(number, numpy.generic):
            raise NotPlain(f"{type(value).__name__} is no plain data")
        return "", number
    if not isinstance(value, numpy.ndarray):
        return None
    if value.size > most or value.ndim > 32:
        raise TooLarge(f"an array larger than {most:,} items")
    return "array", [value.dtype.str, numpy.ndarray.tolist(value)]


def numpy_array(content: list[Any]) -> Any:
    """An array again, for a test that works with arrays; nested lists where there is no numpy."""
    nested = _nested(content)
    try:
        import numpy
    except ImportError:
        return nested
    kind = content[0]
    if not _matches(_ARRAY, kind):
        raise ValueError("an array of no known kind")
    return numpy.array(nested, dtype=object if kind[1] == "O" else kind)


def _matches(pattern: str, text: str) -> bool:
    import re

    return re.fullmatch(pattern, text) is not None


def _nested(content: list[Any]) -> Any:
    if len(content) != 2 or type(content[0]) is not str:
        raise ValueError("an array has a kind and its items")
    return content[1]


def _write_float(value: float) -> tuple[str, Any]:
    number = float.__float__(value)
    return ("", number) if number - number == 0 else ("float", float.__repr__(number))


def _write_decimal(value: Decimal) -> tuple[str, Any]:
    from decimal import Decimal

    text = Decimal.__str__(value)
    if len(text) > _LONGEST_TEXT or (
        Decimal.is_finite(value) and abs(Decimal.adjusted(value)) > _EXPONENT
    ):
        raise TooLarge(f"larger than a decimal of {_EXPONENT:,} digits")
    return "decimal", text


def _is_named_zone(zone: Any) -> bool:
    """Whether it is a zone of the library's: the time is then written with the offset that it has there."""
    module: Any = sys.modules.get("zoneinfo")
    return module is not None and type(zone) is module.ZoneInfo


def _write_time(value: Any) -> tuple[str, Any]:
    """Times as their ISO text; a zone of a class that is not the library's own is no plain data."""
    datetime = _times()
    for kind in (datetime.datetime, datetime.date, datetime.time):
        if isinstance(value, kind):
            zone = getattr(value, "tzinfo", None)
            if (
                zone is not None
                and type(zone) is not datetime.timezone
                and not _is_named_zone(zone)
            ):
                raise NotPlain("a time with a zone of its own is no plain data")
            return kind.__name__, kind.isoformat(value)
    raise NotPlain(f"{type(value).__name__} is no plain data")


def _write_fraction(value: Fraction) -> tuple[str, Any]:
    return "fraction", [int(value.numerator), int(value.denominator)]


def _pairs(items: Any) -> list[list[Any]]:
    return [[key, value] for key, value in items]


WRITERS: dict[type, Callable[[Any], tuple[str, Any]]] = {
    float: _write_float,
    tuple: lambda value: ("tuple", list(tuple.__iter__(value))),
    set: lambda value: ("set", list(set.__iter__(value))),
    frozenset: lambda value: ("frozenset", list(frozenset.__iter__(value))),
    # Its own order is not the one that the dict below it has.
    OrderedDict: lambda value: ("dict", _pairs(OrderedDict.items(value))),
    dict: lambda value: ("dict", _pairs(dict.items(value))),
    deque: lambda value: ("deque", list(deque.__iter__(value))),
    bytes: lambda value: ("bytes", bytes.hex(value)),
    bytearray: lambda value: ("bytearray", bytearray.hex(value)),
    complex: lambda value: ("complex", [complex.real.__get__(value), complex.imag.__get__(value)]),
    range: lambda value: ("range", [value.start, value.stop, value.step]),
}
# A value of these is there only if its module is.
_LATER: dict[tuple[str, str], Callable[[Any], tuple[str, Any]]] = {
    ("decimal", "Decimal"): _write_decimal,
    ("fractions", "Fraction"): _write_fraction,
    ("datetime", "datetime"): _write_time,
    ("datetime", "date"): _write_time,
    ("datetime", "time"): _write_time,
    ("datetime", "timedelta"): lambda value: (
        "timedelta",
        [value.days, value.seconds, value.microseconds],
    ),
}


def writers() -> dict[type, Callable[[Any], tuple[str, Any]]]:
    """How values are written, by the classes that are there by now."""
    for module, name in [key for key in _LATER if key[0] in sys.modules]:
        kind = getattr(sys.modules[module], name, None)
        if isinstance(kind, type):  # else it is being loaded at this moment
            WRITERS[kind] = _LATER.pop((module, name))
    return WRITERS


def _hashable(items: list[Any]) -> list[Any]:
    hashes: dict[int, int] = {}
    _count_elements(hashes, map(hash, items))
    if hashes and max(hashes.values()) > _SAME_HASH:
        raise ValueError("too many members share a hash")
    return items


def _read_members(items: list[Any]) -> set[Any]:
    found = set(_hashable(items))
    if len(found) != len(items):
        raise ValueError("a member occurs twice")
    return found


def read_dict(pairs: list[Any]) -> dict[Any, Any]:
    """The dict that is made of these pairs."""
    if not all(type(pair) is list and len(pair) == 2 for pair in pairs):
        raise ValueError("a dict is made of pairs")
    _hashable([key for key, _ in pairs])
    found: dict[Any, Any] = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key occurs twice")
    return found


def _read_bytes(text: str) -> bytes:
    if len(text) % 2 or text.strip(_HEX):
        raise ValueError("bytes are written as pairs of hexadecimal digits")
    return bytes.fromhex(text)


def _read_int(text: str) -> int:
    digits = text[1:] if text[:1] == "-" else text
    if not digits or digits.strip(_HEX):
        raise ValueError("a large integer is written in hexadecimal digits")
    return int(text, 16)


def _read_float(text: str) -> float:
    if text not in {"nan", "inf", "-inf"}:
        raise ValueError("a finite float is written as a number")
    return float(text)


def _read_decimal(text: str) -> Decimal:
    from decimal import Decimal

    if len(text) > _LONGEST_TEXT + 20 or not _matches(_DECIMAL, text):
        raise ValueError("this is no decimal")
    found = Decimal(text)
    if found.is_finite() and abs(found.adjusted()) > _EXPONENT:
        raise ValueError("the decimal is too large")
    return found


def _integers(items: list[Any], count: int) -> list[int]:
    if len(items) != count or not all(type(item) is int for item in items):
        raise ValueError(f"{count} integers are needed")
    return items


def _read_fraction(items: list[Any]) -> Fraction:
    top, bottom = _integers(items, 2)
    # Making a fraction lowest takes time that grows with the square of its length.
    if max(top.bit_length(), bottom.bit_length()) > 4 * _EXPONENT:
        raise ValueError("the fraction is too large")
    from fractions import Fraction

    return Fraction(top, bottom)


def _read_complex(items: list[Any]) -> complex:
    if len(items) != 2 or not all(type(item) is float for item in items):
        raise ValueError("two floats are needed")
    return complex(items[0], items[1])


def _times() -> Any:
    import datetime

    return datetime


READERS: dict[str, tuple[type, Callable[[Any], Any]]] = {
    "tuple": (list, tuple),
    "set": (list, _read_members),
    "frozenset": (list, lambda items: frozenset(_read_members(items))),
    "dict": (list, read_dict),
    "deque": (list, deque),
    "bytes": (str, _read_bytes),
    "bytearray": (str, lambda text: bytearray(_read_bytes(text))),
    "str": (str, lambda text: _read_bytes(text).decode("utf-8", "surrogatepass")),
    "int": (str, _read_int),
    "float": (str, _read_float),
    "complex": (list, _read_complex),
    "decimal": (str, _read_decimal),
    "fraction": (list, _read_fraction),
    "range": (list, lambda items: range(*_integers(items, 3))),
    "date": (str, lambda text: _times().date.fromisoformat(text)),
    "datetime": (str, lambda text: _times().datetime.fromisoformat(text)),
    "time": (str, lambda text: _times().time.fromisoformat(text)),
    "timedelta": (list, lambda items: _times().timedelta(*_integers(items, 3))),
    "array": (list, _nested),
}
