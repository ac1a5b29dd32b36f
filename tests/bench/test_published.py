"""SimpleQA, HealthBench and HumanEval: files in their published formats, graded as they are published."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from judge.scripted import Scripted, says, verdict
from steelyard.bench import Benchmark, load_benchmark
from steelyard.bench.adapters.healthbench import overall
from steelyard.bench.adapters.simpleqa import grade_shares
from steelyard.bench.humaneval import load_problems
from steelyard.errors import DataError
from steelyard.judge.client import NoLimit
from steelyard.judge.rating import judge_pending
from steelyard.judge.store import JudgeStore
from steelyard.models.types import Request
from steelyard.score import Score

SIMPLEQA = (
    "metadata,problem,answer\n"
    "\"{'topic': 'Geography', 'answer_type': 'Place', 'urls': ['x']}\",Which town lies on the Aare?,Bern\n"
    '"{""topic"": ""History""}","In which year, exactly, was the bridge built?",1844\n'
    "not a dict,Who was it?,Ida\n"
)
RUBRICS = [
    {"criterion": "says to see a doctor", "points": 5, "tags": ["level:example"]},
    {"criterion": "names the dose", "points": 3, "tags": []},
    {"criterion": "gives false hope", "points": -4, "tags": []},
]
HEALTH = {
    "prompt_id": "p1",
    "prompt": [
        {"role": "user", "content": "I have a cough."},
        {"role": "assistant", "content": "Since when?"},
        {"role": "user", "content": "A week."},
    ],
    "rubrics": RUBRICS,
    "example_tags": ["theme:hedging", "physician_agreed_category:x"],
}


def judged(benchmark: Benchmark, judge: Scripted, replies: list[str]) -> list[Score]:
    """The replies to the problems, put before the judge and settled."""
    problems = benchmark.problems()
    items = [
        (n, p.prompt, reply, p.target, p.metadata)
        for n, (p, reply) in enumerate(zip(problems, replies, strict=True))
    ]

    async def ask() -> dict[int, Score]:
        found = judge_pending(items, benchmark.judge_config, judge, NoLimit(), JudgeStore(None))
        return {key: score async for key, score in found}

    scores = asyncio.run(ask())
    return [benchmark.settled(problem, scores[n], scores[n]) for n, problem in enumerate(problems)]


@pytest.fixture
def simpleqa(tmp_path: Path) -> Benchmark:
    (tmp_path / "qa.csv").write_text(SIMPLEQA, encoding="utf-8")
    return load_benchmark("simpleqa", dataset=tmp_path / "qa.csv")


def test_simpleqa_is_read_from_its_published_csv(simpleqa: Benchmark) -> None:
    first, second, third = simpleqa.problems()
    assert (first.prompt, first.target) == ("Which town lies on the Aare?", "Bern")
    assert [problem.metadata.get("category") for problem in (first, second, third)] == [
        "Geography",
        "History",
        None,
    ]
    assert simpleqa.needs_judge
    assert simpleqa.score(first, "Bern").status == "pending"


def test_simpleqa_has_three_grades_of_which_one_counts(simpleqa: Benchmark) -> None:
    grades = {"Bern": 3, "1845": 1, "I do not know": 2}

    def say(request: Request) -> str:
        answer = next(answer for answer in grades if answer in request.messages[-1].content)
        return verdict(grades[answer], evidence=answer)

    scores = judged(simpleqa, Scripted(say=say), list(grades))
    assert [(score.value, score.correct, score.detail["grade"]) for score in scores] == [
        (1.0, True, "CORRECT"),
        (0.0, False, "INCORRECT"),
        (0.0, False, "NOT_ATTEMPTED"),
    ]
    shares = grade_shares(scores)
    assert shares["correct"] == pytest.approx(1 / 3)
    assert shares["correct_given_attempted"] == pytest.approx(1 / 2)
    assert shares["f_score"] == pytest.approx(2 / 5)
    assert grade_shares([]) == {}


def test_an_empty_answer_is_not_attempted_and_half_a_grade_is_none(simpleqa: Benchmark) -> None:
    scores = judged(simpleqa, Scripted(verdict(2.5, evidence="Bern")), ["", "Bern", " \n"])
    assert [score.detail.get("grade") for score in scores] == [
        "NOT_ATTEMPTED",
        None,
        "NOT_ATTEMPTED",
    ]
    assert scores[1].value is None
    assert "none of the three grades" in scores[1].reason


@pytest.fixture
def healthbench(tmp_path: Path) -> Benchmark:
    rows = [HEALTH, {**HEALTH, "prompt_id": "p2", "example_tags": []}]
    (tmp_path / "health.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return load_benchmark("healthbench", dataset=tmp_path / "health.jsonl")


def test_healthbench_is_read_from_its_published_jsonl(healthbench: Benchmark) -> None:
    first, second = healthbench.problems()
    assert [(message.role, message.content) for message in first.messages] == [
        ("user", "I have a cough."),
        ("assistant", "Since when?"),
        ("user", "A week."),
    ]
    assert (first.id, second.id) == ("p1", "p2")
    assert (first.metadata["category"], second.metadata.get("category")) == ("hedging", None)


def test_healthbench_counts_points_and_clips_them(healthbench: Benchmark) -> None:
    met = {"good": ("doctor", "dose"), "bad": ("hope",)}

    def say(request: Request) -> str:
        task = " ".join(message.content for message in request.messages)
        reply = "good" if "a good reply" in task else "bad"
        yes = any(word in task for word in met[reply])
        return says("yes" if yes else "no", evidence=f"a {reply} reply" if yes else "")

    good, bad = judged(healthbench, Scripted(say=say), ["a good reply", "a bad reply"])
    assert (good.value, good.detail["earned"], good.detail["possible"]) == (1.0, 8, 8)
    assert (bad.value, bad.detail["earned"]) == (0.0, -4)
    assert overall([good, bad]) == pytest.approx((8 / 8 - 4 / 8) / 2)
    assert overall([bad]) == 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"rubrics": []}, "line 1|:1:.*must be a list of criteria"),
        ({"rubrics": [{"criterion": "x", "points": "5"}]}, "points must be a number"),
        ({"rubrics": [{"criterion": "x", "points": -5}]}, "nothing can be earned"),
        ({"prompt": []}, "a text or a list of messages is needed"),
        ({"prompt": [{"role": "tool", "content": "x"}]}, "the role is 'tool'"),
        ({"prompt": [{"role": "user", "content": 3}]}, r"prompt\[0\]: a message is an object"),
    ],
)
def test_a_row_that_is_not_as_published_is_told(
    change: dict[str, object], said: str, tmp_path: Path
) -> None:
    (tmp_path / "h.jsonl").write_text(json.dumps({**HEALTH, **change}), encoding="utf-8")
    with pytest.raises(DataError, match=said):
        load_benchmark("healthbench", dataset=tmp_path / "h.jsonl").problems()


@pytest.mark.parametrize(("name", "count"), [("simpleqa", 16), ("healthbench", 12)])
def test_without_a_file_there_is_a_sample_of_our_own(name: str, count: int) -> None:
    found = load_benchmark(name)
    problems = found.problems()
    assert (found.name, len(problems)) == (f"{name}-sample", count)
    assert "a small sample of our own" in found.description
    assert found.needs_judge
    assert None not in {problem.category for problem in problems}
    assert len({problem.prompt for problem in problems}) == count
    for problem in problems:
        assert bool(problem.target) is (name == "simpleqa")
        points = [row["points"] for row in problem.metadata.get("rubrics", [{"points": 1}])]
        assert max(points) > 0


def test_humaneval_is_asked_and_scored() -> None:
    found = load_benchmark("humaneval")
    problems = found.problems()
    assert (len(problems), problems[0].id, found.needs_sandbox) == (164, "HumanEval/0", True)
    assert "def has_close_elements" in problems[0].prompt
    solution = load_problems()["HumanEval/0"]
    found.check()
    assert found.score(
        problems[0], f"```python\n{solution.prompt}{solution.canonical_solution}```"
    ).correct
    assert found.score(problems[0], "    return True").value == 0
