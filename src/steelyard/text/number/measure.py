"""A quantity of several parts, 3 h 20 min or 5 ft 10 in: no part of it is its number."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from steelyard.text.fold import fold_in_place
from steelyard.text.late import late
from steelyard.text.number.read import Number
from steelyard.text.number.value import Value, same_value

#: The numbers from one to twelve in words.
SPELLED = (
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
_BLANKS = r"(?:[ \u00a0~]|\\[,;: ]){0,3}"
_UNIT = late(
    rf"[$*]{{0,2}}{_BLANKS}(?:\\(?:text|mathrm|textrm|mbox)\s?\{{\s?)?(?P<unit>[^\W\d_]{{1,12}}|['\"′″°])"
)
_PART = late(
    r"(?:(?<![\d.,/:])(?P<number>\d{1,3}(?:,\d{3}){1,4}|\d{1,9}(?:\.\d{1,9})?)"
    rf"|(?<!\w)(?P<word>(?i:an?|{'|'.join(SPELLED)}))(?=[ ])){_UNIT.pattern}"
)
_JOINT = late(rf"\.?\s?\}}?{_BLANKS}[$]?(?:,[ ]?)?(?:(?:and|und|et|y|&)[ ])?[$*]{{0,2}}")
_WORD = late("[A-Za-z]+")
# A number of the next part, and a unit of the one before it.
_NEXT, _LAST = late(rf"{_JOINT.pattern}\d"), late(rf"(?:[^\W\d_]|['\"′″°]){_JOINT.pattern}\Z")
# What follows says that the part before it is a quantity of its own: 3 hours, 20 minutes of which he slept.
_APART = late(
    r"\.?[ ](?:of[ ](?:which|that|this|it|them)|more|less|longer|shorter|later|earlier|faster|slower|each|per)\b"
)
_BELOW_ZERO = late(
    r"[ \u00a0]?(?:°|degrees?|\$?\^\{?\\circ\}?\$?)?[ \u00a0]?(?:(?:[CFK]|celsius|fahrenheit|centigrade)\b)?[ ]below[ ]zero\b",
    re.IGNORECASE,
)
_CLOSED = frozenset(
    ("", ".", ",", "\n", ")", "}", ":", ";", "?", "%", "=", "+", "-", "/")
)  # after these no unit follows
_NEAR = 60  # characters before the last part in which the others stand


class _Part(NamedTuple):
    """A number with its unit: for each thing that this may measure, how many of the smallest unit make one."""

    span: tuple[int, int]
    said: str
    sizes: dict[str, int | None]


class Measure(NamedTuple):
    """Where such a quantity stands, and for each thing that it may measure its total and the sizes of its units."""

    span: tuple[int, int]
    totals: dict[str, tuple[Fraction, tuple[int, ...]]]

    def values(self) -> list[Fraction]:
        """The quantity as one number, in each of its units, the smallest first."""
        return [total / size for total, sizes in self.totals.values() for size in reversed(sizes)]


@functools.lru_cache(
    maxsize=4
)  # one number is asked about more than once, and by more than one rule
def measure_at(shown: str, span: tuple[int, int]) -> Measure | None:
    """The quantity of several parts to which the number there belongs, in a text that ``fold_in_place`` gave.

    >>> measure_at("It takes 3 h 20 min.", (13, 15)).values(), measure_at("12 apples and 4 pears", (0, 2))
    ([Fraction(200, 1), Fraction(10, 3)], None)
    """
    start, end = span
    if shown[end : end + 1] in _CLOSED or not _may_be_part(shown, start, end):
        return None
    first = shown.find("\n", max(0, start - _NEAR), start) + 1 or max(0, start - _NEAR)
    row: list[_Part] = []
    for part in _parts(shown, first, end + 2 * _NEAR):
        if row and not _goes_on(shown, row, part):
            if row[-1].span[1] > start:
                break
            row = []
        row.append(part)
    if len(row) < 2 or not row[0].span[0] <= end <= row[-1].span[1]:
        return None
    metres = shown.endswith(
        " m", row[0].span[0], row[0].span[1]
    )  # "100 m 10 s" may be a run; "5m 10s" and "1 h 5 m" are times
    return Measure((row[0].span[0], row[-1].span[1]), _totals(row, but="time" if metres else ""))


def _may_be_part(shown: str, start: int, end: int) -> bool:
    """Whether a unit follows the number, and what may be another part stands beside it; most are told by that alone."""
    found = _UNIT.match(shown, end)
    if found is None or not _sizes(shown, start, found["unit"]):
        return False
    if _NEXT.match(shown, found.end()):
        return True
    return (
        _ends_with_unit(shown[max(0, start - 40) : start])
        and _LAST.search(shown, max(0, start - 24), start) is not None
    )


def _ends_with_unit(before: str) -> bool:
    """Whether the last word, or the one before an "and", is a unit, or a sign of one is near; in "is 20 minutes" none is."""
    if (
        not before.isascii()
        or "'" in before
        or '"' in before
        or ("$" in before and "and" in before)
    ):
        return True
    return any(
        (word if len(word) == 1 else word.lower()) in _units()
        for word in _WORD.findall(before)[-2:]
    )


def _sizes(shown: str, start: int, unit: str) -> dict[str, int | None]:
    """What the unit of the number there may measure; in "$3 and 50 cents" the sign before it is one."""
    if unit == "and":
        return _units()["$"] if shown[start - 1 : start] == "$" else {}
    return _units().get(unit if len(unit) == 1 else unit.lower(), {})


def _parts(shown: str, low: int, high: int) -> Iterator[_Part]:
    for found in _PART.finditer(shown, low, high):
        (start, end), figure = found.span(), found["number"]
        sizes = _sizes(shown, start, found["unit"])
        if found["unit"] == "and":
            start, end = start - 1, found.end("number") if figure else end
        if sizes and not _APART.match(shown, end):
            yield _Part((start, end), figure or found["word"].lower(), sizes)


def _number(said: str) -> Fraction:
    if said[0].isdecimal():
        return Fraction(said.replace(",", ""))
    return Fraction(1 if said in {"a", "an"} else SPELLED.index(said) + 1)


def _goes_on(shown: str, row: list[_Part], part: _Part) -> bool:
    """Whether the part follows at once, in a smaller unit of the same kind."""
    if _JOINT.fullmatch(shown, row[-1].span[1], part.span[0]) is None:
        return False
    return any(
        all(kind in one.sizes for one in row) and _is_smaller(part.sizes[kind], row[-1].sizes[kind])
        for kind in part.sizes
        if kind in row[-1].sizes
    )


def _is_smaller(size: int | None, before: int | None) -> bool:
    return before is None or (size is not None and size < before)


def _totals(row: list[_Part], *, but: str) -> dict[str, tuple[Fraction, tuple[int, ...]]]:
    """The total for each thing of which all units are fixed, unless a part has more than makes one of the part before it."""
    totals: dict[str, tuple[Fraction, tuple[int, ...]]] = {}
    numbers = [_number(part.said) for part in row]
    for kind in row[0].sizes:
        sizes = tuple(size for part in row if (size := part.sizes.get(kind)) is not None)
        if (
            kind != but
            and len(sizes) == len(row)
            and all(
                number * size < before
                for number, size, before in zip(numbers[1:], sizes[1:], sizes, strict=False)
            )
        ):
            totals[kind] = (
                sum(
                    (number * size for number, size in zip(numbers, sizes, strict=True)),
                    Fraction(0),
                ),
                sizes,
            )
    return totals


def whole(shown: str, number: Number) -> Number:
    """The number, or that of the quantity to which it belongs, in the smallest unit: 3 h 20 min is 200, 6 °C below zero is -6.

    >>> whole("6 °C below zero", Number(Fraction(6), (0, 1)))
    Number(value=Fraction(-6, 1), span=(0, 15))
    """
    start, end = number.span
    if (
        number.value > 0
        and shown.find("below", end, end + 24) >= 0
        and (below := _BELOW_ZERO.match(shown, end))
    ):
        return Number(-number.value, (start, below.end()))
    measure = measure_at(shown, number.span)
    if measure is None or not measure.totals or shown[measure.span[0] - 1 : measure.span[0]] == "-":
        return number
    return Number(measure.values()[0], measure.span)


def is_part_of_measure(shown: str, number: Number) -> bool:
    """Whether it is one of the numbers of such a quantity.

    >>> is_part_of_measure("5 ft 10 in", Number(Fraction(5), (0, 1)))
    True
    """
    measure = measure_at(shown, number.span)
    return measure is not None and measure.span[1] > number.span[1]


def same_measure(got: str, want: str, value: Value) -> bool | None:
    """Whether a quantity of several parts is what is wanted, which has that value; None if it has one part.

    >>> same_measure("3 h 30 min", "3.5", Fraction(7, 2)), same_measure("3 min 20 s", "3 h 20 min", Fraction(200))
    (True, False)
    """
    if got[-1:].isdecimal() or (measure := _first_in(got)) is None:
        return None
    wanted = _first_in(want)
    if wanted is None or want[: wanted.span[0]].strip(
        " *$\"'"
    ):  # a target that begins otherwise gives its number elsewhere
        return any(same_value(one, value) for one in measure.values())
    return any(
        wanted.totals.get(kind, (None,))[0] == total for kind, (total, _) in measure.totals.items()
    )


def _first_in(text: str) -> Measure | None:
    shown = fold_in_place(text)
    found = _PART.search(shown)
    return measure_at(shown, found.span("number" if found["number"] else "word")) if found else None


@functools.cache
def _units() -> dict[str, dict[str, int | None]]:
    """For each name of a unit what it may measure, and its size."""
    units: dict[str, dict[str, int | None]] = {}
    for line in (Path(__file__).parent / "units.txt").read_text(encoding="utf-8").splitlines():
        if line[0] != "#":
            kind, size, *names = line.split()
            for name in names:
                units.setdefault(name, {})[kind] = None if size == "?" else int(size)
    return units
