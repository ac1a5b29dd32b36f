"""Find where JSON values stand in a text, in one pass.

No part of the text is read twice, so that a million open brackets take a million steps.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_TOKEN = re.compile(
    r"[ \t\n\r]*(?:([\[{])|([\]}])|([,:])"
    r'|("[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*")'
    r"|(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null))"
)
_VALUE, _OPEN, _CLOSE, _MARK, _STRING = 0, 1, 2, 3, 4
# An opening bracket, unless what follows it shows at once that no JSON begins here.
_START = re.compile(r"""\{(?=[ \t\n\r]*["'}])|\[(?=[ \t\n\r]*[\[{\]"0-9tfn-])""")
_REST_IS_BLANK = re.compile(r"\s*\Z")
_BRACKET = re.compile(r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"|([\[{])|([\]}])')
# Something like JSON, in another notation.
_SIMILAR = re.compile(r"\{\s{0,80}'|\[\s{0,80}\{")
_REACH = 2_000
_ALL_REACHES = 200_000

# The states of an open array or object. Arrays: "[" has just opened, "1" has one value, "v" waits
# for a value after a comma, "n" has more than one. Objects: "{" has just opened, ":" has its first
# key, ";" a later one, "o" waits for the value, "e" has a whole pair, "k" waits for a key.
_AFTER_VALUE = {"[": "1", "v": "n", "o": "e"}
_AFTER_KEY = {"{": ":", "k": ";"}
_AFTER_MARK = {"1,": "v", "n,": "v", "e,": "k", "::": "o", ";:": "o"}
_MAY_CLOSE = {"]": "[1n", "}": "{e"}
_UNDER_WAY = frozenset("vn;oek")


class _Open(NamedTuple):
    """The open values, the state of each, and the complete values inside them."""

    starts: list[int]
    waits: list[str]
    inside: list[tuple[int, int]]


class _Reading(NamedTuple):
    """What one start gave: complete values, how far the text is read, and if it is malformed."""

    values: list[tuple[int, int]]
    settled: int
    malformed: bool


def json_spans(text: str) -> list[tuple[int, int]]:
    """Return the outermost well-formed objects and arrays, in order.

    A fragment of a malformed value is not listed.

    >>> json_spans('say {x} [1, {"a": []}] {')
    [(8, 22)]
    >>> json_spans('{"a": {"b": 1},}')
    []
    """
    spans: list[tuple[int, int]] = []
    place = steps = 0
    while start := _START.search(text, place):
        values, place, malformed = _read(text, start.start())
        spans += values
        if malformed and steps < _ALL_REACHES:
            end, used = _closing(text, start.start())
            place, steps = max(place, end), steps + used
    return spans


def _read(text: str, start: int) -> _Reading:
    starts: list[int] = []
    waits: list[str] = []
    inside: list[tuple[int, int]] = []
    place = start
    quote = 0
    while token := _TOKEN.match(text, place):
        kind, end = token.lastindex, token.end()
        mark = text[end - 1]
        if kind == _OPEN:
            if waits and waits[-1] not in _AFTER_VALUE:
                break
            starts.append(end - 1)
            waits.append(mark)
            place, quote = end, 0
            continue
        if kind == _CLOSE and waits[-1] in _MAY_CLOSE[mark]:
            kind, begun = _VALUE, starts.pop()
            waits.pop()
            if not starts:
                return _Reading([(begun, end)], end, False)
            while inside and inside[-1][0] > begun:
                inside.pop()
            inside.append((begun, end))
        if not _step(kind or _VALUE, mark, waits):
            break
        place = end
        quote = token.start(_STRING) + 1
    return _broken(text, place, quote, _Open(starts, waits, inside))


def _step(kind: int, mark: str, waits: list[str]) -> bool:
    """Say whether a token may stand here; the state of the innermost open value moves on if so."""
    now = waits[-1]
    if kind in {_MARK, _CLOSE}:  # a bracket that closes nothing is none of the marks
        then = _AFTER_MARK.get(now + mark)
    else:
        then = _AFTER_KEY.get(now) if kind == _STRING else None
        then = then or _AFTER_VALUE.get(now)
    if then is None:
        return False
    waits[-1] = then
    return True


def _broken(text: str, place: int, quote: int, reading: _Open) -> _Reading:
    """Return what is left of a value that breaks off.

    A stray bracket in prose leaves the complete values after it. Where an array or an object had
    begun, or the text ends inside it, the answer is malformed: a fragment of it is not the answer.
    """
    starts, waits, inside = reading
    if _UNDER_WAY.intersection(waits) or (inside and _REST_IS_BLANK.match(text, place)):
        return _Reading([], place, True)
    if quote:
        # The bracket stands in quotes: what looked like a string is the text between two quotes.
        return _Reading(inside, quote, False)
    return _Reading(inside, place, not inside and _SIMILAR.match(text, starts[0]) is not None)


def _closing(text: str, start: int) -> tuple[int, int]:
    """Return where a malformed value is closed, if its brackets balance within reach."""
    depth = steps = 0
    for match in _BRACKET.finditer(text, start):
        steps += 1
        depth += bool(match[1]) - bool(match[2])
        if depth == 0 and match.lastindex:
            return match.end(), steps
        if steps >= _REACH:
            break
    return start, steps
