"""Lint of specs that run programs: what doing nothing earns, and scripts that do not always give the same."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from spec.programs import RIGHT, SCRIPT, SPEED, TASK, by_script, suite
from spec.specs import dimension, free
from steelyard.sandbox import default_sandbox
from steelyard.spec import lint_spec, load_spec
from steelyard.spec.floor import reach, with_gates
from steelyard.spec.running import equip

# Ways for a script to depend on what it must not depend on; each is an expression for the points of "b".
TABLE = Path(__file__).parent.parent / "cases" / "programs" / "fickle.json"
FICKLE = json.loads(TABLE.read_text(encoding="utf-8"))


def test_lint_tries_programs_that_do_nothing() -> None:
    report = lint_spec(suite(solution=RIGHT), {"suite": TASK})
    assert report.ok
    assert (report.floor.score, report.ceiling.score) == (0, 1000)
    [warning] = [f for f in report.findings if f.level == "warning"]
    assert "a constant guess reaches 800" in warning.message  # f(0) is 1 and weighs much
    nothing = {**TASK, "cases": [[[1], None], {"args": [2], "expected": None, "group": "edge"}]}
    holed = lint_spec(suite(), {"suite": nothing})
    assert not holed.ok
    assert holed.floor.score == 1000


def test_lint_proposes_a_gate_that_is_tried_in_the_same_sandbox() -> None:
    spec = suite()
    spec["dimensions"][2] = {**SPEED, "weight": 0.5, "requires": {}}
    spec["dimensions"][0]["weight"] = 0.2
    report = lint_spec(spec, {"suite": TASK})
    assert (report.floor.score, report.requires) == (500, {"speed": {"edge": 1}})
    assert report.floor_after.score == 0


def test_more_gates_leave_the_sandbox_where_it_is() -> None:
    spec = load_spec(suite())
    gated = with_gates(equip(spec, default_sandbox()), {"edge": {"correctness": 500}})
    assert reach(gated, {"suite": TASK}, {"code": RIGHT}, "a right one").score == 1000


def test_lint_refuses_a_solution_that_fails() -> None:
    report = lint_spec(suite(solution="def f(x):\n    return x + 1 if x else 7"), {"suite": TASK})
    assert not report.ok
    assert any("the solution itself earns 400" in f.message for f in report.findings)


@pytest.mark.parametrize("kind", ["stdio", "legacy", "method"])
def test_lint_knows_every_kind_of_suite(kind: str) -> None:
    task = {
        "stdio": {"kind": "stdio", "cases": [["3", "9"], ["4", "16"]], "limits": {"wall_s": 5}},
        "legacy": {
            "kind": "legacy",
            "entry_point": "f",
            "test": "assert f(3) == 9\nassert f(4) == 16",
        },
        "method": {"kind": "function", "entry_point": "Solution.f", "cases": [[[3], 9], [[4], 16]]},
    }[kind]
    code = {
        "stdio": "print(int(input()) ** 2)",
        "legacy": "def f(x): return x * x",
        "method": "class Solution:\n    def f(self, x): return x * x",
    }[kind]
    spec = free(dimension("correctness", 1, scorer="tests", field="code", task=task, solution=code))
    report = lint_spec(spec)
    assert report.ok, report.findings
    assert (report.floor.score, report.ceiling.score) == (0, 1000)


def test_lint_says_what_it_cannot_know() -> None:
    assert any(
        "no ground truth could be made up for 'a'" in f.message
        for f in lint_spec(by_script()).findings
    )


def test_a_script_that_always_gives_the_same_is_clean() -> None:
    report = lint_spec(by_script(), {"x": 17})
    assert report.ok, report.findings
    assert report.floor.score == 125  # a wrong number is a whole number all the same


@pytest.mark.slow
@pytest.mark.parametrize("name", FICKLE)
def test_a_fickle_script_is_refused(name: str) -> None:
    fickle = SCRIPT.replace(
        '{"score": 250 if isinstance(got, int) else 0, "reason": "a whole number"}', FICKLE[name]
    )
    assert fickle != SCRIPT
    report = lint_spec(by_script(fickle), {"x": 17})
    assert not report.ok
    assert any(f.level == "error" and "not deterministic" in f.message for f in report.findings)


def test_a_script_that_a_submission_can_break_is_refused() -> None:
    report = lint_spec(by_script(SCRIPT.replace('.get("x")', '["x"]')), {"x": 17})
    [error] = [f for f in report.findings if f.level == "error"]
    assert (error.path, "KeyError" in error.message) == ("dimensions[0].script", True)


def test_the_floor_of_a_script_is_what_it_gives_for_nothing() -> None:
    generous = "def score(submission, truth):\n    return {'a': 500, 'b': 900}\n"
    report = lint_spec(by_script(generous), {"x": 17})
    assert (report.ok, report.floor.score) == (False, 700)
    assert msgspec.json.encode(report)
