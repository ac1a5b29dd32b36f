"""Texts that match a pattern, for truths that are made up: of the simple patterns that specs have, some; of others none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

# How often what may be repeated is, where it may be; the first is the most natural.
_REPEATS = (1, 0, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128)
_LONGEST, _DEEPEST, _MOST_CHOICES = 2_000, 50, 20_000
_DIGITS, _LETTERS = "1234567890", "abcdefghijklmnopqrstuvwxyz"
_ANY = _LETTERS + _LETTERS.upper() + _DIGITS + " _-.,:;!?'\"()[]{}<>/\\|@#$%^&*+=~`"
_SETS = {"d": _DIGITS, "w": _LETTERS + _LETTERS.upper() + _DIGITS + "_", "s": " "}
_KNOWN = _SETS | {
    name.upper(): "".join(char for char in _ANY if char not in known)
    for name, known in _SETS.items()
}
_CONTROLS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v"}
_COUNTS = {"*": (0, _LONGEST), "+": (1, _LONGEST), "?": (0, 1)}
# What writes a part of a text: it is told how often to repeat, and asks which of several to take.
Choose = Callable[[int], int]
Part = Callable[[int, Choose], str]


class _OddError(Exception):
    """The pattern has something that is not read here."""


def texts_like(pattern: str, place: int = 0) -> Iterator[str]:
    """Texts that the pattern matches whole; another place gives others, where there are any.

    >>> next(texts_like("^[A-D]$", 2)), next(texts_like(r"^r\\d{3}(-x)?$")), list(texts_like("(?!a)b"))
    ('C', 'r111-x', [])
    """
    try:
        part = _Reader(pattern).whole()
    except _OddError:
        return
    told: set[str] = set()
    for repeat in _REPEATS:
        try:
            text = part(repeat, _chooser(place))
        except _OddError:
            continue
        if text not in told:
            told.add(text)
            yield text


def _chooser(place: int) -> Choose:
    """Takes one of several by the digits of a number, so that each number gives a text of its own."""
    left, asked = place, 0

    def choose(count: int) -> int:
        nonlocal left, asked
        asked += 1
        if asked > _MOST_CHOICES:
            raise _OddError
        left, taken = divmod(left, count)
        return taken

    return choose


class _Count(NamedTuple):
    least: int
    most: int


class _Reader:
    """Reads a pattern from left to right."""

    def __init__(self, pattern: str) -> None:
        self._text, self._at, self._depth = pattern, 0, 0

    def whole(self) -> Part:
        """What writes texts for the whole pattern."""
        found = self._either()
        if self._at < len(self._text):
            raise _OddError
        return found

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _next(self) -> str:
        if not (char := self._peek()):
            raise _OddError
        self._at += 1
        return char

    def _either(self) -> Part:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _OddError
        options = [self._sequence()]
        while self._peek() == "|":
            self._at += 1
            options.append(self._sequence())
        self._depth -= 1
        return (
            options[0]
            if len(options) == 1
            else lambda repeat, choose: options[choose(len(options))](repeat, choose)
        )

    def _sequence(self) -> Part:
        parts: list[Part] = []
        while self._peek() not in {"", "|", ")"}:
            part = self._atom()
            parts.append(_repeated(part, self._count()))
        return lambda repeat, choose: _short("".join(part(repeat, choose) for part in parts))

    def _atom(self) -> Part:
        char = self._next()
        if char == "(":
            return self._group()
        if char == "[":
            return _one_of(self._members())
        if char in "^$":
            return _one_of([""])
        if char in "*+?{":
            raise _OddError
        return _one_of(self._escaped() if char == "\\" else _LETTERS if char == "." else [char])

    def _group(self) -> Part:
        if self._peek() == "?":
            self._at += 1
            self._name()
        inside = self._either()
        if self._next() != ")":
            raise _OddError
        return inside

    def _name(self) -> None:
        """What stands between the question mark of a group and what it holds."""
        kind = self._next()
        if kind == "P":
            kind = self._next()
        if kind == "<" and self._peek() not in {"=", "!"}:
            while self._next() != ">":
                pass
        elif kind != ":":
            raise _OddError

    def _escaped(self) -> str:
        char = self._next()
        if char in _KNOWN:
            return _KNOWN[char]
        if char.isalnum() and char not in _CONTROLS:
            raise _OddError
        return _CONTROLS.get(char, char)

    def _members(self) -> str:
        """The characters that a class takes."""
        turned = self._peek() == "^"
        self._at += turned
        found = ""
        while (char := self._next()) != "]" or not found:
            first = self._escaped() if char == "\\" else char
            if (
                self._peek() == "-"
                and self._text[self._at + 1 : self._at + 2] not in {"]", ""}
                and len(first) == 1
            ):
                self._at += 1
                last = self._next()
                first = "".join(map(chr, range(ord(first), min(ord(last), ord(first) + 500) + 1)))
            found += first
        members = "".join(char for char in _ANY if char not in found) if turned else found
        if not members:
            raise _OddError
        return members

    def _count(self) -> _Count:
        if self._peek() in _COUNTS:
            found = _Count(*_COUNTS[self._next()])
        elif self._peek() == "{":
            found = self._braces()
        else:
            return _Count(1, 1)
        self._at += self._peek() in {"?", "+"}  # lazy or greedy, the texts are the same
        return found

    def _braces(self) -> _Count:
        inside, closed, _ = self._text[self._at + 1 :].partition("}")
        least, comma, most = inside.partition(",")
        if (
            not closed
            or not least.isdecimal()
            or (most and not most.isdecimal())
            or len(inside) > len("9999,9999")
        ):
            raise _OddError
        self._at += len(inside) + 2
        return _Count(int(least), int(most) if most else _LONGEST if comma else int(least))


def _one_of(texts: str | list[str]) -> Part:
    return lambda repeat, choose: texts[choose(len(texts))]


def _repeated(part: Part, count: _Count) -> Part:
    if count == (1, 1):
        return part

    def write(repeat: int, choose: Choose) -> str:
        times = max(count.least, min(count.most, repeat))
        # What is asked with one choice counts as work, also where nothing is written.
        return _short("".join(part(repeat, choose) for _ in range(times) if choose(1) == 0))

    return write


def _short(text: str) -> str:
    if len(text) > _LONGEST:
        raise _OddError
    return text
