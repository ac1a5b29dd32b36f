"""``steelyard schema``: a JSON Schema that accepts good specs and refuses bad ones."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema_rs

from commands import Commands

EXAMPLE = Path(__file__).parent.parent / "cases" / "seeds" / "spec.json"


def test_the_schema_accepts_the_example_and_refuses_what_is_no_spec(steelyard: Commands) -> None:
    ran = steelyard("schema", "spec")
    assert ran.code == 0
    check = jsonschema_rs.validator_for(json.loads(ran.out))
    example = json.loads(EXAMPLE.read_text(encoding="utf-8"))
    assert check.is_valid(example)
    assert not check.is_valid({})
    assert not check.is_valid({**example, "dimensions": []})
    assert not check.is_valid({**example, "type": "astrology"})


def test_an_unknown_kind_is_a_usage_error(steelyard: Commands) -> None:
    assert steelyard("schema", "castle").code == 2
