"""The shape that a spec's format checks want of one field, whether they stand at it, inside of it or around it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from steelyard.spec.format import compiled
from steelyard.spec.model import Check

_MOST_PARTS, _DEEPEST = 2_000, 12
_DEFINITIONS = ("$defs", "definitions")


def checks_over(field: str, checks: Iterable[Check]) -> tuple[Check, ...]:
    """The checks of severity error that decide over a value of the field; of one around it, what it says of the field."""
    found = []
    for check in checks:
        if check.severity != "error":
            continue
        if (check.field + ".").startswith(field + "."):
            found.append(check)
        elif field.startswith(check.field + ".") and (inner := _inside(check, field)) is not None:
            found.append(inner)
    return tuple(found)


def shape_of(field: str, checks: Iterable[Check]) -> dict[str, Any]:
    """One schema, without references, for what these checks want of a value of the field."""
    return {"allOf": [_around(check, field) for check in checks]}


def _inside(check: Check, field: str) -> Check | None:
    """The check of an object as a check of one of its fields, if it says anything of it."""
    schema = check.schema
    for name in field.removeprefix(check.field + ".").split("."):
        properties = schema.get("properties") if isinstance(schema, Mapping) else None
        schema = properties.get(name) if isinstance(properties, Mapping) else None
    if not isinstance(schema, Mapping):
        return None
    whole = {
        **{name: check.schema[name] for name in _DEFINITIONS if name in check.schema},
        **schema,
    }
    validator = compiled(whole)
    return None if validator is None else Check(field=field, schema=whole, validator=validator)


def _around(check: Check, field: str) -> dict[str, Any]:
    """What a check says, as the schema of a field that holds what it checks."""
    parts: list[Any] = [{"type": list(check.types)}] if check.types else []
    if isinstance(check.schema, Mapping):
        parts.append(_Unfolding(check.schema).schema(check.schema))
    shape: dict[str, Any] = {"allOf": parts}
    inner = check.field.removeprefix(field).strip(".")
    for name in reversed(inner.split(".") if inner else []):
        shape = {"type": "object", "properties": {name: shape}, "required": [name]}
    return shape


class _Unfolding:
    """Writes a schema without its references to itself; where there would be very many of them, the rest is left open."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root, self._left = root, _MOST_PARTS

    def schema(self, value: Any, depth: int = 0) -> Any:
        """The value with what each reference in it stands for."""
        self._left -= 1
        if depth > _DEEPEST or self._left < 0:
            return {}
        if isinstance(value, Mapping):
            found = {
                name: self.schema(inner, depth + 1)
                for name, inner in value.items()
                if name not in _DEFINITIONS
            }
            target = found.pop("$ref", None) if isinstance(value.get("$ref"), str) else None
            if target is None:
                return found
            return {"allOf": [found, self.schema(self._found(value["$ref"]), depth + 1)]}
        return (
            [self.schema(inner, depth + 1) for inner in value] if isinstance(value, list) else value
        )

    def _found(self, target: str) -> Any:
        place: Any = self._root
        for name in target.removeprefix("#").strip("/").split("/") if target != "#" else ():
            place = (
                place.get(name.replace("~1", "/").replace("~0", "~"), {})
                if isinstance(place, Mapping)
                else {}
            )
        return place
