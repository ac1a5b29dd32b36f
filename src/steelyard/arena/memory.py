"""What a memoryless match promises: while it goes on, nothing of the agent's earlier ones is handed out."""

from __future__ import annotations

from sqlalchemy import Connection, select

from steelyard.arena.match import Match, State
from steelyard.store.schema import MATCHES


def withheld(connection: Connection, match: Match) -> bool:
    """Whether how the match came out is kept back, because its agent plays the same challenge memoryless now."""
    now = select(MATCHES.c.id).where(
        MATCHES.c.agent_id == match.agent_id,
        MATCHES.c.slug == match.slug,
        MATCHES.c.state == State.ACTIVE,
        MATCHES.c.memoryless.is_(True),
        MATCHES.c.id != match.id,
    )
    return connection.execute(now).first() is not None
