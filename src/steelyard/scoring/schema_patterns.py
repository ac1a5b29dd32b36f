"""Patterns of a schema that only a backtracking engine can run, and the places where none may stand.

Such an engine gives up on some texts. Where a text that does not match is refused, giving up refuses it too; but where
it is let through, as under ``not``, a response could be written to be given up.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

# Keywords whose value is an object of schemas by name, and those whose value is no schema.
_BY_NAME = frozenset(
    {"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"}
)
_PLAIN = frozenset({"const", "enum", "default", "examples"})
_TURNING = frozenset({"not", "if", "oneOf"})
_ELSEWHERE = ("$dynamicRef", "$recursiveRef")


def where_giving_up_pays(schema: Any) -> str | None:
    """The first place of a schema with a pattern, or a reference to one, where a match that is given up lets a value through.

    >>> where_giving_up_pays({"properties": {"a": {"pattern": "^(?!x)"}}})
    >>> where_giving_up_pays({"properties": {"a": {"not": {"pattern": "(?=x)y"}}}})
    '.properties.a.not'
    """
    return next(_Walk(schema).places(schema, "", False), None)


class _Walk:
    """A walk through a schema that follows each reference inside it once."""

    def __init__(self, root: Any) -> None:
        self._root, self._followed = root, set[str]()

    def places(self, schema: Any, path: str, turned: bool) -> Iterator[str]:
        """The places where a match that is given up lets a value through."""
        if not isinstance(schema, dict):
            return
        if turned and (needs_backtracking(schema.get("pattern")) or self._refers(schema)):
            yield path
        yield from self._below(schema, path, turned)

    def _refers(self, schema: dict[str, Any]) -> bool:
        """Whether a reference leads to such a place, or to where nobody can tell."""
        if any(key in schema for key in _ELSEWHERE):
            return True
        target = str(schema.get("$ref", ""))
        if not target or target in self._followed:
            return False
        self._followed.add(target)
        found = _resolved(self._root, target)
        return found is None or next(self.places(found, "", True), None) is not None

    def _below(self, schema: dict[str, Any], path: str, turned: bool) -> Iterator[str]:
        named = schema.get("patternProperties")
        if isinstance(named, dict) and any(map(needs_backtracking, named)):
            yield f"{path}.patternProperties"
        for key, value in schema.items():
            if key not in _PLAIN:
                below = turned or key in _TURNING or (key == "contains" and "maxContains" in schema)
                for place, inner in _inner(key, value, f"{path}.{key}"):
                    yield from self.places(inner, place, below)


def _resolved(root: Any, reference: str) -> Any:
    """What a reference inside the schema points at; None for any other."""
    if reference == "#":
        return root
    found = root if reference.startswith("#/") else None
    for step in reference[2:].split("/"):
        found = (
            found.get(step.replace("~1", "/").replace("~0", "~"))
            if isinstance(found, dict)
            else None
        )
    return found


def _inner(key: str, value: Any, path: str) -> Iterator[tuple[str, Any]]:
    if key in _BY_NAME and isinstance(value, dict):
        yield from ((f"{path}.{name}", inner) for name, inner in value.items())
    elif isinstance(value, list):
        yield from ((f"{path}[{i}]", inner) for i, inner in enumerate(value))
    else:
        yield path, value


@functools.lru_cache(maxsize=1024)
def needs_backtracking(pattern: object) -> bool:
    """Whether a pattern cannot be run in linear time.

    >>> needs_backtracking("^a+$"), needs_backtracking("^(?!a)")
    (False, True)
    """
    import jsonschema_rs

    if not isinstance(pattern, str):
        return False
    try:
        jsonschema_rs.validator_for(
            {"pattern": pattern}, pattern_options=jsonschema_rs.RegexOptions()
        )
    except ValueError:
        return True
    return False
