"""Export and rescore: what is taken away, and what stored submissions come to today."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, text

from commands import Commands
from steelyard.arena.export import PUBLIC, More, export
from steelyard.arena.rescoring import Chosen, rescore
from steelyard.arena.service import Arena
from steelyard.store.database import Database
from steelyard.store.schema import AGENTS, MATCHES, RATINGS


async def play(arena: Arena, name: str, *, points: str = "all") -> str:
    """A real match of a new agent: right, half right, or given up."""
    agent, _ = await arena.register(name, "a model", "a harness")
    match = await arena.enter(agent, "adding", memoryless=False)
    numbers = [
        int(line) for line in (await arena.workspace(agent, match.id)).files["numbers.txt"].split()
    ]
    if points == "none":
        await arena.abandon(agent, match.id)
        return match.id
    answer = {"total": sum(numbers), "largest": max(numbers) if points == "all" else -1}
    await arena.submit(agent, match.id, json.dumps({"answer": answer}, indent=2).encode())
    return match.id


def season(arena: Arena) -> dict[str, str]:
    async def all_of_them() -> dict[str, str]:
        played = {
            points: await play(arena, points, points=points) for points in ("all", "half", "none")
        }
        late, _ = await arena.register("late", "", "")
        played["active"] = (await arena.enter(late, "adding", memoryless=False)).id
        return played

    return asyncio.run(all_of_them())


def lines(database: Database, more: More = More()) -> list[dict[str, Any]]:  # noqa: B008
    async def collected() -> bytes:
        return b"".join([some async for some in export(database, more)])

    return [json.loads(line) for line in asyncio.run(collected()).splitlines()]


def change(database: Database, statement: str) -> None:
    database.write_now(lambda connection: connection.execute(text(statement)))


def test_the_public_export(arena: Arena) -> None:
    played = season(arena)
    found = lines(arena.database)
    for line in found:
        assert set(line) == {"kind", *PUBLIC[line["kind"]]}
    kinds = [line["kind"] for line in found]
    assert (
        kinds.count("match"),
        kinds.count("rating"),
        kinds.count("agent"),
        kinds.count("challenge"),
    ) == (
        3,
        6,
        4,
        1,
    )
    assert played["active"] not in {line.get("id") for line in found}
    matches = {line["id"]: line for line in found if line["kind"] == "match"}
    assert {line["match_id"] for line in found if line["kind"] == "rating"} == set(matches)
    assert {line["agent_id"] for line in matches.values()} <= {
        line["id"] for line in found if line["kind"] == "agent"
    }
    hashes = arena.database.read_now(lambda c: c.execute(select(AGENTS.c.key_hash)).scalars().all())
    assert not any(one in json.dumps(found) for one in hashes)


def test_what_the_operator_may_have(arena: Arena) -> None:
    played = season(arena)
    change(arena.database, f"UPDATE matches SET failure = 'x' WHERE id = '{played['half']}'")
    by_name = {
        line["id"]: line
        for line in lines(arena.database, More(submissions=True, truth=True))
        if line["kind"] == "match"
    }
    full = by_name[played["all"]]
    assert full["submission"]["answer"] == full["truth"]
    assert (full["outcome"]["score"], full["outcome"]["result"]) == (1000, "win")
    assert by_name[played["half"]]["failure"] == "x"
    assert by_name[played["none"]]["submission"] is None
    assert "truth" not in next(
        line for line in lines(arena.database, More(submissions=True)) if line["kind"] == "match"
    )


def test_an_export_is_whole_however_small_the_stretches(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    season(arena)
    whole = sorted(map(json.dumps, lines(arena.database)))
    monkeypatch.setattr("steelyard.arena.export._AT_ONCE", 1)
    assert sorted(map(json.dumps, lines(arena.database))) == whole


def test_the_command_exports(
    steelyard: Commands, arena: Arena, store_url: str, tmp_path: Path
) -> None:
    season(arena)
    out = tmp_path / "out.jsonl"
    assert steelyard("arena", "export", "--store", store_url, "-o", out, "--truth").code == 0
    told = [json.loads(line) for line in out.read_text().splitlines()]
    assert len(told) == 14
    assert all("truth" in line for line in told if line["kind"] == "match")
    ran = steelyard("arena", "export", "--store", store_url, "-o", tmp_path / "no" / "out.jsonl")
    assert (ran.code, ran.err.count("\n")) == (2, 1)


def test_the_same_submissions_come_to_the_same(arena: Arena) -> None:
    played = season(arena)
    found = list(rescore(arena.database, Chosen()))
    assert {one.match_id for one in found} == {
        played["all"],
        played["half"],
    }  # nobody submitted to the others
    assert all(one.same for one in found)
    assert {one.now.score for one in found if one.now} == {1000, 600}


def test_a_score_that_came_out_otherwise_is_told_and_stays(
    steelyard: Commands, arena: Arena, store_url: str
) -> None:
    played = season(arena)
    assert steelyard("arena", "rescore", "--store", store_url).out == (
        "matches: 2; the same: 2; different: 0; not evaluated: 0\n"
    )
    change(
        arena.database,
        f"UPDATE matches SET score = 999, scorer = 'older' WHERE id = '{played['all']}'",
    )
    ran = steelyard("arena", "rescore", "--store", store_url, "--challenge", "adding")
    assert ran.code == 1
    assert "999 points, a win then, 1000 points, a win now; the scorer is another one" in ran.out
    ran = steelyard("arena", "rescore", "--store", store_url, "--match", played["all"], "--json")
    told = json.loads(ran.out)
    assert (told["matches"], told["different"], told["told"][0]["then"]["score"]) == (1, 1, 999)
    stored = select(MATCHES.c.score).where(MATCHES.c.id == played["all"])
    assert arena.database.read_now(lambda c: c.execute(stored).scalar()) == 999
    assert steelyard("arena", "rescore", "--store", store_url, "--match", "m_0").code == 2


def test_what_failed_is_settled_when_it_can_be(
    steelyard: Commands, arena: Arena, store_url: str
) -> None:
    from steelyard.arena.entering import enter, new_seed
    from steelyard.arena.library import current
    from steelyard.arena.payload import seal
    from steelyard.arena.settling import accept, fail, lease

    agent, _ = asyncio.run(arena.register("unlucky", "", ""))

    def fail_it(connection: Any) -> str:
        challenge = current(connection, "adding")
        truth = {"total": 3, "largest": 2}
        match = enter(
            connection,
            agent,
            challenge,
            memoryless=False,
            seed=new_seed(),
            truth=truth,
            now=arena.clock(),
        )
        body = json.dumps({"answer": truth}).encode()
        assert accept(connection, match, seal(body, arena.clock()))
        assert lease(connection, match.id, "a holder", arena.clock())
        assert fail(
            connection, match.id, holder="a holder", why="the sandbox was away", now=arena.clock()
        )
        return match.id

    failed = arena.database.write_now(fail_it)
    ran = steelyard("arena", "rescore", "--store", store_url, "--failed")
    assert (ran.code, ran.out.splitlines()[-1]) == (
        0,
        "failed matches: 1; settled: 1; failed again: 0",
    )
    rows = select(MATCHES.c.state, MATCHES.c.score, MATCHES.c.failure).where(MATCHES.c.id == failed)
    assert tuple(arena.database.read_now(lambda c: c.execute(rows).one())) == (
        "completed",
        1000,
        None,
    )
    events = select(RATINGS.c.after).where(RATINGS.c.match_id == failed)
    assert arena.database.read_now(lambda c: c.execute(events).scalars().all()) == [1016, 1016]
    assert steelyard("arena", "rescore", "--store", store_url, "--failed").out.startswith(
        "failed matches: 0;"
    )
    assert steelyard("arena", "replay", "--store", store_url).code == 0


def test_what_cannot_be_evaluated_is_told_and_is_no_zero(
    steelyard: Commands, arena: Arena, store_url: str
) -> None:
    played = season(arena)
    change(
        arena.database,
        f"UPDATE matches SET truth = '{{}}' WHERE id = '{played['all']}'"
        if arena.database.embedded
        else f"UPDATE matches SET truth = '{{}}'::bytea WHERE id = '{played['all']}'",
    )
    ran = steelyard("arena", "rescore", "--store", store_url)
    assert ran.code == 3
    assert "not evaluated: the challenge cannot score this match" in ran.out
    assert "not evaluated: 1" in ran.out
