"""Responses and targets with the verdict that the rules give, sampled by scorer, rule and verdict."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from steelyard.registry import SCORERS
from steelyard.scoring import ScorerInput

CASES = Path(__file__).parent.parent / "cases" / "probes"
BLOCK = 100  # rows of one test


def read_rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


BLOCKS = [
    pytest.param(file.stem, first, id=f"{file.stem}:{first + 1}")
    for file in sorted(CASES.glob("*.jsonl"))
    for first in range(0, len(read_rows(file)), BLOCK)
]


def fault(name: str, row: dict[str, Any]) -> str:
    """Describe what is wrong with the verdict or the span of a row; empty if nothing is."""
    response = row["response"]
    sample = ScorerInput(response, row["target"], row.get("metadata", {}))
    score = SCORERS.get(name).bind(row.get("params"))(sample)
    if score.value is None or score.correct is not row["correct"]:
        return f"{response!r} for {row['target']!r}: {score!r}"
    if score.span is None:
        return ""
    verbatim = response[slice(*score.span)]
    is_letter = name == "multichoice_regex"
    return "" if is_letter or verbatim == score.extracted else f"{score!r} is not {verbatim!r}"


@pytest.mark.parametrize(("name", "first"), BLOCKS)
def test_verdicts_and_spans(name: str, first: int) -> None:
    rows = read_rows(CASES / f"{name}.jsonl")[first : first + BLOCK]
    faults = {
        f"line {first + number}": found
        for number, row in enumerate(rows, 1)
        if (found := fault(name, row))
    }
    assert faults == {}


def test_a_wrong_verdict_is_reported() -> None:
    row = {"response": "A", "target": "B", "correct": True}
    assert "for 'B'" in fault("multichoice_regex", row)
