"""How an agent came to its rating: the ledger's events with the matches behind them."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import Connection, Select, func, select

from steelyard.arena.ledger import OVERALL, category_scope
from steelyard.store.schema import MATCHES, RATINGS


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One match of a rating."""

    sequence: int
    at: int
    match_id: str
    slug: str
    result: str
    score: int
    opponent: int
    before: int
    after: int


def history(
    connection: Connection,
    agent_id: str,
    *,
    category: str | None = None,
    limit: int,
    offset: int = 0,
) -> tuple[list[Step], int]:
    """A stretch of the agent's rating over time, the oldest first, and how many matches there are in all."""
    scope = OVERALL if category is None else category_scope(category)
    own = (RATINGS.c.agent_id == agent_id, RATINGS.c.scope == scope)
    total = connection.execute(select(func.count()).select_from(RATINGS).where(*own)).scalar_one()
    columns = [
        (MATCHES if name in {"slug", "score"} else RATINGS).c[name]
        for name in Step.__struct_fields__
    ]
    query: Select[Any] = (
        select(*columns).join_from(RATINGS, MATCHES, RATINGS.c.match_id == MATCHES.c.id).where(*own)
    )
    rows = connection.execute(query.order_by(RATINGS.c.sequence).limit(limit).offset(offset))
    return [Step(**row) for row in rows.mappings()], total
