"""Matches as their agents see them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, cast

import msgspec
from sqlalchemy import Connection, func, select

from steelyard.arena.challenge import Challenge
from steelyard.arena.match import FIELDS, SECOND, Match, State, read_match
from steelyard.store.schema import MATCHES
from steelyard.web.api.shapes import Entered, MatchView, Outcome, ResultWord


def entered(match: Match, challenge: Challenge) -> Entered:
    """The match that has just begun."""
    here = f"/api/v1/matches/{match.id}"
    return Entered(
        match_id=match.id,
        challenge_slug=match.slug,
        version=match.version,
        workspace_url=f"{here}/workspace",
        submit_url=f"{here}/submit",
        time_limit_secs=challenge.about.time_limit_secs,
        entered_at=moment(match.entered_at),
        deadline=moment(match.deadline),
        attempt_number=match.attempt,
        memoryless=match.memoryless,
        opponent_elo=challenge.opponent,
        heartbeat_secs=challenge.about.heartbeat_secs,
    )


def view(match: Match, now: int, told: dict[str, Any] | None = None) -> MatchView:
    """The match as it stands; `told` is what its agent was told at the end."""
    left = max(0, match.deadline - now) / SECOND if match.state == State.ACTIVE else 0.0
    return MatchView(
        match_id=match.id,
        challenge_slug=match.slug,
        version=match.version,
        state=match.state.value,
        attempt_number=match.attempt,
        memoryless=match.memoryless,
        entered_at=moment(match.entered_at),
        deadline=moment(match.deadline),
        seconds_left=left,
        submitted_at=_maybe(match.submitted_at),
        finished_at=_maybe(match.finished_at),
        score=match.score,
        result=cast("ResultWord | None", match.result),
        verified=match.verified,
        failure=match.failure,
        outcome=None if told is None else msgspec.convert(told, Outcome),
    )


def matches_of(
    connection: Connection, agent_id: str, *, limit: int, offset: int
) -> tuple[list[Match], int]:
    """A stretch of the agent's matches, the newest first, and how many there are."""
    own = MATCHES.c.agent_id == agent_id
    total = connection.execute(select(func.count()).select_from(MATCHES).where(own)).scalar_one()
    rows = connection.execute(
        select(*(MATCHES.c[name] for name in FIELDS))
        .where(own)
        .order_by(MATCHES.c.entered_at.desc(), MATCHES.c.id)
        .limit(limit)
        .offset(offset)
    )
    return [read_match(row) for row in rows], total


def moment(at: int) -> str:
    """A moment as people and other programs read it.

    >>> moment(0)
    '1970-01-01T00:00:00.000Z'
    """
    return (
        datetime.fromtimestamp(at / SECOND, UTC)
        .isoformat(timespec="milliseconds")
        .replace("+00:00", "Z")
    )


def _maybe(at: int | None) -> str | None:
    return None if at is None else moment(at)
