"""Symbolic equivalence, and what hostile expressions do to it."""

from __future__ import annotations

import importlib.util
import json
import threading
from pathlib import Path
from typing import Any

import pytest

from steelyard.errors import EngineError
from steelyard.reading.found import Trace
from steelyard.score import Score
from steelyard.scoring.symbolic import symbolic_match
from steelyard.scoring.types import ScorerInput

CASES = Path(__file__).parent.parent / "cases" / "symbolic.jsonl"
ROWS = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['response'][:40]} for {row['target']}")
def test_equivalence(row: dict[str, Any]) -> None:
    score = symbolic_match(ScorerInput(row["response"], row["target"]), seconds=20)
    assert score.value == row["value"], score.reason
    assert row.get("reason", "") in score.reason
    assert score.reason


@pytest.mark.slow
@pytest.mark.parametrize("answer", ["100000000!", "9^{9^9}", r"\sum_{k=1}^{99999999} \frac{1}{k}"])
def test_an_answer_that_never_ends_is_unscored(answer: str) -> None:
    trace = Trace()
    score = symbolic_match(ScorerInput(f"Answer: {answer}", "7"), seconds=0.5, trace=trace)
    assert score.status == "unscored"
    assert "more than 0.5 s" in score.reason
    assert trace.steps[-1].stage == "symbolic"


def test_a_target_that_never_ends_is_not_the_attempts_fault() -> None:
    score = symbolic_match(ScorerInput("Answer: x", r"\binom{999999999}{444444444}"), seconds=0.5)
    assert score.status == "unscored"
    assert "target" in score.reason


def test_a_timeout_is_never_a_zero() -> None:
    score = symbolic_match(ScorerInput("Answer: 100000000!", "x + 1"), seconds=0.2)
    assert score.status == "unscored"
    assert "more than 0.2 s" in score.reason


def test_it_works_in_any_thread() -> None:
    scores: list[Score] = []
    sample = ScorerInput("Answer: 2x", "x+x")
    threads = [
        threading.Thread(target=lambda: scores.append(symbolic_match(sample, seconds=20)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [score.correct for score in scores] == [True] * 4


def test_without_the_extra_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(EngineError, match=r"pip install 'steelyard\[math\]'"):
        symbolic_match(ScorerInput("Answer: x", "x"))
