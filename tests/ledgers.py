"""What must be true of a store whatever happened to those who wrote it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, select, update

from steelyard.arena.sweep import GRACE
from steelyard.metrics.elo import START, bonus, elo_change
from steelyard.store.database import Database, open_database
from steelyard.store.schema import MATCHES, RATINGS

ENDED = ("completed", "expired", "abandoned")


def check_ledger(database: Database) -> None:
    """Every ended match has one event a scope; each rating is the sum of its events, and follows from them by the rules."""
    matches, events = database.read_now(_everything)
    rated = Counter(event.match_id for event in events)
    for match in matches.values():
        wanted = 2 if match.state in ENDED else 0
        assert rated[match.id] == wanted, (match.id, match.state, rated[match.id])
        if match.state == "completed":
            assert None not in (
                match.score,
                match.result,
                match.outcome,
                match.submission,
                match.submission_digest,
            )
    for key in {(event.agent_id, event.scope) for event in events}:
        _check_one([event for event in events if (event.agent_id, event.scope) == key], matches)


def answered_is_kept(database: Database, answered: Iterable[tuple[str, dict[str, Any]]]) -> None:
    """What an agent was told of a submission is what is stored."""
    matches, _ = database.read_now(_everything)
    for match_id, told in answered:
        stored = msgspec.json.decode(matches[match_id].outcome)
        assert matches[match_id].state == "completed"
        assert all(told[name] == value for name, value in stored.items() if name in told), match_id


def make_overdue(store: str, match_id: str) -> None:
    """Let the match be one whose deadline passed so long ago that it is swept."""
    database = open_database(store)
    earlier = (
        update(MATCHES)
        .where(MATCHES.c.id == match_id)
        .values(deadline=MATCHES.c.deadline - 2 * GRACE)
    )
    database.write_now(lambda connection: connection.execute(earlier))
    database.close()


def _everything(connection: Connection) -> tuple[dict[str, Row[Any]], list[Row[Any]]]:
    matches = {row.id: row for row in connection.execute(select(MATCHES))}
    return matches, list(connection.execute(select(RATINGS).order_by(RATINGS.c.sequence)))


def _check_one(events: list[Row[Any]], matches: dict[str, Row[Any]]) -> None:
    assert [event.sequence for event in events] == list(range(1, len(events) + 1))
    rating = START
    for event in events:
        match = matches[event.match_id]
        gain = bonus(
            verified=bool(match.verified),
            memoryless=match.memoryless,
            first_attempt=match.attempt == 1,
        )
        change = elo_change(
            rating, event.opponent, match.result, finished=event.sequence - 1, multiplier=gain
        )
        assert (event.before, event.after, event.k) == (change.before, change.after, change.k)
        assert (event.result, Decimal(event.bonus)) == (match.result, change.bonus)
        rating = event.after
    assert rating == START + sum(event.after - event.before for event in events)
