"""The JSON Schema of specs, for editors: a fixed part, and the primitives and scorers that are registered."""

from __future__ import annotations

from importlib import resources
from typing import Any

import msgspec

from steelyard.registry import PRIMITIVES, SCORERS, Registered
from steelyard.spec.dimension import KEYS, OF_FIELDS
from steelyard.spec.params import open_params


def spec_json_schema() -> dict[str, Any]:
    """A Draft 2020-12 schema that a valid spec fulfils; sums, names and gates are checked by loading it.

    >>> "exact_match" in spec_json_schema()["$defs"]["dimension"]["properties"]["primitive"]["enum"]
    True
    """
    path = resources.files("steelyard") / "data" / "spec.schema.json"
    schema: dict[str, Any] = msgspec.json.decode(path.read_bytes())
    dimension, shapes = schema["$defs"]["dimension"], schema["$defs"].pop("params")
    kinds = {"primitive": list(PRIMITIVES), "scorer": list(SCORERS)}
    dimension["allOf"] = []
    for kind, things in kinds.items():
        said = f"The {kind} that scores the dimension."
        dimension["properties"][kind] = {"description": said, "enum": [thing.name for thing in things]}
        dimension["allOf"] += [_rule(kind, thing, shapes) for thing in things]
    limits = schema["$defs"]["constraints"]
    limits["patternProperties"] = {_any_spelling(name): shape for name, shape in limits["properties"].items()}
    limits["additionalProperties"] = False
    return schema


def _any_spelling(name: str) -> str:
    """A pattern for the spellings that loading takes for one name: maxLlmCalls, maxLLMCalls and max_llm_calls."""
    return f"^_*{'_*'.join(f'[{letter}{letter.upper()}]' for letter in name if letter != '_')}_*$"


def _rule(kind: str, thing: Registered, shapes: dict[str, Any]) -> dict[str, Any]:
    """What a dimension that uses this one must and may hold."""
    params = open_params(thing)
    then: dict[str, Any] = {
        "properties": {key: True if key in KEYS else shapes.get(key, True) for key in (*KEYS, *params)},
        "additionalProperties": False,
    }
    if thing.reads in OF_FIELDS:
        then["required"] = ["field"]
    if kind == "primitive":  # only a scorer may compare with nothing
        then["properties"]["ground_truth_field"] = {"type": "string"}
    if needed := [key for key, param in params.items() if param.default is param.empty]:
        inside = {"properties": {"params": {"type": "object", "required": needed}}, "required": ["params"]}
        then["anyOf"] = [{"required": needed}, inside]
    return {"if": {"properties": {kind: {"const": thing.name}}, "required": [kind]}, "then": then}
