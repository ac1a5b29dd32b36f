"""Whole solutions: the formula, the parts, bad references, judges and hostile documents."""

from __future__ import annotations

import math
import unicodedata
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.judges import Down, Known
from steelyard.errors import SpecError
from steelyard.reference import needs_judge, read_reference_solution, score_solution
from steelyard.score import weigh

ANSWER = {"1": "ka", "2": "<select3,1,3>['a', 'b', 'c']", "3": "<select3,1,3>['a', 'b', 'c']"}
CHECKLIST = ["first", "second", "third", "fourth"]
REFERENCE = {
    "id": "2003-1",
    "answer": ANSWER,
    "explanation": {"rules": "all", "rule_checklist": CHECKLIST},
}
PLAIN = {"id": "2003-1", "answer": ANSWER, "explanation": {"rules": "", "rule_checklist": []}}
GOOD = {
    "id": "2003-1",
    "answer": {"1": "ka", "2": ["a", "b", "c"], "3": ["c", "b", "a"]},
    "explanation": "all",
}


def test_one_part_a_question_and_one_a_criterion() -> None:
    judge = Known(criteria=["first", "third", "fourth"])
    solution = {"answer": {"1": "xx", "2": ["a"], "3": ["b", "c"]}, "explanation": "some"}
    score = score_solution(solution, REFERENCE, judge=judge)
    assert [part.name for part in score.parts] == [
        "1",
        "2",
        "3",
        *(f"criterion {i}" for i in range(1, 5)),
    ]
    assert [part.score.value for part in score.parts] == [0, 1 / 3, 2 / 3, 1, 0, 1, 1]
    assert [part.weight for part in score.parts] == [4, 4, 4, 3, 3, 3, 3]
    assert score.value == float(Fraction(1, 3) / 2 + Fraction(3, 4) / 2)
    assert score.detail == {"answer": 1 / 3, "explanation": 0.75, "explanation_weight": 0.5}
    assert judge.asked[0] == ("first", "all", "some")
    assert score.parts[3].score.detail["criterion"] == "first"


@pytest.mark.parametrize(
    ("weight", "value"), [(0, 1), (0.1, 0.95), (0.25, 0.875), (0.5, 0.75), (1, 0.5), (0.3, 0.85)]
)
def test_the_explanation_weighs_what_it_is_told_to(weight: float, value: float) -> None:
    judge = Known(criteria=["first", "second"])
    score = score_solution(GOOD, REFERENCE, judge=judge, explanation_weight=weight)
    assert score.value == value
    assert weigh(score.parts).value == value
    assert bool(judge.asked) is (weight > 0)


@settings(deadline=None)
@given(
    st.lists(st.integers(0, 7), min_size=1, max_size=7),
    st.lists(st.booleans(), max_size=6),
    st.decimals(0, 1, places=3),
)
def test_the_formula_holds_exactly(right: list[int], met: list[bool], weight: Any) -> None:
    items = [str(n) for n in range(7)]
    answer = {str(i): f"<select7,0,7>{items}" for i in range(len(right))}
    checklist = [f"c{i}" for i in range(len(met))]
    reference = {"answer": answer, "explanation": {"rules": "r", "rule_checklist": checklist}}
    solution = {"answer": {str(i): items[:n] for i, n in enumerate(right)}, "explanation": "x"}
    judge = Known(criteria=[name for name, yes in zip(checklist, met, strict=True) if yes])
    score = score_solution(solution, reference, judge=judge, explanation_weight=float(weight))
    answered = Fraction(sum(right), 7 * len(right))
    want = answered
    if met and weight:
        want = answered * (1 - Fraction(weight)) + Fraction(sum(met), len(met)) * Fraction(weight)
    assert score.value == float(want)
    assert math.isclose(weigh(score.parts).value or 0, want, rel_tol=1e-12, abs_tol=1e-12)


def test_thirds_add_up() -> None:
    score = score_solution({"answer": {"2": ["a"], "3": ["b", "c"], "1": "ka"}}, PLAIN)
    assert score.value == 2 / 3
    halves = {"answer": {"2": ANSWER["2"], "3": ANSWER["3"]}}
    assert score_solution({"answer": {"2": ["a"], "3": ["b", "c"]}}, halves).value == 0.5


def test_an_empty_checklist_is_not_judged() -> None:
    score = score_solution(GOOD, PLAIN)
    assert score.value == 1
    assert score.correct
    assert len(score.parts) == 3
    assert score.detail["explanation"] is None


@pytest.mark.parametrize(
    "explanation", [None, {}, "", {"rules": "", "rule_checklist": []}, {"rules": "r"}]
)
def test_an_explanation_that_is_not_there_is_not_judged(explanation: Any) -> None:
    score = score_solution(GOOD, {"answer": ANSWER, "explanation": explanation})
    assert score.value == 1
    assert "problems" not in score.detail


@pytest.mark.parametrize("explanation", [None, "", "  ", 6, ["all"]])
def test_a_solution_without_an_explanation_meets_no_criterion(explanation: Any) -> None:
    judge = Known(criteria=CHECKLIST)
    score = score_solution({**GOOD, "explanation": explanation}, REFERENCE, judge=judge)
    assert score.value == 0.5
    assert judge.asked == []
    assert all(part.score.reason for part in score.parts)


def test_a_judge_that_is_down_leaves_no_value() -> None:
    score = score_solution(GOOD, REFERENCE, judge=Down())
    assert score.status == "unscored"
    assert score.reason == "criterion 1: the judge did not answer"
    assert [part.score.value for part in score.parts[:3]] == [1, 1, 1]
    assert score.detail["answer"] == 1


def test_a_judge_that_is_needed_is_asked_for_before_anything_is_scored() -> None:
    with pytest.raises(
        SpecError, match="the explanation needs a judge: give one, or set explanation_weight"
    ):
        score_solution(GOOD, REFERENCE)
    assert score_solution(GOOD, REFERENCE, explanation_weight=0).value == 1
    fuzzy = {"answer": {"1": "<fuzzy>a dog"}}
    with pytest.raises(SpecError, match="'llm' needs a judge"):
        score_solution({"answer": {}}, fuzzy)
    assert needs_judge(fuzzy) == ("answer.1",)
    assert needs_judge(fuzzy, fuzzy="exact") == ()
    assert needs_judge(REFERENCE) == ("explanation.rule_checklist",)
    assert needs_judge(REFERENCE, explanation_weight=0) == ()


@pytest.mark.parametrize("weight", [-0.1, 1.1, "half", None, True, float("nan")])
def test_a_weight_outside_0_to_1_is_refused(weight: Any) -> None:
    with pytest.raises(SpecError, match="explanation_weight: must be a number from 0 to 1"):
        score_solution(GOOD, PLAIN, explanation_weight=weight)


def test_a_question_whose_reference_cannot_be_read_is_struck_and_named() -> None:
    reference = {"answer": {**ANSWER, "4": "<select2>['a']", "5": 6}}
    score = score_solution(GOOD, reference)
    assert score.value == 1
    assert [part.weight for part in score.parts] == [1, 1, 1, 0, 0]
    assert [part.score.status for part in score.parts[3:]] == ["unscored"] * 2
    assert "the tag '<select2>' needs three numbers" in score.parts[3].score.reason
    assert "struck, because the reference cannot be read: '4', '5'" in score.reason
    assert [text.split(":")[0] for text in score.detail["problems"]] == ["answer.4", "answer.5"]


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        (None, "a reference solution is an object, not null"),
        ([], "not an empty array"),
        ({}, "answer: must be an object with a reference for each question, not missing"),
        ({"answer": {}}, "not empty"),
        ({"answer": ["a"]}, "not an array of 1"),
        ({"answer": {"1": "<select>"}}, "answer.1: the tag"),
    ],
)
def test_a_reference_of_which_nothing_can_be_read_leaves_no_value(
    reference: Any, said: str
) -> None:
    score = score_solution(GOOD, reference)
    assert score.status == "unscored"
    assert said in score.reason


@pytest.mark.parametrize(
    ("explanation", "path"),
    [
        ("rules", "explanation"),
        ({"rules": 6}, "explanation.rules"),
        ({"rule_checklist": "first"}, "explanation.rule_checklist"),
        ({"rule_checklist": ["first", " ", 6]}, "explanation.rule_checklist[1]"),
    ],
)
def test_a_bad_explanation_is_named_and_the_rest_is_scored(explanation: Any, path: str) -> None:
    reference = {"answer": ANSWER, "explanation": explanation}
    assert read_reference_solution(reference).problems[0].path == path
    score = score_solution(GOOD, reference, judge=Known(criteria=["first"]))
    assert score.value == 1
    assert score.detail["problems"]


@pytest.mark.parametrize(
    ("solution", "said"),
    [
        (None, "the solution is null; an object is needed"),
        ("text", "the solution is 'text'; an object is needed"),
        ({}, "the solution has no answer"),
        ({"answer": None}, "the solution's answer is null; an object is needed"),
        ({"answer": ["ka"]}, "the solution's answer is an array of 1; an object is needed"),
        ({"answer": {}}, "the question is not answered"),
        ({"answer": {"1": None}}, "the answer is null"),
        ({"answer": {6: "ka"}}, "the question is not answered"),
    ],
)
def test_a_malformed_or_missing_solution_is_nothing(solution: Any, said: str) -> None:
    score = score_solution(solution, PLAIN)
    assert score.value == 0
    assert len(score.parts) == 3
    assert score.parts[0].score.reason == said


def test_a_question_may_be_named_in_another_unicode_form() -> None:
    reference = {"answer": {unicodedata.normalize("NFC", "é1"): "ká"}}
    solution = {"answer": {unicodedata.normalize("NFD", "é1"): unicodedata.normalize("NFD", "ká")}}
    assert score_solution(solution, reference).value == 1


def test_the_lobster_profile_scores_whole_solutions() -> None:
    reference = {
        "answer": {"1": "[ka]", "2": ANSWER["2"]},
        "explanation": {"rules": "", "rule_checklist": []},
    }
    solution = {"answer": {"1": "[ka]", "2": ["x"]}, "explanation": ""}
    assert score_solution(solution, reference).value == 0.5
    assert score_solution(solution, reference, compat="lobster").value == 1 / 3
    with pytest.raises(SpecError, match="unknown profile"):
        score_solution({}, {}, compat="crab")  # type: ignore[arg-type]


def test_questions_and_criteria_never_share_a_name() -> None:
    reference = {
        "answer": {"criterion 1": "a"},
        "explanation": {"rules": "", "rule_checklist": ["first"]},
    }
    score = score_solution({"answer": {}}, reference, judge=Known())
    assert [part.name for part in score.parts] == ["criterion 1", "rule criterion 1"]
