"""What a dimension makes of an answer, or a ground truth, of the wrong kind; and by which key it names what serves it."""

from __future__ import annotations

from typing import Any

import pytest

from steelyard import SpecError, evaluate, load_spec
from steelyard.spec import lint_spec

TEXT_SCORERS = ("exact_match", "fuzzy_match", "numeric_match", "answer_line", "multichoice_regex")


def over(scorer: str, **more: Any) -> dict[str, Any]:
    return {
        "profile": "free",
        "dimensions": [
            {"name": "correctness", "weight": 1, "scorer": scorer, "field": "r", **more}
        ],
    }


def right(scorer: str) -> str:
    return {"numeric_match": "42", "multichoice_regex": "B"}.get(scorer, "Canberra")


@pytest.mark.parametrize("scorer", TEXT_SCORERS)
@pytest.mark.parametrize("shape", ["array", "long array", "object", "empty"])
def test_a_list_of_guesses_is_no_text(scorer: str, shape: str) -> None:
    answer = right(scorer)
    got = {
        "array": [answer],
        "long array": ["x", answer, "y"],
        "object": {"k": answer},
        "empty": {},
    }[shape]
    found = evaluate(over(scorer), {"r": got}, {"r": answer})
    assert found.score == 0
    assert found.reasons["correctness"].startswith("r: expected text, got an")


@pytest.mark.parametrize("scorer", TEXT_SCORERS)
def test_text_and_numbers_are_read(scorer: str) -> None:
    assert evaluate(over(scorer), {"r": right(scorer)}, {"r": right(scorer)}).score == 1000
    assert evaluate(over("numeric_match"), {"r": 42}, {"r": "42"}).score == 1000


def test_a_scorer_of_json_still_reads_an_object() -> None:
    spec = over(
        "json_schema", schema={"type": "object", "required": ["a"]}, ground_truth_field=None
    )
    assert evaluate(spec, {"r": {"a": 1}}, {}).score == 1000


@pytest.mark.parametrize("scorer", TEXT_SCORERS)
@pytest.mark.parametrize("want", [None, "", " ", [], [""], {}, {"k": 1}])
def test_a_ground_truth_that_says_nothing_is_the_authors_error(scorer: str, want: Any) -> None:
    with pytest.raises(SpecError, match="the ground truth"):
        evaluate(over(scorer), {"r": right(scorer)}, {"r": want})


def test_several_correct_answers_are_one_ceiling() -> None:
    report = lint_spec(over("fuzzy_match"), {"r": ["Canberra", "Kanberra"]})
    assert report.ceiling is not None
    assert report.ceiling.score == 1000
    assert (
        evaluate(
            over("fuzzy_match"), {"r": "It is Kanberra."}, {"r": ["Canberra", "Kanberra"]}
        ).score
        == 1000
    )


def test_numbers_may_be_among_several_correct_answers_and_other_scorers_take_one() -> None:
    assert evaluate(over("fuzzy_match"), {"r": "It is 2."}, {"r": [1, 2]}).score == 1000
    with pytest.raises(SpecError, match="an array of 2"):
        evaluate(over("exact_match"), {"r": "x"}, {"r": ["x", "y"]})


def test_a_scorer_may_be_named_as_a_primitive_and_the_other_way_round() -> None:
    spec = load_spec(
        {
            "dimensions": [
                {"name": "correctness", "weight": 0.5, "primitive": "numeric_match", "field": "a"},
                {"name": "completeness", "weight": 0.5, "scorer": "coverage_ratio", "field": "b"},
            ]
        }
    )
    assert [d.kind for d in spec.dimensions] == ["scorer", "primitive"]
    assert evaluate(spec, {"a": "it is 42", "b": [1]}, {"a": "42", "b": [1, 2]}).score == 750


def test_a_name_that_both_have_means_what_its_key_says() -> None:
    both = [
        {"name": key, "weight": 0.5, key: "exact_match", "field": "a"}
        for key in ("primitive", "scorer")
    ]
    found = evaluate({"dimensions": both}, {"a": " paris."}, {"a": "Paris"})
    assert {name: entry["score"] for name, entry in found.score_breakdown.items()} == {
        "primitive": 0,
        "scorer": 1000,
    }


def test_a_judge_and_a_primitive_are_still_kept_apart() -> None:
    judged = {
        "profile": "free",
        "dimensions": [{"name": "essay", "weight": 1, "primitive": "needs_judge", "field": "a"}],
    }
    with pytest.raises(SpecError, match="promises that none is asked"):
        load_spec(judged)
