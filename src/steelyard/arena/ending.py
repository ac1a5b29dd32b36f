"""How a match ends that nothing was submitted to, and what is told of one that has ended."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import Connection, select

from steelyard.arena import library
from steelyard.arena.agents import Agent
from steelyard.arena.evaluation import forfeited
from steelyard.arena.match import Match, State
from steelyard.arena.settling import find_match, forfeit
from steelyard.errors import RuleError
from steelyard.store.schema import MATCHES


def owned(connection: Connection, agent: Agent, match_id: str) -> Match:
    """The match, if it is this agent's."""
    match = find_match(connection, match_id)
    if match is None:
        raise RuleError("there is no such match", status=404)
    if match.agent_id != agent.id:
        raise RuleError("the match belongs to another agent", status=403)
    return match


def stored_outcome(connection: Connection, match_id: str) -> dict[str, Any]:
    """What the agent is told of a match that has ended; of one that has not, where it stands."""
    row = connection.execute(
        select(MATCHES.c.state, MATCHES.c.outcome, MATCHES.c.failure).where(
            MATCHES.c.id == match_id
        )
    ).one()
    told: dict[str, Any] = (
        msgspec.json.decode(row.outcome) if row.outcome is not None else {"match_id": match_id}
    )
    return {**told, "state": row.state, **({"failure": row.failure} if row.failure else {})}


def expire(connection: Connection, match: Match, moment: int) -> bool:
    """End a match whose deadline has passed."""
    challenge = library.version(connection, match.slug, match.version)
    made = forfeited(challenge, match, "nothing was submitted before the deadline")
    return forfeit(connection, match, made, state=State.EXPIRED, now=moment) is not None


def fall_silent(connection: Connection, match: Match, *, since: int, moment: int) -> bool:
    """End a long-running match that gave no sign of life since then."""
    challenge = library.version(connection, match.slug, match.version)
    made = forfeited(challenge, match, "there was no sign of life for too long")
    ended = forfeit(connection, match, made, state=State.EXPIRED, now=moment, silent_since=since)
    return ended is not None


def overdue(match: Match, moment: int) -> bool:
    """Whether the deadline has passed and nobody has ended the match yet."""
    return match.state == State.ACTIVE and match.deadline < moment


def expire_own(connection: Connection, agent: Agent, slug: str, moment: int) -> None:
    """A match that is over but was not swept yet must not stand in the way of the next one."""
    due = connection.execute(
        select(MATCHES.c.id).where(
            MATCHES.c.agent_id == agent.id,
            MATCHES.c.slug == slug,
            MATCHES.c.state == State.ACTIVE,
            MATCHES.c.deadline < moment,
        )
    ).scalar()
    if due is not None and (match := find_match(connection, due)) is not None:
        expire(connection, match, moment)
