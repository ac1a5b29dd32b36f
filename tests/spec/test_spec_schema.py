"""The JSON Schema for editors and loading agree, for everything that is registered and under either key."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from spec.specs import free
from steelyard.errors import SpecError
from steelyard.registry import PRIMITIVES, SCORERS
from steelyard.spec import load_spec, spec_json_schema

# What a thing cannot do without, beside a field.
NEEDS: dict[str, dict[str, Any]] = {
    "numeric_tolerance": {"tolerance": 1},
    "set_overlap": {"method": "jaccard"},
    "time_decay": {"time_limit_secs": 5},
    "token_efficiency": {"token_budget": 9},
    "call_efficiency": {"max_llm_calls": 9},
    "json_schema": {"schema": {}},
    "script": {"script": "def score(submission, truth):\n    return {}\n"},
    "extracted_match": {"extractor": "number"},
}
# The test of code_sandbox stands in a row's metadata, which a spec has not: loading says so.
NAMES = sorted(
    {thing.name for registry in (PRIMITIVES, SCORERS) for thing in registry} - {"code_sandbox"}
)


@functools.cache
def validator() -> Any:
    return jsonschema_rs.validator_for(spec_json_schema())


def loads(spec: dict[str, Any]) -> bool:
    try:
        load_spec(spec)
    except SpecError:
        return False
    return True


@pytest.mark.parametrize(
    "fields", [{}, {"field": "x"}, {"field": "x", "ground_truth_field": "t"}], ids=str
)
@pytest.mark.parametrize("kind", ["primitive", "scorer"])
@pytest.mark.parametrize("name", NAMES)
def test_a_name_and_its_fields_are_taken_by_both_or_by_neither(
    name: str, kind: str, fields: dict[str, str]
) -> None:
    spec = free(
        {"name": "a", "weight": 1, kind: name, **NEEDS.get(name, {}), **fields}, type="judged"
    )
    assert validator().is_valid(spec) is loads(spec)


def test_the_names_of_the_two_kinds() -> None:
    for kind, name in (("primitive", "numeric_match"), ("scorer", "coverage_ratio")):
        spec = free({"name": "a", "weight": 1, kind: name, "field": "x"})
        assert validator().is_valid(spec)
        assert loads(spec)
    for key in ("field", "ground_truth_field"):
        spec = free(
            {"name": "a", "weight": 1, "primitive": "time_decay", "time_limit_secs": 5, key: "x"}
        )
        assert not validator().is_valid(spec)
        assert not loads(spec)


def test_a_file_is_read_for_a_scorer_that_is_named_as_a_primitive(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def score(submission, truth):\n    return {}\n")
    spec = tmp_path / "spec.json"
    entry = {"name": "a", "weight": 1, "primitive": "script", "script": {"file": "mine.py"}}
    spec.write_text(json.dumps(free(entry)))
    assert load_spec(spec).dimensions[0].params["script"].startswith("def score")
