"""Problem ids: the usual form, how they are sorted, and the names of files that they make."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from typing import Any

from steelyard.batch.reference.evidence import kind_of, quoted
from steelyard.batch.reference.words import has_surrogate
from steelyard.values.compose import compose

USUAL = re.compile(r"(?P<year>[0-9]{4})-(?P<number>[0-9]+)")
MAX_ID = 1_000
_MAX_STEM = 150
_DIGITS = re.compile(r"([0-9]+)")


def read_id(value: Any) -> tuple[str, str]:
    """The id that a file gives, in NFC and without outer spaces, and what is unusual about it.

    An id that cannot be used is empty.

    >>> read_id("2003-1"), read_id(7)
    (('2003-1', ''), ('7', 'the id is the number 7, not "{year}-{problem_number}"'))
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value), f'the id is the number {value}, not "{{year}}-{{problem_number}}"'
    if not isinstance(value, str):
        return "", f"the id must be a string, not {kind_of(value)}"
    if len(value) > MAX_ID:
        return "", f"the id has {len(value)} characters; at most {MAX_ID} can be used"
    if has_surrogate(value):
        return "", "the id holds half of a surrogate pair, which is no character"
    found = compose(value).strip()
    if not found:
        return "", "the id is empty"
    if not USUAL.fullmatch(value):
        return found, f'the id {quoted(value)} is not of the form "{{year}}-{{problem_number}}"'
    return found, ""


def year_of(problem: str) -> int | None:
    """The year of a usual id.

    >>> year_of("2003-1"), year_of("demo")
    (2003, None)
    """
    found = USUAL.fullmatch(problem)
    return int(found["year"]) if found else None


def number_of(problem: str) -> int | None:
    """The problem number of a usual id.

    >>> number_of("2003-1"), number_of("demo")
    (1, None)
    """
    found = USUAL.fullmatch(problem)
    return int(found["number"]) if found else None


def natural(problem: str) -> list[tuple[int, int, str]]:
    """A key that sorts 2003-2 before 2003-10.

    >>> sorted(["2003-10", "2003-2"], key=natural)
    ['2003-2', '2003-10']
    """
    return [
        (0, int(piece), "") if piece.isdigit() and piece.isascii() else (1, 0, piece)
        for piece in _DIGITS.split(problem)
        if piece
    ] + [(2, 0, problem)]


def file_stem(problem: str) -> str:
    """The id as a part of a file's name; two ids never have one stem, and no id leaves the folder.

    >>> file_stem("2003-1"), file_stem("../a b")
    ('2003-1', '%2E.%2Fa%20b')
    """
    stem = "".join(_safe(char, place) for place, char in enumerate(problem))
    if len(stem.encode()) <= _MAX_STEM:
        return stem
    return f"{problem_hash(problem)}%long"


def problem_hash(problem: str) -> str:
    """A short name for an id of any length."""
    return hashlib.sha256(problem.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def named_after(stem: str, problems: Iterable[str]) -> str | None:
    """The id that a file's name begins with, the longest one, or None.

    >>> named_after("2003-1_solution", ["2003-1", "2003-11"])
    '2003-1'
    """
    name = compose(stem)
    fitting = [
        problem
        for problem in problems
        if _begins_with(name, problem) or _begins_with(name, file_stem(problem))
    ]
    return max(fitting, key=len, default=None)


def _begins_with(name: str, problem: str) -> bool:
    """Whether the name goes on with something else after the id: 2003-11 does not begin with 2003-1."""
    return name.startswith(problem) and not name[len(problem) : len(problem) + 1].isalnum()


def _safe(char: str, place: int) -> str:
    plain = char.isalnum() or char in "-_" or (char == "." and place > 0)
    if plain and unicodedata.normalize("NFC", char) == char:
        return char
    return "".join(f"%{byte:02X}" for byte in char.encode("utf-8", "surrogatepass"))
