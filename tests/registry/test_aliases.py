"""A second name for a thing: it is found by it, and stands nowhere twice."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from commands import Commands
from steelyard.errors import SpecError
from steelyard.registry import SCORERS, Registry

ALIAS = "validate_json_schema"


def test_it_is_found_and_not_listed() -> None:
    assert SCORERS.get(ALIAS) is SCORERS.get("json_schema")
    assert ALIAS not in SCORERS.names()
    assert [thing.name for thing in SCORERS].count("json_schema") == 1
    assert ALIAS in SCORERS
    assert "json_schema" in SCORERS
    assert "no_such_scorer" not in SCORERS


def test_nobody_else_takes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SpecError, match=f"there is already a scorer '{ALIAS}'"):
        SCORERS.register(ALIAS)(lambda sample: 1)
    entry: Any = SimpleNamespace(name="two", value="elsewhere:f", dist=None, load=lambda: len)
    registry = Registry("scorer", "steelyard.scoring")
    registry.register("one", alias="two")(max)
    with pytest.warns(UserWarning, match="a name that is taken"):
        registry._load_plugin(entry)
    assert registry.get("two").fn is max


def test_it_scores_and_signs_as_the_other_does(steelyard: Commands, tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text(
        json.dumps({"response": '{"a": 1}'}) + "\n" + json.dumps({"response": "[]"}) + "\n"
    )
    found = []
    for name in ("json_schema", ALIAS):
        ran = steelyard(
            "score", "--scorer", name, path, "--param", 'schema={"type": "object"}', "--json"
        )
        told = json.loads(ran.out)
        found.append((ran.code, told["mean"], told["signature_text"], told["scorer"]))
    assert found[0] == found[1]
    assert found[0][:2] == (0, 0.5)
    ran = steelyard("explain", "--scorer", ALIAS, "--response", "{}", "--param", "schema={}")
    assert ran.out.startswith("scorer    json_schema (")


def test_a_scorer_of_that_name_is_not_begun(steelyard: Commands, tmp_path: Path) -> None:
    ran = steelyard("init", "scorer", ALIAS, "--dir", tmp_path)
    assert (ran.code, f"there is already a scorer '{ALIAS}'" in ran.err) == (2, True)
