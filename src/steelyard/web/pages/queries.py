"""What the pages ask the store for."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Select, case, func, literal_column, select

from steelyard.arena.ledger import OVERALL
from steelyard.arena.library import version
from steelyard.arena.match import RATED, State
from steelyard.errors import DataError, SpecError
from steelyard.store.schema import AGENTS, CHALLENGES, MATCHES, RATINGS
from steelyard.web.pages.drawing import MOST_POINTS, Rating

_PREFIX = "category:"
# Written out: SQLite takes the index of active matches only where it sees the word in the query.
_ACTIVE = MATCHES.c.state == literal_column(f"'{State.ACTIVE.value}'")


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
    scopes = connection.execute(
        select(RATINGS.c.scope).where(RATINGS.c.scope.startswith(_PREFIX)).distinct()
    ).scalars()
    return sorted(scope.removeprefix(_PREFIX) for scope in scopes)


def matches(
    connection: Connection, *where: ColumnElement[bool], limit: int, offset: int = 0
) -> tuple[list[Row], int]:
    """A stretch of the matches, the newest first, and how many there are."""
    total = connection.execute(select(func.count()).select_from(MATCHES).where(*where)).scalar_one()
    return _rows(connection, _asked(*where).limit(limit).offset(offset)), total


def latest(connection: Connection, slug: str | None = None, *, limit: int) -> list[Row]:
    """Matches that go on and those that ended last; both are found by an index, however many there are."""
    if slug is None:
        ended = (
            select(RATINGS.c.match_id)
            .where(RATINGS.c.scope == OVERALL)
            .order_by(RATINGS.c.id.desc())
            .limit(limit)
        )
    else:
        over = (MATCHES.c.slug == slug, MATCHES.c.finished_at.is_not(None))
        ended = (
            select(MATCHES.c.id).where(*over).order_by(MATCHES.c.finished_at.desc()).limit(limit)
        )
    going = [match for match, of in _active(connection) if slug in {None, of}]
    found = {*going[:limit], *connection.execute(ended).scalars()}
    return _rows(connection, _asked(MATCHES.c.id.in_(found)).limit(limit))


def _asked(*where: ColumnElement[bool]) -> Select[Any]:
    overall = (RATINGS.c.match_id == MATCHES.c.id) & (RATINGS.c.scope == OVERALL)
    joined = MATCHES.join(AGENTS, AGENTS.c.id == MATCHES.c.agent_id).outerjoin(RATINGS, overall)
    names = (
        "id",
        "agent_id",
        "slug",
        "version",
        "attempt",
        "state",
        "entered_at",
        "score",
        "result",
        "verified",
    )
    change = (RATINGS.c.after - RATINGS.c.before).label("change")
    asked = (
        select(*(MATCHES.c[name] for name in names), AGENTS.c.name, change)
        .select_from(joined)
        .where(*where)
    )
    return asked.order_by(MATCHES.c.entered_at.desc(), MATCHES.c.id)


def _rows(connection: Connection, asked: Select[Any]) -> list[Row]:
    found = connection.execute(asked).all()
    names = {pair: _name(connection, *pair) for pair in {(one.slug, one.version) for one in found}}
    return [
        Row(
            id=one.id,
            agent_id=one.agent_id,
            agent=one.name,
            slug=one.slug,
            challenge=names[one.slug, one.version],
            attempt=one.attempt,
            state=one.state,
            entered_at=one.entered_at,
            score=one.score,
            result=one.result,
            verified=bool(one.verified),
            change=one.change,
        )
        for one in found
    ]


def _name(connection: Connection, slug: str, number: int) -> str:
    try:
        return version(connection, slug, number).about.name
    except (
        SpecError,
        DataError,
    ):  # published by another version of this package, which could play it
        return slug


class Best(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent came to at a challenge."""

    agent_id: str
    agent: str
    best: int
    matches: int
    wins: int


def best(connection: Connection, slug: str, *, limit: int) -> list[Best]:
    """Who came furthest at a challenge; of equal scores, the one that took fewer matches."""
    wins = func.sum(case((MATCHES.c.result == "win", 1), else_=0)).label("wins")
    columns = (
        MATCHES.c.agent_id,
        AGENTS.c.name,
        func.max(MATCHES.c.score).label("best"),
        func.count().label("of"),
        wins,
    )
    found = connection.execute(
        select(*columns)
        .select_from(MATCHES.join(AGENTS, AGENTS.c.id == MATCHES.c.agent_id))
        .where(MATCHES.c.slug == slug, MATCHES.c.state.in_(RATED))
        .group_by(MATCHES.c.agent_id, AGENTS.c.name)
        .order_by(func.max(MATCHES.c.score).desc(), func.count(), AGENTS.c.name)
        .limit(limit)
    )
    return [
        Best(agent_id=row.agent_id, agent=row.name, best=row.best, matches=row.of, wins=row.wins)
        for row in found
    ]


def results(connection: Connection) -> dict[str, dict[str, int]]:
    """How the finished matches of each challenge came out."""
    found = connection.execute(
        select(MATCHES.c.slug, MATCHES.c.result, func.count().label("of"))
        .where(MATCHES.c.state.in_(RATED))
        .group_by(MATCHES.c.slug, MATCHES.c.result)
    )
    counts: dict[str, dict[str, int]] = {}
    for row in found:
        counts.setdefault(row.slug, {"win": 0, "draw": 0, "loss": 0})[row.result] = row.of
    return counts


def going_on(connection: Connection) -> Counter[str]:
    """How many matches of each challenge are active."""
    return Counter(slug for _, slug in _active(connection))


def _active(connection: Connection) -> list[tuple[str, str]]:
    """The active matches, the last to end first: in an order that has an index of its own."""
    found = connection.execute(
        select(MATCHES.c.id, MATCHES.c.slug).where(_ACTIVE).order_by(MATCHES.c.deadline.desc())
    )
    return [(row.id, row.slug) for row in found]


def history(connection: Connection, agent_id: str, total: int) -> list[Rating]:
    """The agent's rating after its matches; of very many every so manieth, and the last."""
    every = math.ceil(total / MOST_POINTS) or 1
    drawn = (RATINGS.c.sequence % every == 0) | (RATINGS.c.sequence == total)
    found = connection.execute(
        select(RATINGS.c.sequence, RATINGS.c.after, RATINGS.c.result)
        .where(RATINGS.c.agent_id == agent_id, RATINGS.c.scope == OVERALL, drawn)
        .order_by(RATINGS.c.sequence)
    )
    return [Rating(row.sequence, row.after, row.result) for row in found]


def newest_version(connection: Connection, slug: str) -> tuple[int, bool] | None:
    """The last version that was published, and whether it can still be entered."""
    row = connection.execute(
        select(CHALLENGES.c.version, CHALLENGES.c.retired_at)
        .where(CHALLENGES.c.slug == slug)
        .order_by(CHALLENGES.c.retired_at.is_not(None), CHALLENGES.c.version.desc())
        .limit(1)
    ).first()
    return None if row is None else (row.version, row.retired_at is None)
