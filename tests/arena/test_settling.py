"""A match is settled once, by its owner, in time; whoever comes second changes nothing."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from sqlalchemy import func, select, text

from arenas import Clock
from steelyard.arena.agents import Agent
from steelyard.arena.service import Arena
from steelyard.errors import RuleError, StoreError
from steelyard.store.schema import MATCHES, RATINGS


async def begun(arena: Arena, name: str = "ada", **entry: Any) -> tuple[Agent, str, dict[str, Any]]:
    agent, _ = await arena.register(name, "a model", "a harness")
    match = await arena.enter(agent, "adding", memoryless=entry.get("memoryless", False))
    numbers = [
        int(line) for line in (await arena.workspace(agent, match.id)).files["numbers.txt"].split()
    ]
    return agent, match.id, {"total": sum(numbers), "largest": max(numbers)}


def body(answer: object, **metadata: object) -> bytes:
    return json.dumps(
        {"answer": answer, "metadata": metadata} if metadata else {"answer": answer}
    ).encode()


def events(arena: Arena) -> int:
    return arena.database.read_now(
        lambda c: c.execute(select(func.count()).select_from(RATINGS)).scalar_one()
    )


def test_the_right_answer_wins_and_is_rated(arena: Arena) -> None:
    async def play() -> dict[str, Any]:
        agent, match, right = await begun(arena)
        return await arena.submit(agent, match, body(right))

    told = asyncio.run(play())
    assert (told["score"], told["result"], told["elo_before"], told["elo_after"]) == (
        1000,
        "win",
        1000,
        1016,
    )
    assert (told["elo_change"], told["opponent_elo"], told["verified"], told["state"]) == (
        16,
        1000,
        False,
        "completed",
    )


def test_fifty_at_once_are_one(arena: Arena) -> None:
    async def play() -> list[dict[str, Any]]:
        agent, match, right = await begun(arena)
        return await asyncio.gather(*(arena.submit(agent, match, body(right)) for _ in range(50)))

    told = asyncio.run(play())
    assert all(one == told[0] for one in told)
    assert events(arena) == 2  # overall, and the category's


def test_of_fifty_different_ones_one_is_taken(arena: Arena) -> None:
    async def play() -> list[Any]:
        agent, match, _ = await begun(arena)
        tries = (arena.submit(agent, match, body({"total": n})) for n in range(50))
        return await asyncio.gather(*tries, return_exceptions=True)

    told = asyncio.run(play())
    refused = [one for one in told if isinstance(one, RuleError)]
    assert [one.status for one in refused] == [409] * 49
    assert events(arena) == 2


def test_the_same_content_in_another_spelling_is_the_same_submission(arena: Arena) -> None:
    async def play() -> tuple[Any, Any]:
        agent, match, _ = await begun(arena)
        first = await arena.submit(agent, match, b'{"answer": {"total": 1, "largest": 2}}')
        return first, await arena.submit(agent, match, b'{"answer":{"largest":2,"total":1}}')

    first, second = asyncio.run(play())
    assert first == second


@pytest.mark.parametrize(("seconds", "status"), [(60, None), (60.000001, 410), (3600, 410)])
def test_the_deadline_belongs_to_the_match(
    arena: Arena, clock: Clock, seconds: float, status: int | None
) -> None:
    async def play() -> Any:
        agent, match, right = await begun(arena)
        clock.move(seconds)
        return await arena.submit(agent, match, body(right))

    if status is None:
        assert asyncio.run(play())["state"] == "completed"
        return
    with pytest.raises(RuleError) as late:
        asyncio.run(play())
    assert late.value.status == status
    lost = select(MATCHES.c.state, MATCHES.c.score, MATCHES.c.result)
    assert arena.database.read_now(lambda c: tuple(c.execute(lost).one())) == ("expired", 0, "loss")
    assert events(arena) == 2


def test_only_the_agent_that_entered_may_submit(arena: Arena) -> None:
    async def play() -> None:
        _, match, right = await begun(arena)
        other, _ = await arena.register("bo", "", "")
        await arena.submit(other, match, body(right))

    with pytest.raises(RuleError, match="another agent") as refused:
        asyncio.run(play())
    assert refused.value.status == 403


def test_one_active_match_for_agent_and_challenge(arena: Arena) -> None:
    async def play() -> tuple[list[Any], int]:
        agent, _ = await arena.register("ada", "", "")
        tries = (arena.enter(agent, "adding", memoryless=False) for _ in range(20))
        first = await asyncio.gather(*tries, return_exceptions=True)
        won = next(one for one in first if not isinstance(one, Exception))
        await arena.abandon(agent, won.id)
        return first, (await arena.enter(agent, "adding", memoryless=False)).attempt

    first, attempt = asyncio.run(play())
    assert sum(not isinstance(one, Exception) for one in first) == 1
    assert all(
        isinstance(one, RuleError) and one.status == 409
        for one in first
        if isinstance(one, Exception)
    )
    assert attempt == 2


@pytest.mark.parametrize("change", ["UPDATE ratings SET after = 3000", "DELETE FROM ratings"])
def test_the_ledger_only_grows(arena: Arena, change: str) -> None:
    async def play() -> None:
        agent, match, right = await begun(arena)
        await arena.submit(agent, match, body(right))

    asyncio.run(play())
    with pytest.raises(StoreError, match="only grows"):
        arena.database.write_now(lambda connection: connection.execute(text(change)))
    assert events(arena) == 2


def test_of_many_who_want_a_name_one_gets_it(arena: Arena) -> None:
    async def play() -> list[Any]:
        names = ("Ada Bot", "ada bot", "ＡＤＡ bot", " Ada  Bot ") * 5
        return await asyncio.gather(
            *(arena.register(name, "", "") for name in names), return_exceptions=True
        )

    told = asyncio.run(play())
    assert [one.status for one in told if isinstance(one, RuleError)] == [409] * 19
