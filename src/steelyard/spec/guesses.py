"""Values that hold no right content, and constant guesses that may be right by luck."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from decimal import Decimal
from importlib import resources
from typing import Any, NamedTuple

import msgspec

from steelyard.primitives.values import Unreadable, array, key, keys_of, number, wide
from steelyard.spec.field import MISSING
from steelyard.spec.junk import junk
from steelyard.spec.model import Dimension
from steelyard.spec.programs import programs


class User(NamedTuple):
    """A dimension over a field, the truth that it compares with, and all dimensions that score the field just as it does."""

    dimension: Dimension
    want: Any
    alike: tuple[Dimension, ...]


Users = list[User]
# A value with what each of these dimensions gives for it.
Tried = tuple[Any, list[float]]
# A text beyond the first length is not worth filling up: its filler has the second.
_LONG, _MAX_FILLER = 100_000, 1_000
_MAX_DEPTH = 50
# How many of its letters are tried alone, by whether a text is short or takes long to compare with.
_LETTERS, _FEW, _SHORT = 6, 2, 20_000
_NUMBERS = (0, 10, 100, 1_000)
_GUESSES = 3
_LUCKY = (0, 1, -1, 10, 100)


@functools.cache
def words() -> dict[str, list[str]]:
    """The texts that lint tries and makes truths of."""
    path = resources.files("steelyard") / "data" / "lint.json"
    return msgspec.json.decode(path.read_bytes(), type=dict[str, list[str]])


def uses(dimension: Dimension, *names: str) -> bool:
    """Whether a dimension is served by one of these primitives."""
    return dimension.kind == "primitive" and dimension.uses in names


def unrelated(users: Users) -> Iterator[Any]:
    """Values that say nothing, or nothing of the truth: full marks for one of these are had for nothing."""
    wants = [want for d, want, _ in users if want is not MISSING and d.reads != "program"]
    yield from blanks(wants)
    if any(d.reads != "program" for d, _, _ in users):
        yield from junk(wants, words()["unrelated"])


def empty_values(users: Users) -> Iterator[Any]:
    """Values without right content, one of which may still earn something."""
    reach = max(
        (number(user.dimension.params.get("tolerance", 0)) or 0 for user in users), default=0
    )
    for dimension, want, _ in users:
        yield from _empty(dimension, want, reach)


def constants(users: Users) -> Iterator[Any]:
    """The same guess everywhere: right here and there, without any thought."""
    for dimension, want, _ in users:
        items = array(want)
        if dimension.reads == "program":
            yield from programs(dimension, want, "constant")
        elif items:
            yield from ([guess] * len(items) for guess in _frequent(items))
        elif number(want) is not None:
            yield from _LUCKY


def uniform(users: Users) -> Iterator[Any]:
    """The constant guesses that are wholly right, since the truth is the same everywhere."""
    for _, want, _ in users:
        items = array(want)
        if items and len(items) > 1 and len(set(keys_of(items))) == 1:
            yield items


def same_everywhere(fields: Mapping[str, Users]) -> list[dict[str, Any]]:
    """The same answer in each field that asks for one value: the answers that are right most often, and in several fields.

    An array speaks for the item that it holds most often.
    """
    asked = [
        (field, d.ground_truth_field, want)
        for field, users in fields.items()
        for d, want, _ in users
        if d.reads == "field" and want is not MISSING and not isinstance(want, Mapping)
    ]
    places: dict[Hashable, tuple[Any, dict[str, Any]]] = {}
    for field, source, want in asked:
        items = array(want)
        guess = want if items is None else next(_repeated(items), None)
        if not says_nothing(guess):
            places.setdefault(keys_of([guess])[0], (guess, {}))[1][field] = source
    single = [field for field, _, want in asked if array(want) is None]
    # What is asked for twice is one answer.
    counted = [(len(set(where.values())), guess) for guess, where in places.values()]
    often = sorted((one for one in counted if one[0] > 1), key=lambda one: -one[0])
    return [dict.fromkeys(single, guess) for _, guess in often[:_GUESSES]]


def says_nothing(value: object, depth: int = 0) -> bool:
    """Whether a value has no content: null, a blank text, an array or an object of nothing else.

    >>> says_nothing([None, ""]), says_nothing({}), says_nothing(0)
    (True, True, False)
    """
    if depth > _MAX_DEPTH:
        return False
    if isinstance(value, Mapping):
        return all(says_nothing(inner, depth + 1) for inner in value.values())
    if (items := array(value)) is not None:
        return all(says_nothing(item, depth + 1) for item in items)
    return value is None or (isinstance(value, str) and not value.strip())


def blanks(wants: Iterable[Any]) -> Iterator[Any]:
    """Values that say nothing: of each kind, and, for each truth, nulls in its shape, and itself where it says nothing either.

    >>> list(blanks(["x", [1, 2], " "]))
    [None, '', [], {}, [None, None], ' ']
    """
    yield from (None, "", [], {})
    for want in wants:
        if says_nothing(want) and want is not None:
            yield want
        elif isinstance(want, Mapping):
            yield dict.fromkeys(want)
        elif items := array(want):
            yield [None] * len(items)


def _empty(dimension: Dimension, want: Any, reach: int | Decimal) -> Iterator[Any]:
    if dimension.reads == "program":
        yield from programs(dimension, want, "empty")
        return
    if want is MISSING:
        yield from words()["documents"]
        return
    yield from wrong(want, reach)
    if uses(dimension, "numeric_tolerance"):
        yield from _within_reach(want, number(dimension.params.get("tolerance", 0)) or 0)


def _within_reach(want: object, reach: int | Decimal) -> Iterator[Any]:
    """Round numbers, where the tolerance is so wide that nought is right."""
    items = array(want)
    found = [Decimal(number(item) or 0).copy_abs() for item in ([want] if items is None else items)]
    if max(found, default=Decimal(0)) <= reach:
        yield from (guess if items is None else [guess] * len(items) for guess in _NUMBERS)


def _frequent(items: list[object]) -> Iterator[object]:
    yield from _repeated(items)
    if all(number(item) is not None for item in items):
        yield from _LUCKY
    else:
        yield from (True, False, "A")


def _repeated(items: list[object]) -> Iterator[object]:
    """The item that occurs most often, if any does so twice."""
    keys = keys_of(items)
    for most, count in Counter(keys).most_common(1):
        if count > 1:
            yield items[keys.index(most)]


def wrong(want: object, reach: int | Decimal, depth: int = 0) -> Iterator[Any]:
    """Values of the same shape that share nothing with the right one but its letters."""
    if depth > _MAX_DEPTH:
        yield "wrong"
    elif isinstance(want, str):
        yield from _texts(want)
    elif isinstance(want, bool):
        yield not want
    elif (found := number(want)) is not None:
        context = wide(found, reach, 1)
        away = context.add(context.multiply(Decimal(2), Decimal(reach)), Decimal(1))
        yield context.add(Decimal(found), max(away, Decimal(found).copy_abs()))
    elif (items := array(want)) is not None:
        yield _wrong_items(items, reach, depth + 1)
    elif isinstance(want, Mapping):
        yield {name: next(wrong(value, reach, depth + 1)) for name, value in want.items()}
    else:
        yield "wrong"


def _texts(want: str) -> Iterator[str]:
    """Filler of the truth's length, a word that is everywhere, and the truth's most frequent letters alone."""
    length = max(len(want), 1) if len(want) <= _LONG else _MAX_FILLER
    counted = Counter(char for char in want[:_LONG].casefold() if char.isalnum())
    letters = [char for char, _ in counted.most_common(_LETTERS if len(want) <= _SHORT else _FEW)]
    for filler in (*words()["fillers"], *letters):
        yield (filler * (length // len(filler) + 1))[:length]
    yield from (*letters, "the")


def _wrong_items(items: list[object], reach: int | Decimal, depth: int) -> list[Any]:
    taken = set(keys_of(items))
    found = []
    for i, item in enumerate(items):
        value = next(wrong(item, reach, depth))
        try:
            clash = key(value) in taken
        except Unreadable:
            clash = True
        found.append(f"wrong {i}" if clash else value)
    return found
