"""Lint: the ceiling, the null floor, and the gates that close a hole."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from spec.specs import SEED, TRUTH, cases, dimension, free
from steelyard.errors import SpecError
from steelyard.spec import evaluate, lint_spec
from steelyard.spec.floor import with_gates
from steelyard.spec.load import load_spec
from steelyard.spec.probes import make_probes
from steelyard.spec.truths import make_truth

SPEED = dimension("speed", 0.4, primitive="time_decay", time_limit_secs=60)


@pytest.mark.parametrize("truth", [None, TRUTH])
def test_the_documents_own_example_has_a_hole(truth: Any) -> None:
    report = lint_spec(SEED, truth)
    assert not report.ok
    assert report.exit_code == 1
    assert (report.floor.score, report.floor.result) == (400, "draw")
    assert report.floor.dimensions == {"accuracy": 0, "speed": 1000, "coverage": 1000}
    assert report.ceiling.score == 1000
    assert report.requires == {"speed": {"accuracy": 1}, "coverage": {"accuracy": 1}}
    assert (report.floor_after.score, report.floor_after.result) == (0, "loss")
    [error] = [f for f in report.findings if f.level == "error"]
    assert "reaches 400, a draw" in error.message
    assert '"speed" needs "requires": {"accuracy":1}' in error.fix


def test_the_proposed_gates_do_close_it() -> None:
    mended = with_gates(load_spec(SEED), lint_spec(SEED).requires)
    report = lint_spec(mended)
    assert report.ok
    assert report.exit_code == 0
    assert report.floor.score == 0
    assert report.ceiling.score == 1000


def test_the_report_is_json() -> None:
    shown = msgspec.json.decode(msgspec.json.encode(lint_spec(SEED)))
    assert shown["floor"]["result"] == "draw"
    assert shown["ok"] is False


FLOORS = [
    # coverage over the answers themselves cannot be had for nothing
    (
        free(
            dimension(
                "a",
                0.6,
                primitive="set_overlap",
                method="jaccard",
                field="found",
                ground_truth_field="want",
            ),
            dimension(
                "c", 0.4, primitive="coverage_ratio", field="found", ground_truth_field="want"
            ),
        ),
        0,
    ),
    (free(dimension("c", 1, primitive="coverage_ratio")), 1000),
    (free(dimension("a", 1)), 0),
    (
        free(
            dimension("a", 0.5, primitive="numeric_tolerance", tolerance=500), dimension("b", 0.5)
        ),
        0,
    ),
    (
        free(
            dimension("a", 0.5, primitive="numeric_tolerance", tolerance=5000), dimension("b", 0.5)
        ),
        500,
    ),
    (free(dimension("a", 0.6), SPEED), 400),
    (
        free(
            dimension("a", 0.6), dimension("e", 0.4, primitive="token_efficiency", token_budget=9)
        ),
        400,
    ),
    (
        free(
            dimension("a", 0.6, scorer="multichoice_regex"),
            dimension("b", 0.4, scorer="numeric_match"),
        ),
        0,
    ),
    (free(dimension("a", 0.6), {**SPEED, "requires": {"a": 1}}), 0),
    # a format check does not stop a wrong answer of the right format
    (
        free(
            dimension("c", 1, primitive="coverage_ratio"), format=[{"field": "c", "type": "array"}]
        ),
        1000,
    ),
]


@pytest.mark.parametrize(("spec", "score"), FLOORS, ids=range(len(FLOORS)))
def test_floors(spec: dict[str, Any], score: int) -> None:
    report = lint_spec(spec)
    assert report.floor.score == score
    assert report.ok is (score < 400)


def test_a_similar_text_is_not_for_nothing_but_half_of_one_is() -> None:
    report = lint_spec(free(dimension("a", 0.6, primitive="fuzzy_string"), SPEED))
    assert 400 < report.floor.score < 700
    assert report.requires == {"speed": {"a": 500}}
    assert report.floor_after.result == "loss"


def test_a_list_of_everything_pays_where_extra_items_cost_nothing() -> None:
    spec = free(
        dimension("found", 0.6, primitive="set_overlap", method="intersection"),
        dimension(
            "coverage", 0.4, primitive="coverage_ratio", field="tried", ground_truth_field="all"
        ),
    )
    report = lint_spec(spec, {"found": ["q1", "q2"], "all": ["q1", "q2", "q3", "q4"]})
    assert report.floor.score == 1000
    assert lint_spec(spec, {"found": ["x", "y"], "all": ["q1", "q2"]}).floor.score == 400
    spec["dimensions"][0]["method"] = "jaccard"
    assert (
        lint_spec(spec, {"found": ["q1", "q2"], "all": ["q1", "q2", "q3", "q4"]}).floor.score == 700
    )


def test_a_spec_that_pays_for_nothing_only_cannot_be_gated() -> None:
    report = lint_spec(free(dimension("c", 0.6, primitive="coverage_ratio"), SPEED))
    assert report.floor.score == 1000
    assert report.requires == {}
    assert any("no gate closes this" in f.fix for f in report.findings)


def test_a_truth_that_cannot_reach_full_marks_is_named() -> None:
    report = lint_spec(
        free(dimension("a", 0.5, primitive="fuzzy_string"), dimension("b", 0.5)), {"a": " ", "b": 1}
    )
    [error] = [f for f in report.findings if f.level == "error"]
    assert error.path == "dimensions[0]"
    assert "earns 0 of 1000 in 'a'" in error.message
    two = free(
        dimension("a", 0.5, field="x", ground_truth_field="t1"),
        dimension("b", 0.5, field="x", ground_truth_field="t2"),
    )
    assert not lint_spec(two, {"t1": 1, "t2": 2}).ok
    assert lint_spec(two, {"t1": 1, "t2": 1}).ok


@pytest.mark.parametrize("truth", [{}, [], 5, {"expected_answers": [], "all_questions": [1]}])
def test_a_truth_that_cannot_be_used(truth: Any) -> None:
    report = lint_spec(SEED, truth)
    assert not report.ok
    assert report.exit_code == 2
    assert report.findings[0].path.startswith("ground_truth.")


def test_a_spec_that_cannot_be_loaded() -> None:
    report = lint_spec({"dimensions": [5]})
    assert (report.ok, report.exit_code, report.floor) == (False, 2, None)
    assert {f.path for f in report.findings} == {"dimensions", "dimensions[0]"}


def test_notes() -> None:
    paths = {f.path: f.level for f in lint_spec(SEED).findings if f.level != "error"}
    assert paths == {
        "dimensions[0].name": "note",
        "dimensions[2].name": "note",
        "dimensions[2]": "note",
    }
    gate = free(dimension("speed", 0.5), dimension("analysis", 0.5, requires={"speed": 0}))
    assert [f.level for f in lint_spec(gate).findings] == ["warning"]


def test_a_judged_dimension_is_named_has_full_marks_above_and_none_below() -> None:
    spec = free(dimension("essay", 0.6, scorer="needs_judge"), SPEED, type="judged")
    report = lint_spec(spec)
    assert report.ceiling.dimensions["essay"] == 1000
    assert any("a judge scores 'essay'" in finding.message for finding in report.findings)
    assert report.floor.score == 400


@pytest.mark.parametrize("row", cases("floors"), ids=lambda row: row["what"])
def test_the_table_of_floors(row: dict[str, Any]) -> None:
    report = lint_spec(free(*row["dimensions"]), row.get("truth"))
    assert (report.floor.score, report.ok) == (row["floor"], row["ok"])
    assert report.ceiling.score == row.get("ceiling", report.ceiling.score)
    if "after" in row:
        assert (report.requires, report.floor_after.score) == (row["requires"], row["after"])
    told = [f.message for f in report.findings if f.level == "warning"]
    for message, start in zip(told, row.get("warnings", told), strict=True):
        assert message.startswith(start)


@pytest.mark.parametrize(
    "row", [row for row in cases("floors") if "truth" in row], ids=lambda row: row["what"]
)
def test_the_order_of_the_keys_of_a_truth_does_not_matter(row: dict[str, Any]) -> None:
    report = lint_spec(free(*row["dimensions"]), dict(reversed(row["truth"].items())))
    assert (report.floor.score, report.ok) == (row["floor"], row["ok"])


def test_what_lint_reaches_can_be_reached() -> None:
    for row in cases("floors"):
        spec = load_spec(free(*row["dimensions"]))
        truth = row.get("truth") or make_truth(spec)[0]
        best = max(
            evaluate(spec, submission, truth, time_used=0).score
            for submission in make_probes(spec, truth).empty.values()
        )
        assert best == row["floor"]


def test_a_schema_has_no_ceiling_from_the_truth() -> None:
    schema = {"type": "string", "minLength": 5}
    spec = free(
        dimension("correctness", 0.5), dimension("speed", 0.5, scorer="json_schema", schema=schema)
    )
    [note] = lint_spec(spec).findings
    assert (note.level, note.path) == ("note", "dimensions[1]")
    assert "'speed' compares with no ground truth" in note.message


def test_a_gate_that_the_author_set_higher_is_kept() -> None:
    raw = free(dimension("a", 0.5), dimension("b", 0.5, requires={"a": 900}))
    gated = with_gates(load_spec(raw), {"b": {"a": 500}})
    assert dict(gated.dimensions[1].requires) == {"a": 900}


def test_hostile_truths_are_survived() -> None:
    deep: Any = 1
    for _ in range(2_000):
        deep = {"a": [deep]}
    for value in (
        deep,
        10**5000,
        [True, False],
        {"a": [None, {"b": 1e300}]},
        "x" * 100_000,
        "a",
        "T",
    ):
        report = lint_spec(free(dimension("a", 1)), {"a": value})
        assert (report.ceiling.score, report.floor.score) == (1000, 0)


@pytest.mark.parametrize(
    ("scorer", "params", "truth", "told"),
    [
        ("numeric_match", {}, "none", "'none' is not a number"),
        ("numeric_match", {}, True, "'true' is not a number"),
        ("multichoice_regex", {}, "Paris", "'Paris' is not one of the letters A-D"),
        ("multichoice_regex", {}, "E", "'E' is not one of the letters A-D"),
        ("multichoice_regex", {"letters": "A-E"}, "E", ""),
        ("multichoice_regex", {"pattern": "is (Paris|Rome)"}, "Paris", ""),
        ("numeric_match", {}, "42 km", ""),
        ("numeric_match", {}, 42, ""),
        ("multichoice_regex", {}, "(b)", ""),
    ],
)
def test_a_truth_that_its_scorer_cannot_read_is_the_authors_error(
    scorer: str, params: dict[str, Any], truth: Any, told: str
) -> None:
    spec = free(dimension("a", 1, scorer=scorer, **params))
    report = lint_spec(spec, {"a": truth})
    assert report.ok is (not told)
    if not told:
        return
    assert [(f.path, told in f.message) for f in report.findings] == [("ground_truth.a", True)]
    for submission in ({}, {"a": "42"}, {"a": "B"}, 5):
        with pytest.raises(SpecError, match=r"ground_truth\.a"):
            evaluate(spec, submission, {"a": truth})
