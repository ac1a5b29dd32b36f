"""Values that hold no right content, and constant guesses that may be right by luck."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from importlib import resources
from typing import Any

import msgspec

from steelyard.primitives.values import Unreadable, array, key, keys_of, number, wide
from steelyard.spec.evaluator import compare
from steelyard.spec.field import MISSING
from steelyard.spec.model import Dimension
from steelyard.spec.programs import programs

# The dimensions over one field of the submission, each with the truth that it compares with.
Users = list[tuple[Dimension, Any]]
# A value with what each of these dimensions gives for it.
Tried = tuple[Any, list[float]]
# A text beyond the second length is not worth filling up; its filler stays at a tenth of the first.
_MAX_FILLER, _LONG = 10_000, 50_000
_MAX_DEPTH = 50
_LETTERS = 6
_NUMBERS = (0, 10, 100, 1_000)
_LUCKY = (0, 1, -1, 10, 100)


@functools.cache
def words() -> dict[str, list[str]]:
    """The texts that lint tries and makes truths of."""
    path = resources.files("steelyard") / "data" / "lint.json"
    return msgspec.json.decode(path.read_bytes(), type=dict[str, list[str]])


def uses(dimension: Dimension, *names: str) -> bool:
    """Whether a dimension is served by one of these primitives."""
    return dimension.kind == "primitive" and dimension.uses in names


def earned(users: Users, value: Any) -> list[float]:
    """What each of the dimensions gives for a value, before gates."""
    return [
        compare(dimension, value, None if want is MISSING else want).value or 0 for dimension, want in users
    ]


def attempt(users: Users, values: Iterable[Any]) -> Iterator[Tried]:
    """The values with what they earn, without those that are an answer; one that says nothing is none, whatever it earns."""
    for value in values:
        points = earned(users, value)
        if says_nothing(value) or not _is_answer(users, value, points):
            yield value, points


def empty_values(users: Users) -> Iterator[Any]:
    """Values without right content, one of which may still earn something."""
    yield from blanks(want for _, want in users)
    reach = max((number(d.params.get("tolerance", 0)) or 0 for d, _ in users), default=0)
    for user in users:
        yield from _empty(*user, reach)


def constants(users: Users) -> Iterator[Any]:
    """The same guess everywhere: right here and there, without any thought."""
    for dimension, want in users:
        items = array(want)
        if dimension.reads == "program":
            yield from programs(dimension, want, "constant")
        elif items:
            yield from ([guess] * len(items) for guess in _frequent(items))
        elif number(want) is not None:
            yield from _LUCKY


def uniform(users: Users) -> Iterator[Any]:
    """The constant guesses that are wholly right, since the truth is the same everywhere."""
    for _, want in users:
        items = array(want)
        if items and len(items) > 1 and len(set(keys_of(items))) == 1:
            yield items


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
    """Values that say nothing: null, and, for each truth, nulls in its shape, and itself where it says nothing either.

    >>> list(blanks(["x", [1, 2], ""]))
    [None, [None, None], '']
    """
    yield None
    for want in wants:
        if says_nothing(want) and want is not None:
            yield want
        elif isinstance(want, Mapping):
            yield dict.fromkeys(want)
        elif items := array(want):
            yield [None] * len(items)


def _is_answer(users: Users, value: Any, earned: list[float]) -> bool:
    """Whether a value is what one of the dimensions asks for; a filler such as "a" may be.

    Within a wide tolerance, where any document fits a schema, and in tests that a program passes which does
    nothing, full marks do not make it an answer.
    """
    for (dimension, want), points in zip(users, earned, strict=True):
        if want is MISSING or points < 1 or dimension.reads == "program":
            continue
        if not uses(dimension, "numeric_tolerance") or key(value) == key(want):
            return True
    return False


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
    keys = keys_of(items)
    most, count = Counter(keys).most_common(1)[0]
    if count > 1:
        yield items[keys.index(most)]
    if all(number(item) is not None for item in items):
        yield from _LUCKY
    else:
        yield from (True, False, "A")


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
    length = min(max(len(want), 1), _MAX_FILLER if len(want) <= _LONG else _MAX_FILLER // 10)
    counted = Counter(char for char in want[:_MAX_FILLER].casefold() if char.isalnum())
    letters = [char for char, _ in counted.most_common(_LETTERS)]
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
