"""Many submissions in one statement: each match is settled once, by the rules, whatever else is in the statement."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from arenas import Clock
from ledgers import check_ledger
from steelyard.arena import library
from steelyard.arena.agents import find_agent
from steelyard.arena.challenge import load_challenge
from steelyard.arena.gathered import Concluding, Conclusion
from steelyard.arena.payload import read_payload, seal
from steelyard.arena.replay import replay
from steelyard.arena.service import Arena
from steelyard.arena.settling import work_out
from steelyard.arena.submitting import Attempt, _find
from steelyard.errors import RuleError
from steelyard.store.schema import MATCHES

WATCH = Path(__file__).parent.parent / "cases" / "web" / "watch"
RIGHT = {"total": 3, "largest": 2}
TEXTS = [
    'quote " and \\ back',
    "\\u0000",
    "\\ud800",
    "é 漢 🜚",
    "{}",
    "'; DROP TABLE matches; --",
    "%(p_given)s %s",
]


async def entered(arena: Arena, names: int) -> list[tuple[str, str]]:
    """A key and a match for each of so many agents."""
    found = []
    for number in range(names):
        agent, key = await arena.register(f"agent {number}", "", "")
        found.append((key, (await arena.enter(agent, "adding", memoryless=False)).id))
    return found


def body(answer: Any) -> bytes:
    return json.dumps({"answer": answer}).encode()


async def all_at_once(arena: Arena, asked: list[tuple[str, str, bytes]]) -> list[Any]:
    going = (arena.submit_with(key, match, sent, lambda agent: None) for key, match, sent in asked)
    return await asyncio.gather(*going, return_exceptions=True)


def check(arena: Arena) -> None:
    check_ledger(arena.database)
    assert arena.database.read_now(replay).differences == []


def test_matches_of_many_agents_end_at_once(arena: Arena) -> None:
    async def play() -> list[Any]:
        return await all_at_once(arena, [(*one, body(RIGHT)) for one in await entered(arena, 30)])

    told = asyncio.run(play())
    assert {one["state"] for one in told} == {"completed"}
    assert len({one["match_id"] for one in told}) == 30
    check(arena)


def test_the_same_match_in_one_statement_is_settled_once(arena: Arena) -> None:
    async def play() -> list[Any]:
        (key, match), (other, beside) = await entered(arena, 2)
        asked = [(key, match, body({"total": number % 5})) for number in range(25)]
        return await all_at_once(arena, [*asked, (other, beside, body(RIGHT))])

    *told, beside = asyncio.run(play())
    assert beside["state"] == "completed"
    answered = [one for one in told if isinstance(one, dict)]
    assert all(one == answered[0] for one in answered)
    assert len(answered) == 5, "the same content gets the same answer, and another is refused"
    assert {one.status for one in told if isinstance(one, RuleError)} == {409}
    check(arena)


def test_one_that_is_late_unknown_or_of_another_does_not_touch_those_beside_it(
    arena: Arena, clock: Clock
) -> None:
    async def play() -> list[Any]:
        ((early, old),) = await entered(arena, 1)
        clock.move(61)  # over by now
        agent, key = await arena.register("late comer", "", "")
        match = (await arena.enter(agent, "adding", memoryless=False)).id
        nobody = f"sy_{'a' * 43}"
        return await all_at_once(
            arena,
            [
                (early, old, body(RIGHT)),
                (nobody, match, body(RIGHT)),
                (key, "m_none", body(RIGHT)),
                (early, match, body(RIGHT)),
                (key, match, body(RIGHT)),
            ],
        )

    *refused, told = asyncio.run(play())
    assert [one.status for one in refused] == [410, 401, 404, 403]
    assert told["state"] == "completed"
    check(arena)


@pytest.mark.parametrize("said", TEXTS)
def test_a_submission_is_kept_byte_by_byte(arena: Arena, said: str) -> None:
    sent = (
        b'{"answer": {"total": "'
        + said.replace("\\", "\\\\").replace('"', '\\"').encode()
        + b'"},\n "metadata":{}}'
    )
    raw = b'{"answer": "\\u0000 \\ud800 x"}'

    async def play() -> list[str]:
        (key, match), (other, beside) = await entered(arena, 2)
        told = await all_at_once(arena, [(key, match, sent), (other, beside, raw)])
        assert not isinstance(told[0], BaseException), told
        return [match]

    (match,) = asyncio.run(play())
    kept = arena.database.read_now(
        lambda connection: connection.execute(
            select(MATCHES.c.submission).where(MATCHES.c.id == match)
        ).scalar_one()
    )
    assert bytes(kept) == sent
    check(arena)


def conclusion(arena: Arena, match_id: str) -> Conclusion:
    """How the match would end now."""
    found = arena.database.read_now(lambda connection: _find(connection, match_id))
    assert found is not None
    assert found.stands is not None
    agent = arena.database.read_now(lambda connection: find_agent(connection, found.match.agent_id))
    challenge = arena.database.read_now(
        lambda connection: library.version(connection, found.match.slug, found.match.version)
    )
    sealed = seal(body(RIGHT), arena.clock())
    made = Attempt(agent, found, challenge, read_payload(sealed.body), sealed, []).score()
    return Conclusion(found.match, sealed, made, *work_out(found.match, made, found.stands))


@pytest.mark.parametrize("store_url", ["postgresql"], indirect=True)  # elsewhere one thread settles
def test_two_matches_of_one_agent_are_not_settled_in_two_statements_at_once(arena: Arena) -> None:
    watch = load_challenge(WATCH)
    arena.database.write_now(lambda connection: library.add(connection, watch, now=arena.clock()))

    async def enter() -> list[str]:
        ada, _ = await arena.register("ada", "", "")
        bo, _ = await arena.register("bo", "", "")
        entering = [(ada, "adding"), (ada, "watch"), (bo, "adding")]
        return [(await arena.enter(agent, slug, memoryless=False)).id for agent, slug in entering]

    held, second, other = (conclusion(arena, match) for match in asyncio.run(enter()))
    concluding = Concluding()
    gathering = arena.database.gathering(concluding.all, at_once=2)

    async def settle() -> None:
        with arena.database.engine.begin() as holder:
            holder.execute(
                select(MATCHES.c.id).where(MATCHES.c.id == held.match.id).with_for_update()
            )
            waiting = asyncio.ensure_future(gathering.ask(held))
            while not concluding._agents:
                await asyncio.sleep(0.01)
            assert await asyncio.gather(gathering.ask(second), gathering.ask(other)) == [None, True]
            assert not waiting.done()
        assert await asyncio.wait_for(waiting, 30)
        assert await gathering.ask(second) is None, "the agent has moved"
        assert await gathering.ask(conclusion(arena, second.match.id))

    asyncio.run(settle())
    check(arena)
