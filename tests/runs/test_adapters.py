"""Every kind of benchmark that others publish goes through ``eval run``, with recorded replies: half right, half wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from bench.test_openai_evals import SAMPLES, YAML
from bench.test_published import HEALTH
from commands import Commands
from judge.scripted import says
from runs.support import results, rows
from steelyard.bench import load_benchmark
from steelyard.bench.definition import Problem
from steelyard.bench.humaneval import load_problems
from steelyard.models.mock import serving
from steelyard.models.mock_plan import Plan, Rule

WRONG = "I would rather not say."


def solved(problem: Problem) -> str:
    return f"```python\n{problem.metadata['solution']}```"


def completed(problem: Problem) -> str:
    task = load_problems()[problem.id]
    return f"```python\n{task.prompt}{task.canonical_solution}```"


def tagged(problem: Problem) -> str:
    return f"<answer>{problem.target}</answer>"


def named(problem: Problem) -> str:
    return "Bern" if "Aare" in problem.prompt else "Zürich"


def registry(folder: Path) -> str:
    (folder / "evals").mkdir()
    (folder / "data" / "towns").mkdir(parents=True)
    (folder / "evals" / "towns.yaml").write_text(YAML, encoding="utf-8")
    (folder / "data" / "towns" / "samples.jsonl").write_text(
        "\n".join(map(json.dumps, SAMPLES)), encoding="utf-8"
    )
    return f"openai-evals:towns?registry={folder}"


RIGHT: dict[str, Callable[[Problem], str]] = {
    "code": solved,
    "humaneval": completed,
    "openai-evals": named,
    "reasoning-gym:letter_counting?seed=2&size=4": tagged,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", RIGHT)
def test_each_runs_and_counts_what_is_right(steelyard: Commands, tmp_path: Path, name: str) -> None:
    bench = registry(tmp_path) if name == "openai-evals" else name
    problems = load_benchmark(bench).problems(4)
    replies = [
        {"id": problem.id, "text": WRONG if n % 2 else RIGHT[name](problem)}
        for n, problem in enumerate(problems)
    ]
    (tmp_path / "replies.jsonl").write_text(
        "".join(json.dumps(row) + "\n" for row in replies), encoding="utf-8"
    )
    out = tmp_path / "out"
    ran = steelyard(
        "eval",
        "run",
        "--bench",
        bench,
        "--recorded",
        tmp_path / "replies.jsonl",
        "--max-problems",
        4,
        "--output",
        out,
    )
    assert ran.code == 0, ran.err
    assert [row["correct"] for row in rows(out / "scores.jsonl")] == [
        n % 2 == 0 for n in range(len(problems))
    ]
    assert results(out)["headline"]["scored"] == len(problems)
    crossed = results(out).get("cross_check")
    assert crossed == (
        {"agree": 4, "only_theirs": 0, "only_ours": 0} if name.startswith("reasoning-gym") else None
    )
    shown = [
        ran.out,
        *((out / f"report.{form}").read_text(encoding="utf-8") for form in ("md", "html")),
    ]
    assert ["4 of 4 alike by our own comparison" in told for told in shown] == [
        crossed is not None
    ] * 3


def test_healthbench_is_judged_point_by_point(steelyard: Commands, tmp_path: Path) -> None:
    (tmp_path / "health.jsonl").write_text(json.dumps(HEALTH) + "\n", encoding="utf-8")
    (tmp_path / "replies.jsonl").write_text(
        json.dumps({"id": "p1", "text": "Please see a doctor."}) + "\n", encoding="utf-8"
    )
    yes, no = says("yes", evidence="see a doctor"), says("no")
    plan = Plan(rules=(Rule(contains="says to see a doctor", text=yes), Rule(text=no)))
    with serving(plan) as server:
        ran = steelyard(
            "eval",
            "run",
            "--bench",
            "healthbench",
            "--dataset",
            tmp_path / "health.jsonl",
            "--recorded",
            tmp_path / "replies.jsonl",
            "--judge-url",
            server.url,
            "--judge-id",
            "j",
            "--output",
            tmp_path / "out",
        )
    assert ran.code == 0, ran.err
    (row,) = rows(tmp_path / "out" / "scores.jsonl")
    assert row["judged"]
    assert (row["value"], row["detail"]["earned"], row["detail"]["possible"]) == (5 / 8, 5, 8)
