"""What nobody asks for and must happen all the same: matches that are over are ended, and those of dead evaluators taken over."""

from __future__ import annotations

import asyncio
import functools
import logging
from typing import NamedTuple

from sqlalchemy import Connection, select

from steelyard.arena.match import SECOND, State
from steelyard.arena.service import Arena, expire
from steelyard.arena.settling import find_match
from steelyard.errors import EngineError
from steelyard.store.schema import MATCHES

EVERY = 5.0  # seconds between two rounds
_AT_ONCE = 200
_LOG = logging.getLogger("steelyard.arena")


class Swept(NamedTuple):
    """What a round did."""

    expired: int
    taken_over: int


async def sweep(arena: Arena) -> Swept:
    """One round. Several processes may sweep at the same time: each match is ended by one of them."""
    moment = arena.clock()
    expired = 0
    for match_id in await arena.database.read(lambda connection: _due(connection, moment)):
        expired += await arena.database.write(functools.partial(_expire, match_id=match_id, moment=moment))
    left = await arena.database.read(lambda connection: _left(connection, moment))
    taken = await asyncio.gather(*(arena.evaluators.take_over(match_id) for match_id in left))
    return Swept(expired, sum(taken))


async def keep_sweeping(arena: Arena, every: float = EVERY) -> None:
    """Round after round; a store that is out of reach for a while is tried again."""
    while True:
        await asyncio.sleep(every)
        try:
            await sweep(arena)
        except EngineError as failed:
            _LOG.error("sweep: %s", failed)


def _due(connection: Connection, moment: int) -> list[str]:
    over = select(MATCHES.c.id).where(MATCHES.c.state == State.ACTIVE, MATCHES.c.deadline < moment)
    return list(connection.execute(over.order_by(MATCHES.c.deadline).limit(_AT_ONCE)).scalars())


def _expire(connection: Connection, match_id: str, moment: int) -> bool:
    match = find_match(connection, match_id)
    return match is not None and expire(connection, match, moment)


def _left(connection: Connection, moment: int) -> list[str]:
    """Accepted, and nobody alive evaluates it."""
    nobody = MATCHES.c.lease.is_(None) & (MATCHES.c.submitted_at < moment - SECOND)
    alone = select(MATCHES.c.id).where(
        MATCHES.c.state == State.EVALUATING, nobody | (MATCHES.c.lease_until < moment)
    )
    return list(connection.execute(alone.limit(_AT_ONCE)).scalars())
