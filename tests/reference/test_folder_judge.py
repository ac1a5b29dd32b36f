"""A judge out of a file: what it says, what it does not say, and what is wrong with the file."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from reference.folders import Folders
from steelyard.batch.reference import Settings, load_judge
from steelyard.errors import DataError, JudgeError

EQUAL = {
    "ask": "equivalent",
    "reference": "a dog",
    "entry": "one dog",
    "value": True,
    "reason": "the same animal",
}
PAIRS = {
    "ask": "assign",
    "references": ["hot", "cold"],
    "items": ["warm", "chilly", "wet"],
    "pairs": [["warm", "hot"], ["chilly", "cold"]],
}
MET = {
    "ask": "criterion",
    "criterion": "Base six.",
    "explanation": "It counts in sixes.",
    "value": True,
}


def judge_file(folder: Path, *lines: Any) -> Path:
    path = folder / "judge.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_it_says_what_was_recorded(tmp_path: Path) -> None:
    judge = load_judge(
        judge_file(tmp_path, EQUAL, PAIRS, MET, {**EQUAL, "question": "2", "value": False})
    )
    assert judge.equivalent("a dog ", " one dog", "1").reason == "the same animal"
    assert judge.equivalent("a dog", "one dog", "1").value is True
    assert judge.equivalent("a dog", "one dog", "2").value is False
    assert judge.assign(["wet", "warm", "chilly"], ["cold", "hot"], "1").pairs == ((1, 1), (2, 0))
    assert judge.criterion("Base six.", "any rules", "It counts in sixes.").value is True


def test_why_items_belong_together_is_in_the_score_file(tmp_path: Path) -> None:
    folders = Folders(tmp_path)
    folders.refer("2003-1", {"1": "<fuzzy><select2,1,3>['hot', 'cold']"})
    folders.solve("2003-1", {"1": ["warm", "chilly", "wet"]})
    said = {**PAIRS, "reason": "temperatures", "evidence": "warm, chilly"}
    narrowed = {**said, "question": "1", "reason": "as the question asks"}
    for lines, reason in (([said], "temperatures"), ([said, narrowed], "as the question asks")):
        folders.score(Settings(), judge=str(judge_file(tmp_path, *lines)))
        (question,) = folders.record("2003-1")["questions"]
        assert (question["value"], question["evidence"]["evidence"]) == (0.5, "warm, chilly")
        assert question["evidence"]["judge_reason"] == reason


def test_positions_and_hashes_serve_as_well(tmp_path: Path) -> None:
    digest = hashlib.sha256(b"It counts in sixes.").hexdigest()
    hashed = {
        "ask": "criterion",
        "criterion": "Base six.",
        "explanation_sha256": digest,
        "value": False,
    }
    judge = load_judge(judge_file(tmp_path, {**PAIRS, "pairs": [[0, 1]]}, hashed))
    assert judge.assign(["chilly", "wet", "warm"], ["hot", "cold"], "").pairs == ((2, 1),)
    assert judge.criterion("Base six.", "", "It counts in sixes.\n").value is False


def test_no_pairs_are_an_answer_too(tmp_path: Path) -> None:
    judge = load_judge(judge_file(tmp_path, {**PAIRS, "pairs": []}))
    assert judge.assign(["warm", "chilly", "wet"], ["hot", "cold"], "").pairs == ()


def test_no_pairs_for_one_question_are_not_overruled(tmp_path: Path) -> None:
    judge = load_judge(judge_file(tmp_path, PAIRS, {**PAIRS, "pairs": [], "question": "2"}))
    assert judge.assign(["warm", "chilly", "wet"], ["hot", "cold"], "2").pairs == ()
    assert len(judge.assign(["warm", "chilly", "wet"], ["hot", "cold"], "1").pairs) == 2


def test_what_was_not_recorded_is_no_verdict(tmp_path: Path) -> None:
    judge = load_judge(judge_file(tmp_path, {**EQUAL, "question": "2"}))
    with pytest.raises(JudgeError, match="the entry 'one dog'"):
        judge.equivalent("a dog", "one dog", "1")
    with pytest.raises(JudgeError, match="the items 'warm'"):
        judge.assign(["warm"], ["hot"], "")
    with pytest.raises(JudgeError, match="the criterion 'Base six"):
        judge.criterion("Base six.", "", "else")


def test_other_verdicts_are_another_judge(tmp_path: Path) -> None:
    first = load_judge(judge_file(tmp_path, EQUAL)).name
    assert first != load_judge(judge_file(tmp_path, MET)).name


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("nonsense", "no recorded verdict"),
        ([1], "Expected"),
        ({}, "ask"),
        ({"ask": "guess"}, "guess"),
        ({"ask": "equivalent", "reference": "a", "value": True}, "needs 'entry'"),
        ({"ask": "equivalent", "reference": "a", "entry": "b", "value": "yes"}, "value"),
        (
            {"ask": "criterion", "criterion": "a", "value": True},
            "'explanation' or 'explanation_sha256'",
        ),
        ({**PAIRS, "pairs": [["warm", "blue"]]}, "names no item and reference"),
        ({**PAIRS, "pairs": [[0, 9]]}, "names no item and reference"),
        ({**PAIRS, "pairs": [[0, "hot"]]}, "two texts or of two positions"),
        ({**EQUAL, "colour": "red"}, "colour"),
        ({**EQUAL, "value": False}, "an earlier line says otherwise"),
    ],
)
def test_a_bad_line_is_told_with_its_number(line: Any, told: str, tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        load_judge(judge_file(tmp_path, EQUAL, line))
    assert (caught.value.line, caught.value.file) == (2, str(tmp_path / "judge.jsonl"))
    assert told in str(caught.value)


def test_a_whole_problem_with_a_judge(tmp_path: Path) -> None:
    folders = Folders(tmp_path)
    explanation = {"rules": "The base is six.", "rule_checklist": ["Base six.", "lo subtracts."]}
    folders.refer(
        "2003-1",
        {"1": "<fuzzy>a dog", "2": "<fuzzy><select2,1,3>['hot', 'cold']", "3": "ka"},
        explanation,
    )
    folders.refer("2003-2", {"1": "ka"}, explanation)
    answer = {"1": "one dog", "2": ["warm", "chilly", "wet"], "3": "ka"}
    folders.solve("2003-1", answer, "It counts in sixes.")
    other = {
        **MET,
        "criterion": "lo subtracts.",
        "value": False,
        "reason": "it is not said",
        "evidence": "sixes",
    }
    judge = judge_file(tmp_path, EQUAL, PAIRS, MET, other)
    found = folders.score(Settings(explanation_weight=0.25), judge=str(judge))
    record = folders.record("2003-1")
    assert [q["value"] for q in record["questions"]] == [1.0, 0.5, 1.0]
    assert [c["value"] for c in record["criteria"]] == [1.0, 0.0]
    assert (record["criteria"][1]["reason"], record["criteria"][1]["evidence"]["evidence"]) == (
        "it is not said",
        "sixes",
    )
    assert (record["answer"], record["explanation"], record["explanation_weight"]) == (
        2.5 / 3,
        0.5,
        0.25,
    )
    assert record["value"] == 0.75
    assert record["signature"]["judge"] == load_judge(judge).name
    missing = folders.record("2003-2")
    assert (missing["value"], missing["explanation"], len(missing["criteria"])) == (0.0, 0.0, 2)
    assert (found.mean, found.explanation_mean, found.explanations) == (0.375, 0.25, 2)


def test_a_judge_that_is_silent_leaves_no_zero(tmp_path: Path) -> None:
    folders = Folders(tmp_path)
    for n, entry in ((1, "one dog"), (2, "a hound")):
        folders.refer(f"2003-{n}", {"1": "<fuzzy>a dog", "2": "ka"})
        folders.solve(f"2003-{n}", {"1": entry, "2": "ka"})
    found = folders.score(Settings(), judge=str(judge_file(tmp_path, EQUAL)))
    assert (found.scored, found.unscored, found.mean, found.worst, found.best) == (
        1,
        1,
        1.0,
        0.5,
        1.0,
    )
    assert found.exit_code == 1
    fuzzy = next(kind for kind in found.by_type if kind.type == "fuzzy")
    assert (fuzzy.questions, fuzzy.scored) == (2, 1)


def test_a_judge_that_is_not_asked_does_not_shape_a_score(tmp_path: Path) -> None:
    folders = Folders(tmp_path)
    folders.refer("2003-1", {"1": "<fuzzy>a dog"})
    folders.refer("2003-2", {"1": "ka"})
    for line, reused in ((EQUAL, 0), (MET, 1)):
        assert folders.score(Settings(), judge=str(judge_file(tmp_path, line))).reused == reused
    assert folders.record("2003-2")["signature"]["judge"] is None
