"""The bundled benchmarks: sound answers, balanced letters, and nothing right by accident."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from steelyard.bench import load_benchmark
from steelyard.bench.languages import match_reference
from steelyard.scoring.types import ScorerInput

SCRIPT = Path(__file__).parent.parent.parent / "scripts" / "check_benchmarks.py"
NAMES = ("arithmetic", "choices", "code", "extraction", "languages", "open", "trivia")


@pytest.mark.slow
def test_the_script_that_computes_the_answers_finds_no_fault() -> None:
    done = subprocess.run(
        [sys.executable, str(SCRIPT)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", NAMES)
def test_there_are_enough_problems_of_every_kind(name: str) -> None:
    found = load_benchmark(name)
    problems = found.problems()
    assert 40 <= len(problems) <= 100
    assert len({problem.id for problem in problems}) == len(problems)
    categories = Counter(problem.metadata["category"] for problem in problems)
    first = Counter(problem.metadata["category"] for problem in found.problems(len(categories)))
    assert first.keys() == categories.keys(), "the first few problems are of every category"
    if name != "languages":
        assert {problem.metadata["difficulty"] for problem in problems} == {
            "easy",
            "medium",
            "hard",
        }
    assert found.licence == "MIT"


@pytest.mark.parametrize("name", [name for name in NAMES if name != "open"])
def test_empty_and_evasive_replies_earn_nothing(name: str) -> None:
    found = load_benchmark(name)
    for problem in found.problems(12):
        for reply in ("", " \n", "I cannot answer that.", "A, B, C or D"):
            assert found.score(problem, reply).value == 0, (problem.id, reply)


def test_open_questions_wait_for_the_judge_with_their_points() -> None:
    found = load_benchmark("open")
    assert found.needs_judge
    assert found.judge_config.columns == ("points",)
    assert found.score(found.problems()[0], "Because light is faster.").status == "pending"


@pytest.mark.parametrize(
    ("target", "reply", "value"),
    [
        ("mek na ŋor", "Base six.\nAnswer: mek na ŋor.", 1.0),
        ("mek na ŋor", "mek na sel", 0.0),
        ("mek na ŋor", "", 0.0),
        ("<select3,3,3>['11', '17', '23', '29']", "Answer: 11; 23; 29", 1.0),
        ("<select3,3,3>['11', '17', '23', '29']", "Answer: 11, 17, 12", 2 / 3),
        ("<select3,3,3>['11', '17', '23', '29']", 'Answer: ["11", "17", "23"]', 1.0),
        ("<select3,3,3>['11', '17', '23', '29']", "Answer: 11; 17", 0.0),
        ("<select1,1,1>['a b', 'b a']", "Answer: b a", 1.0),
    ],
)
def test_references_are_matched_by_the_answer_line(target: str, reply: str, value: float) -> None:
    assert match_reference(ScorerInput(reply, target)).value == pytest.approx(value)
