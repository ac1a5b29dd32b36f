"""The ledger of ratings: one event for each rating that a match moved, appended in the transaction that settles it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Row, insert, select

from steelyard.arena.match import Match
from steelyard.metrics.elo import START, Change, bonus, elo_change
from steelyard.store.schema import AGENTS, RATINGS

OVERALL: Final = "overall"


class Standing(NamedTuple):
    """A rating, and how many finished matches it rests on."""

    rating: int = START
    matches: int = 0


def category_scope(category: str) -> str:
    """The scope of a category's rating; no category can pass for the overall one.

    >>> category_scope("overall")
    'category:overall'
    """
    return f"category:{category}"


def standing(connection: Connection, agent_id: str, scope: str = OVERALL) -> Standing:
    """Where the agent stands now."""
    last = connection.execute(
        select(RATINGS.c.after, RATINGS.c.sequence)
        .where(RATINGS.c.agent_id == agent_id, RATINGS.c.scope == scope)
        .order_by(RATINGS.c.sequence.desc())
        .limit(1)
    ).first()
    return Standing(last.after, last.sequence) if last is not None else Standing()


def rate(
    connection: Connection,
    match: Match,
    result: str,
    *,
    opponent: int,
    category: str,
    verified: bool,
    now: int,
) -> Change:
    """Append what the match does to the agent's ratings; the change of the overall one.

    A second event of one match breaks a unique key, and with it the whole transaction.
    """
    lock_agent(connection, match.agent_id)
    multiplier = bonus(verified=verified, memoryless=match.memoryless, first_attempt=match.first_attempt)
    changes: list[Change] = []
    for scope in (OVERALL, category_scope(category)):
        now_at = standing(connection, match.agent_id, scope)
        change = elo_change(now_at.rating, opponent, result, finished=now_at.matches, multiplier=multiplier)
        connection.execute(
            insert(RATINGS).values(
                match_id=match.id, agent_id=match.agent_id, scope=scope, sequence=now_at.matches + 1, result=result,
                opponent=opponent, k=change.k, bonus=str(change.bonus), before=change.before, after=change.after, at=now,
            )
        )  # fmt: skip
        changes.append(change)
    return changes[0]


def lock_agent(connection: Connection, agent_id: str) -> None:
    """Let no other transaction settle a match of this agent meanwhile; in SQLite there is only one writer anyway."""
    connection.execute(select(AGENTS.c.id).where(AGENTS.c.id == agent_id).with_for_update())


def events(connection: Connection, agent_id: str, scope: str = OVERALL) -> Iterator[Row[Any]]:
    """The agent's ratings over time, the oldest first."""
    yield from connection.execute(
        select(RATINGS)
        .where(RATINGS.c.agent_id == agent_id, RATINGS.c.scope == scope)
        .order_by(RATINGS.c.sequence)
    )
