"""The examples of the documents that Steelyard was specified by, with the package's name changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import steelyard
from steelyard import SpecError, dims, evaluate, load_spec, primitives, score_to_result

CASES = Path(__file__).parent / "cases" / "seeds"


def read(name: str) -> Any:
    return json.loads((CASES / name).read_text(encoding="utf-8"))


PRIMITIVE_ROWS = [
    (case["dimension"], *row) for case in read("primitives.json") for row in case["points"]
]


@pytest.mark.parametrize(("dimension", "got", "want", "points"), PRIMITIVE_ROWS)
def test_each_primitive(dimension: dict[str, Any], got: Any, want: Any, points: float) -> None:
    known = {"primitive", "field", "ground_truth_field"}
    params = {key: value for key, value in dimension.items() if key not in known}
    assert getattr(primitives, dimension["primitive"])(got, want, **params).points == points

    spec = load_spec(
        {
            "profile": "free",
            "type": "deterministic",
            "dimensions": [{"name": "correctness", "weight": 1, **dimension}],
        }
    )
    total = evaluate(spec, {dimension["field"]: got}, {dimension["ground_truth_field"]: want})
    assert total.score == points


@pytest.mark.parametrize(
    ("used", "points"), [(0, 1000), (300, 0), (270, 100), (66, 780), (301, 0), (-1, 1000)]
)
def test_time_decay(used: float, points: float) -> None:
    assert primitives.time_decay(used, time_limit_secs=300).points == points


def test_the_example_spec() -> None:
    spec = load_spec(CASES / "spec.json")
    truth = {"expected_answers": ["a", "b", "c", "d"], "all_questions": [1, 2, 3, 4]}
    submission = {"answers": ["a", "b", "c", "x"], "attempted": [1, 2, 3, 4]}
    found = evaluate(spec, submission, truth, time_used=30)
    assert found.score == found["score"] == 830
    assert found.result == "win"
    assert found.score_breakdown == {
        "accuracy": {"score": 750, "weight": 0.6, "weighted": 450},
        "speed": {"score": 900, "weight": 0.2, "weighted": 180},
        "coverage": {"score": 1000, "weight": 0.2, "weighted": 200},
    }


def test_the_example_spec_lets_nothing_right_reach_a_draw() -> None:
    report = steelyard.lint_spec(load_spec(CASES / "spec.json"))
    assert not report.ok
    assert report.floor.score == 400
    assert report.floor.result == "draw"


def breakdown_spec(shown: dict[str, Any]) -> dict[str, Any]:
    """A spec whose dimensions can be made to earn exactly the points that the document shows."""
    dimensions: list[dict[str, Any]] = [
        {"name": name, "weight": part["weight"], "primitive": "exact_match_ratio", "field": name}
        for name, part in shown.items()
        if name != "speed"
    ]
    weight = shown["speed"]["weight"]
    speed = {"name": "speed", "weight": weight, "primitive": "time_decay", "time_limit_secs": 300}
    return {"type": "deterministic", "dimensions": [dimensions[0], speed, *dimensions[1:]]}


def test_the_example_breakdown() -> None:
    example = read("breakdown.json")
    shown = example["score_breakdown"]
    spec = load_spec(breakdown_spec(shown))
    names = [name for name in shown if name != "speed"]
    truth = {name: [1] * 100 for name in names}
    submission = {name: [1] * (shown[name]["score"] // 10) for name in names}
    found = evaluate(spec, submission, truth, time_used=66)
    assert found.score == example["score"]
    assert found.score_breakdown == shown
    assert list(found.score_breakdown) == list(shown)
    assert found.result == "win"


@pytest.mark.parametrize(
    ("score", "result"),
    [(1000, "win"), (700, "win"), (699, "draw"), (400, "draw"), (399, "loss"), (0, "loss")],
)
def test_score_to_result(score: int, result: str) -> None:
    assert score_to_result(score) == result


def test_the_thresholds() -> None:
    assert (steelyard.SOLO_WIN_THRESHOLD, steelyard.SOLO_DRAW_THRESHOLD) == (700, 400)


@pytest.mark.parametrize(("key", "label", "description", "color"), read("dimensions.json"))
def test_the_core_dimensions(key: str, label: str, description: str, color: str) -> None:
    other = "precision" if key == "speed" else "speed"
    assert dims({key: 0.5, other: 0.5})[0] == {
        "key": key,
        "label": label,
        "description": description,
        "color": color,
        "weight": 0.5,
    }


def test_dims() -> None:
    found = dims(
        {"correctness": 0.40, "methodology": 0.25, "speed": 0.15, "completeness": 0.20},
        {"correctness": {"description": "Override description for this challenge"}},
    )
    assert [(dim["key"], dim["weight"]) for dim in found] == [
        ("correctness", 0.40),
        ("methodology", 0.25),
        ("speed", 0.15),
        ("completeness", 0.20),
    ]
    assert found[0]["description"] == "Override description for this challenge"
    assert found[0]["label"] == "Correctness"
    with pytest.raises(SpecError):
        dims({"correctness": 0.40, "speed": 0.15})


def test_unverified_matches_earn_nothing_for_efficiency() -> None:
    spec = load_spec(
        {
            "type": "deterministic",
            "constraints": {"token_budget": 1000},
            "dimensions": [
                {
                    "name": "correctness",
                    "weight": 0.5,
                    "primitive": "exact_match",
                    "field": "answer",
                },
                {"name": "efficiency", "weight": 0.5, "primitive": "token_efficiency"},
            ],
        }
    )
    step = {"type": "llm_call", "ts": 1, "model": "m", "duration_ms": 5}
    steps = [{**step, "input_tokens": 200, "output_tokens": 50}]
    given = {
        "submission": {"answer": 1},
        "ground_truth": {"answer": 1},
        "trajectory": {"steps": steps},
    }
    assert evaluate(spec, **given).score == 500
    assert evaluate(spec, **given, verified=True).score == 875
