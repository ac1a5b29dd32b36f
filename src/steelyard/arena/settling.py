"""How a match ends: claimed once, settled once, in the same transaction as its rating events.

Every step is a conditional update. Whoever comes second finds no row to update, and so changes nothing.
"""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, exists, select, update

from steelyard.arena.ledger import Entry, Standings, append, lock_agent, reckon, standings
from steelyard.arena.match import FIELDS, SECOND, Match, State, read_match
from steelyard.metrics.elo import Change
from steelyard.store.prepared import Prepared
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
        .where(
            MATCHES.c.id == match.id,
            MATCHES.c.state == State.ACTIVE,
            MATCHES.c.deadline >= submission.at,
        )
        .values(
            state=State.EVALUATING,
            submitted_at=submission.at,
            submission=submission.body,
            submission_digest=submission.digest,
        )
    )
    return taken.rowcount == 1


def lease(
    connection: Connection, match_id: str, holder: str, now: int, length: int = LEASE
) -> bool:
    """Become the one who evaluates the match, unless somebody alive is."""
    taken = connection.execute(
        update(MATCHES)
        .where(
            MATCHES.c.id == match_id,
            MATCHES.c.state == State.EVALUATING,
            MATCHES.c.lease.is_(None) | (MATCHES.c.lease_until < now),
        )
        .values(lease=holder, lease_until=now + length, tries=MATCHES.c.tries + 1)
    )
    return taken.rowcount == 1


def renew(
    connection: Connection, match_id: str, holder: str, now: int, length: int = LEASE
) -> bool:
    """Stay the one who evaluates."""
    kept = connection.execute(
        update(MATCHES)
        .where(
            MATCHES.c.id == match_id, MATCHES.c.state == State.EVALUATING, MATCHES.c.lease == holder
        )
        .values(lease_until=now + length)
    )
    return kept.rowcount == 1


def conclude(
    connection: Connection, match: Match, submission: Submission, made: Settlement
) -> bytes | None:
    """Accept a submission and complete its match in one step; the outcome as it is stored, None where another came first."""
    entries, outcome = _worked_out(connection, match, made)
    done = _CONCLUDE.run(
        connection,
        p_id=match.id,
        p_submitted=submission.at,
        p_body=submission.body,
        p_digest=submission.digest,
        p_score=made.score,
        p_result=made.result,
        p_scorer=made.scorer,
        p_verified=made.verified,
        p_outcome=outcome,
    )
    if done.rowcount != 1:
        return None
    append(connection, match, made.result, entries, now=submission.at)
    return outcome


_CONCLUDE = Prepared(
    update(MATCHES)
    .where(MATCHES.c.id == bindparam("p_id"), MATCHES.c.state == State.ACTIVE.value)
    .where(MATCHES.c.deadline >= bindparam("p_submitted"))
    .values(
        state=State.COMPLETED.value,
        submitted_at=bindparam("p_submitted"),
        submission=bindparam("p_body"),
        submission_digest=bindparam("p_digest"),
        finished_at=bindparam("p_submitted"),
        score=bindparam("p_score"),
        result=bindparam("p_result"),
        scorer=bindparam("p_scorer"),
        verified=bindparam("p_verified"),
        outcome=bindparam("p_outcome"),
    )
)


def settle(
    connection: Connection, match: Match, made: Settlement, *, holder: str | None, now: int
) -> Change | None:
    """Complete a match that was accepted, and rate it; None where its lease is not this holder's, or it is settled."""
    where = [MATCHES.c.id == match.id, MATCHES.c.state == State.EVALUATING]
    where.append(MATCHES.c.lease == holder if holder is not None else MATCHES.c.lease.is_(None))
    values = {
        "state": State.COMPLETED,
        "verified": made.verified,
        "scorer": made.scorer,
        "lease": None,
        "lease_until": None,
        "failure": None,
    }
    return _ended(connection, match, made, where=where, values=values, now=now)


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
    return _ended(
        connection, match, made, where=where, values={"state": state, "verified": False}, now=now
    )


def fail(connection: Connection, match_id: str, *, holder: str, why: str, now: int) -> bool:
    """Leave a match whose evaluation failed for the operator: unscored, unrated, its submission kept."""
    done = connection.execute(
        update(MATCHES)
        .where(
            MATCHES.c.id == match_id, MATCHES.c.state == State.EVALUATING, MATCHES.c.lease == holder
        )
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


def _ended(
    connection: Connection,
    match: Match,
    made: Settlement,
    *,
    where: list[Any],
    values: dict[str, Any],
    now: int,
) -> Change | None:
    """End the match and rate it, if it still is as the conditions say."""
    entries, outcome = _worked_out(connection, match, made)
    done = connection.execute(
        update(MATCHES)
        .where(*where)
        .values(**values, finished_at=now, score=made.score, result=made.result, outcome=outcome)
    )
    if done.rowcount != 1:
        return None
    append(connection, match, made.result, entries, now=now)
    return entries[0].change


def _worked_out(
    connection: Connection, match: Match, made: Settlement
) -> tuple[tuple[Entry, Entry], bytes]:
    """The same from where the agent stands now, which is kept from moving."""
    lock_agent(connection, match.agent_id)
    return work_out(match, made, standings(connection, match.agent_id, made.category))


def work_out(
    match: Match, made: Settlement, stands: Standings
) -> tuple[tuple[Entry, Entry], bytes]:
    """What the settlement does to the ratings, and the outcome with it: so that one update says everything."""
    entries = reckon(
        match,
        made.result,
        stands,
        opponent=made.opponent,
        category=made.category,
        verified=made.verified,
    )
    change = entries[0].change
    told = {
        **made.outcome,
        "elo_before": change.before,
        "elo_after": change.after,
        "elo_change": change.change,
        "opponent_elo": change.opponent,
    }
    return entries, msgspec.json.encode(told)
