"""What nobody asks for and must happen all the same: matches that are over are ended, and those of dead evaluators taken over.

Every process of a service sweeps. Each step is a conditional update, so a match is ended, or taken over, by one of them.
"""

from __future__ import annotations

import asyncio
import functools
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, NamedTuple, TypeVar

from sqlalchemy import Connection, exists, select

from steelyard.arena import library
from steelyard.arena.match import SECOND, State
from steelyard.arena.service import Arena, expire, fall_silent
from steelyard.arena.settling import find_match
from steelyard.errors import SteelyardError
from steelyard.store.schema import MATCHES, SIGHTINGS

T = TypeVar("T")
EVERY: Final = 5.0  # seconds between two rounds
# A submission that came in time may still wait to be written, here or in another process: longer than for a locked store.
GRACE: Final = 60 * SECOND
SILENT_INTERVALS: Final = 3  # a long-running match may miss two signs of life
_AT_ONCE = 200
_TAKEN_AT_ONCE = 20
_LOG = logging.getLogger("steelyard.arena")


class Swept(NamedTuple):
    """What a round did."""

    expired: int
    silent: int
    taken_over: int


async def sweep(arena: Arena) -> Swept:
    """One round, to its end: also the evaluations that it takes over."""
    expired = await end_expired(arena)
    silent = await end_silent(arena)
    taken = await asyncio.gather(
        *(_take_over(arena, match_id) for match_id in await _abandoned(arena))
    )
    return Swept(expired, silent, sum(taken))


async def keep_sweeping(arena: Arena, every: float = EVERY) -> None:
    """Round after round. An evaluation that was taken over may last; the next round does not wait for it."""
    taken: set[asyncio.Task[bool]] = set()
    try:
        while True:
            await asyncio.sleep(every)
            await _bearing(end_expired(arena))
            await _bearing(end_silent(arena))
            for match_id in await _bearing(_abandoned(arena)) or ():
                task = asyncio.create_task(_take_over(arena, match_id))
                taken.add(task)
                task.add_done_callback(taken.discard)
    finally:
        for task in taken:
            task.cancel()


async def end_expired(arena: Arena) -> int:
    """End the matches whose deadline has passed so long ago that nothing can come of them; how many this call ended."""
    moment = arena.clock()
    due = await arena.database.read(lambda connection: _due(connection, moment - GRACE))
    return await _end_each(arena, due, functools.partial(_expire, moment=moment))


async def end_silent(arena: Arena) -> int:
    """End the long-running matches that gave no sign of life for several intervals; how many this call ended."""
    moment = arena.clock()
    ended = 0
    for slug, version in await arena.database.read(_playing):
        interval = await _bearing(
            arena.database.read(functools.partial(_interval, slug=slug, version=version))
        )
        if interval is not None:
            since = moment - SILENT_INTERVALS * interval * SECOND
            quiet = functools.partial(_silent, slug=slug, version=version, since=since)
            end = functools.partial(_fall_silent, since=since, moment=moment)
            ended += await _end_each(arena, await arena.database.read(quiet), end)
    return ended


async def _end_each(arena: Arena, matches: Sequence[str], end: Callable[..., bool]) -> int:
    ended = 0
    for match_id in matches:
        # One that cannot be ended, because its challenge cannot be read, does not keep the others from it.
        ended += bool(
            await _bearing(arena.database.write(functools.partial(end, match_id=match_id)))
        )
    return ended


async def _take_over(arena: Arena, match_id: str) -> bool:
    return bool(await _bearing(arena.evaluators.take_over(match_id)))


async def _abandoned(arena: Arena) -> list[str]:
    moment = arena.clock()
    return await arena.database.read(lambda connection: _left(connection, moment))


async def _bearing(step: Awaitable[T]) -> T | None:
    """What the step gives; None where it failed, which is told in the log. The next round tries again."""
    try:
        return await step
    except SteelyardError as failed:
        _LOG.error("sweep: %s", failed)
        return None


def _due(connection: Connection, moment: int) -> list[str]:
    over = select(MATCHES.c.id).where(MATCHES.c.state == State.ACTIVE, MATCHES.c.deadline < moment)
    return list(connection.execute(over.order_by(MATCHES.c.deadline).limit(_AT_ONCE)).scalars())


def _expire(connection: Connection, match_id: str, moment: int) -> bool:
    match = find_match(connection, match_id)
    return match is not None and expire(connection, match, moment)


def _playing(connection: Connection) -> list[tuple[str, int]]:
    """The versions that are in play."""
    found = (
        select(MATCHES.c.slug, MATCHES.c.version).where(MATCHES.c.state == State.ACTIVE).distinct()
    )
    return [(row.slug, row.version) for row in connection.execute(found)]


def _interval(connection: Connection, slug: str, version: int) -> int | None:
    return library.version(connection, slug, version).about.heartbeat_secs


def _silent(connection: Connection, slug: str, version: int, since: int) -> list[str]:
    seen = exists().where(SIGHTINGS.c.match_id == MATCHES.c.id, SIGHTINGS.c.at >= since)
    quiet = select(MATCHES.c.id).where(
        MATCHES.c.state == State.ACTIVE,
        MATCHES.c.slug == slug,
        MATCHES.c.version == version,
        MATCHES.c.entered_at < since,
        ~seen,
    )
    return list(connection.execute(quiet.limit(_AT_ONCE)).scalars())


def _fall_silent(connection: Connection, match_id: str, *, since: int, moment: int) -> bool:
    match = find_match(connection, match_id)
    return match is not None and fall_silent(connection, match, since=since, moment=moment)


def _left(connection: Connection, moment: int) -> list[str]:
    """Accepted, and nobody alive evaluates it."""
    nobody = MATCHES.c.lease.is_(None) & (MATCHES.c.submitted_at < moment - SECOND)
    alone = select(MATCHES.c.id).where(
        MATCHES.c.state == State.EVALUATING, nobody | (MATCHES.c.lease_until < moment)
    )
    return list(connection.execute(alone.limit(_TAKEN_AT_ONCE)).scalars())
