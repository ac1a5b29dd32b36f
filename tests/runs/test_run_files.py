"""The page on the files of a run names every field that is written, and no run writes another."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from commands import Commands
from runs.support import Bench, results, rows
from steelyard.judge.store import JudgeCall
from steelyard.models.types import Reply
from steelyard.runs.lines import AttemptLine, ScoreLine
from steelyard.runs.outputs import AttemptRow, ScoreRow, TimingRow
from steelyard.runs.run_file import RunFile
from steelyard.score import Score

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "run_files.md"
FORMS: dict[str, tuple[type[msgspec.Struct], ...]] = {
    "attempts.jsonl": (AttemptRow,),
    "scores.jsonl": (ScoreRow,),
    "timings.jsonl": (TimingRow,),
    "journal.jsonl": (AttemptLine, ScoreLine, Score),
    "judge.jsonl": (JudgeCall, Reply),
    "run.json": (RunFile,),
}


def told(name: str) -> set[str]:
    """The words that the section on a file sets as code."""
    section = PAGE.read_text(encoding="utf-8").partition(f"\n## {name}\n")[2].partition("\n## ")[0]
    assert section, f"there is no section on {name}"
    return set(re.findall(r"`([^`]+)`", section))


@pytest.mark.parametrize("name", FORMS)
def test_every_field_of_a_line_is_told(name: str) -> None:
    fields = {field for form in FORMS[name] for field in form.__struct_fields__}
    if name == "judge.jsonl":
        fields.remove("seconds")  # times are not stored
    assert fields - told(name) == set()


def test_every_field_of_the_results_is_told(
    bench: Bench, tmp_path: Path, steelyard: Commands
) -> None:
    prices = ("--price-in", 1, "--price-out", 1)
    assert steelyard(*bench.args(tmp_path / "out", "--repeats", 2, *prices)).code == 0
    found = results(tmp_path / "out")
    fields = {
        *found,
        *found["headline"],
        *found["coverage"],
        *found["tokens"],
        *found["cost_parts"],
        *found["judge_card"],
        *found["judge_card"]["canary"],
    }
    assert fields - told("results.json") == set()
    run: dict[str, Any] = json.loads((tmp_path / "out" / "run.json").read_text(encoding="utf-8"))
    inner = {*run["shapes"], *run["sessions"][0], *run["environment"]}
    assert inner - told("run.json") == set()
    for name in ("attempts.jsonl", "scores.jsonl", "timings.jsonl", "judge.jsonl"):
        assert {field for row in rows(tmp_path / "out" / name) for field in row} <= told(name)
