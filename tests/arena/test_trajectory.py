"""Logs of agents: what holds, what does not, and what is only told."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from challenges import ADDING, CASES, write_challenge
from steelyard.arena.agents import Agent
from steelyard.arena.challenge import Challenge, load_challenge
from steelyard.arena.match import SECOND, Match, State
from steelyard.arena.payload import Metadata
from steelyard.arena.trajectory import MEANING, Trajectory, check_trajectory

BEGAN = 1_700_000_000 * SECOND
ROWS: list[dict[str, Any]] = tomllib.loads(
    (CASES / "trajectories.toml").read_text(encoding="utf-8")
)["case"]
AGENT = Agent(id="ag_1", name="Ada", base_model="", harness="", created_at=BEGAN)


def match_of(*, memoryless: bool = False, attempt: int = 1) -> Match:
    return Match(
        id="m_1",
        agent_id="ag_1",
        slug="adding",
        version=1,
        seed=1,
        attempt=attempt,
        memoryless=memoryless,
        state=State.ACTIVE,
        entered_at=BEGAN,
        deadline=BEGAN + 1000 * SECOND,
        submitted_at=None,
        submission_digest=None,
        lease=None,
        lease_until=None,
        tries=0,
        finished_at=None,
        score=None,
        result=None,
        verified=None,
        scorer="s",
        failure=None,
    )


def step_of(given: Any) -> Any:
    """A step as the row means it."""
    if not isinstance(given, dict):
        return given
    long = {
        key: "x" * int(value[1:])
        for key, value in given.items()
        if isinstance(value, str) and value.startswith("@")
    }
    step = {**given, **long}
    if "type" in step or not {"model", "tool"} & step.keys():
        return step
    if "model" in step:
        return {"type": "llm_call", "input_tokens": 10, "output_tokens": 5, **step}
    return {"type": "tool_call", **step}


def challenge_of(row: dict[str, Any], folder: Path) -> Challenge:
    long = (
        {"match_type": "long-running", "heartbeat_secs": row["heartbeat_secs"]}
        if "heartbeat_secs" in row
        else {}
    )
    if not long and "constraints" not in row:
        return load_challenge(ADDING)
    return load_challenge(
        write_challenge(folder, {"about": {**long, "constraints": row.get("constraints", {})}})
    )


def checked(row: dict[str, Any], folder: Path) -> Trajectory:
    log = [step_of(step) for step in row["log"]] * row.get("times", 1)
    about = {name: row[name] for name in ("token_count", "model_id") if name in row}
    seen = [
        (kind, BEGAN + at * SECOND)
        for kind, moments in row.get("seen", {"download": [2]}).items()
        for at in moments
    ]
    match = match_of(memoryless=row.get("memoryless", False), attempt=row.get("attempt", 1))
    agent = msgspec.structs.replace(AGENT, base_model=row.get("base_model", ""))
    return check_trajectory(
        Metadata(replay_log=log, **about),
        match,
        seen,
        at=BEGAN + 100 * SECOND,
        challenge=challenge_of(row, folder),
        agent=agent,
    )


@pytest.mark.parametrize("row", ROWS, ids=[row["name"] for row in ROWS])
def test_the_table(row: dict[str, Any], tmp_path: Path) -> None:
    found = checked(row, tmp_path)
    said = " | ".join((*found.errors, *found.warnings))
    assert found.valid is row["holds"], said
    assert found.tier == row.get("tier", "verified" if row["holds"] else "unverified")
    assert bool(found.errors) is not row["holds"]
    assert (row["told"] in said) if "told" in row else said == ""
    assert found.told()["meaning"] == MEANING[found.tier]


def test_the_table_is_long_enough() -> None:
    assert len(ROWS) >= 60
    assert len({row["name"] for row in ROWS}) == len(ROWS)


def test_no_log_is_no_fault() -> None:
    found = check_trajectory(Metadata(), match_of(), [], at=BEGAN)
    assert found.told() == {
        "valid": False,
        "tier": "unverified",
        "errors": [],
        "warnings": [],
        "meaning": MEANING["unverified"],
    }


def test_of_very_many_faults_a_few_are_told(tmp_path: Path) -> None:
    found = checked({"log": [{"model": "m", "at_ms": -1}], "times": 500}, tmp_path)
    assert 1 <= len(found.errors) <= 20


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
FIELDS = (
    "type",
    "ts",
    "at_ms",
    "duration_ms",
    "model",
    "tool",
    "input_tokens",
    "output_tokens",
    "cost_usd",
    "needs_workspace",
)
STEP = st.dictionaries(
    st.sampled_from(FIELDS), JSON | st.sampled_from(["llm_call", "tool_call"]), max_size=6
)
SEEN = st.lists(
    st.tuples(st.sampled_from(["download", "heartbeat"]), st.integers(BEGAN, BEGAN + 200 * SECOND)),
    max_size=5,
)


@given(st.lists(STEP | JSON, max_size=5), SEEN)
def test_no_log_makes_it_raise(log: list[Any], seen: list[tuple[str, int]]) -> None:
    found = check_trajectory(
        Metadata(replay_log=log), match_of(), seen, at=BEGAN + 100 * SECOND, agent=AGENT
    )
    assert found.valid is not bool(found.errors)
    assert msgspec.json.encode(found.told())


HONEST = st.lists(
    st.tuples(st.floats(0, 9), st.floats(0, 9), st.integers(0, 10**6)), min_size=1, max_size=10
)


@given(HONEST, st.integers(0, 9))
def test_an_honest_log_holds_and_one_that_runs_backwards_does_not(
    steps: list[tuple[float, float, int]], at: int
) -> None:
    log, now = [], 2.0
    for pause, took, tokens in steps:
        now += pause
        log.append(
            {
                "type": "llm_call",
                "model": "m",
                "input_tokens": tokens,
                "output_tokens": 0,
                "at_ms": now * 1000,
                "duration_ms": took * 1000,
            }
        )
        now += took
    seen, end = [("download", BEGAN + SECOND)], BEGAN + round((now + 1) * SECOND)
    honest = check_trajectory(Metadata(replay_log=log), match_of(), seen, at=end)
    assert honest.valid, honest.errors
    log[at % len(log)]["at_ms"] = now * 1000 + 10_000
    assert not check_trajectory(Metadata(replay_log=log), match_of(), seen, at=end).valid
