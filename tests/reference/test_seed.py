"""Every sentence of the document that describes reference solutions, as a test."""

from __future__ import annotations

import math
from typing import Any

import pytest

from reference.judges import Known
from steelyard.batch.reference.ids import number_of, read_id, year_of
from steelyard.errors import SpecError
from steelyard.reference import (
    fuzzy_metric,
    match_entry,
    parse_reference,
    read_reference_solution,
    score_solution,
)
from steelyard.reference.fuzzy import FUZZY

REFERENCE: dict[str, Any] = {
    "id": "2003-1",
    "answer": {
        "1a": "kala",
        "1b": "<fuzzy>the fish swims",
        "2": "<select2,1,3>['ka', 'lo', 'mi']",
        "3": "<fuzzy><select2,1,3>['a dog', 'a cat', 'a cow']",
    },
    "explanation": {
        "rules": "The verb stands last.",
        "rule_checklist": ["verb last", "no articles"],
    },
}
SOLUTION = {
    "id": "2003-1",
    "answer": {
        "1a": "kala",
        "1b": "a fish is swimming",
        "2": ["mi", "ka"],
        "3": ["one hound", "a cat"],
    },
    "explanation": "The verb is at the end.",
}


def judge() -> Known:
    pairs = [("a fish is swimming", "the fish swims"), ("one hound", "a dog")]
    return Known(*pairs, criteria=["verb last"])


def test_each_reference_solution_is_json_with_id_answer_and_explanation() -> None:
    found = read_reference_solution(REFERENCE)
    assert found.problems == ()
    assert found.id == "2003-1"
    assert list(found.references) == ["1a", "1b", "2", "3"]
    assert found.rules == "The verb stands last."
    assert found.checklist == ("verb last", "no articles")


@pytest.mark.parametrize(
    ("problem", "year", "number"),
    [("2003-1", 2003, 1), ("1999-12", 1999, 12), ("2025-007", 2025, 7)],
)
def test_the_id_has_the_year_and_the_number_of_the_problem(
    problem: str, year: int, number: int
) -> None:
    assert read_id(problem) == (problem, "")
    assert (year_of(problem), number_of(problem)) == (year, number)


@pytest.mark.parametrize(
    "problem", ["03-1", "2003_1", "2003-", "2003-1a", "x2003-1", "２００３-1", "2003-1-1", "2003"]
)
def test_an_id_of_another_form_is_told(problem: str) -> None:
    assert read_id(problem)[1].endswith('is not of the form "{year}-{problem_number}"')
    assert (year_of(problem), number_of(problem)) == (None, None)


@pytest.mark.parametrize("answer", [["kala"], "kala", None, 6])
def test_the_answer_is_an_object(answer: Any) -> None:
    assert read_reference_solution({**REFERENCE, "answer": answer}).problems[0].path == "answer"


@pytest.mark.parametrize("value", [["kala"], {"a": "b"}, None, 6, True])
def test_each_value_is_a_string_representation(value: Any) -> None:
    with pytest.raises(SpecError, match="the reference must be a string"):
        parse_reference(value)


@pytest.mark.parametrize(
    ("question", "kind"), [("1a", "exact"), ("1b", "fuzzy"), ("2", "select"), ("3", "fuzzy_select")]
)
def test_the_matching_type_stands_with_the_correct_answer(question: str, kind: str) -> None:
    assert read_reference_solution(REFERENCE).references[question].kind == kind


def test_an_entry_is_an_answer_to_a_single_question() -> None:
    score = score_solution(SOLUTION, REFERENCE, judge=judge())
    assert [part.name for part in score.parts[:4]] == list(REFERENCE["answer"])
    assert [part.score.value for part in score.parts[:4]] == [1, 1, 1, 1]


def test_exact_the_entry_should_be_a_string() -> None:
    assert match_entry("6", 6).value == 0
    assert match_entry("kala", ["kala"]).value == 0


def test_exact_is_normalised_and_compared_by_equality() -> None:
    assert match_entry("kala", " [kala]. ").value == 1
    assert match_entry("kala", "Kala").value == 0


def test_exact_is_1_for_equal_strings_otherwise_0() -> None:
    assert {match_entry("kala", entry).value for entry in ("kala", "kala.", "**kala**")} == {1}
    assert {match_entry("kala", entry).value for entry in ("kal", "kalaa", "", "ka la")} == {0}


def test_fuzzy_is_identified_by_its_prefix_and_allows_non_exact_matching() -> None:
    assert parse_reference("<fuzzy>the fish swims").text == "the fish swims"
    assert parse_reference("the fish swims<fuzzy>").kind == "exact"
    assert match_entry("<fuzzy>the fish swims", "The fish swims!", fuzzy="similarity").value == 1


def test_fuzzy_by_default_a_judge_says_1_for_equivalence_or_0_for_otherwise() -> None:
    one = judge()
    assert match_entry("<fuzzy>the fish swims", "a fish is swimming", judge=one).value == 1
    assert match_entry("<fuzzy>the fish swims", "the fish sleeps", judge=one).value == 0
    assert len(one.asked) == 2


def test_fuzzy_other_metrics_can_be_implemented_by_users() -> None:
    @fuzzy_metric(name="shares_a_word")
    def shares_a_word(got: str, want: str) -> bool:
        return bool(set(got.split()) & set(want.split()))

    try:
        assert match_entry("<fuzzy>the fish swims", "my fish", fuzzy="shares_a_word").value == 1
        assert match_entry("<fuzzy>the fish swims", "my dog", fuzzy="shares_a_word").value == 0
    finally:
        del FUZZY._things["shares_a_word"]


def test_select_is_identified_by_its_prefix() -> None:
    found = parse_reference("<select2,1,inf>['ka', 'lo', 'mi']")
    assert (found.reflen, found.minlen, found.maxlen) == (2, 1, math.inf)
    assert found.items == ("ka", "lo", "mi")


def test_select_a_list_of_items_without_specific_order() -> None:
    reference = "<select3,3,3>['ka', 'lo', 'mi']"
    assert (
        match_entry(reference, ["ka", "lo", "mi"]).value
        == match_entry(reference, ["mi", "lo", "ka"]).value
        == 1
    )


def test_select_multiple_possible_answers() -> None:
    reference = "<select1,1,1>['ka', 'lo', 'mi']"
    assert [match_entry(reference, entry).value for entry in ("ka", ["lo"], "mi", "xa")] == [
        1,
        1,
        1,
        0,
    ]


def test_fuzzy_select_is_identified_by_both_prefixes() -> None:
    for text in ("<fuzzy><select1,1,1>['a']", "<select1,1,1><fuzzy>['a']"):
        assert parse_reference(text).kind == "fuzzy_select"


def test_fuzzy_select_does_the_same_as_select_but_allows_equivalents() -> None:
    reference = REFERENCE["answer"]["3"]
    assert match_entry(reference, ["one hound", "a cat"], judge=judge()).value == 1
    assert match_entry(reference, ["one hound", "a bird"], judge=judge()).value == 0.5
    assert match_entry(reference, ["one hound", "a dog", "a cat"], judge=judge()).value == 0.5
    plain = reference.removeprefix("<fuzzy>")
    assert match_entry(plain, ["one hound", "a cat"]).value == 0.5


def test_the_explanation_is_judged_by_separate_criteria_against_the_rules() -> None:
    one = judge()
    score = score_solution(SOLUTION, REFERENCE, judge=one)
    assert [part.score.value for part in score.parts[4:]] == [1, 0]
    assert one.asked[-2:] == [
        (criterion, "The verb stands last.", "The verb is at the end.")
        for criterion in ("verb last", "no articles")
    ]
    assert score.value == 0.75


def test_where_the_explanation_is_not_judged_both_values_are_empty() -> None:
    reference = {**REFERENCE, "explanation": {"rules": "", "rule_checklist": []}}
    one = judge()
    score = score_solution(SOLUTION, reference, judge=one)
    assert score.value == 1
    assert len(score.parts) == 4
    assert not any("verb" in str(asked) for asked in one.asked)
