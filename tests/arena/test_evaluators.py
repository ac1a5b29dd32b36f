"""Those who run programs: the loop goes on beside them, and their lease is renewed while they live."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from steelyard.arena import library
from steelyard.arena.agents import Agent
from steelyard.arena.challenge import load_challenge
from steelyard.arena.match import SECOND, Match
from steelyard.arena.service import Arena
from steelyard.arena.sweep import sweep
from steelyard.store.database import Database
from steelyard.store.schema import MATCHES, RATINGS

CASES = Path(__file__).parent.parent / "cases"
SLOW = "import time\ntime.sleep({})\n\n\ndef is_leap(year):\n    return year % 4 == 0\n"


@pytest.fixture
def playing(database: Database) -> Arena:
    """An arena by the real clock, whose evaluators are taken for dead after a second."""
    made = Arena(database, lease=SECOND)
    for folder in (CASES / "arena" / "adding", CASES / "web" / "program"):
        challenge = load_challenge(folder)
        database.write_now(
            lambda connection, one=challenge: library.add(connection, one, now=made.clock())
        )
    return made


async def entered(arena: Arena, name: str, slug: str) -> tuple[Agent, Match]:
    agent, _ = await arena.register(name, "", "")
    return agent, await arena.enter(agent, slug, memoryless=False)


def body(code: str) -> bytes:
    return json.dumps({"answer": {"code": code}}).encode()


def row(arena: Arena, match: Match) -> Any:
    columns = select(
        MATCHES.c.state, MATCHES.c.score, MATCHES.c.tries, MATCHES.c.failure, MATCHES.c.submission
    )
    return arena.database.read_now(
        lambda connection: connection.execute(columns.where(MATCHES.c.id == match.id)).one()
    )


def events(arena: Arena) -> int:
    count = select(func.count()).select_from(RATINGS)
    return arena.database.read_now(lambda connection: int(connection.execute(count).scalar_one()))


@pytest.mark.slow
def test_who_takes_longer_than_the_lease_and_lives_keeps_it(playing: Arena) -> None:
    async def play() -> tuple[Match, int]:
        agent, match = await entered(playing, "ada", "program")
        other = Arena(playing.database, lease=SECOND)  # another process, which looks for the dead
        going = asyncio.ensure_future(playing.submit(agent, match.id, body(SLOW.format(3))))
        taken = 0
        while not going.done():
            await asyncio.sleep(0.1)
            taken += (await sweep(other)).taken_over
        await going
        return match, taken

    match, taken = asyncio.run(play())
    assert taken == 0
    found = row(playing, match)
    assert (found.state, found.tries) == ("completed", 1)
    assert events(playing) == 2


@pytest.mark.slow
def test_the_loop_goes_on_while_programs_run(playing: Arena) -> None:
    async def play() -> int:
        programs = [await entered(playing, f"coder {number}", "program") for number in range(4)]
        going = [
            asyncio.ensure_future(playing.submit(agent, match.id, body(SLOW.format(2))))
            for agent, match in programs
        ]
        await asyncio.sleep(0.3)
        for number in range(10):
            agent, match = await entered(playing, f"adder {number}", "adding")
            assert (await playing.submit(agent, match.id, b'{"answer": {"total": 1}}'))[
                "state"
            ] == "completed"
        left = sum(not one.done() for one in going)
        assert all(told["state"] == "completed" for told in await asyncio.gather(*going))
        return left

    assert asyncio.run(play()) >= 2, "the programs ended first: this showed nothing"
