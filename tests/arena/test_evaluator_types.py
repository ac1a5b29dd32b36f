"""The three types of evaluators, all the way from a submission to a settled match; one that fails never scores."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from arenas import Clock
from challenges import write_challenge
from steelyard.arena import library
from steelyard.arena.agents import Agent
from steelyard.arena.challenge import load_challenge
from steelyard.arena.publish import bundled
from steelyard.arena.service import Arena
from steelyard.arena.settling import reopen
from steelyard.arena.sweep import sweep
from steelyard.errors import SandboxError
from steelyard.sandbox.opening import default_sandbox
from steelyard.sandbox.protocol import Sandbox
from steelyard.store.database import Database
from steelyard.store.schema import MATCHES, RATINGS

SCRIPTED = """{"type": "custom-script", "dimensions": [
  {"name": "correctness", "weight": 0.5, "scorer": "script", "script": {"file": "points.py"}},
  {"name": "precision", "weight": 0.5, "scorer": "script", "script": {"file": "points.py"}}]}"""
# What a script may give that is no score, by name.
FAILURES = {
    "too many": "{'correctness': 1000.5, 'precision': 0}",
    "too few": "{'correctness': -1, 'precision': 0}",
    "NaN": "{'correctness': float('nan'), 'precision': 0}",
    "infinity": "{'correctness': float('inf'), 'precision': 0}",
    "a flag": "{'correctness': True, 'precision': 0}",
    "a text": "{'correctness': '1000', 'precision': 0}",
    "null": "{'correctness': None, 'precision': 0}",
    "a dimension too few": "{'correctness': 1000}",
    "a dimension too many": "{'correctness': 1000, 'precision': 0, 'style': 5}",
    "no object": "[1000, 1000]",
    "nothing": "None",
    "an exception": "1 / 0",
    "an exit": "__import__('os')._exit(0)",
    "points on standard output": 'print(\'{"correctness": 1000, "precision": 1000}\')',
}


class Broken:
    """A sandbox that cannot start anything; else the real one."""

    name = "broken"

    def __init__(self, real: Sandbox) -> None:
        self.real, self.broken = real, True

    def start(self, *args: Any) -> Any:
        if self.broken:
            raise SandboxError("the sandbox is out of order")
        return self.real.start(*args)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)


@pytest.fixture(scope="module")
def sandbox() -> Sandbox:
    return default_sandbox()


def offer(database: Database, folder: Path) -> None:
    challenge = load_challenge(folder)
    database.write_now(lambda connection: library.add(connection, challenge, now=0))


async def entered(arena: Arena, slug: str) -> tuple[Agent, str]:
    agent, _ = await arena.register("ada", "", "")
    return agent, (await arena.enter(agent, slug, memoryless=False)).id


def body(answer: object) -> bytes:
    return json.dumps({"answer": answer}).encode()


def stored(database: Database, match: str) -> dict[str, Any]:
    columns = [
        MATCHES.c[name]
        for name in ("state", "score", "result", "outcome", "submission", "failure", "lease")
    ]
    return database.read_now(
        lambda c: dict(c.execute(select(*columns).where(MATCHES.c.id == match)).one()._mapping)
    )


def events(database: Database) -> int:
    return database.read_now(
        lambda c: c.execute(select(func.count()).select_from(RATINGS)).scalar_one()
    )


@pytest.mark.parametrize("folder", bundled(), ids=lambda folder: folder.name)
def test_the_bundled_ones_are_won_and_lost(database: Database, clock: Clock, folder: Path) -> None:
    """Over the whole way: the answer to the seed of the match wins, and that of another seed loses."""
    from steelyard.arena.generation import generate

    offer(database, folder)
    arena = Arena(database, clock=clock)
    challenge = load_challenge(folder)

    async def play(*, own: bool) -> dict[str, Any]:
        agent, _ = await arena.register(f"ada {own}", "", "")
        match = await arena.enter(agent, challenge.slug, memoryless=False)
        clock.move(10)
        made = generate(challenge, match.seed if own else match.seed + 1)
        answer = made.truth if challenge.spec.type == "deterministic" else made.answer
        return await arena.submit(agent, match.id, body(answer))

    won, lost = asyncio.run(play(own=True)), asyncio.run(play(own=False))
    assert (won["result"], lost["result"]) == ("win", "loss")
    assert won["score"] >= 950
    assert set(won["score_breakdown"]) == {d.name for d in challenge.spec.dimensions}
    assert all(won["reasons"].values())


@pytest.mark.parametrize("gives", FAILURES.values(), ids=FAILURES.keys())
def test_a_script_that_fails_scores_nobody(
    database: Database, clock: Clock, tmp_path: Path, gives: str
) -> None:
    files = {
        "spec.json": SCRIPTED,
        "points.py": f"def score(submission, truth):\n    return {gives}\n",
    }
    offer(database, write_challenge(tmp_path / "a", {"files": files}))
    arena = Arena(database, clock=clock)

    async def play() -> tuple[str, dict[str, Any], dict[str, Any]]:
        agent, match = await entered(arena, "adding")
        first = await arena.submit(agent, match, body({"total": 1}))
        assert database.write_now(lambda connection: reopen(connection, match))
        clock.move(2)
        assert (await sweep(arena)).taken_over == 1
        return match, first, await arena.submit(agent, match, body({"total": 1}))

    match, first, again = asyncio.run(play())
    for told in (first, again):  # the script is what it was, and so is what comes of it
        assert told["state"] == "failed"
        assert "the evaluator failed" in told["failure"]
        assert not {"score", "result", "elo_change"} & told.keys()
    found = stored(database, match)
    assert (found["score"], found["result"], found["outcome"], found["lease"]) == (
        None,
        None,
        None,
        None,
    )
    assert json.loads(found["submission"]) == {"answer": {"total": 1}}
    assert events(database) == 0


def test_a_failed_match_is_scored_when_the_operator_reopens_it(
    database: Database, clock: Clock, tmp_path: Path, sandbox: Sandbox
) -> None:
    script = (
        "import json\n"
        "def score(submission, truth):\n"
        "    right = json.load(open(submission)).get('total') == json.load(open(truth))['total']\n"
        "    return {'correctness': 1000 * right, 'precision': 1000 * right}\n"
    )
    offer(
        database,
        write_challenge(tmp_path / "a", {"files": {"spec.json": SCRIPTED, "points.py": script}}),
    )
    broken: Any = Broken(sandbox)
    arena = Arena(database, clock=clock, sandbox=broken)

    async def play() -> tuple[dict[str, Any], dict[str, Any]]:
        agent, match = await entered(arena, "adding")
        numbers = (await arena.workspace(agent, match)).files["numbers.txt"]
        answer = body({"total": sum(map(int, numbers.split()))})
        failed = await arena.submit(agent, match, answer)
        assert events(database) == 0
        assert not (await sweep(arena)).taken_over  # nobody tries again by himself
        clock.move(
            3600
        )  # and the deadline has nothing to say any more: the submission came in time
        assert not (await sweep(arena)).expired
        broken.broken = False
        assert database.write_now(lambda connection: reopen(connection, match))
        assert not database.write_now(lambda connection: reopen(connection, match))
        assert (await sweep(arena)).taken_over == 1
        return failed, await arena.submit(agent, match, answer)

    failed, told = asyncio.run(play())
    assert (failed["state"], "out of order" in failed["failure"]) == ("failed", True)
    assert (told["state"], told["score"], told["result"], told["elo_change"]) == (
        "completed",
        1000,
        "win",
        16,
    )
    assert "failure" not in told
    assert events(database) == 2


def test_code_is_scored_test_by_test(database: Database, clock: Clock, tmp_path: Path) -> None:
    spec = """{"type": "test-suite", "dimensions": [
      {"name": "correctness", "weight": 0.5, "scorer": "tests", "field": "code", "ground_truth_field": "tests"},
      {"name": "completeness", "weight": 0.5, "scorer": "tests", "field": "code", "ground_truth_field": "tests",
       "group": "negative"}]}"""
    source = (
        "def generate(seed):\n"
        "    cases = [[[n], n * n + seed] for n in range(3)]\n"
        "    cases.append({'args': [-2], 'expected': 4 + seed, 'group': 'negative'})\n"
        "    tests = {'kind': 'function', 'entry_point': 'f', 'cases': cases}\n"
        "    return {'files': {'seed.txt': str(seed)}, 'truth': {'tests': tests}}"
    )
    offer(
        database,
        write_challenge(tmp_path / "a", {"files": {"spec.json": spec, "generate.py": source}}),
    )
    arena = Arena(database, clock=clock)

    async def play(name: str, code: str) -> dict[str, Any]:
        agent, _ = await arena.register(name, "", "")
        match = (await arena.enter(agent, "adding", memoryless=False)).id
        seed = (await arena.workspace(agent, match)).files["seed.txt"].decode()
        return await arena.submit(agent, match, body({"code": code.replace("SEED", seed)}))

    right = asyncio.run(play("ada", "def f(n):\n    return n * n + SEED\n"))
    half = asyncio.run(play("bo", "def f(n):\n    return n * abs(n) + SEED\n"))
    wrong = asyncio.run(play("cy", "import os; os._exit(0)"))
    assert [one["score"] for one in (right, half, wrong)] == [1000, 375, 0]
    assert half["score_breakdown"]["correctness"]["score"] == 750
    assert [one["result"] for one in (right, half, wrong)] == ["win", "loss", "loss"]
