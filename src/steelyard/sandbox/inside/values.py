"""Plain data both ways: what a program returns, as JSON, and back.

None, truth values, finite floats, integers below 2**53, strings and lists are written as JSON has them. All else is
an object of two keys, ``$`` for the kind and ``v`` for the content; a dict always is, as pairs. A value of a subclass
is read by the base type's own methods, so that no method of the value is asked what it is. Whatever is no plain data
is refused with NotPlain, and what is too deep, too long or without end with TooLarge.

What comes back is rebuilt from plain types only: `decode` is safe on whatever a hostile program sends, and refuses
with a ValueError what `encode` would never have written. An array of numpy is read as nested lists, and a Counter as
a dict, since expected values are JSON; a test written as code, which exchanges objects too, gets them as they were.
"""

from __future__ import annotations

import sys
from _json import encode_basestring_ascii, make_encoder, make_scanner

from . import kinds
from .kinds import NotPlain, TooLarge

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing takes longer to load than all of this
    from collections.abc import Callable
    from typing import Any

DEPTH = 200
NODES = 300_000  # values, brackets and commas of one message
_ENVELOPE = 10_000
BYTES = 4 * 1024 * 1024
_SAFE = 2**53
_DIGITS = 17
_STRUCTURE = (b",", b"[", b"{")
# Atomic, so that a long string needs no memory. Older versions, which miscompile that, have the
# limits of the box.
_ATOMIC = (
    rb'"(?:[^"\\]++|\\.)*+"' if sys.version_info >= (3, 11, 5) else rb'"[^"\\]*(?:\\.[^"\\]*)*"'
)
_BLANK = " \t\n\r"

__all__ = ["NotPlain", "TooLarge", "decode", "dumps", "encode", "loads"]


def encode(value: Any, foreign: Callable[[Any], Any] | None = None, times: int = 1) -> Any:
    """The value as JSON data; ``foreign`` writes what is no plain data, if anything can.

    ``times`` is how much more than one message holds may be written.

    >>> encode((1, 2.5, {"a"})) == {"$": "tuple", "v": [1, 2.5, {"$": "set", "v": ["a"]}]}
    True
    """
    return _Writer(foreign, times).write(value, 0)


def decode(
    data: Any, foreign: Callable[[str, Any], Any] | None = None, arrays: bool = False
) -> Any:
    """The value that the JSON data stands for; ``foreign`` reads the kinds that ours are not.

    >>> decode({"$": "tuple", "v": [1, {"$": "int", "v": "20000000000000"}]})
    (1, 9007199254740992)
    """
    return _Reader(foreign, arrays).read(data, 0)


def prepare() -> None:
    """Loads now what else would be loaded when the first value needs it."""
    for name in ("datetime", "decimal", "fractions", "re"):
        __import__(name)
    _all_writers()


def dumps(message: Any) -> bytes:
    """The message as bytes."""
    # The heart of `json`, without its regular expressions, which take longer to load than a short program runs.
    write = make_encoder(
        {}, _unknown, encode_basestring_ascii, None, ": ", ", ", False, False, False
    )
    return "".join(write(message, 0)).encode("ascii")


def loads(data: bytes, times: int = 1) -> dict[str, Any]:
    """The message in the bytes: an object; a ValueError for anything that `dumps` would not write.

    >>> loads(b'{"call": 1}')
    {'call': 1}
    """
    if _crowded(data, times * NODES):
        raise ValueError("the message has too many values")
    try:
        text = data.decode("ascii").strip(_BLANK)
        message, end = make_scanner(_Rules)(text, 0)  # type: ignore[arg-type]
    except RecursionError:
        raise ValueError("the message is nested too deeply") from None
    except StopIteration:
        raise ValueError("the message is no JSON") from None
    if end != len(text):
        raise ValueError("there is something behind the message")
    if type(message) is not dict:
        raise ValueError("the message is no object")
    return message


class _Writer:
    """Writes one value; shared parts are written, and counted, as often as they occur."""

    def __init__(self, foreign: Callable[[Any], Any] | None, times: int) -> None:
        self._foreign = foreign
        self._writers = kinds.writers() if foreign is None else _all_writers()
        self._nodes, self._bytes = times * NODES - _ENVELOPE, times * BYTES
        self._most = f"{self._nodes:,} items or {self._bytes:,} bytes"

    def write(self, value: Any, depth: int) -> Any:
        self._spend(depth)
        if value is None or value is True or value is False:
            return value
        for base in type(value).__mro__:
            if base is int:
                return self._integer(int.__int__(value))
            if base is str:
                return self._string(str.__str__(value))
            if base is list:
                self._spend(depth)
                return [self.write(item, depth + 1) for item in list.copy(value)]
            if base in self._writers:
                return self._tagged(self._writers[base](value), depth)
        return self._other(value, depth)

    def _tagged(self, written: tuple[str, Any], depth: int) -> Any:
        name, content = written
        if not name:
            return content
        self._spend(depth)
        self._spend(depth)
        if isinstance(content, list):
            self._spend(depth)
            return {"$": name, "v": [self.write(item, depth + 1) for item in content]}
        self._spend(depth, len(content))
        return {"$": name, "v": content}

    def _integer(self, number: int) -> Any:
        if -_SAFE < number < _SAFE:
            return number
        self._spend(0, number.bit_length() // 4)
        self._spend(0)
        return {"$": "int", "v": format(number, "x")}

    def _string(self, text: str) -> Any:
        self._spend(0, len(text))
        if kinds.has_surrogate(text):
            self._spend(0, len(text))
            return {"$": "str", "v": text.encode("utf-8", "surrogatepass").hex()}
        return text

    def _other(self, value: Any, depth: int) -> Any:
        array = kinds.read_array(value, self._nodes)
        if array is not None:
            return self._tagged(array, depth) if array[0] else self.write(array[1], depth)
        if self._foreign is None:
            raise NotPlain(f"{type(value).__name__} is no plain data")
        return self._foreign(value)

    def _spend(self, depth: int, size: int = 0) -> None:
        self._nodes -= 1
        self._bytes -= size
        if depth > DEPTH or self._nodes < 0 or self._bytes < 0:
            deep = depth > DEPTH
            raise TooLarge(
                f"nested deeper than {DEPTH} levels" if deep else f"larger than {self._most}"
            )


class _Reader:
    """Reads one value; lists are filled where they stand, so that a large one is held only once."""

    def __init__(self, foreign: Callable[[str, Any], Any] | None, arrays: bool) -> None:
        self._foreign, self._arrays = foreign, arrays
        self._readers = kinds.READERS if foreign is None else _all_readers()

    def read(self, data: Any, depth: int) -> Any:
        if depth > DEPTH:
            raise ValueError("the value is nested too deeply")
        if type(data) is list:
            for place, item in enumerate(data):
                data[place] = self.read(item, depth + 1)
            return data
        if type(data) is dict:
            return self._tagged(data, depth)
        if type(data) is int and not -_SAFE < data < _SAFE:
            raise ValueError("a large integer is written as text")
        return data

    def _tagged(self, data: dict[str, Any], depth: int) -> Any:
        if len(data) != 2 or type(data.get("$")) is not str or "v" not in data:
            raise ValueError("an object that stands for no value")
        name, content = data["$"], data["v"]
        reader = self._readers.get(name)
        if reader is None:
            if self._foreign is None:
                raise ValueError(f"there is no kind {name[:40]!r}")
            return self._foreign(name, content)
        wanted, build = reader
        if type(content) is not wanted:
            raise ValueError(f"the content of a {name} is not {wanted.__name__}")
        if isinstance(content, list):
            content = self.read(content, depth)
        if name == "array" and self._arrays:
            return kinds.numpy_array(content)
        try:
            return build(content)
        except (TypeError, OverflowError, ArithmeticError) as failed:
            raise ValueError(f"this is no {name}: {failed}") from None


def _all_writers() -> dict[type, Callable[[Any], tuple[str, Any]]]:
    from . import containers

    return {**kinds.writers(), **containers.WRITERS}


def _all_readers() -> dict[str, tuple[type, Callable[[Any], Any]]]:
    from . import containers

    return {**kinds.READERS, **{name: (list, build) for name, build in containers.READERS.items()}}


def _crowded(data: bytes, most: int) -> bool:
    """Whether there are more values than one message may have; text in strings is none of them."""
    if _count(data) <= most:
        return False
    import re

    outside = place = 0
    for string in re.finditer(_ATOMIC, data, re.DOTALL):
        outside += _count(data[place : string.start()])
        place = string.end()
        if outside > most:
            return True
    return outside + _count(data[place:]) > most


def _count(data: bytes) -> int:
    return sum(data.count(mark) for mark in _STRUCTURE)


def _integer(digits: str) -> int:
    if len(digits) > _DIGITS:
        raise ValueError("a large integer is written as text")
    return int(digits)


def _finite(digits: str) -> float:
    number = float(digits)
    if number - number != 0:
        raise ValueError("a number beyond what a float can hold")
    return number


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("an object names a key twice")
    return found


def _unknown(value: Any) -> Any:
    raise TypeError(f"{type(value).__name__} is no part of JSON")


class _Rules:
    """What JSON's own reader wants to know."""

    strict = True
    object_hook = None
    object_pairs_hook = staticmethod(_object)
    parse_int = staticmethod(_integer)
    parse_float = staticmethod(_finite)
    parse_constant = staticmethod(_refuse)
