"""A reference solution as a spec: evaluate, lint and signature work on both alike."""

from __future__ import annotations

import json
import pickle
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from reference.judges import Known
from steelyard.errors import SpecError
from steelyard.reference import FUZZY, fuzzy_metric, score_solution
from steelyard.spec import evaluate, lint_spec, load_spec, spec_from_reference, spec_signature

REFERENCE: dict[str, Any] = {
    "id": "2003-1",
    "answer": {"1.a": "ka", "total": "<select2,1,2>['lo', 'mi']", "3": "<fuzzy>the dog sleeps"},
    "explanation": {
        "rules": "The verb stands last.",
        "rule_checklist": ["verb last", "no articles"],
    },
}
PLAIN = {"id": "2003-2", "answer": {"1.a": "ka", "total": "<select2,1,2>['lo', 'mi']", "3": "to"}}
PARTIAL = {
    "answer": {"1.a": "ka", "total": ["mi"], "3": "the dog slept"},
    "explanation": "The verb is last.",
}


def test_the_weights_are_exact_fractions() -> None:
    spec = spec_from_reference(PLAIN)
    assert [d.share for d in spec.dimensions] == [Fraction(1, 3)] * 3
    assert spec.profile == "free"
    assert spec.type == "deterministic"
    judged = spec_from_reference(REFERENCE, explanation_weight=0.1)
    assert [d.share for d in judged.dimensions] == [Fraction(3, 10)] * 3 + [Fraction(1, 20)] * 2
    assert judged.type == "judged"


@pytest.mark.parametrize("weight", [0, 0.3, 0.5, 1])
def test_it_scores_as_score_solution_does(weight: float) -> None:
    def judge() -> Known:
        return Known(("the dog slept", "the dog sleeps"), criteria=["verb last"])

    whole = score_solution(PARTIAL, REFERENCE, judge=judge(), explanation_weight=weight)
    spec = spec_from_reference(REFERENCE, judge=judge(), explanation_weight=weight)
    found = evaluate(spec, PARTIAL, None)
    assert found.total.value == whole.value
    assert found.score == int(round((whole.value or 0) * 1000, 6))


def test_the_reference_solution_may_stand_as_the_ground_truth_too() -> None:
    spec = spec_from_reference(PLAIN)
    assert evaluate(spec, PARTIAL, PLAIN).score == evaluate(spec, PARTIAL, None).score == 500


def test_full_marks_total_1000() -> None:
    answers = {"answer": {"1.a": "ka", "total": ["lo", "mi"], "3": "to"}}
    found = evaluate(spec_from_reference(PLAIN), answers, None)
    assert found.score == 1000
    assert list(found.score_breakdown) == ["1.a", "answer.total", "3"]


@pytest.mark.parametrize(
    "submission", [None, {}, [], {"answer": None}, {"answer": []}, {"answer": {"1.a": 6}}]
)
def test_a_malformed_submission_scores_0(submission: Any) -> None:
    assert evaluate(spec_from_reference(PLAIN), submission, None).score == 0


def test_without_a_judge_what_it_must_say_is_pending() -> None:
    found = evaluate(spec_from_reference(REFERENCE), PARTIAL, None)
    assert found.score is None
    assert found.total.status == "pending"
    assert [part.score.status for part in found.total.parts] == [
        "scored",
        "scored",
        "pending",
        "pending",
        "pending",
    ]


def test_every_bad_reference_is_told_at_once() -> None:
    bad = {"answer": {"1": "<select>", "2": "", "3": "ok"}, "explanation": {"rule_checklist": "x"}}
    with pytest.raises(SpecError) as raised:
        spec_from_reference(bad)
    assert [problem.path for problem in raised.value.problems] == [
        "answer.1",
        "answer.2",
        "explanation.rule_checklist",
    ]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"fuzzy": "similarty"}, "unknown fuzzy metric"),
        (
            {"fuzzy": "similarity", "fuzzy_params": {"threshold": 2}},
            "threshold: must be more than 0",
        ),
        ({"explanation_weight": 2}, "explanation_weight: must be a number from 0 to 1"),
        ({"fuzzy": 6}, "fuzzy: must be the name of a metric"),
    ],
)
def test_bad_settings_are_refused(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(SpecError) as raised:
        spec_from_reference(REFERENCE, **settings)
    assert said in str(raised.value)


def test_a_file_of_a_reference_solution_loads_as_a_spec(tmp_path: Path) -> None:
    path = tmp_path / "2003-2_reference_solution.json"
    path.write_text(json.dumps(PLAIN))
    assert load_spec(path) == load_spec(PLAIN)
    assert evaluate(path, PARTIAL, None).score == 500
    path.write_text(json.dumps({"answer": {"1": "<select>"}}))
    with pytest.raises(SpecError, match=r"reference_solution\.json: answer\.1: the tag"):
        load_spec(path)


def test_a_setting_that_is_not_known_is_told() -> None:
    with pytest.raises(
        SpecError, match="fuzzi: is not known beside a reference solution; did you mean 'fuzzy'"
    ):
        load_spec({"reference_solution": PLAIN, "fuzzi": "exact"})


def test_it_travels_between_processes() -> None:
    spec = spec_from_reference(
        REFERENCE, fuzzy="similarity", fuzzy_params={"threshold": 0.7}, explanation_weight=0
    )
    again = pickle.loads(pickle.dumps(spec))
    assert again == spec
    assert spec_signature(again) == spec_signature(spec)
    assert evaluate(again, PARTIAL, None) == evaluate(spec, PARTIAL, None)


def test_what_shapes_the_number_is_in_the_signature() -> None:
    spec = spec_from_reference(REFERENCE)
    assert spec_signature(spec) == spec_signature(
        spec_from_reference(json.loads(json.dumps(REFERENCE)))
    )
    other = {**REFERENCE, "answer": {**REFERENCE["answer"], "1.a": "ko"}}
    variants = [
        spec,
        spec_from_reference(other),
        spec_from_reference(REFERENCE, fuzzy="exact"),
        spec_from_reference(REFERENCE, fuzzy="similarity", fuzzy_params={"threshold": 0.7}),
        spec_from_reference(REFERENCE, fuzzy="similarity", fuzzy_params={"threshold": 0.9}),
        spec_from_reference(REFERENCE, explanation_weight=0.3),
        spec_from_reference(REFERENCE, judge=Known()),
    ]
    assert len({spec_signature(variant) for variant in variants}) == len(variants)


def test_a_version_of_a_metric_or_a_judge_is_in_the_signature() -> None:
    class Other(Known):
        name = "other"

    fuzzy = {"answer": {"1": "<fuzzy>the dog sleeps"}}
    explained = {**PLAIN, "explanation": REFERENCE["explanation"]}
    for reference in (fuzzy, explained):
        first, again, other = (
            spec_from_reference(reference, judge=judge) for judge in (Known(), Known(), Other())
        )
        assert spec_signature(first) == spec_signature(again) != spec_signature(other)
        assert first.dimensions[-1].version.endswith("+known")
    signatures = set()
    for version in ("1", "2"):
        fuzzy_metric(lambda got, want: got == want, name="versioned", version=version)
        try:
            spec = spec_from_reference(fuzzy, fuzzy="versioned")
            signatures.add(spec_signature(spec))
            assert spec.dimensions[0].version == version
        finally:
            del FUZZY._things["versioned"]
    assert len(signatures) == 2


def test_lint_tries_the_two_ends() -> None:
    report = lint_spec(spec_from_reference(PLAIN))
    assert report.ok
    assert not report.findings
    assert report.ceiling is not None
    assert report.floor is not None
    assert (report.ceiling.score, report.floor.score) == (1000, 0)
    assert report.signature == spec_signature(spec_from_reference(PLAIN))


def test_lint_sees_what_can_never_reach_full_marks() -> None:
    report = lint_spec({"answer": {"1": "<select3,1,1>['a', 'b', 'c']", "2": "a"}})
    assert not report.ok
    assert [finding.path for finding in report.findings] == ["dimensions[0]"]
    assert "earns 333.3" in report.findings[0].message


def test_lint_of_a_judged_one_names_what_waits() -> None:
    report = lint_spec(spec_from_reference(REFERENCE))
    assert report.ok
    assert [finding.level for finding in report.findings] == ["note"] * 3


def test_lint_leaves_the_signature_as_it_is() -> None:
    spec = spec_from_reference({"answer": {"1": "a word of its own"}})
    spec_signature.cache_clear()
    linted = lint_spec(spec).signature
    spec_signature.cache_clear()
    assert linted == spec_signature(spec)


def test_lint_proposes_no_gates_between_questions() -> None:
    fuzzy_metric(lambda got, want: 0.5, name="half")
    try:
        report = lint_spec(
            spec_from_reference({"answer": {"1": "<fuzzy>a", "2": "<fuzzy>b"}}, fuzzy="half")
        )
    finally:
        del FUZZY._things["half"]
    assert report.floor is not None
    assert report.floor.score == 500
    assert report.requires == {}
    assert not report.ok
