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
    kinds = {
        "primitive": {thing.name: thing for thing in PRIMITIVES},
        "scorer": {thing.name: thing for thing in SCORERS},
    }
    dimension["allOf"] = []
    for kind, other in (("primitive", "scorer"), ("scorer", "primitive")):
        # A name that only the other kind has is found there.
        things = kinds[other] | kinds[kind]
        said = f"The {kind} that scores the dimension."
        dimension["properties"][kind] = {"description": said, "enum": sorted(things)}
        dimension["allOf"] += [_rule(kind, things[name], shapes) for name in sorted(things)]
    limits = schema["$defs"]["constraints"]
    limits["patternProperties"] = {
        _any_spelling(name): shape for name, shape in limits["properties"].items()
    }
    limits["additionalProperties"] = False
    return schema


def _any_spelling(name: str) -> str:
    """A pattern for the spellings that loading takes for one name: maxLlmCalls, maxLLMCalls and max_llm_calls."""
    return f"^_*{'_*'.join(f'[{letter}{letter.upper()}]' for letter in name if letter != '_')}_*$"


def _rule(kind: str, thing: Registered, shapes: dict[str, Any]) -> dict[str, Any]:
    """What a dimension that uses this one must and may hold."""
    params = open_params(thing)
    of_field = thing.reads in OF_FIELDS
    keys = [key for key in KEYS if of_field or key not in {"field", "ground_truth_field"}]
    then: dict[str, Any] = {
        "properties": dict.fromkeys(keys, True)
        | {key: shapes.get(key, True) for key in params if key not in KEYS},
        "additionalProperties": False,
    }
    if of_field:
        then["required"] = ["field"]
    if of_field and thing.kind == "primitive":  # only a scorer may compare with nothing
        then["properties"]["ground_truth_field"] = {"type": "string"}
    if needed := [key for key, param in params.items() if param.default is param.empty]:
        inside = {
            "properties": {"params": {"type": "object", "required": needed}},
            "required": ["params"],
        }
        then["anyOf"] = [{"required": needed}, inside]
    return {"if": {"properties": {kind: {"const": thing.name}}, "required": [kind]}, "then": then}
