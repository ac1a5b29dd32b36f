"""The profile of the published evaluator: whole solutions, and what comes into its mean."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reference.judges import Known
from steelyard.reference import read_reference_solution, score_solution

CASES = Path(__file__).parent.parent / "cases" / "reference"
ROWS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (CASES / "lobster_solutions.jsonl").read_text(encoding="utf-8").splitlines()
]


def judge() -> Known:
    return Known(("good", "x"), ("good", "y"), criteria=["one"])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_whole_solutions(row: dict[str, Any]) -> None:
    how: dict[str, Any] = {
        "judge": judge(),
        "explanation_weight": row["weight"],
        "compat": "lobster",
    }
    score = score_solution(row["solution"], row["reference"], **how)
    assert score.value == (None if row["value"] is None else pytest.approx(row["value"], abs=1e-15))
    assert row["reason"] in score.reason
    assert bool(score.reason) is (score.value is None)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_the_profile_changes_nothing_of_our_own_score(row: dict[str, Any]) -> None:
    ours = score_solution(
        row["solution"], row["reference"], judge=judge(), explanation_weight=row["weight"]
    )
    assert ours.value is not None or not read_reference_solution(row["reference"]).references
    assert "compat" not in ours.detail


def test_a_reference_that_has_been_read_serves_as_well() -> None:
    reference = {
        "answer": {"1": "[ka]", "2": "lo"},
        "explanation": {"rules": "", "rule_checklist": []},
    }
    solution = {"answer": {"1": "[ka]", "2": "lo"}, "explanation": ""}
    read = read_reference_solution(reference)
    assert score_solution(solution, read, compat="lobster").value == 0.5
    assert [
        part.score.value for part in score_solution(solution, read, compat="lobster").parts
    ] == [0, 1]
