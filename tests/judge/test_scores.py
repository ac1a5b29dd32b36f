"""From a reply to a Score: the attempt's fault is a zero, ours never is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from judge.scripted import Scripted, asker, run, says, tag_of, verdict
from steelyard.errors import ModelError, SpecError
from steelyard.judge.checklist import Criterion, read_criteria
from steelyard.judge.config import JudgeScoringConfig
from steelyard.judge.pairwise import compare
from steelyard.judge.prompt import JudgeItem
from steelyard.judge.rating import canary_item, judge_one
from steelyard.judge.store import JudgeStore
from steelyard.models.pace import StopRun
from steelyard.models.types import Reply
from steelyard.score import Score

PARIS = JudgeItem(
    key="0.0", instruction="The capital of France?", response="It is Paris.", expected="Paris"
)


def judged(model: Scripted, item: JudgeItem = PARIS, **settings: Any) -> Score:
    config = JudgeScoringConfig(**settings)
    return run(judge_one(asker(model, config=config), item, config))


@pytest.mark.parametrize(
    ("reply", "settings", "value", "correct"),
    [
        (verdict(5), {}, 1.0, True),
        (verdict(4), {}, 0.8, True),
        (verdict(3), {}, 0.6, False),
        (verdict(3), {"threshold": 0.6}, 0.6, True),
        (verdict(1), {}, 0.2, False),
        (verdict("3/10"), {}, 0.3, False),
        (verdict(7), {"max_score": 10, "threshold": 0.7}, 0.7, True),
        (verdict(4.5), {}, 0.9, True),
    ],
)
def test_a_rating_becomes_a_score(
    reply: str, settings: dict[str, Any], value: float, correct: bool
) -> None:
    score = judged(Scripted(reply), **settings)
    assert (score.value, score.correct, score.status) == (value, correct, "scored")
    assert "so it is" in score.reason
    assert score.detail["judge"] == "scripted"
    assert len(score.detail["calls"]) == 1


def test_evidence_that_is_not_there_is_told() -> None:
    assert judged(Scripted(verdict(5, evidence="Paris"))).detail["evidence_found"] is True
    assert judged(Scripted(verdict(5, evidence="Lyon"))).detail["evidence_found"] is False


@pytest.mark.parametrize(
    "bad", ["", "I cannot.", verdict(0), verdict(9), "Score: NaN", "Score: 3-4"]
)
def test_an_unreadable_verdict_is_asked_for_again_then_unscored(bad: str) -> None:
    model = Scripted(bad, bad, verdict(4))
    assert judged(model).value == 0.8
    assert len(model.asked) == 3
    assert "could not be used" in model.asked[1].messages[0].content
    assert len({request.messages for request in model.asked}) == 3
    never = Scripted(bad)
    score = judged(never, tries=2)
    assert (score.value, score.status, len(never.asked)) == (None, "unscored", 2)
    assert len(score.detail["calls"]) == 2


@pytest.mark.parametrize("finish", ["length", "max_tokens"])
def test_a_reply_that_was_cut_off_at_its_verdict_is_not_read(finish: str) -> None:
    model = Scripted(
        say=lambda request: Reply(
            text=verdict(1 if not model.asked else 5).replace("{tag}", tag_of(request)),
            finish=finish if not model.asked else "stop",
        )
    )
    assert judged(model).value == 1.0
    assert len(model.asked) == 2


def test_reasoning_that_the_server_keeps_apart_is_no_verdict() -> None:
    assert judged(Scripted(Reply(text="", reasoning="Score: 5")), tries=1).status == "unscored"


@pytest.mark.parametrize(
    "failed", [ModelError("no answer", kind="timeout"), StopRun("the key is refused", "refused")]
)
def test_a_judge_that_fails_leaves_it_pending(failed: Exception) -> None:
    score = judged(Scripted(failed))
    assert (score.value, score.status) == (None, "pending")
    assert str(failed) in score.reason
    assert score["needs_judge"] is True


@pytest.mark.parametrize("response", ["", "  \n", "<think>Paris</think>"])
def test_nothing_is_not_put_before_the_judge(response: str) -> None:
    model = Scripted(verdict(5))
    item = JudgeItem(key="1", instruction="?", response=response, metadata={"criteria": ["a"]})
    assert judged(model, item).value == 0
    assert judged(model, JudgeItem(key="1", instruction="?", response=response)).value == 0
    assert not model.asked


def test_the_swap_check_asks_in_both_orders() -> None:
    model = Scripted(verdict(5), verdict(2))
    score = judged(model, swap_check=True, threshold=0.7)
    assert score.value == 0.7
    assert score.correct is True
    assert score.detail["scores"] == [5, 2]
    assert score.detail["flipped"] is True
    first, second = (request.messages for request in model.asked)
    assert "Reference answer" in first[0].content
    assert "Reference answer" not in second[0].content
    assert "It is Paris." in second[1].content
    assert "Reference answer" in second[2].content
    assert judged(Scripted(verdict(5)), swap_check=True).detail["flipped"] is False
    assert judged(Scripted(verdict(5), "?"), swap_check=True, tries=1).status == "unscored"


RUBRICS = [
    {"criterion": "names Paris", "points": 5, "tags": ["x"]},
    {"criterion": "names the river", "points": 3},
    {"criterion": "names Lyon", "points": -4},
]
CHECKED = JudgeItem(
    key="1",
    instruction="?",
    response="Paris, on the Seine. Not Lyon.",
    metadata={"rubrics": RUBRICS},
)


def criteria_judge(**met: str) -> Scripted:
    def say(request: Any) -> str:
        found = next(
            (
                word
                for word in met
                if f"names {word}" in request.messages[0].content.replace("the river", "Seine")
            ),
            None,
        )
        return says("yes", met[found]) if found else says("no")

    return Scripted(say=say)


@pytest.mark.parametrize(
    ("met", "value", "parts"),
    [
        ({"Paris": "Paris", "Seine": "on the Seine"}, 1.0, [1, 1, 1]),
        ({"Paris": "Paris"}, 0.625, [1, 0, 1]),
        ({"Paris": "Paris", "Lyon": "Lyon"}, 0.125, [1, 0, 0]),
        ({"Lyon": "Lyon"}, 0.0, [0, 0, 0]),
        ({}, 0.0, [0, 0, 1]),
    ],
)
def test_a_checklist_with_points(met: dict[str, str], value: float, parts: list[int]) -> None:
    score = judged(criteria_judge(**met), CHECKED)
    assert score.value == value
    assert [part.score.value for part in score.parts] == parts
    assert [part.weight for part in score.parts] == [5, 3, 4]
    assert score.detail["possible"] == 8
    assert len(score.detail["calls"]) == 3


def test_evidence_must_stand_in_the_answer() -> None:
    item = JudgeItem(
        key="1", instruction="?", response="Paris.", metadata={"criteria": ["names a city"]}
    )
    invented = Scripted(says("yes", "London"), says("yes"), says("yes", "paris"))
    assert judged(invented, item).value == 1.0
    assert len(invented.asked) == 3
    assert "does not stand in the work" in invented.asked[1].messages[0].content
    score = judged(Scripted(says("yes", "London")), item)
    assert (score.value, score.status) == (None, "unscored")
    assert "criterion 1" in score.reason
    assert judged(Scripted(says("no", "London"), says("no")), item).value == 0.0


@pytest.mark.parametrize(
    ("metadata", "path"),
    [
        ({"rubrics": []}, "rubrics"),
        ({"rubrics": "x"}, "rubrics"),
        ({"criteria": [""]}, "criteria[0]"),
        ({"criteria": ["a", {"points": 1}]}, "criteria[1]"),
        ({"criteria": [{"criterion": "a", "points": 0}]}, "criteria[0]"),
        ({"criteria": [{"criterion": "a", "points": "5"}]}, "criteria[0]"),
        ({"criteria": [{"criterion": "a", "points": float("nan")}]}, "criteria[0]"),
        ({"criteria": [{"criterion": "a", "points": -1}]}, "criteria"),
        ({"criteria": [7]}, "criteria[0]"),
    ],
)
def test_criteria_that_cannot_be_used(metadata: dict[str, Any], path: str) -> None:
    with pytest.raises(SpecError) as refused:
        read_criteria(metadata)
    assert refused.value.path == path
    model = Scripted(says("yes", "x"))
    assert (
        judged(model, JudgeItem(key="1", instruction="?", response="x", metadata=metadata)).status
        == "unscored"
    )
    assert not model.asked


def test_criteria_may_be_plain_texts() -> None:
    found = read_criteria({"criteria": ["a", {"text": "b", "points": 2}]})
    assert found == (Criterion(text="a"), Criterion(text="b", points=2.0))
    assert read_criteria({"category": "x"}) == ()


def prefers(text: str) -> Scripted:
    """Whichever of the two shown answers holds the text."""

    def say(request: Any) -> str:
        shown = request.messages[1].content
        first, second = shown.split("</work-")[:2]
        return says("A" if text in first else "B" if text in second else "tie")

    return Scripted(say=say)


@pytest.mark.parametrize(
    ("model", "winner", "flipped"),
    [
        (prefers("good"), "first", False),
        (prefers("bad"), "second", False),
        (prefers("nothing"), "tie", False),
        (Scripted(says("A")), "tie", True),
        (Scripted(says("B")), "tie", True),
        (Scripted(says("A"), says("tie")), "tie", True),
    ],
)
def test_a_verdict_that_flips_with_the_order_is_a_tie(
    model: Scripted, winner: str, flipped: bool
) -> None:
    found = run(compare(asker(model), "?", ("good one", "bad one"), JudgeScoringConfig()))
    assert (found.winner, found.flipped, len(found.calls)) == (winner, flipped, 2)


def test_pairs_that_need_no_judge() -> None:
    model = Scripted(says("A"))
    for answers, winner in (
        (("x", " x "), "tie"),
        (("", "x"), "second"),
        (("x", "<think>y</think>"), "first"),
    ):
        assert run(compare(asker(model), "?", answers, JudgeScoringConfig())).winner == winner
    assert not model.asked


def test_a_pair_without_a_verdict_has_no_winner() -> None:
    found = run(compare(asker(Scripted("?")), "?", ("a", "b"), JudgeScoringConfig(tries=2)))
    assert (found.winner, found.flipped, len(found.calls)) == (None, False, 4)
    assert found.reason


@pytest.mark.parametrize("text", ["\ud800 is half a pair", "\x00\udfff", "e\u0301" * 1000, "\r"])
def test_no_bytes_of_a_reply_end_the_judging(text: str, tmp_path: Path) -> None:
    config = JudgeScoringConfig(tries=2)
    with JudgeStore(tmp_path / "j") as store:
        model = Scripted(text, f'{text}\n{{tag}} {{"score": 4}}')
        assert run(judge_one(asker(model, store), PARIS, config)).value == 0.8
    with JudgeStore(tmp_path / "j", offline=True) as store:
        assert run(judge_one(asker(Scripted(), store), PARIS, config)).value == 0.8


RUBRIC = "{instruction} Is {expected} right? Say GOOD or BAD on a line of its own."


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("It is.\nGOOD", 1.0),
        ("BAD", 0.2),
        ("Score: 3", 0.6),
        ("GOOD\nBAD", None),
        ("good it is", None),
    ],
)
def test_a_rubric_with_a_form_of_its_own_is_read_by_the_table(
    reply: str, value: float | None
) -> None:
    labels = {"GOOD": 5.0, "BAD": 1.0}
    model = Scripted(reply)
    score = judged(model, rubric=RUBRIC, verdict="form", labels=labels, tries=2)
    assert score.value == value
    assert len(model.asked) == (1 if value else 2)
    assert "VERDICT" not in model.asked[0].messages[0].content


def test_labels_that_differ_in_case_only_are_refused() -> None:
    with pytest.raises(SpecError, match="labels: two of them are the same word"):
        JudgeScoringConfig(verdict="form", labels={"Good": 5.0, "GOOD": 1.0})


def test_the_canary_has_no_criteria_of_its_own() -> None:
    model = Scripted(verdict(1))
    config = JudgeScoringConfig(rubric="{instruction} by {criteria}")
    score = run(judge_one(asker(model, config=config), canary_item(config), config))
    assert (score.value, len(model.asked)) == (0.2, 1)
