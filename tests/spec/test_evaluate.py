"""Evaluating: totals, results, warnings, gates, scorers, trajectories."""

from __future__ import annotations

import copy
from decimal import Decimal
from typing import Any

import msgspec
import pytest

from spec.specs import SEED, TRUTH, cases, dimension, free
from steelyard.errors import DataError
from steelyard.registry import PRIMITIVES, SCORERS, primitive, scorer
from steelyard.spec import (
    SOLO_DRAW_THRESHOLD,
    SOLO_WIN_THRESHOLD,
    Result,
    SpecError,
    evaluate,
    load_spec,
    score_to_result,
)


@pytest.mark.parametrize("row", cases("totals", parse_float=Decimal), ids=lambda row: row["what"])
def test_totals(row: dict[str, Any]) -> None:
    spec = free(
        *(
            dimension(f"d{i}", weight, primitive="fixed_points", points=points)
            for i, (weight, points) in enumerate(zip(row["weights"], row["points"], strict=True))
        )
    )

    @primitive(name="fixed_points")
    def fixed_points(got: object, want: object, *, points: Decimal = Decimal(0)) -> float:
        return float(Decimal(points) / 1000)

    try:
        found = evaluate(spec, {f"d{i}": 0 for i in range(9)}, {f"d{i}": 0 for i in range(9)})
    finally:
        del PRIMITIVES._things["fixed_points"]
    assert (found.score, found.result) == (row["score"], row["result"])
    shown = [entry["score"] for entry in found.score_breakdown.values()]
    assert shown == [float(points) for points in row["points"]]


def test_the_example_of_the_document() -> None:
    found = evaluate(
        SEED, {"answers": ["a", "b", "x"], "attempted": [1, 2, 3]}, TRUTH, time_used=30
    )
    assert found.score == 630
    assert found.result is Result.DRAW
    assert found["score_breakdown"] == {
        "accuracy": {"score": 500, "weight": 0.6, "weighted": 300},
        "speed": {"score": 900, "weight": 0.2, "weighted": 180},
        "coverage": {"score": 750, "weight": 0.2, "weighted": 150},
    }
    assert all(type(entry["score"]) is int for entry in found.score_breakdown.values())
    assert (
        found.reasons["accuracy"]
        == "answers: 2 of 4 positions match; the first that does not is [2]"
    )
    assert found.total.points == 630
    assert dict(found) == {key: found[key] for key in found}
    assert found == dict(found)
    assert {
        "score",
        "result",
        "score_breakdown",
        "submission_warnings",
        "constraint_violations",
    } <= set(found)
    assert found.get("none", 5) == 5
    assert "total" not in found
    with pytest.raises(KeyError):
        found["total"]
    assert msgspec.json.decode(msgspec.json.encode(found))["score"] == 630


@pytest.mark.parametrize("submission", [None, 5, "x", [], [{}], float("nan"), object()])
def test_a_submission_that_is_no_object_earns_nothing(submission: Any) -> None:
    found = evaluate(SEED, submission, TRUTH, time_used=300)
    assert found.score == 0
    assert found.submission_warnings[0]["severity"] == "error"
    assert "an object is needed" in found.reasons["accuracy"]


def test_a_missing_field_is_named() -> None:
    spec = free(dimension("a", 0.5), dimension("b", 0.5, field="deep.er"))
    found = evaluate(spec, {}, {"a": None, "deep.er": 1})
    assert found.score == 0
    assert found.reasons == {
        "a": "a: the submission has no such field",
        "b": "deep.er: the submission has no such field",
    }
    assert (
        evaluate(spec, {"a": None, "deep": {"er": 1}}, {"a": None, "deep": {"er": 1}}).score == 1000
    )


@pytest.mark.parametrize(
    ("truth", "paths"),
    [
        ({}, ["ground_truth.expected_answers", "ground_truth.all_questions"]),
        (None, ["ground_truth.expected_answers", "ground_truth.all_questions"]),
        ([], ["ground_truth.expected_answers", "ground_truth.all_questions"]),
        ({"expected_answers": [], "all_questions": [1]}, ["ground_truth.expected_answers"]),
        ({"expected_answers": "a", "all_questions": [1]}, ["ground_truth.expected_answers"]),
    ],
)
@pytest.mark.parametrize("submission", [{}, {"answers": [], "attempted": []}, None])
def test_bad_truth_is_the_authors_error_whatever_is_submitted(
    truth: Any, paths: Any, submission: Any
) -> None:
    with pytest.raises(SpecError) as raised:
        evaluate(SEED, submission, truth, time_used=1)
    assert [problem.path for problem in raised.value.problems] == paths


COUNTING = {
    "coverage_ratio": {},
    "exact_match_ratio": {},
    "set_overlap": {"method": "jaccard"},
}
ABSENT = object()


@pytest.mark.parametrize("primitive", COUNTING)
@pytest.mark.parametrize(
    ("got", "score"), [([], 1000), (["x"], 0), (None, 0), ("", 0), ({}, 0), (ABSENT, 0)]
)
def test_an_empty_truth_can_be_allowed(primitive: str, got: Any, score: int) -> None:
    counted = dimension("a", 1, primitive=primitive, **COUNTING[primitive])
    submission = {} if got is ABSENT else {"a": got}
    found = evaluate(free(counted, empty_truth="allow"), submission, {"a": []})
    assert found.score == score
    for unchanged in (free(counted), free(counted, empty_truth="error")):
        with pytest.raises(SpecError, match=r"ground_truth\.a: .*empty array"):
            evaluate(unchanged, submission, {"a": []})
    allowed, plain = (
        evaluate(spec, submission, {"a": ["x"]})
        for spec in (free(counted, empty_truth="allow"), free(counted))
    )
    assert allowed.score == plain.score
    assert allowed.signature != plain.signature


def test_an_empty_truth_is_allowed_only_where_items_are_counted() -> None:
    within = dimension("a", 1, primitive="numeric_tolerance", tolerance=1)
    with pytest.raises(SpecError, match="empty array"):
        evaluate(free(within, empty_truth="allow"), {"a": []}, {"a": []})
    with pytest.raises(SpecError, match="empty_truth: cannot be 'maybe'; there are error, allow"):
        load_spec(free(within, empty_truth="maybe"))


@pytest.mark.parametrize("used", [None, "30", float("nan"), float("inf"), True, [], Decimal("NaN")])
def test_a_spec_with_speed_needs_the_time(used: Any) -> None:
    with pytest.raises(DataError, match="time_used must be a number"):
        evaluate(SEED, {}, TRUTH, time_used=used)


def test_a_spec_without_speed_needs_none() -> None:
    assert evaluate(free(dimension("a", 1)), {"a": 1}, {"a": 1}, time_used="nonsense").score == 1000


def test_a_fact_that_nobody_knows_is_refused() -> None:
    with pytest.raises(TypeError, match="time_usd"):
        evaluate(free(dimension("a", 1)), {"a": 1}, {"a": 1}, time_usd=3)  # type: ignore[call-arg]


def test_gates_work_on_gated_scores_in_dependency_order() -> None:
    chain = free(
        dimension("c", 0.3, requires={"b": 1}),
        dimension("b", 0.3, requires={"a": 1000}),
        dimension("a", 0.4),
    )
    truth = {"a": 1, "b": 1, "c": 1}
    assert evaluate(chain, truth, truth).score == 1000
    found = evaluate(chain, {**truth, "a": 2}, truth)
    assert found.score == 0
    assert found.reasons["b"] == "it requires a at 1000 points or more, and that has 0"
    assert found.reasons["c"] == "it requires b at 1 points or more, and that has 0"


@pytest.mark.parametrize(("needed", "score"), [(250, 1000), (250.001, 250), (0, 1000)])
def test_the_gate_is_exact_at_its_bound(needed: float, score: int) -> None:
    spec = free(
        dimension("a", 0.1, primitive="exact_match_ratio"),
        dimension("b", 0.9, requires={"a": needed}),
    )
    found = evaluate(spec, {"a": [1, 0, 0, 0], "b": 1}, {"a": [1, 1, 1, 1], "b": 1})
    assert found.score_breakdown["b"]["score"] == (1000 if score == 1000 else 0)


CHECKED = [
    ({"type": "array"}, ["a", "b"], ""),
    ({"type": "array"}, "ab", "expected array, got 'ab'"),
    ({"type": ["string", "null"]}, None, ""),
    ({"type": "integer"}, 5.0, ""),
    ({"type": "integer"}, 5.5, "expected integer, got 5.5"),
    ({"type": "integer"}, Decimal("1e999999999"), ""),
    ({"type": "number"}, True, "expected number, got true"),
    ({"type": "object"}, {}, ""),
    ({"schema": {"items": {"maxLength": 1}}}, ["a", "bb"], "[1]:"),
    ({"schema": {"maximum": 0.3}}, Decimal("0.3"), ""),
    ({"schema": {"maximum": 5}}, 10**5000, "too large"),
    ({"schema": {}}, float("nan"), "NaN"),
    ({"schema": {}}, "\ud800", "cannot be checked"),
    ({"schema": {"pattern": "^(a+)+$"}}, "a" * 5000 + "b", "does not match"),
    ({"schema": False}, 1, "False schema"),
    ({"type": "string", "required": False}, ..., ""),
    ({"type": "string"}, ..., "the field is missing"),
    (
        {"type": "string", "message": "say it in words"},
        5,
        "say it in words: expected string, got 5",
    ),
]


@pytest.mark.parametrize(
    ("check", "value", "said"), CHECKED, ids=lambda value: str(type(value).__name__)
)
@pytest.mark.parametrize("severity", ["error", "warning"])
def test_format_checks(check: dict[str, Any], value: Any, said: str, severity: str) -> None:
    spec = free(
        dimension("x", 0.5, primitive="always_full"),
        dimension("y", 0.5),
        format=[{"field": "x", "severity": severity, **check}],
    )

    @primitive(name="always_full")
    def always_full(got: object, want: object) -> float:
        return 1.0

    try:
        found = evaluate(spec, {"y": 1} if value is ... else {"x": value, "y": 1}, {"x": 1, "y": 1})
    finally:
        del PRIMITIVES._things["always_full"]
    assert [warning["severity"] for warning in found.submission_warnings] == (
        [severity] if said else []
    )
    assert all(said in warning["message"] for warning in found.submission_warnings)
    lost = value is ... or (said and severity == "error")
    assert found.score == (500 if lost else 1000)


def test_a_failed_check_reaches_the_fields_inside_and_no_namesake() -> None:
    spec = free(
        dimension("inner", 0.4, field="x.y"),
        dimension("other", 0.6, field="xy"),
        format=[{"field": "x", "schema": {"required": ["z"]}}],
    )
    found = evaluate(spec, {"x": {"y": 1}, "xy": 1}, {"x.y": 1, "xy": 1})
    assert found.score == 600
    assert evaluate(spec, {"x": {"y": 1, "z": 0}, "xy": 1}, {"x.y": 1, "xy": 1}).score == 1000


def test_any_scorer_can_serve_a_dimension() -> None:
    spec = free(
        dimension("letter", 0.5, scorer="multichoice_regex"),
        dimension("number", 0.5, scorer="numeric_match", ground_truth_field="n"),
    )
    truth = {"letter": "B", "n": 42}
    assert (
        evaluate(spec, {"letter": "The answer is B", "number": "so it is 42"}, truth).score == 1000
    )
    found = evaluate(spec, {"letter": "The answer is C", "number": 42.0}, truth)
    assert found.score == 500
    assert evaluate(spec, {"letter": None, "number": ["x"]}, truth).score == 0


def test_a_judged_dimension_leaves_the_evaluation_without_a_score() -> None:
    spec = free(
        dimension("essay", 0.4, scorer="needs_judge"),
        dimension("speed", 0.3, requires={"essay": 1}),
        dimension("other", 0.2, requires={"essay": 1, "fact": 1}),
        dimension("fact", 0.1),
        type="judged",
    )
    truth = {"essay": 1, "speed": 1, "other": 1, "fact": 1}
    found = evaluate(spec, {**truth, "essay": "…", "fact": 0}, truth)
    assert (found.score, found.result) == (None, None)
    assert found.total.status == "pending"
    assert found.score_breakdown["essay"] == {"score": None, "weight": 0.4, "weighted": None}
    assert found.score_breakdown["speed"]["score"] is None
    assert (
        found.score_breakdown["other"]["score"] == 0
    )  # its other gate is shut, whatever the judge says


def test_a_scorer_that_breaks_is_our_fault() -> None:
    @scorer(name="breaks")
    def breaks(sample: Any) -> float:
        raise RuntimeError("no")

    try:
        found = evaluate(free(dimension("a", 1, scorer="breaks")), {"a": "x"}, {"a": "x"})
    finally:
        del SCORERS._things["breaks"]
    assert found.score is None
    assert found.total.status == "unscored"


STEPS = {
    "steps": [
        {
            "type": "llm_call",
            "model": "m1",
            "input_tokens": 60,
            "output_tokens": 15,
            "cost_usd": 0.2,
        },
        {"type": "tool_call", "tool": "curl", "network": True},
    ]
}


def test_efficiency_needs_a_verified_trajectory() -> None:
    spec = free(
        dimension("t", 0.5, primitive="token_efficiency"),
        dimension("c", 0.5, primitive="call_efficiency", max_llm_calls=4),
        constraints={"tokenBudget": 100},
    )
    assert evaluate(spec, {}, {}, trajectory=STEPS, verified=True).score == 500
    assert evaluate(spec, {}, {}, trajectory=STEPS).score == 0
    assert evaluate(spec, {}, {}, verified=True).reasons["t"] == "there is no trajectory"
    assert (
        evaluate(
            spec, {}, {}, trajectory=STEPS, verified=True, constraints={"token_budget": 150}
        ).score
        == 625
    )
    assert (
        evaluate(spec, {}, {}, trajectory="x", verified=True).submission_warnings[0]["field"]
        == "trajectory"
    )


def test_violations_are_told_and_not_punished() -> None:
    limits = {
        "token_budget": 50,
        "max_llm_calls": 0,
        "max_tool_calls": 1,
        "max_cost_usd": 0.1,
        "allowed_models": ["m2"],
        "allowed_tools": ["curl"],
        "network_access": False,
    }
    found = evaluate(
        free(dimension("a", 1), constraints=limits), {"a": 1}, {"a": 1}, trajectory=STEPS
    )
    assert found.score == 1000
    assert [v["constraint"] for v in found.constraint_violations] == [
        "token_budget",
        "max_llm_calls",
        "max_cost_usd",
        "allowed_models",
        "network_access",
    ]
    assert found.constraint_violations[0]["used"] == 75
    assert (
        evaluate(
            free(dimension("a", 1)), {"a": 1}, {"a": 1}, trajectory=STEPS
        ).constraint_violations
        == []
    )


def test_bad_constraints_are_refused() -> None:
    with pytest.raises(SpecError, match=r"constraints\.token_budget"):
        evaluate(free(dimension("a", 1)), {}, {"a": 1}, constraints={"token_budget": -1})


def test_the_harness_is_compared_with_the_registered_one() -> None:
    spec = load_spec(free(dimension("a", 1)))
    named = {"a": 1, "harness": "other"}
    assert "'other'" in str(evaluate(spec, named, {"a": 1}, harness="mine").harness_warning)
    assert (
        evaluate(
            spec, {"a": 1, "harness": {"name": "mine"}}, {"a": 1}, harness="mine"
        ).harness_warning
        is None
    )
    assert evaluate(spec, named, {"a": 1}).harness_warning is None


def test_results() -> None:
    assert (SOLO_WIN_THRESHOLD, SOLO_DRAW_THRESHOLD) == (700, 400)
    assert [score_to_result(n) for n in (1000, 700, 699, 400, 399, 0)] == [
        "win",
        "win",
        "draw",
        "draw",
        "loss",
        "loss",
    ]
    assert score_to_result(699.9) == "draw"
    for bad in (-1, 1001, float("nan"), True, "700", None):
        with pytest.raises(DataError):
            score_to_result(bad)  # type: ignore[arg-type]


def test_evaluating_changes_nothing_that_was_handed_in() -> None:
    submission, truth = {"answers": ["a"], "attempted": [1]}, copy.deepcopy(TRUTH)
    before = copy.deepcopy((submission, truth))
    first = evaluate(SEED, submission, truth, time_used=1)
    assert (submission, truth) == before
    assert evaluate(SEED, submission, truth, time_used=1) == first
