"""Every rating worked out again from the settled matches, and held against the ledger."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import ColumnElement, Connection, Select, select

from steelyard.arena.declared import Declared, Version, declared
from steelyard.arena.ledger import OVERALL, Standing, category_scope
from steelyard.arena.match import RATED, State
from steelyard.metrics.elo import Change, bonus, elo_change
from steelyard.spec.result import FULL_MARKS, score_to_result
from steelyard.store.schema import MATCHES, RATINGS


class _Row(NamedTuple):
    """A match and one of its events; without one, what begins with `event` is None."""

    id: str
    agent_id: str
    slug: str
    version: int
    attempt: int
    memoryless: bool
    state: str
    finished_at: int | None
    score: int | None
    result: str
    verified: bool | None
    outcome: bytes | None
    event_agent_id: str
    event_scope: str
    event_sequence: int
    event_result: str
    event_opponent: int
    event_k: int
    event_bonus: str
    event_before: int
    event_after: int
    event_at: int


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """What does not agree: in which match, or in whose rating."""

    agent_id: str
    scope: str
    match_id: str | None = None
    what: str

    def __str__(self) -> str:
        return f"{self.match_id or self.agent_id} {self.scope}: {self.what}"


class Replay(msgspec.Struct, frozen=True, kw_only=True):
    """How much was worked out again, and all that differs."""

    matches: int
    events: int
    ratings: int
    differences: list[Difference]

    @property
    def ok(self) -> bool:
        """Whether nothing differs."""
        return not self.differences


class _Told(msgspec.Struct, frozen=True):
    """What the agent was told of its rating."""

    elo_before: int | None = None
    elo_after: int | None = None
    elo_change: int | None = None
    opponent_elo: int | None = None
    score: int | None = None
    result: str | None = None


_OUTCOME = msgspec.json.Decoder(_Told)


def _column(name: str) -> ColumnElement[Any]:
    return RATINGS.c[name.removeprefix("event_")] if name.startswith("event_") else MATCHES.c[name]


_QUERY: Select[Any] = (
    select(*(_column(name) for name in _Row._fields))
    .select_from(MATCHES.outerjoin(RATINGS, RATINGS.c.match_id == MATCHES.c.id))
    .where(MATCHES.c.state.in_(RATED) | RATINGS.c.id.is_not(None))
    .order_by(RATINGS.c.id, MATCHES.c.id)
    .execution_options(yield_per=1000)
)


def replay(connection: Connection) -> Replay:
    """Work every rating out again, in the order of the ledger.

    All is read as it was at one moment, so that a service may go on meanwhile.
    """
    with _one_moment(connection):
        book = _Book(declared(connection))
        for row in connection.execute(_QUERY):
            book.take(_Row._make(row))
    return book.closed()


@contextmanager
def _one_moment(connection: Connection) -> Iterator[None]:
    still = (
        "BEGIN"
        if connection.dialect.name == "sqlite"
        else "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    )
    connection.exec_driver_sql(still)
    try:
        yield
    finally:
        connection.exec_driver_sql("ROLLBACK")


class _Book:
    """The ratings as they are worked out, beside those that the ledger has."""

    def __init__(self, versions: Mapping[Version, Declared]) -> None:
        self._versions = versions
        self._worked: dict[tuple[str, str], Standing] = {}
        self._stored: dict[tuple[str, str], Standing] = {}
        self._seen: dict[str, tuple[str, str, list[str]]] = {}
        self._found: list[Difference] = []
        self._counts: Counter[str] = Counter()

    def take(self, row: _Row) -> None:
        """One match with one of its events, or with none."""
        about = self._versions[row.slug, row.version]
        if row.id not in self._seen:
            self._counts["matches"] += 1
            self._seen[row.id] = row.agent_id, category_scope(about.category), []
            self._add(row, "match", _wrong_result(row))
        if row.event_scope is None:
            return
        self._counts["events"] += 1
        self._seen[row.id][2].append(row.event_scope)
        change = self._step(row, about)
        self._add(row, row.event_scope, self._wrong_event(row, about, change))
        if row.event_scope == OVERALL:
            self._add(row, OVERALL, _wrong_telling(row))
        self._stored[row.event_agent_id, row.event_scope] = Standing(
            row.event_after, row.event_sequence
        )

    def _step(self, row: _Row, about: Declared) -> Change | None:
        """The rating goes on by the rules alone; what the ledger says is not asked."""
        key = (row.agent_id, row.event_scope)
        now_at = self._worked.get(key, Standing())
        multiplier = _bonus(row)
        if row.result not in {"win", "draw", "loss"}:
            return None
        change = elo_change(
            now_at.rating,
            about.opponent,
            row.result,
            finished=now_at.matches,
            multiplier=multiplier,
        )
        self._worked[key] = Standing(change.after, now_at.matches + 1)
        # The fault of an earlier event is told once, and not again in all that follow.
        before = row.event_before
        return elo_change(
            before,
            about.opponent,
            row.result,
            finished=row.event_sequence - 1,
            multiplier=multiplier,
        )

    def _wrong_event(self, row: _Row, about: Declared, change: Change | None) -> Iterator[str]:
        last = self._stored.get((row.event_agent_id, row.event_scope), Standing())
        wanted: dict[str, Any] = {
            "agent_id": row.agent_id,
            "sequence": last.matches + 1,
            "before": last.rating,
            "result": row.result,
            "opponent": about.opponent,
            "at": row.finished_at,
        }
        if change is not None:
            wanted |= {"after": change.after, "k": change.k}
            if _decimal(row.event_bonus) != change.bonus:
                yield f"bonus is {row.event_bonus}; {change.bonus} follows from the match"
        for name, value in wanted.items():
            if (got := getattr(row, f"event_{name}")) != value:
                yield f"{name} is {got}; {value} follows from the matches"
        if row.event_scope not in {OVERALL, category_scope(about.category)}:
            yield "is no rating that the match could move"
        if row.state not in RATED:
            yield f"the match is {row.state}, and was rated"

    def closed(self) -> Replay:
        """What is left to see when all events are through: events that are missing, ratings that came out otherwise."""
        for match_id, (agent_id, scope, scopes) in self._seen.items():
            for wanted in (OVERALL, scope):
                if (count := scopes.count(wanted)) != 1:
                    told = f"has {count} events; a match that has ended has one"
                    self._found.append(
                        Difference(agent_id=agent_id, scope=wanted, match_id=match_id, what=told)
                    )
        for agent_id, scope in sorted(self._worked.keys() | self._stored.keys()):
            worked = self._worked.get((agent_id, scope), Standing())
            stored = self._stored.get((agent_id, scope), Standing())
            if worked != stored:
                told = (
                    f"the rating is {stored.rating} after {stored.matches} matches; "
                    f"{worked.rating} after {worked.matches} follows from them"
                )
                self._found.append(Difference(agent_id=agent_id, scope=scope, what=told))
        return Replay(
            matches=self._counts["matches"],
            events=self._counts["events"],
            ratings=len(self._stored),
            differences=self._found,
        )

    def _add(self, row: _Row, scope: str, wrong: Iterator[str]) -> None:
        self._found += [
            Difference(agent_id=row.agent_id, scope=scope, match_id=row.id, what=one)
            for one in wrong
        ]


def _bonus(row: _Row) -> Decimal:
    return bonus(
        verified=bool(row.verified), memoryless=row.memoryless, first_attempt=row.attempt == 1
    )


def _decimal(text: str) -> Decimal | None:
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def _wrong_result(row: _Row) -> Iterator[str]:
    """The result follows from the score, and what nobody submitted to is a Loss with nothing."""
    if row.score is None or not 0 <= row.score <= FULL_MARKS:
        yield f"score is {row.score}; 0 to {FULL_MARKS} points are possible"
        return
    wanted = str(score_to_result(row.score))
    if row.result != wanted:
        yield f"result is {row.result}; {row.score} points are a {wanted}"
    if row.state in {State.EXPIRED, State.ABANDONED} and (row.score, row.verified) != (0, False):
        yield f"is {row.state} with {row.score} points, verified: {row.verified}"


def _wrong_telling(row: _Row) -> Iterator[str]:
    """What the agent was told is what the ledger says."""
    try:
        told = _OUTCOME.decode(row.outcome or b"{}")
    except msgspec.MsgspecError:
        yield "what the agent was told cannot be read"
        return
    wanted = _Told(
        row.event_before,
        row.event_after,
        row.event_after - row.event_before,
        row.event_opponent,
        row.score,
        row.result,
    )
    if told != wanted:
        yield f"the agent was told {msgspec.to_builtins(told)}; the ledger says {msgspec.to_builtins(wanted)}"
