"""What the pages ask the store for."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, func, select

from steelyard.arena.library import version
from steelyard.arena.match import State
from steelyard.store.schema import AGENTS, CHALLENGES, MATCHES, RATINGS

_PREFIX = "category:"


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A match in a list. ``change`` is what it did to the overall rating, where it has been rated."""

    id: str
    agent_id: str
    agent: str
    slug: str
    challenge: str
    attempt: int
    state: str
    entered_at: int
    score: int | None
    result: str | None
    verified: bool
    change: int | None


def categories(connection: Connection) -> list[str]:
    """Those in which somebody has a rating, by name."""
    scopes = connection.execute(select(RATINGS.c.scope).where(RATINGS.c.scope.startswith(_PREFIX)).distinct()).scalars()
    return sorted(scope.removeprefix(_PREFIX) for scope in scopes)


def matches(
    connection: Connection, *where: ColumnElement[bool], limit: int, offset: int = 0
) -> tuple[list[Row], int]:
    """A stretch of the matches, the newest first, and how many there are."""
    total = connection.execute(select(func.count()).select_from(MATCHES).where(*where)).scalar_one()
    overall = (RATINGS.c.match_id == MATCHES.c.id) & (RATINGS.c.scope == "overall")
    joined = MATCHES.join(AGENTS, AGENTS.c.id == MATCHES.c.agent_id).outerjoin(RATINGS, overall)
    names = ("id", "agent_id", "slug", "version", "attempt", "state", "entered_at", "score", "result", "verified")
    found = connection.execute(
        select(*(MATCHES.c[name] for name in names), AGENTS.c.name, (RATINGS.c.after - RATINGS.c.before).label("change"))
        .select_from(joined)
        .where(*where)
        .order_by(MATCHES.c.entered_at.desc(), MATCHES.c.id)
        .limit(limit)
        .offset(offset)
    ).all()
    return [_row(connection, one) for one in found], total


def _row(connection: Connection, one: Any) -> Row:
    return Row(
        id=one.id, agent_id=one.agent_id, agent=one.name, slug=one.slug,
        challenge=version(connection, one.slug, one.version).about.name, attempt=one.attempt, state=one.state,
        entered_at=one.entered_at, score=one.score, result=one.result, verified=bool(one.verified), change=one.change,
    )  # fmt: skip


def challenge_counts(connection: Connection) -> dict[str, dict[str, int]]:
    """How the finished matches of each challenge came out, and how many are going on."""
    found = connection.execute(
        select(MATCHES.c.slug, MATCHES.c.state, MATCHES.c.result, func.count().label("of")).group_by(
            MATCHES.c.slug, MATCHES.c.state, MATCHES.c.result
        )
    )
    counts: dict[str, dict[str, int]] = {}
    for row in found:
        one = counts.setdefault(row.slug, {"win": 0, "draw": 0, "loss": 0, "active": 0})
        key = row.result or ("active" if row.state == State.ACTIVE else None)
        if key is not None:
            one[key] += row.of
    return counts


def newest_version(connection: Connection, slug: str) -> tuple[int, bool] | None:
    """The last version that was published, and whether it can still be entered."""
    row = connection.execute(
        select(CHALLENGES.c.version, CHALLENGES.c.retired_at)
        .where(CHALLENGES.c.slug == slug)
        .order_by(CHALLENGES.c.retired_at.is_not(None), CHALLENGES.c.version.desc())
        .limit(1)
    ).first()
    return None if row is None else (row.version, row.retired_at is None)
