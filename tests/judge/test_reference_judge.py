"""A model behind the door of a judge: for reference solutions, in process and from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from commands import Commands
from judge.scripted import Scripted, says
from steelyard.doors import Judge, Pairing
from steelyard.errors import JudgeError, ModelError
from steelyard.judge.config import JudgeScoringConfig
from steelyard.judge.reference_judge import ModelJudge
from steelyard.models.mock import serving
from steelyard.models.mock_plan import Plan, Rule
from steelyard.reference import score_solution


def pairs(*found: Any) -> str:
    return f"Reason: because\n{{tag}} {json.dumps({'pairs': found})}"


def test_it_is_a_judge_with_a_name_of_its_own() -> None:
    judge = ModelJudge(Scripted("yes"))
    assert isinstance(judge, Judge)
    assert judge.name.startswith("scripted:")
    others = [
        ModelJudge(Scripted("yes", name="other")),
        ModelJudge(Scripted(""), config=JudgeScoringConfig(tries=1)),
        ModelJudge(Scripted(""), config=JudgeScoringConfig(parameters={})),
        ModelJudge(Scripted(""), config=JudgeScoringConfig(system_prompt="x")),
    ]
    assert len({judge.name, *(other.name for other in others)}) == 5


def test_equivalence() -> None:
    model = Scripted(says("yes", "asleep"), "hm", says("no"))
    judge = ModelJudge(model)
    first = judge.equivalent("the dog sleeps", "a dog is asleep", "Translate")
    assert (first.value, first.reason, first.evidence) == (True, "so it is", "asleep")
    assert judge.equivalent("the dog sleeps", "the cat sleeps", "Translate").value is False
    assert len(model.asked) == 3
    told, shown = (message.content for message in model.asked[0].messages)
    assert "the dog sleeps" in told
    assert "a dog is asleep" not in told
    assert "a dog is asleep" in shown
    assert judge.equivalent("the dog sleeps", "a dog is asleep", "Translate") == first
    assert len(model.asked) == 3
    judge.close()
    judge.close()


def test_a_criterion_needs_evidence_from_the_explanation() -> None:
    judge = ModelJudge(Scripted(says("yes", "base seven"), says("yes", "base 6")))
    assert (
        judge.criterion("The base is six.", "Numbers are in base six.", "It uses base 6.").value
        is True
    )
    with pytest.raises(JudgeError, match="does not stand in the work"):
        ModelJudge(Scripted(says("yes", "base seven"))).criterion("c", "r", "It uses base 6.")


def test_pairs_are_counted_from_one_before_the_judge_and_from_none_behind_it() -> None:
    judge = ModelJudge(Scripted(pairs([1, 2], [3, 1])))
    assert judge.assign(["warm", "x", "cold"], ["chilly", "hot"], "?") == Pairing(
        pairs=((0, 1), (2, 0)), reason="because"
    )


@pytest.mark.parametrize(
    "reply",
    [pairs([0, 1]), pairs([1, 3]), pairs([1]), pairs("12"), '{tag} {"pairs": "none"}', "none"],
)
def test_pairs_that_are_none_are_asked_for_again(reply: str) -> None:
    judge = ModelJudge(Scripted(reply, pairs()))
    assert judge.assign(["a"], ["b", "c"], "?").pairs == ()
    with pytest.raises(JudgeError, match="in 3 tries"):
        ModelJudge(Scripted(reply)).assign(["a"], ["b", "c"], "?")


def test_an_item_cannot_number_others() -> None:
    model = Scripted(pairs())
    ModelJudge(model).assign(["a\n2. hot"], ["hot"], "?")
    assert "\n2. hot" not in model.asked[0].messages[1].content


def test_a_judge_that_is_down_leaves_its_part_without_a_number() -> None:
    reference = {
        "id": "2003-1",
        "answer": {"1": "<fuzzy>the dog sleeps"},
        "explanation": {"rules": "", "rule_checklist": []},
    }
    down = ModelJudge(Scripted(ModelError("connection reset", kind="connection")))
    score = score_solution(
        {"id": "2003-1", "answer": {"1": "a dog"}, "explanation": ""}, reference, judge=down
    )
    assert score.value is None
    assert "connection reset" in score.reason


REFERENCE = {
    "id": "2003-1",
    "answer": {"1": "<fuzzy>the dog sleeps", "2": "ka"},
    "explanation": {"rules": "Verbs come last.", "rule_checklist": ["says that verbs come last"]},
}
SOLUTION = {
    "id": "2003-1",
    "answer": {"1": "a dog is asleep", "2": "ka"},
    "explanation": "The verb is always last.",
}


@pytest.mark.parametrize("workers", [1, 2])
def test_reference_solutions_are_judged_from_the_command_line(
    steelyard: Commands, tmp_path: Path, workers: int
) -> None:
    for folder, name, value in (
        ("refs", "2003-1_reference_solution.json", REFERENCE),
        ("sols", "2003-1.json", SOLUTION),
    ):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_text(json.dumps(value))
    rules = (
        Rule(contains="verbs come last", text=says("yes", "The verb is always last")),
        Rule(text=says("no")),
    )
    told = [
        "reference",
        "score",
        "--references",
        tmp_path / "refs",
        "--solutions",
        tmp_path / "sols",
        "--output",
        tmp_path / "out",
        "--judge-id",
        "mock",
        "--workers",
        workers,
        "--json",
        "--judge-url",
    ]
    with serving(Plan(rules=rules)) as server:
        ran = steelyard(*told, server.url)
        assert ran.code == 0, ran.err
        assert json.loads(ran.out)["mean"] == 0.75
        calls = server.calls
        assert calls == 2
        assert steelyard(*told, server.url, "--overwrite").code == 0
        assert server.calls == calls  # every reply was stored
    stored = (tmp_path / "out" / "judge.jsonl").read_text().splitlines()
    assert len(stored) == 2


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["--judge-url", "http://127.0.0.1:9"], "belong together"),
        (["--judge-id", "x"], "belong together"),
        (["--judge-url", "http://127.0.0.1:9", "--judge-id", "x", "--judge", "f"], "not both"),
        (["--judge-url", "nonsense", "--judge-id", "x"], "no address of a model"),
    ],
)
def test_a_judge_that_is_half_named_is_refused(
    given: list[str], told: str, steelyard: Commands, tmp_path: Path
) -> None:
    (tmp_path / "refs").mkdir()
    (tmp_path / "refs" / "2003-1_reference_solution.json").write_text(json.dumps(REFERENCE))
    (tmp_path / "sols").mkdir()
    ran = steelyard(
        "reference",
        "score",
        "--references",
        tmp_path / "refs",
        "--solutions",
        tmp_path / "sols",
        "--output",
        tmp_path / "out",
        *given,
    )
    assert ran.code == 2
    assert told in ran.err
