"""What anybody may have of the arena, line by line: no keys, no ground truth, no submissions."""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator
from typing import Any, Final

import msgspec
from sqlalchemy import Column, Connection, Table, select

from steelyard.arena.match import RATED
from steelyard.store.database import Database
from steelyard.store.schema import AGENTS, CHALLENGES, MATCHES, RATINGS

_AT_ONCE = 1000
_ENCODER = msgspec.json.Encoder()
PUBLIC: Final[dict[str, tuple[Table, tuple[str, ...], tuple[str, ...]]]] = {
    "agent": (AGENTS, ("id", "name", "base_model", "harness", "created_at"), ("id",)),
    "challenge": (CHALLENGES, ("slug", "version", "digest", "scorer", "published_at", "retired_at"), ("slug", "version")),
    "match": (
        MATCHES,
        ("id", "agent_id", "slug", "version", "attempt", "memoryless", "state", "entered_at", "deadline", "submitted_at",
         "finished_at", "score", "result", "verified", "scorer"),
        ("id",),
    ),
    "rating": (
        RATINGS,
        ("id", "match_id", "agent_id", "scope", "sequence", "result", "opponent", "k", "bonus", "before", "after", "at"),
        ("id",),
    ),
}  # fmt: skip


async def export(database: Database) -> AsyncIterator[bytes]:
    """Lines of JSON, each with its `kind`; a stretch at a time, so that a large arena needs little memory."""
    for kind in PUBLIC:
        last: tuple[Any, ...] | None = None
        while True:
            rows = await database.read(functools.partial(_stretch, kind=kind, last=last))
            if not rows:
                break
            yield b"".join(_ENCODER.encode({"kind": kind, **row}) + b"\n" for row in rows)
            last = tuple(rows[-1][name] for name in PUBLIC[kind][2])


def _stretch(connection: Connection, kind: str, last: tuple[Any, ...] | None) -> list[dict[str, Any]]:
    table, names, key = PUBLIC[kind]
    query = (
        select(*(table.c[name] for name in names)).order_by(*(table.c[name] for name in key)).limit(_AT_ONCE)
    )
    if kind == "match":
        query = query.where(MATCHES.c.state.in_(RATED))
    if last is not None:
        query = query.where(_after([table.c[name] for name in key], last))
    return [dict(row) for row in connection.execute(query).mappings()]


def _after(key: list[Column[Any]], last: tuple[Any, ...]) -> Any:
    head, *rest = key
    if not rest:
        return head > last[0]
    return (head > last[0]) | ((head == last[0]) & _after(rest, last[1:]))
