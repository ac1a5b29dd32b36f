"""Which way a test can be run, and what its author got wrong: both are read from the author's words alone."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.errors import DataError
from steelyard.grading.author import with_calls
from steelyard.grading.legacy import LegacyTest
from steelyard.grading.prompt import Prompt
from steelyard.grading.way import why_not_proxied
from steelyard.scoring import code_sandbox
from steelyard.scoring.types import ScorerInput

CASES = Path(__file__).parent.parent / "cases" / "code"
PIECES = [
    "f(1)",
    " is ",
    "x",
    "==",
    "\n",
    "assert ",
    "V(1)",
    ".a",
    "{",
    "}",
    "+",
    "import io",
    "del ",
    "raise ",
]


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CASES / name).read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("row", rows("ways.jsonl"), ids=lambda row: row["name"])
def test_ways(row: dict[str, Any]) -> None:
    prompt = Prompt.read(row["prompt"], row["entry"])
    why = why_not_proxied(ast.parse(row["test"]), ast.parse(prompt.complete), row["entry"])
    assert any(word in why for word in row["why"].split("|")) if row["why"] else why == ""


@pytest.mark.parametrize("row", rows("refused.jsonl"), ids=lambda row: row["name"])
def test_a_test_that_cannot_be_run_is_the_authors_mistake(row: dict[str, Any]) -> None:
    with pytest.raises(DataError, match=row["why"]):
        LegacyTest(source=row["test"], entry_point=row["entry"]).checked()


@pytest.mark.parametrize("row", rows("samples.jsonl"), ids=lambda row: row["name"])
def test_samples(row: dict[str, Any]) -> None:
    about = {"_prompt": row["prompt"], "_test": row["test"], "entry_point": row["entry"]}
    score = code_sandbox(
        ScorerInput(response=row["response"], target="", metadata=about), timeout=5.0
    )
    assert (score.detail["verdict"], score.detail.get("way")) == (row["verdict"], row["way"]), (
        score.reason
    )
    assert score.correct is (row["verdict"] == "accepted")
    assert (score.value is None) is (row["verdict"] == "sandbox_error")


@given(st.lists(st.sampled_from(PIECES), max_size=10).map("".join))
def test_every_test_has_a_way(source: str) -> None:
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return
    assert isinstance(why_not_proxied(tree, ast.Module([], []), "f"), str)


@pytest.mark.parametrize("row", rows("legacy.jsonl"), ids=lambda row: row["name"])
def test_calls_come_behind_the_test_and_move_no_line(row: dict[str, Any]) -> None:
    longer = with_calls(row["test"], row["entry"])
    assert longer.startswith(row["test"])
