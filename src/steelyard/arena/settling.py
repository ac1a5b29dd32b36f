"""How a match ends: claimed once, settled once, in the same transaction as its rating events.

Every step is a conditional update. Whoever comes second finds no row to update, and so changes nothing.
"""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import Connection, exists, select, update

from steelyard.arena.ledger import rate
from steelyard.arena.match import FIELDS, SECOND, Match, State, read_match
from steelyard.metrics.elo import Change
from steelyard.store.schema import MATCHES, SIGHTINGS

LEASE = 15 * SECOND  # renewed while an evaluator lives; a dead one is noticed after so long
MOST_TRIES = 3
_COLUMNS = [MATCHES.c[name] for name in FIELDS]


class Submission(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent handed in, as bytes, with the digest that tells a repetition from another answer."""

    body: bytes
    digest: str
    at: int


class Settlement(msgspec.Struct, frozen=True, kw_only=True):
    """How a match came out, by which scorer, with what the rating needs to know of its challenge."""

    score: int
    result: str
    scorer: str
    verified: bool
    opponent: int
    category: str
    outcome: dict[str, Any]


def find_match(connection: Connection, match_id: str) -> Match | None:
    """The match of that name."""
    row = connection.execute(select(*_COLUMNS).where(MATCHES.c.id == match_id)).first()
    return read_match(row) if row is not None else None


def accept(connection: Connection, match: Match, submission: Submission) -> bool:
    """Take the submission in: once, and up to and including the deadline. Whether it was this one."""
    taken = connection.execute(
        update(MATCHES)
        .where(MATCHES.c.id == match.id, MATCHES.c.state == State.ACTIVE, MATCHES.c.deadline >= submission.at)
        .values(state=State.EVALUATING, submitted_at=submission.at, submission=submission.body,
                submission_digest=submission.digest)
    )  # fmt: skip
    return taken.rowcount == 1


def lease(connection: Connection, match_id: str, holder: str, now: int) -> bool:
    """Become the one who evaluates the match, unless somebody alive is."""
    taken = connection.execute(
        update(MATCHES)
        .where(
            MATCHES.c.id == match_id, MATCHES.c.state == State.EVALUATING,
            MATCHES.c.lease.is_(None) | (MATCHES.c.lease_until < now),
        )
        .values(lease=holder, lease_until=now + LEASE, tries=MATCHES.c.tries + 1)
    )  # fmt: skip
    return taken.rowcount == 1


def renew(connection: Connection, match_id: str, holder: str, now: int) -> bool:
    """Stay the one who evaluates."""
    kept = connection.execute(
        update(MATCHES)
        .where(MATCHES.c.id == match_id, MATCHES.c.state == State.EVALUATING, MATCHES.c.lease == holder)
        .values(lease_until=now + LEASE)
    )
    return kept.rowcount == 1


def settle(
    connection: Connection, match: Match, made: Settlement, *, holder: str | None, now: int
) -> Change | None:
    """Complete a match that was accepted, and rate it; None where somebody else has settled it."""
    where = [MATCHES.c.id == match.id, MATCHES.c.state == State.EVALUATING]
    where.append(MATCHES.c.lease == holder if holder is not None else MATCHES.c.lease.is_(None))
    done = connection.execute(
        update(MATCHES)
        .where(*where)
        .values(state=State.COMPLETED, finished_at=now, score=made.score, result=made.result, scorer=made.scorer,
                verified=made.verified, lease=None, lease_until=None, failure=None)
    )  # fmt: skip
    return _rated(connection, match, made, now) if done.rowcount == 1 else None


def forfeit(
    connection: Connection,
    match: Match,
    made: Settlement,
    *,
    state: State,
    now: int,
    silent_since: int | None = None,
) -> Change | None:
    """End a match that nothing was submitted to, as a Loss; looking and leaving is never free.

    One that expires has passed its deadline or, where `silent_since` is given, gave no sign of life from then on.
    """
    where = [MATCHES.c.id == match.id, MATCHES.c.state == State.ACTIVE]
    if silent_since is not None:
        seen = exists().where(SIGHTINGS.c.match_id == match.id, SIGHTINGS.c.at >= silent_since)
        where += [MATCHES.c.entered_at < silent_since, ~seen]
    elif state is State.EXPIRED:
        where.append(MATCHES.c.deadline < now)
    done = connection.execute(
        update(MATCHES)
        .where(*where)
        .values(state=state, finished_at=now, score=made.score, result=made.result, verified=False)
    )
    return _rated(connection, match, made, now) if done.rowcount == 1 else None


def fail(connection: Connection, match_id: str, *, holder: str, why: str, now: int) -> bool:
    """Leave a match whose evaluation failed for the operator: unscored, unrated, its submission kept."""
    done = connection.execute(
        update(MATCHES)
        .where(MATCHES.c.id == match_id, MATCHES.c.state == State.EVALUATING, MATCHES.c.lease == holder)
        .values(state=State.FAILED, finished_at=now, failure=why, lease=None, lease_until=None)
    )
    return done.rowcount == 1


def reopen(connection: Connection, match_id: str) -> bool:
    """Let a failed match be evaluated again."""
    done = connection.execute(
        update(MATCHES)
        .where(MATCHES.c.id == match_id, MATCHES.c.state == State.FAILED)
        .values(state=State.EVALUATING, finished_at=None, failure=None, tries=0)
    )
    return done.rowcount == 1


def _rated(connection: Connection, match: Match, made: Settlement, now: int) -> Change:
    change = rate(connection, match, made.result, opponent=made.opponent, category=made.category,
                  verified=made.verified, now=now)  # fmt: skip
    told = {**made.outcome, "elo_before": change.before, "elo_after": change.after, "elo_change": change.change,
            "opponent_elo": change.opponent}  # fmt: skip
    connection.execute(
        update(MATCHES).where(MATCHES.c.id == match.id).values(outcome=msgspec.json.encode(told))
    )
    return change
