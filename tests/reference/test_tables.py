"""Normal forms, notation and matching, each against its table."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from steelyard.errors import SpecError
from steelyard.reference import match_entry, normalise_entry, parse_reference

CASES = Path(__file__).parent.parent / "cases" / "reference"


def rows(name: str) -> list[Any]:
    lines = (CASES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [pytest.param(json.loads(line), id=f"{name}-{n}") for n, line in enumerate(lines, 1)]


@pytest.mark.parametrize("row", rows("normal"))
def test_normal_form(row: dict[str, Any]) -> None:
    assert normalise_entry(row["text"]) == row["normal"]


@pytest.mark.parametrize("row", rows("notation"))
def test_notation(row: dict[str, Any]) -> None:
    found = parse_reference(row["text"])
    lengths = [math.inf if length == "inf" else length for length in row.get("lengths", [1, 1, 1])]
    assert found.kind == row["kind"]
    assert [found.reflen, found.minlen, found.maxlen] == lengths
    assert found.items == tuple(row.get("items", ()))
    assert found.text == row.get("answer", "")
    assert found.source == row["text"]


@pytest.mark.parametrize("row", rows("faults"))
def test_fault(row: dict[str, Any]) -> None:
    with pytest.raises(SpecError) as raised:
        parse_reference(row["text"])
    assert row["error"] in str(raised.value)
    assert raised.value.__cause__ is None
    assert raised.value.__suppress_context__ or raised.value.__context__ is None


@pytest.mark.parametrize("row", rows("match"))
def test_match(row: dict[str, Any]) -> None:
    fuzzy, params = row.get("fuzzy", "llm"), row.get("params")
    score = match_entry(row["reference"], row["entry"], fuzzy=fuzzy, fuzzy_params=params)
    assert score.value == row["value"]
    assert score.correct is (row["value"] == 1)
    assert score.reason
    assert score.reason == row.get("reason", score.reason)
    assert score.detail["matching"] == parse_reference(row["reference"]).kind


@pytest.mark.parametrize("row", rows("lobster"))
def test_lobster(row: dict[str, Any]) -> None:
    score = match_entry(row["reference"], row["entry"], compat="lobster")
    assert score.value == row["value"]
    assert score.correct is (row["value"] == 1)
    assert score.reason
    assert score.reason == row.get("reason", score.reason)
    assert score.detail["compat"] == "lobster"


def test_an_unknown_profile_is_refused() -> None:
    with pytest.raises(SpecError, match="unknown profile 'crab'; there is lobster"):
        match_entry("a", "a", compat="crab")  # type: ignore[arg-type]
