"""Entering a match: the clock starts, the seed is drawn, the ground truth is put away."""

from __future__ import annotations

import secrets
from typing import Any

import msgspec
from sqlalchemy import Connection, func, insert, select

from steelyard.arena.agents import Agent
from steelyard.arena.challenge import Challenge
from steelyard.arena.ledger import lock_agent
from steelyard.arena.match import SECOND, Match, State
from steelyard.errors import RuleError
from steelyard.store.schema import MATCHES, SIGHTINGS


def new_seed() -> int:
    """A seed that nobody knows before; it fits every database and every JSON reader."""
    return secrets.randbelow(2**53)


def enter(
    connection: Connection,
    agent: Agent,
    challenge: Challenge,
    *,
    memoryless: bool,
    seed: int,
    truth: Any,
    now: int,
) -> Match:
    """A new active match; an agent has at most one at a challenge."""
    lock_agent(connection, agent.id)
    where = (MATCHES.c.agent_id == agent.id, MATCHES.c.slug == challenge.slug)
    going = connection.execute(
        select(MATCHES.c.id).where(*where, MATCHES.c.state == State.ACTIVE)
    ).scalar()
    if going is not None:
        raise RuleError(
            f"match {going} at this challenge is still active: submit to it or abandon it",
            status=409,
        )
    last = connection.execute(select(func.max(MATCHES.c.attempt)).where(*where)).scalar() or 0
    match = Match(
        id=f"m_{secrets.token_hex(12)}",
        agent_id=agent.id,
        slug=challenge.slug,
        version=challenge.about.version,
        seed=seed,
        attempt=last + 1,
        memoryless=memoryless,
        state=State.ACTIVE,
        entered_at=now,
        deadline=now + challenge.about.time_limit_secs * SECOND,
        submitted_at=None,
        submission_digest=None,
        lease=None,
        lease_until=None,
        tries=0,
        finished_at=None,
        score=None,
        result=None,
        verified=None,
        scorer=challenge.scorer,
        failure=None,
    )
    connection.execute(
        insert(MATCHES).values(**msgspec.structs.asdict(match), truth=msgspec.json.encode(truth))
    )
    return match


def notice(connection: Connection, match: Match, kind: str, now: int) -> None:
    """Note what the server saw of the match: a download of the workspace, or a sign of life."""
    connection.execute(insert(SIGHTINGS).values(match_id=match.id, kind=kind, at=now))


def sightings(connection: Connection, match_id: str) -> list[tuple[str, int]]:
    """What the server saw, the oldest first."""
    found = connection.execute(
        select(SIGHTINGS.c.kind, SIGHTINGS.c.at)
        .where(SIGHTINGS.c.match_id == match_id)
        .order_by(SIGHTINGS.c.at, SIGHTINGS.c.id)
    )
    return [(row.kind, row.at) for row in found]
