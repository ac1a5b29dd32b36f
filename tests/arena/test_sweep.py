"""What nobody asks for happens all the same: on both databases, with a clock that the test moves."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select, update

from arenas import Clock
from steelyard.arena import library
from steelyard.arena.agents import Agent
from steelyard.arena.challenge import load_challenge
from steelyard.arena.match import Match
from steelyard.arena.payload import seal
from steelyard.arena.service import Arena
from steelyard.arena.settling import LEASE, MOST_TRIES, accept, lease
from steelyard.arena.sweep import GRACE, Swept, keep_sweeping, sweep
from steelyard.store.schema import CHALLENGES, MATCHES, RATINGS

CASES = Path(__file__).parent.parent / "cases" / "web"
WAIT = GRACE / 1_000_000
RIGHT = {"word": "yes", "again": "yes"}


def publish(arena: Arena, slug: str) -> None:
    challenge = load_challenge(CASES / slug)
    arena.database.write_now(
        lambda connection: library.add(connection, challenge, now=arena.clock())
    )


def state(arena: Arena, match: Match) -> tuple[Any, ...]:
    columns = select(MATCHES.c.state, MATCHES.c.score, MATCHES.c.tries).where(
        MATCHES.c.id == match.id
    )
    return tuple(arena.database.read_now(lambda connection: connection.execute(columns).one()))


def events(arena: Arena) -> int:
    count = select(func.count()).select_from(RATINGS)
    return arena.database.read_now(lambda connection: connection.execute(count).scalar_one())


async def entered(arena: Arena, slug: str, name: str = "ada") -> tuple[Agent, Match]:
    agent, _ = await arena.register(name, "", "")
    return agent, await arena.enter(agent, slug, memoryless=False)


@pytest.mark.parametrize(
    ("seconds", "ended"), [(59, 0), (61, 0), (60 + WAIT, 0), (60.000001 + WAIT, 1), (10_000, 1)]
)
def test_a_match_ends_when_its_time_is_over(
    arena: Arena, clock: Clock, seconds: float, ended: int
) -> None:
    async def play() -> tuple[Match, Swept]:
        _, match = await entered(arena, "adding")
        clock.move(seconds)
        return match, await sweep(arena)

    match, swept = asyncio.run(play())
    assert swept == (ended, 0, 0)
    assert state(arena, match)[:2] == (("expired", 0) if ended else ("active", None))
    assert events(arena) == 2 * ended


def test_a_submission_that_came_in_time_and_had_to_wait_is_not_forestalled(
    arena: Arena, clock: Clock
) -> None:
    async def play() -> Match:
        agent, match = await entered(arena, "adding")
        clock.now = match.deadline
        write, swept = arena.database.write, []

        async def later(transaction: Any) -> Any:
            """As it is where many are before it: the sweep comes first."""
            arena.database.write = write  # type: ignore[method-assign]
            clock.move(50)
            swept.append(await sweep(arena))
            return await write(transaction)

        arena.database.write = later  # type: ignore[assignment, method-assign]
        told = await arena.submit(agent, match.id, b'{"answer": {"total": 1}}')
        assert (told["state"], swept) == ("completed", [(0, 0, 0)])
        return match

    assert state(arena, asyncio.run(play()))[0] == "completed"


def test_many_sweep_and_each_match_is_ended_once(arena: Arena, clock: Clock) -> None:
    async def play() -> list[Swept]:
        for number in range(12):
            await entered(arena, "adding", f"agent {number}")
        clock.move(61 + WAIT)
        return await asyncio.gather(*(sweep(arena) for _ in range(8)))

    assert sum(swept.expired for swept in asyncio.run(play())) == 12
    assert events(arena) == 24


@pytest.mark.parametrize(
    ("signs", "after", "alive"),
    [
        ((), 29, True),
        ((), 31, False),
        ((29,), 58, True),  # the interval counts from the last sign
        ((29, 58), 87, True),
        ((29, 58), 90, False),
    ],
)
def test_a_long_match_lives_as_long_as_it_gives_signs(
    arena: Arena, clock: Clock, signs: tuple[int, ...], after: int, alive: bool
) -> None:
    publish(arena, "watch")

    async def play() -> tuple[Match, Swept]:
        agent, match = await entered(arena, "watch")
        await entered(arena, "adding", "bo")  # one that needs no signs
        begun = clock.now
        for moment in signs:
            clock.now = begun + moment * 1_000_000
            await arena.heartbeat(agent, match.id)
            await sweep(arena)
        clock.now = begun + after * 1_000_000
        swept = await sweep(arena)
        if alive:
            assert (await arena.submit(agent, match.id, json.dumps({"answer": RIGHT}).encode()))[
                "score"
            ] == 1000
        return match, swept

    match, swept = asyncio.run(play())
    assert swept.silent == (not alive)
    assert state(arena, match)[:2] == (("completed", 1000) if alive else ("expired", 0))


def test_a_submission_whose_evaluator_died_is_scored_by_another(arena: Arena, clock: Clock) -> None:
    async def play() -> tuple[Match, list[Swept]]:
        _, match = await entered(arena, "adding")
        await left_by_a_dead_one(arena, match)
        found = [await sweep(arena)]
        clock.move(LEASE / 1_000_000 + 1)
        return match, [*found, await sweep(arena), await sweep(arena)]

    match, swept = asyncio.run(play())
    assert [one.taken_over for one in swept] == [0, 1, 0]
    assert state(arena, match)[0] == "completed"
    assert events(arena) == 2
    assert LEASE <= 55 * 1_000_000, "with a round of the sweep, it must be final within a minute"


def test_what_kills_its_evaluators_is_left_to_the_operator(arena: Arena, clock: Clock) -> None:
    async def play() -> Match:
        _, match = await entered(arena, "adding")
        await left_by_a_dead_one(arena, match)
        for _ in range(MOST_TRIES):
            clock.move(LEASE / 1_000_000 + 1)
            await arena.database.write(
                lambda connection: lease(connection, match.id, "dead too", clock())
            )
        clock.move(LEASE / 1_000_000 + 1)
        await sweep(arena)
        return match

    assert state(arena, asyncio.run(play()))[:2] == ("failed", None)
    assert events(arena) == 0


def test_one_that_cannot_be_ended_does_not_hold_up_the_others(arena: Arena, clock: Clock) -> None:
    publish(arena, "watch")

    async def play() -> tuple[Match, Match]:
        _, broken = await entered(arena, "adding")
        _, sound = await entered(arena, "watch", "bo")
        clock.move(40 + WAIT)
        arena.database.write_now(
            lambda connection: connection.execute(_deadline_of(broken, clock()))
        )
        spoil = (
            update(CHALLENGES)
            .where(CHALLENGES.c.slug == "adding")
            .values(archive=b"no archive", digest="other")
        )
        await arena.database.write(lambda connection: connection.execute(spoil))
        sweeping = asyncio.create_task(keep_sweeping(arena, 0.05))
        for _ in range(100):
            await asyncio.sleep(0.05)
            if state(arena, sound)[0] == "expired":
                break
        assert not sweeping.done()
        sweeping.cancel()
        return broken, sound

    broken, sound = asyncio.run(play())
    assert (state(arena, broken)[0], state(arena, sound)[0]) == ("active", "expired")


def _deadline_of(match: Match, moment: int) -> Any:
    return update(MATCHES).where(MATCHES.c.id == match.id).values(deadline=moment - GRACE - 1)


async def left_by_a_dead_one(arena: Arena, match: Match) -> None:
    """A submission that was accepted by a process that is gone."""
    sealed = seal(b'{"answer": {"total": 1}}', arena.clock())

    def take(connection: Any) -> bool:
        return accept(connection, match, sealed) and lease(
            connection, match.id, "dead", arena.clock()
        )

    assert await arena.database.write(take)
