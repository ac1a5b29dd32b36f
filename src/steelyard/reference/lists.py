"""Reading the list of a select tag: JSON or Python notation, of plain strings."""

from __future__ import annotations

import json
import re
import unicodedata

from steelyard.errors import SpecError
from steelyard.primitives.values import describe

_QUOTED = r"""[uU]?(?:'([^'\\\n]*(?:\\[\s\S][^'\\\n]*)*)'|"([^"\\\n]*(?:\\[\s\S][^"\\\n]*)*)")"""
_STRING = re.compile(_QUOTED)
_LIST = re.compile(rf"\s*\[\s*(?:{_QUOTED}\s*(?:,\s*{_QUOTED}\s*)*(?:,\s*)?)?\]\s*")
_SPACE = re.compile(r"\s*")
_ESCAPE = re.compile(
    r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|([0-7]{1,3})|N\{([^{}]*)\}|([\s\S]))"
)
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "a": "\a", "v": "\v", "\n": ""}
_ITSELF = "\\'\""


def read_list(text: str) -> tuple[str, ...]:
    """The strings of the list; a SpecError says what cannot be read.

    >>> read_list('["a", "b"]'), read_list("['c', \\"it's\\",]")
    (('a', 'b'), ('c', "it's"))
    """
    found = _read_json(text)
    if found is None and _LIST.fullmatch(text):
        items = [single or double for single, double in _STRING.findall(text)]
        return tuple(map(_unescape, items) if "\\" in text else items)
    if found is None:
        raise _fault(text.strip())
    if not isinstance(found, list):
        raise SpecError(f"the select tag needs a list in square brackets, not {describe(found)}")
    for place, item in enumerate(found, 1):
        if not isinstance(item, str):
            raise SpecError(
                f"item {place} of the list is {describe(item)}; plain strings are needed"
            )
    return tuple(found)


def _read_json(text: str) -> object:
    """The JSON value, or None where it is not JSON; Python's quotes never are."""
    if text[1:2] == "'":
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _fault(text: str) -> SpecError:
    """Where a list stops being one."""
    if not text.startswith("["):
        return SpecError(f"the select tag needs a list in square brackets, not {describe(text)}")
    place = _skip(text, 1)
    while not text.startswith("]", place):
        found = _STRING.match(text, place)
        if found is None:
            return _unreadable(text, place, "a string in quotes is needed")
        place = _skip(text, found.end())
        if text.startswith(",", place):
            place = _skip(text, place + 1)
        elif not text.startswith("]", place):
            return _unreadable(
                text, place, "a comma or ] is needed; a quote inside an item is written \\'"
            )
    return _unreadable(text, place + 1, "nothing may follow the list")


def _skip(text: str, place: int) -> int:
    found = _SPACE.match(text, place)
    return found.end() if found else place


def _unreadable(text: str, place: int, needed: str) -> SpecError:
    here = describe(text[place : place + 100]) if place < len(text) else "its end"
    return SpecError(f"the list cannot be read at character {place + 1}, {here}: {needed}")


def _unescape(text: str) -> str:
    return _ESCAPE.sub(_character, text)


def _character(found: re.Match[str]) -> str:
    short, long, byte, octal, name, letter = found.groups()
    if name is not None:
        try:
            return unicodedata.lookup(name)
        except KeyError:
            raise SpecError(f"there is no character with the name {describe(name)}") from None
    if letter is not None:
        return _LETTERS.get(letter, letter if letter in _ITSELF else found[0])
    code = int(octal, 8) if octal is not None else int(short or long or byte, 16)
    if code > 0x10FFFF:
        raise SpecError(f"there is no character {found[0]}")
    return chr(code)
