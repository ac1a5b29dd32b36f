"""The commands that the documents show, as they stand there but for the package's name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from commands import Commands
from steelyard.models.mock import serving
from steelyard.models.mock_plan import Plan, Rule


def judged(score: int) -> Plan:
    """An endpoint that answers everything, and as a judge always says the same."""
    met = "yes" if score > 1 else "no"
    rules = (
        Rule(contains="Criterion:", text=f'Evidence: Canberra\n{{tag}} {{"verdict": "{met}"}}'),
        Rule(contains="work-", text=f'Reason: so it is\n{{tag}} {{"score": {score}}}'),
    )
    return Plan(texts=("Canberra",), rules=rules)


def results(folder: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((Path(folder) / "results.json").read_text(encoding="utf-8"))
    return found


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("score", "grade", "right"), [(3, "CORRECT", 2), (2, "NOT_ATTEMPTED", 0), (1, "INCORRECT", 0)]
)
def test_simpleqa(score: int, grade: str, right: int, steelyard: Commands) -> None:
    Path("simpleqa.csv").write_text(
        "metadata,problem,answer\n\"{'topic': 'Geography', 'answer_type': 'Place'}\",Capital of Australia?,Canberra\n"
        "\"{'topic': 'Art', 'answer_type': 'Person'}\",Who painted Guernica?,Pablo Picasso\n",
        encoding="utf-8",
    )
    with serving(judged(score)) as server:
        done = steelyard(
            "eval",
            "run",
            "--bench",
            "simpleqa",
            "--dataset",
            "simpleqa.csv",
            "--model-url",
            server.url,
            "--model-id",
            "my-model",
            "--judge-url",
            server.url,
            "--judge-id",
            "gpt-4o",
            "-o",
            "out",
        )
        assert done.code == 0, done.err
        assert server.calls == 2 + 2 + 1  # replies, verdicts, the canary sample
        again = steelyard("eval", "rejudge", "out", "--offline", "--json")
        assert json.loads(again.out)["flips"] == []
    found = results("out")
    assert (found["headline"]["correct"], found["judge"]) == (right, "gpt-4o")
    assert sorted(found["categories"]) == ["Art", "Geography"]
    scores = [
        json.loads(line)
        for line in Path("out/scores.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert [row["detail"]["grade"] for row in scores] == [grade, grade]


@pytest.mark.parametrize(
    ("name", "count", "verdict"),
    [("simpleqa", 16, {"score": 3}), ("healthbench", 12, {"verdict": "yes"})],
)
def test_a_sample_of_our_own_stands_in_for_the_dataset(
    name: str, count: int, verdict: dict[str, Any], steelyard: Commands
) -> None:
    reply = f"Evidence: Canberra\nReason: so it is\n{{tag}} {json.dumps(verdict)}"
    plan = Plan(texts=("Canberra",), rules=(Rule(contains="work-", text=reply),))
    with serving(plan) as server:
        endpoint = ("--model-url", server.url, "--model-id", "my-model")
        judge = ("--judge-url", server.url, "--judge-id", "gpt-4o")
        done = steelyard("eval", "run", "--bench", name, *endpoint, *judge, "-o", "out")
    assert done.code == 0, done.err
    assert f"{name}-sample" in done.out
    found = results("out")
    assert (found["benchmark"], found["headline"]["scored"]) == (f"{name}-sample", count)


def test_the_command_of_the_guide(steelyard: Commands) -> None:
    args = (
        "--repeats",
        4,
        "--max-problems",
        10,
        "--concurrency",
        64,
        "--output",
        "out/",
        "--resume",
    )
    with serving(judged(5)) as server:
        named = (
            "--model-url",
            server.url,
            "--model-id",
            "NAME",
            "--judge-url",
            server.url,
            "--judge-id",
            "NAME",
        )
        done = steelyard("eval", "run", "--bench", "trivia", *named, *args)
        assert done.code == 0, done.err
        assert server.calls == 40
    found = results("out")
    assert (found["repeats"], found["headline"]["total"], found["headline"]["interval"]) == (
        4,
        40,
        "clustered",
    )
    assert {"mean_reward", "pass@1", "pass@2", "pass@4"} <= set(found["metrics"])
    analysis = json.loads(Path("out/failure_analysis.json").read_text(encoding="utf-8"))
    assert set(analysis) == {"total_failures", "failure_rate", "categories", "exemplars"}


@pytest.mark.parametrize("bench", ["choices", "arithmetic", "extraction", "open", "languages"])
def test_every_bundled_benchmark_runs(bench: str, steelyard: Commands) -> None:
    with serving(judged(4)) as server:
        done = steelyard(
            "eval",
            "run",
            "--bench",
            bench,
            "--model-url",
            server.url,
            "--model-id",
            "m",
            "--judge-id",
            "j",
            "--max-problems",
            5,
            "--output",
            "out",
        )
    assert done.code in {0, 3}, done.err
    head = results("out")["headline"]
    assert head["total"] == 5
    assert head["scored"] == 5 or bench == "languages"
