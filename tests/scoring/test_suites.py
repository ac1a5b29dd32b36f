"""Programs scored by tests: how a suite is read, and what each program earns in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.errors import SandboxError, SpecError
from steelyard.foreign import caught
from steelyard.grading.record import CaseResult
from steelyard.grading.verdict import VERDICTS
from steelyard.sandbox import default_sandbox
from steelyard.sandbox.bubblewrap import Bubblewrap
from steelyard.sandbox.protocol import Sandbox
from steelyard.score import Score, exact
from steelyard.scoring import testing
from steelyard.scoring.desk import Desk
from steelyard.scoring.program import Program, read_program
from steelyard.scoring.suite import Suite, read_suite
from steelyard.scoring.suite_run import SuiteRun
from steelyard.scoring.testing import _score, score_tests
from steelyard.scoring.types import ScorerInput

FOLDER = Path(__file__).parent.parent / "cases" / "programs"
TASK: dict[str, Any] = {
    "kind": "function",
    "entry_point": "f",
    "limits": {"wall_s": 1},
    "cases": [[[1], 2], {"args": [0], "expected": 1, "group": "edge", "weight": 3}, [[5], 6]],
}
VALUES: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
)


def rows(name: str) -> Any:
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def desk() -> Desk:
    return Desk(default_sandbox())


def run(desk: Desk, code: Any, task: Any = TASK, **params: Any) -> Score:
    return score_tests(code, None, task=task, desk=desk, **params)


@pytest.mark.parametrize("row", rows("suites.json"), ids=lambda row: row["name"])
def test_what_a_program_earns(row: dict[str, Any], desk: Desk) -> None:
    found = run(desk, row["code"])
    assert found.points == pytest.approx(row["points"]["all"])
    assert run(desk, row["code"], group="edge").points == row["points"]["edge"]
    assert found.detail.get("verdict") == row.get("verdict")
    assert row.get("reason", "") in found.reason
    assert found.correct is (row["points"]["all"] == 1000)
    if row.get("verdict"):
        assert [part.name for part in found.parts] == ["case 1", "case 2", "case 3"]
        assert found.detail["sandbox"]["unsafe"] is False


@pytest.mark.parametrize(("raw", "path", "message"), rows("bad_suites.json"))
def test_bad_suites(raw: Any, path: str, message: str) -> None:
    with pytest.raises(SpecError) as refused:
        read_suite(raw)
    assert refused.value.path == path
    assert message in str(refused.value)


def test_a_parameter_is_named_in_what_is_wrong_with_it(desk: Desk) -> None:
    for params, path in [
        ({"task": {**TASK, "cases": []}}, "task.cases"),
        ({"group": ""}, "group"),
        ({"group": "egde"}, "group"),
        ({"solution": 7}, "solution"),
        ({"task": 7}, "task"),
    ]:
        with pytest.raises(SpecError) as refused:
            run(desk, "", **params)
        assert refused.value.path == path
    with pytest.raises(SpecError, match="did you mean 'edge'"):
        run(desk, "", group="egde")


def test_one_run_serves_every_group() -> None:
    class Counting:
        """The real sandbox, and how often it was asked."""

        name = "bubblewrap"
        started = 0

        def start(self, *args: Any) -> Any:
            self.started += 1
            return default_sandbox().start(*args)

        def describe(self) -> dict[str, Any]:
            return default_sandbox().describe()

        def close(self) -> None:
            """Nothing is its own."""

    counting = Counting()
    desk = Desk(counting)
    first = run(desk, "def f(x): return x + 1")
    assert first.points == run(desk, "def f(x): return x + 1", group="edge").points == 1000
    assert counting.started == 1
    assert run(desk, "def f(x): return 0").points == 0
    assert counting.started == 2


def test_a_sandbox_that_fails_is_nobodys_zero() -> None:
    gone = Bubblewrap(keep=0)
    gone.close()
    found = run(Desk(gone), "def f(x): return x + 1")
    assert (found.value, found.status, found.detail["verdict"]) == (
        None,
        "unscored",
        "sandbox_error",
    )
    assert "closed" in found.reason


def test_a_language_that_the_sandbox_lacks_is_nobodys_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    def lacking(language: str, sandbox: Sandbox) -> None:
        raise SandboxError(f"tasks in {language} need a compiler")

    monkeypatch.setattr("steelyard.scoring.suite_run.check_language", lacking)
    task = {"kind": "stdio", "language": "c", "cases": [["", "1"]]}
    assert run(Desk(default_sandbox()), "int main;", task).status == "unscored"


LEGACY = {
    "kind": "legacy",
    "entry_point": "add",
    "prompt": "def add(a, b):\n",
    "limits": {"wall_s": 5},
}


@pytest.mark.parametrize(
    ("code", "points", "verdict"),
    [
        ("def add(a, b):\n    return a + b", 1000, "accepted"),
        ("    return a + b", 1000, "accepted"),
        ("def add(a, b):\n    return a + b if a else 7", 250, "wrong_answer"),
        ("import os\nos._exit(0)", 0, "no_result"),
        ("def add(a, b):\n    raise KeyError", 0, "runtime_error"),
        (
            {"main.py": "from tool import add", "tool.py": "def add(a, b): return a + b"},
            1000,
            "accepted",
        ),
    ],
)
def test_test_code(code: Any, points: int, verdict: str, desk: Desk) -> None:
    cases = [
        {"test": "assert add(1, 2) == 3"},
        {"test": "assert add(0, 2) == 2", "weight": 3, "group": "edge"},
    ]
    found = run(desk, code, {**LEGACY, "cases": cases})
    assert (found.points, found.detail["verdict"]) == (points, verdict)
    assert {part.score.detail["way"] for part in found.parts} == {"proxied"}
    whole = run(
        desk, code, {**LEGACY, "test": "def check(candidate):\n    assert candidate(1, 2) == 3"}
    )
    assert len(whole.parts) == 1


@pytest.mark.parametrize(
    ("language", "code", "points"),
    [
        (
            "python",
            {
                "main.py": "import tool\ntool.go()",
                "tool.py": "def go(): print(sum(map(int, input().split())))",
            },
            1000,
        ),
        ("sh", "read a b; echo $((a + b))", 1000),
        (
            "sh",
            {"main.sh": ". ./lib.sh; add", "lib.sh": "add() { read a b; echo $((a + b)); }"},
            1000,
        ),
        ("python", {"main.py": "print(open('given').read())", "given": "9"}, 500),
        ("python", {"main.py": "print(3)", "given/x": "8"}, 0),
        ("python", {"main.py": "print(3)", "program.py/x": ""}, 0),
        ("python", {"main.py": "print(3)", **{f"{n}": "x" for n in range(199)}}, 500),
        ("python", {"main.py": "print(3)", **{f"{n}": "x" * 9000 for n in range(199)}}, 0),
        (
            "python",
            {"main.py": "print(3)", **{f"{n}/" + "a/" * 50 + "b": "" for n in range(100)}},
            0,
        ),
        ("c", {"main.c": "int main;", "tool.h": ""}, 0),
        ("python", "print(3)#" + "x" * 600_000, 500),
        ("python", "print(3)#" + "x" * 1_100_000, 0),
    ],
)
def test_programs_that_read_and_print(language: str, code: Any, points: int, desk: Desk) -> None:
    task = {
        "kind": "stdio",
        "language": language,
        "limits": {"wall_s": 5, "disk_mb": 1},
        "cases": [{"stdin": "1 2", "stdout": "3", "files": {"given": "3"}}, ["4 4", "8"]],
    }
    assert run(desk, code, task).points == points  # and never None: no program can break its box


def test_rows_carry_the_task_as_their_target_or_share_it() -> None:
    code = "def f(x): return x + 1"
    assert testing.tests(ScorerInput(response=code, target=json.dumps(TASK))).points == 1000
    assert testing.tests(ScorerInput(response=code), task=TASK, group="edge").points == 1000
    assert testing.tests(ScorerInput(response=""), task=TASK).value == 0
    for target in ("42", "no JSON", "", "null"):
        with pytest.raises(SpecError):
            testing.tests(ScorerInput(response=code, target=target))


@given(got=VALUES, language=st.sampled_from(["python", "c", "sh"]))
def test_whatever_was_handed_in_is_a_program_or_a_sentence(got: Any, language: str) -> None:
    found = read_program(got, language)
    assert isinstance(found, Program) or (isinstance(found, str) and found)


@given(raw=VALUES)
def test_whatever_is_written_is_a_suite_or_an_error_of_the_author(raw: Any) -> None:
    found, failed = caught(read_suite, raw)
    assert isinstance(found, Suite) or isinstance(failed, SpecError)


@given(data=st.data())
@settings(max_examples=60)
def test_groups_share_out_what_all_tests_earn(data: st.DataObject) -> None:
    groups = data.draw(st.lists(st.sampled_from(["a", "b"]), min_size=1, max_size=6))
    weights = data.draw(st.lists(st.integers(1, 9), min_size=len(groups), max_size=len(groups)))
    verdicts = data.draw(
        st.lists(st.sampled_from(VERDICTS[:-1]), min_size=len(groups), max_size=len(groups))
    )
    suite = read_suite(
        {
            "kind": "function",
            "entry_point": "f",
            "cases": [
                {"args": [], "expected": 0, "group": g, "weight": w}
                for g, w in zip(groups, weights, strict=True)
            ],
        }
    )
    results = tuple(
        CaseResult(name=m.name, verdict=v, value=float(v == "accepted"), weight=m.weight)
        for m, v in zip(suite.members, verdicts, strict=True)
    )
    ran = SuiteRun(tests=results, sandbox={})
    whole = _score(suite, suite.places(None), ran)
    earned = sum(
        exact(_score(suite, suite.places(g), ran).value or 0)
        * sum(w for h, w in zip(groups, weights, strict=True) if h == g)
        for g in set(groups)
    )
    assert float(earned / sum(weights)) == pytest.approx(whole.value)
    assert whole.correct is (set(verdicts) == {"accepted"})
