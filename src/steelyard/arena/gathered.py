"""What a server of databases is asked for many submissions at once: whose match each of them is for, and to settle them.

All that is asked goes as one JSON text, since a statement with a list for each of two dozen columns takes longer to put
together than to run. Each row has a place, by which its answer is known again.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec
from sqlalchemy import (
    JSON,
    Text,
    bindparam,
    cast,
    column,
    exists,
    func,
    insert,
    select,
    true,
    union_all,
    update,
)
from sqlalchemy.sql import Select
from sqlalchemy.types import BigInteger, Boolean, Integer, TypeEngine

from steelyard.arena.agents import Agent
from steelyard.arena.ledger import OVERALL, Entry, category_scope
from steelyard.arena.match import FIELDS, Match, State
from steelyard.arena.settling import Settlement, Submission
from steelyard.store.gathering import Steps
from steelyard.store.prepared import Prepared
from steelyard.store.schema import AGENTS, CHALLENGES, MATCHES, RATINGS

LARGEST = 16_384  # bytes of a body that goes with others; what is larger goes by itself
_ENCODER = msgspec.json.Encoder()
_OF_EVENT: dict[str, TypeEngine[Any]] = {
    "scope": Text(),
    "sequence": Integer(),
    "opponent": Integer(),
    "k": Integer(),
    "bonus": Text(),
    "before": Integer(),
    "after": Integer(),
}
_OF_MATCH: dict[str, TypeEngine[Any]] = {
    "id": Text(),
    "at": BigInteger(),
    "body": Text(),
    "digest": Text(),
    "score": Integer(),
    "result": Text(),
    "scorer": Text(),
    "verified": Boolean(),
    "outcome": Text(),
}


class Wanted(NamedTuple):
    """Who submits, by the hash of the key, and to which match."""

    key: str
    match: str


class Conclusion(NamedTuple):
    """A match that ends, all of it worked out."""

    match: Match
    submission: Submission
    made: Settlement
    entries: tuple[Entry, Entry]
    outcome: bytes

    def row(self, place: int) -> dict[str, Any]:
        """As the statement takes it."""
        sent, made = self.submission, self.made
        told = {
            "place": place,
            "id": self.match.id,
            "at": sent.at,
            "body": sent.body.decode(),
            "digest": sent.digest,
            "score": made.score,
            "result": made.result,
            "scorer": made.scorer,
            "verified": made.verified,
            "outcome": self.outcome.decode(),
        }
        for number, (scope, sequence, change) in enumerate(self.entries):
            one = (
                scope,
                sequence,
                change.opponent,
                change.k,
                str(change.bonus),
                change.before,
                change.after,
            )
            told.update(
                (f"{name}_{number}", value) for name, value in zip(_OF_EVENT, one, strict=True)
            )
        return told


def find_all(asked: list[Wanted]) -> Steps[tuple[Any, ...]]:
    """The agent, the match and the rest for each: the columns of one that is found by itself. None where nobody has the key."""
    rows = [
        {"place": place, "key": key, "match": match} for place, (key, match) in enumerate(asked)
    ]
    found: list[tuple[Any, ...] | None] = [None] * len(asked)
    for place, *values in (yield _FIND, {"p_given": _ENCODER.encode(rows)}):
        found[place] = tuple(values)
    return found


class Concluding:
    """Settles in several statements at once."""

    def __init__(self) -> None:
        self._agents: set[str] = set()  # whose matches are being settled now

    def all(self, asked: list[Conclusion]) -> Steps[bool]:
        """Settle and rate those whose match is active and in time, and whose agent stands where it stood when its ratings
        were worked out. True for these; for the others nothing has happened, and what became of their matches is for them
        to see."""
        done: list[bool | None] = [None] * len(asked)
        first = self._begin(asked)
        try:
            # In one order, whoever settles: so two that meet wait for each other, and not both.
            rows = [asked[place].row(place) for _, place in sorted(first.items())]
            if rows:
                for (place,) in (yield _CONCLUDE, {"p_given": _ENCODER.encode(rows)}):
                    done[place] = True
        finally:
            self._agents.difference_update(first)
        return done

    def _begin(self, asked: list[Conclusion]) -> dict[str, int]:
        """The places of those that are settled here, by agent: of one agent's matches one at a time, since the next begins
        where that one ends. Two at once would want the same number, and all who are beside the second would fail with it."""
        first: dict[str, int] = {}
        for place, one in enumerate(asked):
            if one.match.agent_id not in self._agents:
                first.setdefault(one.match.agent_id, place)
        self._agents.update(first)
        return first


def _given(name: str, columns: dict[str, TypeEngine[Any]]) -> Any:
    """The rows of the JSON text, as a table."""
    rows = func.json_to_recordset(cast(bindparam("p_given", type_=Text()), JSON))
    shape = [column(one, kind) for one, kind in {"place": Integer(), **columns}.items()]
    return rows.table_valued(*shape).render_derived(name=name, with_types=True)


def _finding() -> Select[Any]:
    given = _given("wanted", {"key": Text(), "match": Text()})

    def last(scope: Any) -> Any:
        own = (RATINGS.c.agent_id == MATCHES.c.agent_id) & (RATINGS.c.scope == scope)
        newest = (
            select(RATINGS.c.after, RATINGS.c.sequence)
            .where(own)
            .order_by(RATINGS.c.sequence.desc())
        )
        return newest.limit(1).lateral()

    overall, other = last(OVERALL), last(category_scope("") + CHALLENGES.c.category)
    version = (CHALLENGES.c.slug == MATCHES.c.slug) & (CHALLENGES.c.version == MATCHES.c.version)
    agent = [AGENTS.c[name] for name in Agent.__struct_fields__]
    match = [
        *(MATCHES.c[name] for name in FIELDS),
        MATCHES.c.truth,
        CHALLENGES.c.digest,
        CHALLENGES.c.category,
    ]
    return select(
        given.c.place, AGENTS.c.key_hash, *agent, *match, *overall.c, *other.c
    ).select_from(
        given.join(AGENTS, AGENTS.c.key_hash == given.c.key)
        .outerjoin(MATCHES, MATCHES.c.id == given.c.match)
        .outerjoin(CHALLENGES, version)
        .outerjoin(overall, true())
        .outerjoin(other, true())
    )


def _concluding() -> Select[Any]:
    events = {f"{name}_{number}": kind for number in (0, 1) for name, kind in _OF_EVENT.items()}
    given = _given("given", {**_OF_MATCH, **events})
    # Every match moves the overall rating: where that has not moved, the one of the category has not either.
    moved = exists().where(
        RATINGS.c.agent_id == MATCHES.c.agent_id,
        RATINGS.c.scope == OVERALL,
        RATINGS.c.sequence >= given.c.sequence_0,
    )
    # Said in a way that no index knows: a server that takes few matches for active would look through all that are.
    active = func.coalesce(MATCHES.c.state, "") == State.ACTIVE.value
    done = (
        update(MATCHES)
        .where(MATCHES.c.id == given.c.id, active, MATCHES.c.deadline >= given.c.at, ~moved)
        .values(
            state=State.COMPLETED.value,
            submitted_at=given.c.at,
            submission=func.convert_to(given.c.body, "UTF8"),
            submission_digest=given.c.digest,
            finished_at=given.c.at,
            score=given.c.score,
            result=given.c.result,
            scorer=given.c.scorer,
            verified=given.c.verified,
            outcome=func.convert_to(given.c.outcome, "UTF8"),
        )
        .returning(
            given.c.place,
            MATCHES.c.id,
            MATCHES.c.agent_id,
            given.c.result,
            given.c.at,
            *(given.c[name] for name in events),
        )
        .cte("done")
    )
    columns = ["match_id", "agent_id", "result", "at", *_OF_EVENT]
    rows = [
        select(
            done.c.id,
            done.c.agent_id,
            done.c.result,
            done.c.at,
            *(done.c[f"{name}_{number}"] for name in _OF_EVENT),
        )
        for number in (0, 1)
    ]
    appended = insert(RATINGS).from_select(columns, union_all(*rows)).cte("appended")
    return select(done.c.place).add_cte(appended)


_FIND, _CONCLUDE = Prepared(_finding()), Prepared(_concluding())
