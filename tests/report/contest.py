"""A folder of runs that were really run: several models on two benchmarks, one unfinished, one shaped by another prompt."""

from __future__ import annotations

import json
import random
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from report.almanac import CASES, HOSTILE_TEXT, JUDGED, LINES
from steelyard.models.mock import serving
from steelyard.models.mock_plan import Plan

ROWS: list[dict[str, Any]] = runpy.run_path(str(CASES / "ledger.py"))["ROWS"]
# How often a model is right about small sums, by category, and about the almanac.
MODELS = {
    "quill-1": ({"multiplication": 0.72, "two steps": 0.5}, 0.6),
    "quill-2": ({"multiplication": 0.9, "two steps": 0.74}, 0.8),
    "abacus": ({"multiplication": 0.97, "two steps": 0.4}, 0.65),
}
HOSTILE_ID = "addition-0"


def _line(one: str, text: str) -> str:
    return (
        json.dumps({"id": one, "text": text, "input_tokens": 30, "output_tokens": len(text) // 4})
        + "\n"
    )


def ledger_replies(model: str) -> str:
    """What a model says to the sums; each is hard or easy for all of them."""
    rates, lines = MODELS[model][0], []
    for number, row in enumerate(ROWS):
        luck = (
            0.7 * random.Random(number).random() + 0.3 * random.Random(f"{model} {number}").random()
        )
        right = luck < rates.get(row["kind"], 0.93)
        said = (
            row["target"]
            if right
            else row["target"] + random.Random(number).choice([-10, 10, 100, 1])
        )
        text = f"{row['question']} Let me see: I work it out step by step.\n\nAnswer: {said}"
        lines.append(
            _line(
                row["id"], HOSTILE_TEXT if row["id"] == HOSTILE_ID and model == "quill-2" else text
            )
        )
    return "".join(lines)


def almanac_replies(model: str) -> str:
    """What a model says to the almanac."""
    lines = []
    for number, (kind, question, right, wrong) in enumerate(LINES):
        said = (
            right
            if random.Random(f"{model} {number} almanac").random() < MODELS[model][1]
            else wrong
        )
        lines.append(_line(f"{kind}-{number}", f"The question is: {question}\n\nAnswer: {said}"))
    return "".join(lines)


def run(folder: Path, bench: str, model: str, name: str, *more: str) -> None:
    """One run, by the command that users have."""
    command = [
        sys.executable,
        "-m",
        "steelyard",
        "eval",
        "run",
        "--bench",
        f"{bench}.py",
        "--recorded",
        f"{bench}/{model}.jsonl",
        "--output",
        f"runs/{name}",
        "-q",
        *more,
    ]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode in {0, 3}, done.stderr


def make_contest(folder: Path) -> Path:
    """The folder of runs."""
    for name in ("ledger.py", "almanac.py", "almanac.tsv"):
        shutil.copy(CASES / name, folder / name)
    with serving(Plan(rules=(JUDGED,))) as judge:
        for bench, replies in (("ledger", ledger_replies), ("almanac", almanac_replies)):
            (folder / bench).mkdir()
            named = (
                ("--judge-url", judge.url, "--judge-id", "referee") if bench == "almanac" else ()
            )
            for model in MODELS:
                (folder / bench / f"{model}.jsonl").write_text(replies(model), encoding="utf-8")
                run(folder, bench, model, f"{bench}-{model}", *named)
    run(folder, "ledger", "quill-2", "ledger-brief", "--system-prompt", "Be brief.")
    _half_done(folder / "runs")
    return folder / "runs"


def _half_done(runs: Path) -> None:
    """A run that was killed before it came to results."""
    shutil.copytree(runs / "ledger-abacus", runs / "ledger-killed")
    about = json.loads((runs / "ledger-killed" / "run.json").read_text(encoding="utf-8"))
    about["status"] = "running"
    (runs / "ledger-killed" / "run.json").write_text(json.dumps(about), encoding="utf-8")
    for name in ("results.json", "report.html", "report.md"):
        (runs / "ledger-killed" / name).unlink()
