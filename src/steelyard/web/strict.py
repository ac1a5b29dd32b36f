"""JSON as it is accepted: one meaning, whoever reads it."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any, Final, TypeVar

import msgspec

from steelyard.errors import RuleError

T = TypeVar("T")
DEEPEST: Final = 100
_LONGEST_NUMBER = 400
_MARK = "\ufeff"
# Without escapes; one that has no end reaches to the end of the body.
_STRINGS = re.compile(rb'"[^"]*"?')
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


def read_strictly(body: bytes, kind: type[T]) -> T:
    """The value of that type in a body. What is no JSON, or could be read in two ways, is a RuleError with status 400;
    what is JSON and not of the type has status 422.

    >>> read_strictly(b'{"a": 1}', dict[str, int])
    {'a': 1}
    >>> read_strictly(b'{"a": 1, "a": 2}', dict[str, int])
    Traceback (most recent call last):
        ...
    steelyard.errors.RuleError: the body has the key 'a' twice
    """
    check_strict(body)
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.ValidationError as wrong:
        raise RuleError(_plain(str(wrong)), status=422) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as wrong:
        raise RuleError(f"the body is no JSON: {_plain(str(wrong))}", status=400) from None


def check_strict(body: bytes) -> None:
    """Refuse what readers of JSON do not agree on: keys that come twice, NaN, depth and numbers without bounds."""
    if depth_over(body, DEEPEST):
        raise RuleError(f"the body is nested deeper than {DEEPEST} levels", status=400)
    try:
        text = body.decode()
        if text.startswith(_MARK):  # which is no JSON, whatever comes after it
            raise json.JSONDecodeError("unexpected UTF-8 BOM (decode using utf-8-sig)", text, 0)
        _LOOKING.decode(text)
    except UnicodeDecodeError:
        raise RuleError("the body is no JSON: it is not UTF-8", status=400) from None
    except json.JSONDecodeError as wrong:
        where = f"line {wrong.lineno} column {wrong.colno}"
        raise RuleError(f"the body is no JSON: {_plain(wrong.msg)} ({where})", status=400) from None


def depth_over(body: bytes, most: int) -> bool:
    """Whether brackets stand deeper than that, found without building anything.

    >>> depth_over(b'[[["[[["]]]', 2), depth_over(b'[[["[[["]]]', 3)
    (True, False)
    """
    if body.count(b"[") + body.count(b"{") <= most:
        return False
    depth = 0
    body = body.replace(b"\\\\", b"").replace(b'\\"', b"")
    for bracket in _STRINGS.sub(b"", body).translate(None, _NO_BRACKETS):
        depth += 1 if bracket in b"[{" else -1
        if depth > most:
            return True
    return False


def _object(pairs: list[tuple[str, Any]]) -> None:
    # Only looked at: what the value is, the typed reader says.
    if len({name for name, _ in pairs}) != len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice = next(name for name, times in counts.items() if times > 1)
        raise RuleError(f"the body has the key {twice[:60]!r} twice", status=400)


def _refuse(word: str) -> Any:
    raise RuleError(f"the body is no JSON: {word} is not a value", status=400)


def _integer(text: str) -> int:
    if len(text) > _LONGEST_NUMBER:
        raise RuleError(f"a number of the body has more than {_LONGEST_NUMBER} digits", status=400)
    return 0


_LOOKING = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_refuse, parse_int=_integer)


def _plain(message: str) -> str:
    return message[:1].lower() + message[1:]
