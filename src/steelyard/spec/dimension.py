"""Reading one dimension of a spec."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Literal

import msgspec

from steelyard.errors import Problem, SpecError
from steelyard.primitives.values import describe, number
from steelyard.registry import PRIMITIVES, SCORERS, Registered, nearest
from steelyard.spec.core import known_dimensions
from steelyard.spec.model import ENCODER, NOTHING, Dimension
from steelyard.spec.params import Params
from steelyard.spec.problems import Problems, join
from steelyard.spec.result import FULL_MARKS

KEYS = (
    "name",
    "weight",
    "primitive",
    "scorer",
    "field",
    "ground_truth_field",
    "requires",
    "params",
    "label",
    "description",
    "color",
)
# What a dimension may read and still be of one field.
OF_FIELDS = frozenset({"field", "program"})
_TEXTS = ("label", "description", "color")
_MAX_NAME = 100


class Reader:
    """Reads dimensions one after another; what holds for a primitive is looked up once."""

    def __init__(self, spec_type: str, constraints: Mapping[str, Any], problems: Problems) -> None:
        self.spec_type, self.problems = spec_type, problems
        self.params = Params(constraints, problems)
        self._known: dict[tuple[str, str], Registered | Problem] = {}

    def read(self, raw: object, path: str) -> Dimension | None:
        """The dimension, or None when it has a problem that is now noted."""
        if not isinstance(raw, dict):
            self.problems.add(path, f"must be an object, not {describe(raw)}")
            return None
        before = self.problems.heard
        raw = self._by_kind(raw)
        self._check_words(raw, path)
        thing = self._thing(raw, path)
        requires = self._requires(raw, path)
        self._check_fields(raw, thing, path)
        given = self.params.given(raw, KEYS, path)
        if thing is None:
            self._check_spelling(raw, path)
            return None
        asks = self.params.check(_kind(raw), thing, given)
        if self.spec_type != "judged" and (thing.judged or asks):
            self.problems.add(f"{path}.{_kind(raw)}", broken_promise(thing.name, self.spec_type))
        if self.problems.heard > before:
            return None
        return _build(raw, thing, given.values, requires)

    def _check_words(self, raw: dict[str, Any], path: str) -> None:
        name = raw.get("name")
        if not isinstance(name, str) or not name.strip():
            given = describe(name) if "name" in raw else "missing"
            self.problems.add(f"{path}.name", f"must be a name, not {given}")
        elif name == "total":
            self.problems.add(
                f"{path}.name", "'total' cannot be a dimension's name; the total has it"
            )
        elif len(name) > _MAX_NAME or not name.isprintable():
            self.problems.add(
                f"{path}.name", f"{describe(name)} is too long or holds what cannot be printed"
            )
        for key in _TEXTS:
            if key in raw and not isinstance(raw[key], str):
                self.problems.add(f"{path}.{key}", f"must be a string, not {describe(raw[key])}")

    def _thing(self, raw: dict[str, Any], path: str) -> Registered | None:
        given = [kind for kind in ("primitive", "scorer") if kind in raw]
        if len(given) != 1:
            self.problems.add(
                path, f"needs one of 'primitive' and 'scorer', and has {len(given)} of them"
            )
            return None
        kind, name = given[0], raw[given[0]]
        if not isinstance(name, str) or len(name) > _MAX_NAME:
            self.problems.add(
                f"{path}.{kind}", f"must be the name of a {kind}, not {describe(name)}"
            )
            return None
        found = self._look_up(kind, name)
        if isinstance(found, Problem):
            self.problems.add(f"{path}.{kind}", found.message)
            return None
        return found

    def _by_kind(self, raw: dict[str, Any]) -> dict[str, Any]:
        """The dimension with a scorer's name under "scorer" and a primitive's under "primitive", whichever it was given under."""
        for kind, other in (("primitive", "scorer"), ("scorer", "primitive")):
            name = raw.get(kind)
            if other in raw or not isinstance(name, str) or len(name) > _MAX_NAME:
                continue
            if isinstance(self._look_up(kind, name), Problem) and isinstance(
                self._look_up(other, name), Registered
            ):
                return {other if key == kind else key: value for key, value in raw.items()}
        return raw

    def _check_spelling(self, raw: dict[str, Any], path: str) -> None:
        """Without a primitive its parameters are not known, but a misspelt key is still seen."""
        for key in raw:
            if key not in KEYS and (hint := nearest(key, KEYS)):
                self.problems.add(f"{path}.{key}", f"is not known{hint}")

    def _look_up(self, kind: str, name: str) -> Registered | Problem:
        if (kind, name) not in self._known:
            try:
                found: Registered | Problem = (PRIMITIVES if kind == "primitive" else SCORERS).get(
                    name
                )
            except SpecError as unknown:
                found = unknown.problems[0]
            self._known[kind, name] = found
        return self._known[kind, name]

    def _check_fields(self, raw: dict[str, Any], thing: Registered | None, path: str) -> None:
        """What names a field; where nothing is known to read it, it is still held to be a name."""
        for key in ("field", "ground_truth_field"):
            if thing is not None and thing.reads not in OF_FIELDS:
                if key in raw:
                    self.problems.add(
                        f"{path}.{key}", f"{thing.name} reads the {thing.reads} and no field"
                    )
            elif key in raw and not _is_field(raw, key):
                self.problems.add(
                    f"{path}.{key}", f"must be the name of a field, not {describe(raw[key])}"
                )
            elif thing is not None and key == "field" and key not in raw:
                self.problems.add(f"{path}.field", f"is missing; {thing.name} compares a field")

    def _requires(self, raw: dict[str, Any], path: str) -> dict[str, Any]:
        requires = raw.get("requires", {})
        if not isinstance(requires, dict):
            self.problems.add(
                f"{path}.requires",
                f'must be an object such as {{"accuracy": 1}}, not {describe(requires)}',
            )
            return {}
        for name, points in requires.items():
            found = number(points)
            if found is None or not 0 <= found <= FULL_MARKS:
                self.problems.add(
                    join(f"{path}.requires", name),
                    f"must be a number of points, 0 to {FULL_MARKS}, not {describe(points)}",
                )
        return requires


def runs_programs(thing: Registered) -> bool:
    """Whether a scorer needs a sandbox; any that has a parameter of that name does."""
    return (
        thing.reads in {"program", "submission"}
        or "sandbox" in inspect.signature(thing.fn).parameters
    )


def broken_promise(name: str, spec_type: str) -> str:
    """What is wrong where a judge is asked by a spec that is not of type ``judged``."""
    return f"{name!r} asks a judge, and a spec of type {spec_type!r} promises that none is asked"


def _is_field(raw: dict[str, Any], key: str) -> bool:
    # A scorer that compares with nothing says so by null.
    if key == "ground_truth_field" and raw[key] is None and "scorer" in raw:
        return True
    return isinstance(raw[key], str) and bool(raw[key])


def _kind(raw: Mapping[str, Any]) -> Literal["primitive", "scorer"]:
    return "primitive" if "primitive" in raw else "scorer"


def _build(
    raw: dict[str, Any], thing: Registered, params: dict[str, Any], requires: dict[str, Any]
) -> Dimension:
    kind = _kind(raw)
    if kind == "scorer" and params:
        # Scorers take plain numbers; only primitives are written for exact decimals.
        params = msgspec.json.decode(ENCODER.encode(params))
    said = known_dimensions().get(raw["name"], {})
    field = raw.get("field")
    # A judge may need what the scorer itself does not compare with.
    free = (
        kind == "scorer"
        and not thing.judged
        and (thing.needs == "nothing" or thing.needs in params)
    )
    default = None if free else field
    return Dimension(
        name=raw["name"],
        weight=_weight(raw.get("weight")),
        kind=kind,
        uses=thing.name,
        version=thing.version,
        reads=thing.reads,
        sandboxed=runs_programs(thing),
        of_text=thing.of_text,
        run=functools.partial(thing.fn, **params) if params else thing.fn,
        field=field,
        ground_truth_field=raw.get("ground_truth_field", default),
        params=MappingProxyType(params) if params else NOTHING,
        requires=MappingProxyType(dict(requires)) if requires else NOTHING,
        label=raw.get("label", said.get("label", raw["name"].replace("_", " ").capitalize())),
        description=raw.get("description", said.get("description", "")),
        color=raw.get("color", said.get("color", "")),
    )


def _weight(given: object) -> int | Decimal:
    found = number(given)
    return 0 if found is None else found  # the sum's check has already noted it
