"""Scores by a script of the author's: what it may give, and that anything else is its own failure."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.errors import EngineError, SandboxError, SpecError
from steelyard.foreign import caught
from steelyard.sandbox import default_sandbox
from steelyard.sandbox.bubblewrap import Bubblewrap
from steelyard.scoring.desk import Desk
from steelyard.scoring.rehearsal import circumstances, rehearse
from steelyard.scoring.script import (
    Points,
    for_author,
    read_points,
    read_script,
    run_script,
    score_by_script,
    script,
)
from steelyard.scoring.types import ScorerInput
from steelyard.spec import evaluate

TABLE = Path(__file__).parent.parent / "cases" / "programs" / "scripts.json"
ROWS = json.loads(TABLE.read_text(encoding="utf-8"))
HEAD = """
import contextlib, json, threading, time
def load(name):
    return json.load(open(name))
def many():
    with contextlib.suppress(RuntimeError):
        for _ in range(200):
            threading.Thread(target=time.sleep, args=(0.3,), daemon=True).start()
"""


def source(body: str) -> str:
    return f"{HEAD}def score(submission, truth):\n    return {body}\n"


def spec(body: str) -> dict[str, Any]:
    how = {"weight": 0.5, "scorer": "script", "script": source(body), "limits": {"wall_s": 1}}
    return {"type": "custom-script", "dimensions": [{"name": name, **how} for name in ("a", "b")]}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_what_a_script_gives(row: dict[str, Any]) -> None:
    found = evaluate(spec(row["body"]), {"x": 17}, {"x": 17})
    if "fails" not in row:
        assert found.score == row["total"]
        assert row.get("reason", "") in found.reasons["a"]
        return
    assert found.score is None
    assert found.result is None
    assert found.total.status == "unscored"
    for part in found.total.parts:
        assert part.score.value is None
        assert part.score.reason.startswith("the evaluator failed: ")
        assert row["fails"] in part.score.reason


def test_both_ways_of_running_a_script_agree() -> None:
    read = read_script(
        source("{'a': 12.5, 'b': {'score': len(load(submission)), 'reason': 'so'}}"),
        None,
        ("a", "b"),
    )
    want = {"a": Points(25 * Points(1).points / 2), "b": Points(Points(3).points, "so")}
    assert want["a"].points == 12.5
    assert run_script(read, b"[1,2,3]", b"{}", default_sandbox()) == want
    for under in circumstances():
        assert rehearse(read, b"[1,2,3]", b"{}", default_sandbox(), under) == want


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("1 / 0", "ZeroDivisionError"),
        ("__import__('os')._exit(0)", "no scores"),
        ("{'a': 1001}", "1001"),
        ("object()", "the evaluator failed"),
        ("{'a': float('nan')}", "NaN"),
        ("[0 for _ in iter(int, 1)]", "limit"),
    ],
)
def test_a_rehearsal_fails_as_the_script_does(body: str, told: str) -> None:
    read = read_script(source(body), {"wall_s": 1}, ("a",))
    with pytest.raises(EngineError) as failed:
        rehearse(read, b"{}", b"{}", default_sandbox(), circumstances()[1])
    assert told in for_author(failed.value)


@pytest.mark.parametrize(
    "body",
    [
        "{}[load(truth)['x']]",
        "int(load(truth)['x'])",
        "{'a': load(truth)['x'], 'b': 0}",
        "load(truth)['x']",
        "{'a': 0, 'b': 0, load(truth)['x']: 0}",
        "{'a': 0, 'b': {'score': load(truth)['x']}}",
        "{'a': load(truth)['n'], 'b': 0}",
        "load(truth)['n'] / 0",
        "exit(load(truth)['x'])",
    ],
)
def test_what_a_script_says_as_it_fails_is_in_no_record(body: str) -> None:
    found = evaluate(spec(body), {"x": 17}, {"x": "hunter2", "n": 471108})
    assert found.score is None
    told = repr(found) + json.dumps(found.score_breakdown)
    assert not any(secret in told for secret in ("hunter", "471108"))


def test_the_author_is_told_what_the_script_said() -> None:
    read = read_script(source("int(load(truth))"), None, ("a",))
    with pytest.raises(EngineError) as failed:
        run_script(read, b"{}", b'"hunter2"', default_sandbox())
    assert str(failed.value) == "the evaluator failed: ValueError"
    assert "'hunter2'" in for_author(failed.value)
    copied = pickle.loads(pickle.dumps(failed.value))
    assert for_author(copied) == for_author(failed.value)


@pytest.mark.parametrize(
    "bad", [None, "", " ", 7, {"file": "x.py"}, {"source": 7}, "def score(", "\0"]
)
def test_what_is_no_script_is_the_authors_error(bad: Any) -> None:
    with pytest.raises(SpecError) as refused:
        read_script(bad, None, ("a",))
    assert refused.value.path == "script"
    with pytest.raises(SpecError) as refused:
        read_script("x = 1", {"wall_s": -1}, ("a",))
    assert refused.value.path == "limits.wall_s"


def test_a_sandbox_that_fails_is_nobodys_zero() -> None:
    gone = Bubblewrap(keep=0)
    gone.close()
    read = read_script(source("{'a': 1}"), None, ("a",))
    with pytest.raises(SandboxError):
        score_by_script({}, {}, script=read, name="a", desk=Desk(gone))


def test_a_submission_that_no_script_can_be_given_is_its_own_fault() -> None:
    read = read_script(source("{'a': 1000}"), {"disk_mb": 1}, ("a",))
    desk = Desk(default_sandbox())
    for bad in ({"x": float("nan")}, {"x": object()}, {"x": "y" * 300_000}, {"x": "\ud800"}):
        assert score_by_script(bad, {}, script=read, name="a", desk=desk).value == 0
    with pytest.raises(SpecError, match="cannot be written as JSON"):
        score_by_script({}, {"x": float("nan")}, script=read, name="a", desk=desk)


def test_over_rows_the_response_is_the_submission() -> None:
    own = source("{'score': 1000 if load(submission) == load(truth) else 0}")
    assert script(ScorerInput(response="x", target="x"), script=own).points == 1000
    assert script(ScorerInput(response="x", target="y"), script=own).points == 0
    assert script(ScorerInput(response=" ", target=" "), script=own).points == 0


VALUES: Any = st.recursive(
    st.none() | st.booleans() | st.integers(-10, 1010) | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "b", "score", "reason"]), inner)
    ),
)


@given(given=VALUES)
def test_points_are_within_bounds_or_the_evaluator_has_failed(given: Any) -> None:
    found, failed = caught(read_points, given, ("a", "b"))
    if failed is not None:
        assert isinstance(failed, EngineError)
        assert str(failed).startswith("the evaluator failed: ")
        return
    assert set(found) == set(given) == {"a", "b"}
    for one in found.values():
        assert 0 <= one.points <= 1000
