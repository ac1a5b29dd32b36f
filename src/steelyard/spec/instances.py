"""Values that may fit a JSON Schema, for truths that are made up; whoever makes them validates them afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from itertools import islice
from typing import Any

from steelyard.primitives.values import key, keys_of, number
from steelyard.spec.field import MISSING
from steelyard.spec.guesses import says_nothing, words
from steelyard.spec.pattern_texts import texts_like

_ITEMS, _DEEPEST, _FEW = 10, 6, 12
# How many items an array has at most, by how deep it lies: one in another must not fill the memory.
_MOST_ITEMS = (1_000, 20, 3, 3, 3, 3, 3, 3)
_LONGEST = 10_000
_FIRST, _STEP = 1_234, 37
# By which of its keywords a schema that names no type is known to be of one.
_SIGNS = {
    "string": ("pattern", "minLength", "maxLength"),
    "array": ("items", "prefixItems", "minItems", "maxItems", "contains"),
    "object": ("properties", "required"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
}
_HIGHEST = ("minimum", "exclusiveMinimum", "minLength", "minItems")
_LOWEST = ("maximum", "exclusiveMaximum", "maxLength", "maxItems")


def fitting(schema: Any, label: str, place: int = 0, depth: int = 0) -> Iterator[Any]:
    """Values that may fit the schema; another place gives others, where there are any.

    >>> next(fitting({"enum": ["x", "y"]}, "a", 1)), next(fitting({"type": "integer", "maximum": 4}, "a"))
    ('y', 4)
    >>> next(fitting({"type": "array", "items": {"pattern": "^[A-D]$"}, "maxItems": 3}, "a"))
    ['A', 'B', 'C']
    """
    if depth > _DEEPEST or schema is False:
        return
    whole = merged(schema) if isinstance(schema, dict) else {}
    yield from _said(whole, place)
    for option in (*_listed(whole, "anyOf"), *_listed(whole, "oneOf")):
        rest = {name: value for name, value in whole.items() if name not in {"anyOf", "oneOf"}}
        yield from islice(fitting({"allOf": [rest, option]}, label, place, depth + 1), _FEW)
    for kind in _kinds(whole):
        yield from islice(_MAKERS[kind](whole, label, place, depth + 1), _FEW)


def merged(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with all that it holds under ``allOf`` beside its own keywords; the narrower of two wins."""
    found = {name: value for name, value in schema.items() if name != "allOf"}
    for part in _listed(schema, "allOf"):
        for name, value in merged(part).items() if isinstance(part, dict) else ():
            found[name] = _narrower(name, found[name], value) if name in found else value
    return found


def _narrower(name: str, one: Any, other: Any) -> Any:
    if name == "type":
        kinds = [_names(one), _names(other)]
        both = [
            kind
            for kind in kinds[0]
            if kind in kinds[1] or (kind == "integer" and "number" in kinds[1])
        ]
        return both or [kind for kind in kinds[1] if kind == "integer" and "number" in kinds[0]]
    if name == "enum" and isinstance(one, list) and isinstance(other, list):
        return [
            value for value, known in zip(one, keys_of(one), strict=True) if known in keys_of(other)
        ]
    if name == "required" and isinstance(one, list) and isinstance(other, list):
        return [*one, *other]
    if name == "properties" and isinstance(one, dict) and isinstance(other, dict):
        shared = {
            inner: {"allOf": [one[inner], other[inner]]} for inner in one.keys() & other.keys()
        }
        return {**one, **other, **shared}
    if name in {*_HIGHEST, *_LOWEST} and number(one) is not None and number(other) is not None:
        return max(one, other) if name in _HIGHEST else min(one, other)
    return other


def _listed(schema: Mapping[str, Any], name: str) -> list[Any]:
    found = schema.get(name)
    return found if isinstance(found, list) else []


def _names(kinds: object) -> list[str]:
    found = kinds if isinstance(kinds, list) else [kinds]
    return [kind for kind in found if isinstance(kind, str) and kind in _MAKERS]


def _said(schema: Mapping[str, Any], place: int) -> Iterator[Any]:
    """The values that the schema itself names; those with content come first."""
    values = [schema["const"]] if "const" in schema else _listed(schema, "enum")
    ordered = sorted(values, key=says_nothing)
    turn = place % len(ordered) if ordered else 0
    yield from (*ordered[turn:], *ordered[:turn], *_listed(schema, "examples"))
    if "default" in schema:
        yield schema["default"]


def _kinds(schema: Mapping[str, Any]) -> list[str]:
    if "type" in schema:
        return _names(schema["type"])
    signs = [kind for kind, names in _SIGNS.items() if any(name in schema for name in names)]
    return signs or ([] if "const" in schema or "enum" in schema else list(_MAKERS))


def _texts(schema: Mapping[str, Any], label: str, place: int, depth: int) -> Iterator[str]:
    del depth
    if isinstance(pattern := schema.get("pattern"), str):
        yield from texts_like(pattern, place)
    least, most = _bound(schema, "minLength", 0), _bound(schema, "maxLength", _LONGEST)
    plain = f"{label} {place}" if place else words()["texts"][0].format(field=label)
    for text in (plain, "".join(filter(str.isalnum, plain))):
        yield (text * (least // max(len(text), 1) + 1))[: max(len(text), least)][:most]
    yield "BACDEFGHIJKLMNOPQRSTUVWXYZ"[place % 26]


def _whole_numbers(schema: Mapping[str, Any], label: str, place: int, depth: int) -> Iterator[int]:
    del label, depth
    low, high = _limits(schema)
    step = Decimal(number(schema.get("multipleOf")) or 1)
    unit = int(step) if step >= 1 and step == step.to_integral_value() else 1
    for near in (Decimal(_FIRST + _STEP * place), *_inside(low, high, place)):
        value = int(near) // unit * unit
        yield from (each for each in (value, value + unit) if low <= each <= high)


def _numbers(
    schema: Mapping[str, Any], label: str, place: int, depth: int
) -> Iterator[int | Decimal]:
    yield from _whole_numbers(schema, label, place, depth)
    low, high = _limits(schema)
    yield from (value for value in (*_inside(low, high, place), low, high) if value.is_finite())


def _limits(schema: Mapping[str, Any]) -> tuple[Decimal, Decimal]:
    """Between which a number lies; whether the ends themselves are inside is seen when it is validated."""
    found = {name: number(schema.get(name)) for name in (*_HIGHEST[:2], *_LOWEST[:2])}
    low = [Decimal(value) for name in _HIGHEST[:2] if (value := found[name]) is not None]
    high = [Decimal(value) for name in _LOWEST[:2] if (value := found[name]) is not None]
    return max(low, default=Decimal("-Infinity")), min(high, default=Decimal("Infinity"))


def _inside(low: Decimal, high: Decimal, place: int) -> Iterator[Decimal]:
    """Numbers between the ends, one after another from the one that there is."""
    if low.is_finite() and high.is_finite() and low < high:
        yield low + (high - low) * (2 * (place % _ITEMS) + 1) / (2 * _ITEMS)
    if high.is_finite():
        yield high - place
    if low.is_finite():
        yield low + place + 1


def _arrays(schema: Mapping[str, Any], label: str, place: int, depth: int) -> Iterator[list[Any]]:
    del place
    least, most = (
        _bound(schema, "minItems", 1),
        min(_bound(schema, "maxItems", _LONGEST), _MOST_ITEMS[depth - 1]),
    )
    first, rest = _listed(schema, "prefixItems"), schema.get("items", True)
    if "contains" in schema:
        first = first or [schema["contains"]]
    count = min(max(least, _ITEMS), most) if rest is not False else min(len(first), most)
    kinds = [*first[:count], *[rest] * (count - len(first))]
    items = [next(fitting(kind, label, i, depth), MISSING) for i, kind in enumerate(kinds)]
    found = [item for item in items if item is not MISSING]
    yield found
    yield list({key(item): item for item in found}.values())[: max(least, 1)]


def _objects(
    schema: Mapping[str, Any], label: str, place: int, depth: int
) -> Iterator[dict[str, Any]]:
    given = schema.get("properties")
    named = given if isinstance(given, dict) else {}
    needed = [name for name in _listed(schema, "required") if isinstance(name, str)]
    other = schema.get("additionalProperties", True)
    for names in (dict.fromkeys([*named, *needed] or ["value"]), dict.fromkeys(needed)):
        made = {
            name: next(fitting(named.get(name, other), f"{label} {name}", place, depth), MISSING)
            for name in names
        }
        yield {name: value for name, value in made.items() if value is not MISSING}


def _bound(schema: Mapping[str, Any], name: str, default: int) -> int:
    found = number(schema.get(name))
    return default if found is None else int(min(max(found, 0), _LONGEST))


_MAKERS: dict[str, Callable[[Mapping[str, Any], str, int, int], Iterator[Any]]] = {
    "string": _texts,
    "integer": _whole_numbers,
    "number": _numbers,
    "array": _arrays,
    "object": _objects,
    "boolean": lambda schema, label, place, depth: iter((place % 2 == 0, place % 2 == 1)),
    "null": lambda schema, label, place, depth: iter((None,)),
}
