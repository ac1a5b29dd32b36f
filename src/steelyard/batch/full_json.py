"""All that JSON allows, for texts which the fast decoder refuses: any depth, any number, any escape."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Generator, Iterator
from typing import Any, TypeGuard

import msgspec

from steelyard.foreign import shown
from steelyard.spec.reading import exact_decimal, exact_integer

_SPACE = re.compile(r"[ \t\r\n]*")
_SCALAR = re.compile(r"(-?(?:0|[1-9][0-9]*))(\.[0-9]+)?([eE][+-]?[0-9]+)?|true|false|null")
_LITERAL = re.compile(r"NaN|-?Infinity")
_WORDS = {"true": True, "false": False, "null": None}
_BRACKET = re.compile(r'["{}\[\]]')
# Twice as deep as any primitive looks; memory would not last for a file of nothing but brackets.
_DEEPEST = 20_000
_DECODER = json.JSONDecoder()
_HALF = re.compile("[\ud800-\udfff]")

_Step = Generator["_Step", Any, Any]


class Bottomless:
    """Stands for what is nested deeper than anything looks."""


class Mended(str):
    """A text in which half a surrogate pair, which is no character, became U+FFFD."""

    __slots__ = ()


class Repeated(dict[str, Any]):
    """An object in which the keys ``twice`` were given more than once; the last of each counts."""

    twice: frozenset[str] = frozenset()


class RepeatedKeyError(ValueError):
    """An object has a key twice, and nobody can tell which of the two is meant."""


class NoNumber(str):
    """NaN or an infinity in the place of a response: it is shown as it was written, and equals nothing, not even that."""

    __slots__ = ()


def plain_float(text: str) -> Any:
    """The nearest float, or the Decimal where no float is near.

    >>> plain_float("0.5"), plain_float("1e999")
    (0.5, Decimal('1E+999'))
    """
    return found if math.isfinite(found := float(text)) else exact_decimal(text)


def loads(
    text: str,
    *,
    number: Callable[[str], Any] = exact_decimal,
    literals: bool = False,
    unique: bool = False,
    mark: bool = False,
) -> Any:
    """The JSON value of a text, or a ValueError; ``number`` reads what has a point or an exponent.

    With ``literals`` NaN, Infinity and -Infinity are read too, which are no JSON, but which many programs write. Where a key
    is there twice the last one counts; with ``unique`` that is an error, and with ``mark`` the object is a Repeated.

    >>> loads('[1, {"a": "\\\\ud800"}]')
    [1, {'a': '�'}]
    """
    reader = _Reader(text, number, literals=literals, unique=unique, mark=mark)
    # Each level waits in this list and not on Python's stack, so that no depth can overflow it.
    levels: list[_Step] = [reader.value(0)]
    result: Any = None
    while levels:
        try:
            levels.append(levels[-1].send(result))
            result = None
        except StopIteration as done:
            levels.pop()
            result = done.value
    reader.end()
    return result


def is_mended(value: Any) -> bool:
    """Whether there is a Mended text anywhere in the value.

    >>> is_mended(loads('{"a": ["\\\\ud800"]}')), is_mended(loads('"x"'))
    (True, False)
    """
    return any(type(one) is Mended for one in parts(value))


def no_number(value: Any) -> str | None:
    """The literal of something in the value that is no number, if there is one.

    >>> no_number(loads('{"a": [NaN]}', literals=True)), no_number(loads("[1]"))
    ('NaN', None)
    """
    return next((literal(one) for one in parts(value) if is_literal(one)), None)


def is_literal(value: object) -> TypeGuard[float]:
    """Whether a value is NaN or an infinity.

    >>> is_literal(float("nan")), is_literal(1.5)
    (True, False)
    """
    return type(value) is float and not math.isfinite(value)


def literal(value: float) -> str:
    """A float that is no number, as programs write it.

    >>> literal(float("-inf"))
    '-Infinity'
    """
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def parts(value: Any) -> Iterator[Any]:
    """The value and all that is in it."""
    left = [value]
    while left:
        one = left.pop()
        yield one
        if isinstance(one, dict):
            left += [*one, *one.values()]
        elif isinstance(one, list):
            left += one


def dumps_mended(value: Any) -> bytes:
    """The value as JSON with U+FFFD for each half of a surrogate pair, which no file can hold.

    >>> dumps_mended(["\\ud800"]).decode()
    '["�"]'
    """
    text = json.dumps(
        msgspec.to_builtins(value, enc_hook=shown), ensure_ascii=False, separators=(",", ":")
    )
    return _HALF.sub("\ufffd", text).encode()


def _marked(found: dict[str, Any], twice: set[str]) -> Repeated:
    made = Repeated(found)
    made.twice = frozenset(twice)
    return made


class _Reader:
    """A place in a text."""

    def __init__(
        self, text: str, number: Callable[[str], Any], *, literals: bool, unique: bool, mark: bool
    ) -> None:
        self._text, self._number, self._at, self._unique, self._mark = text, number, 0, unique, mark
        self._literals = _LITERAL if literals else None

    def value(self, depth: int) -> _Step:
        """The value that begins here, so many levels down."""
        if depth > _DEEPEST:
            return self._skipped()
        if self._takes("{"):
            return (yield self._object(depth + 1))
        if self._takes("["):
            return (yield self._array(depth + 1))
        return self._string() if self._takes('"') else self._scalar()

    def _object(self, depth: int) -> _Step:
        found: dict[str, Any] = {}
        twice: set[str] = set()
        if self._takes("}"):
            return found
        while True:
            self._needs('"')
            key = self._string()
            if key in found:
                twice.add(key)
                if self._unique:
                    raise RepeatedKeyError(
                        f"the key {key!r} is given twice in one object (line {self._line()})"
                    )
            self._needs(":")
            found[key] = yield self.value(depth)
            if not self._takes(","):
                self._needs("}")
                return _marked(found, twice) if twice and self._mark else found

    def _array(self, depth: int) -> _Step:
        found: list[Any] = []
        if self._takes("]"):
            return found
        while True:
            found.append((yield self.value(depth)))
            if not self._takes(","):
                self._needs("]")
                return found

    def _string(self) -> str:
        text, self._at = _DECODER.raw_decode(self._text, self._at - 1)
        return (
            Mended(_HALF.sub("\ufffd", text)) if not text.isascii() and _HALF.search(text) else text
        )

    def _scalar(self) -> Any:
        found = _SCALAR.match(self._text, self._at)
        if (
            found is None
            and self._literals is not None
            and (named := self._literals.match(self._text, self._at))
        ):
            self._at = named.end()
            return float(named[0])
        if found is None:
            raise json.JSONDecodeError("a value is expected", self._text, self._at)
        self._at = found.end()
        if found[0] in _WORDS:
            return _WORDS[found[0]]
        return self._number(found[0]) if found[2] or found[3] else exact_integer(found[0])

    def _skipped(self) -> Bottomless:
        """Go on behind the value, looking at nothing but how its brackets close."""
        depth = 0
        while found := _BRACKET.search(self._text, self._at):
            self._at = found.start()
            if depth == 0 and found[0] in "]}":
                return Bottomless()
            self._at += 1
            if found[0] == '"':
                self._string()
            else:
                depth += 1 if found[0] in "[{" else -1
        raise json.JSONDecodeError("a bracket is never closed", self._text, len(self._text))

    def _takes(self, mark: str) -> bool:
        found = _SPACE.match(self._text, self._at)
        self._at = found.end() if found else self._at
        if not self._text.startswith(mark, self._at):
            return False
        self._at += 1
        return True

    def _needs(self, mark: str) -> None:
        if not self._takes(mark):
            raise json.JSONDecodeError(f"{mark!r} is expected", self._text, self._at)

    def _line(self) -> int:
        return self._text.count("\n", 0, self._at) + 1

    def end(self) -> None:
        """Refuse what follows the value."""
        if self._text[self._at :].strip(" \t\r\n"):
            raise json.JSONDecodeError("nothing more is expected", self._text, self._at)
