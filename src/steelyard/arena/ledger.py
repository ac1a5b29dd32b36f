"""The ledger of ratings: one event for each rating that a match moved, appended in the transaction that settles it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, bindparam, func, insert, select

from steelyard.arena.match import Match
from steelyard.metrics.elo import START, Change, bonus, elo_change
from steelyard.store.prepared import Prepared
from steelyard.store.schema import AGENTS, RATINGS

OVERALL: Final = "overall"


class Standing(NamedTuple):
    """A rating, and how many finished matches it rests on."""

    rating: int = START
    matches: int = 0


Standings = tuple[Standing, Standing]  # overall, and in a category


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


class Entry(NamedTuple):
    """A rating event that is worked out and not yet appended."""

    scope: str
    sequence: int
    change: Change


def standings(connection: Connection, agent_id: str, category: str) -> Standings:
    """Where the agent stands now, overall and in the category."""
    other = category_scope(category)
    rows = _LAST.run(connection, p_agent=agent_id, p_one=OVERALL, p_other=other).fetchall()
    found = {scope: Standing(after, sequence) for scope, after, sequence in rows}
    return found.get(OVERALL, Standing()), found.get(other, Standing())


def reckon(
    match: Match, result: str, stands: Standings, *, opponent: int, category: str, verified: bool
) -> tuple[Entry, Entry]:
    """What the match does to the agent's ratings, the overall one first.

    Should somebody else move them before these are appended, the number in the sequence is taken: a unique key breaks.
    """
    multiplier = bonus(
        verified=verified, memoryless=match.memoryless, first_attempt=match.first_attempt
    )

    def entry(scope: str, now_at: Standing) -> Entry:
        change = elo_change(
            now_at.rating, opponent, result, finished=now_at.matches, multiplier=multiplier
        )
        return Entry(scope, now_at.matches + 1, change)

    return entry(OVERALL, stands[0]), entry(category_scope(category), stands[1])


def append(
    connection: Connection, match: Match, result: str, entries: tuple[Entry, Entry], *, now: int
) -> None:
    """Append the events. A second event of one match breaks a unique key, and with it the whole transaction."""
    values: dict[str, Any] = {
        "p_match": match.id,
        "p_agent": match.agent_id,
        "p_result": result,
        "p_at": now,
    }
    for place, (scope, sequence, change) in enumerate(entries):
        one = {
            "scope": scope,
            "sequence": sequence,
            "opponent": change.opponent,
            "k": change.k,
            "bonus": str(change.bonus),
            "before": change.before,
            "after": change.after,
        }
        values.update({f"p_{name}_{place}": value for name, value in one.items()})
    _APPEND.run(connection, **values)


def lock_agent(connection: Connection, agent_id: str) -> None:
    """Let no other transaction settle a match of this agent meanwhile; in SQLite there is only one writer anyway."""
    if connection.dialect.name != "sqlite":
        _LOCK.run(connection, p_agent=agent_id)


def _last(scope: str) -> ColumnElement[bool]:
    newest = select(func.max(RATINGS.c.sequence)).where(
        RATINGS.c.agent_id == bindparam("p_agent"), RATINGS.c.scope == bindparam(scope)
    )
    own = RATINGS.c.agent_id == bindparam("p_agent")
    return (
        own
        & (RATINGS.c.scope == bindparam(scope))
        & (RATINGS.c.sequence == newest.scalar_subquery())
    )


def last_of(agent_id: ColumnElement[str], scope: Any) -> list[ColumnElement[Any]]:
    """The rating and the number of matches of that scope, as columns of a query that has an agent."""
    last = select(RATINGS).where(RATINGS.c.agent_id == agent_id, RATINGS.c.scope == scope)
    newest = last.order_by(RATINGS.c.sequence.desc()).limit(1)
    return [
        newest.with_only_columns(column).scalar_subquery()
        for column in (RATINGS.c.after, RATINGS.c.sequence)
    ]


def _event(place: int) -> dict[str, Any]:
    shared = {"match_id": "p_match", "agent_id": "p_agent", "result": "p_result", "at": "p_at"}
    own = {
        name: f"p_{name}_{place}"
        for name in ("scope", "sequence", "opponent", "k", "bonus", "before", "after")
    }
    return {
        column: bindparam(name, type_=RATINGS.c[column].type)
        for column, name in (shared | own).items()
    }


# Not so that an event of the agent's could not be appended: a unique key tells who came second there.
_LOCK = Prepared(
    select(AGENTS.c.id).where(AGENTS.c.id == bindparam("p_agent")).with_for_update(key_share=True)
)
_LAST = Prepared(
    select(RATINGS.c.scope, RATINGS.c.after, RATINGS.c.sequence).where(
        _last("p_one") | _last("p_other")
    )
)
_APPEND = Prepared(insert(RATINGS).values([_event(0), _event(1)]))


def events(connection: Connection, agent_id: str, scope: str = OVERALL) -> Iterator[Row[Any]]:
    """The agent's ratings over time, the oldest first."""
    yield from connection.execute(
        select(RATINGS)
        .where(RATINGS.c.agent_id == agent_id, RATINGS.c.scope == scope)
        .order_by(RATINGS.c.sequence)
    )
