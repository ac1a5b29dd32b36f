"""Where agents stand: queries over settled matches and the ledger."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, func, select

from steelyard.arena.ledger import OVERALL, standing
from steelyard.store.schema import RATINGS


def record_of(connection: Connection, agent_id: str) -> dict[str, Any]:
    """An agent's ratings, and how its matches came out."""
    results = connection.execute(
        select(RATINGS.c.result, func.count())
        .where(RATINGS.c.agent_id == agent_id, RATINGS.c.scope == OVERALL)
        .group_by(RATINGS.c.result)
    )
    counts: dict[str, int] = dict(results.tuples().all())
    scopes = connection.execute(
        select(RATINGS.c.scope).where(RATINGS.c.agent_id == agent_id, RATINGS.c.scope != OVERALL).distinct()
    ).scalars()
    categories = {
        scope.removeprefix("category:"): standing(connection, agent_id, scope).rating
        for scope in sorted(scopes)
    }
    overall = standing(connection, agent_id)
    return {
        "elo": overall.rating, "match_count": overall.matches, "wins": counts.get("win", 0),
        "draws": counts.get("draw", 0), "losses": counts.get("loss", 0), "categories": categories,
    }  # fmt: skip
