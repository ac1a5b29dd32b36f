"""A submission's way: found, checked, scored, settled, answered.

What scores quickly is scored first and then accepted, settled and rated in one transaction. What runs programs, or comes so
late that its match might be swept meanwhile, is accepted first and then evaluated under a lease.
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import Connection, bindparam, select

from steelyard.arena import library
from steelyard.arena.agents import Agent, hash_key, is_key
from steelyard.arena.challenge import Challenge
from steelyard.arena.ending import expire, stored_outcome
from steelyard.arena.entering import sightings
from steelyard.arena.evaluation import evaluate_submission
from steelyard.arena.evaluators import Evaluators
from steelyard.arena.gathered import LARGEST, Concluding, Conclusion, Wanted, find_all
from steelyard.arena.ledger import OVERALL, Standing, Standings, category_scope, last_of
from steelyard.arena.match import FIELDS, SECOND, Match, State, from_driver
from steelyard.arena.payload import Payload, read_payload, seal
from steelyard.arena.settling import (
    Settlement,
    Submission,
    accept,
    conclude,
    fail,
    find_match,
    lease,
    work_out,
)
from steelyard.arena.trajectory import check_trajectory
from steelyard.errors import EngineError, RuleError
from steelyard.store.database import Database
from steelyard.store.prepared import Prepared
from steelyard.store.schema import AGENTS, CHALLENGES, MATCHES

_SMALL = 16_384  # a body up to this is scored at once; the loop can wait that long
_PATIENCE = 40 * SECOND
_LATE = 3 * SECOND  # before the deadline: such a submission is put away first and scored afterwards
_AGENT: Final = Agent.__struct_fields__
_STANDS = [
    *last_of(MATCHES.c.agent_id, OVERALL),
    *last_of(MATCHES.c.agent_id, category_scope("") + CHALLENGES.c.category),
]
_OF_MATCH = [
    *(MATCHES.c[name] for name in FIELDS),
    MATCHES.c.truth,
    CHALLENGES.c.digest,
    CHALLENGES.c.category,
    *_STANDS,
]
_VERSION = (CHALLENGES.c.slug == MATCHES.c.slug) & (CHALLENGES.c.version == MATCHES.c.version)
_BY_ID = Prepared(
    select(*_OF_MATCH)
    .select_from(MATCHES.join(CHALLENGES, _VERSION))
    .where(MATCHES.c.id == bindparam("p_match"))
)
_BY_KEY = Prepared(
    select(AGENTS.c.key_hash, *(AGENTS.c[name] for name in _AGENT), *_OF_MATCH)
    .select_from(
        AGENTS.outerjoin(MATCHES, MATCHES.c.id == bindparam("p_match")).outerjoin(
            CHALLENGES, _VERSION
        )
    )
    .where(AGENTS.c.key_hash == bindparam("p_key"))
)


class Found(NamedTuple):
    """What is known of a match when somebody submits to it."""

    match: Match
    truth: bytes
    digest: str  # of the challenge
    stands: Standings | None  # where the agent stood just now, if that is known


class Attempt(NamedTuple):
    """A submission that may be scored."""

    agent: Agent
    found: Found
    challenge: Challenge
    payload: Payload
    sealed: Submission
    seen: list[tuple[str, int]]

    def score(self) -> Settlement:
        """How it comes out; an EngineError where the evaluator failed."""
        match, at = self.found.match, self.sealed.at
        trajectory = check_trajectory(
            self.payload.metadata,
            match,
            self.seen,
            at=at,
            challenge=self.challenge,
            agent=self.agent,
        )
        return evaluate_submission(
            self.challenge,
            match,
            self.agent,
            truth=msgspec.json.decode(self.found.truth),
            payload=self.payload,
            trajectory=trajectory,
            at=at,
        )


class Submitting:
    """Takes submissions for one process."""

    def __init__(
        self,
        database: Database,
        *,
        clock: Callable[[], int],
        holder: str,
        lease: int,
        evaluators: Evaluators,
    ) -> None:
        self._database, self._clock, self._holder, self._lease = database, clock, holder, lease
        self._evaluators = evaluators
        apart = not database.embedded
        self._finding = database.gathering(find_all) if apart else None
        self._concluding = database.gathering(Concluding().all, at_once=2) if apart else None

    async def submit(self, agent: Agent, match_id: str, body: bytes) -> dict[str, Any]:
        """The answer to this agent's submission."""
        moment = self._clock()
        found = await self._database.glance(lambda connection: _find(connection, match_id))
        return await self._take(agent, found, body, moment)

    async def submit_with(
        self,
        key: str,
        match_id: str,
        body: bytes,
        admit: Callable[[Agent], None],
        payload: Payload | None = None,
    ) -> dict[str, Any]:
        """The answer to the submission of whoever has this key; the agent and the match are found in one query."""
        moment = self._clock()
        agent, found = await self._found(hash_key(is_key(key)), match_id)
        admit(agent)
        return await self._take(agent, found, body, moment, payload)

    async def _found(self, hashed: str, match_id: str) -> tuple[Agent, Found | None]:
        row = (
            await self._finding.ask(Wanted(hashed, match_id)) if self._finding is not None else None
        )
        if row is not None:
            return _both(row, hashed)
        return await self._database.glance(
            lambda connection: _find_both(connection, hashed, match_id)
        )

    async def _take(
        self,
        agent: Agent,
        found: Found | None,
        body: bytes,
        moment: int,
        payload: Payload | None = None,
    ) -> dict[str, Any]:
        if found is None:
            raise RuleError("there is no such match", status=404)
        match = found.match
        if match.agent_id != agent.id:
            raise RuleError("the match belongs to another agent", status=403)
        payload, sealed = payload or read_payload(body), seal(body, moment)
        if match.state != State.ACTIVE:
            return await self._again(match, sealed)
        if match.deadline < moment:
            return await self._too_late(match, moment)
        attempt = await self._prepared(agent, found, payload, sealed)
        if attempt.challenge.sandboxed or match.deadline - moment < _LATE:
            return await self._score_apart(match, sealed)
        return await self._score_at_once(attempt)

    async def _prepared(
        self, agent: Agent, found: Found, payload: Payload, sealed: Submission
    ) -> Attempt:
        """Everything that scoring needs; a challenge that takes verified submissions alone refuses the others here."""
        match = found.match
        challenge = library.kept(found.digest)
        if challenge is None:
            challenge = await self._database.read(
                lambda connection: library.version(connection, match.slug, match.version)
            )
        seen = []
        if payload.metadata.replay_log is not None:
            seen = await self._database.glance(lambda connection: sightings(connection, match.id))
        if challenge.about.verification == "required":
            trajectory = check_trajectory(
                payload.metadata, match, seen, at=sealed.at, challenge=challenge, agent=agent
            )
            if not trajectory.valid:
                why = "; ".join(trajectory.errors) or "metadata.replay_log is missing"
                raise RuleError(
                    f"this challenge takes verified submissions alone: {why}", status=422
                )
        return Attempt(agent, found, challenge, payload, sealed, seen)

    async def _score_at_once(self, attempt: Attempt) -> dict[str, Any]:
        match, sealed = attempt.found.match, attempt.sealed
        try:
            small = len(sealed.body) <= _SMALL
            made = attempt.score() if small else await asyncio.to_thread(attempt.score)
        except EngineError as failed:
            why = str(failed)
            await self._database.write(
                lambda connection: self._shelve(connection, match, sealed, why)
            )
        else:
            outcome = await self._concluded(attempt, made)
            if outcome is not None:
                return {**msgspec.json.decode(outcome), "state": State.COMPLETED.value}
        return await self._again(await self._match(match.id), sealed)

    async def _concluded(self, attempt: Attempt, made: Settlement) -> bytes | None:
        """Settle the match: with others, hoping that no other one of the agent ends now; where that failed, in turn."""
        match, sealed, stands = attempt.found.match, attempt.sealed, attempt.found.stands
        if self._concluding is not None and stands is not None and len(sealed.body) <= LARGEST:
            entries, outcome = work_out(match, made, stands)
            if await self._concluding.ask(Conclusion(match, sealed, made, entries, outcome)):
                return outcome
        return await self._database.write(
            lambda connection: conclude(connection, match, sealed, made)
        )

    def _shelve(self, connection: Connection, match: Match, sealed: Submission, why: str) -> None:
        """Keep a submission whose evaluation failed, for the operator to try again."""
        if accept(connection, match, sealed) and lease(
            connection, match.id, self._holder, sealed.at
        ):
            fail(connection, match.id, holder=self._holder, why=why, now=sealed.at)

    async def _score_apart(self, match: Match, sealed: Submission) -> dict[str, Any]:
        """What takes long is safe first, and is then scored by whoever holds the lease."""
        moment = self._clock()

        def take(connection: Connection) -> bool:
            taken = accept(connection, match, sealed)
            return taken and lease(connection, match.id, self._holder, moment, self._lease)

        if await self._database.write(take):
            # Not tied to the request: an agent that hangs up does not stop its own evaluation.
            await asyncio.shield(asyncio.ensure_future(self._evaluators.run(match.id)))
        return await self._again(await self._match(match.id), sealed)

    async def _again(self, match: Match, sealed: Submission) -> dict[str, Any]:
        """The answer to a submission that was not the first."""
        if match.state == State.EXPIRED:
            raise RuleError("the match has expired", status=410)
        if match.state == State.ABANDONED:
            raise RuleError("the match was given up", status=410)
        if match.submission_digest != sealed.digest:
            raise RuleError("something else was submitted to this match already", status=409)
        until = self._clock() + _PATIENCE
        while match.state == State.EVALUATING and self._clock() < until:
            await asyncio.sleep(0.05)
            match = await self._match(match.id)
        return await self._database.glance(lambda connection: stored_outcome(connection, match.id))

    async def _too_late(self, match: Match, moment: int) -> dict[str, Any]:
        await self._database.write(lambda connection: expire(connection, match, moment))
        raise RuleError("the match has expired: the deadline has passed", status=410)

    async def _match(self, match_id: str) -> Match:
        found = await self._database.glance(lambda connection: find_match(connection, match_id))
        assert found is not None  # matches are never deleted
        return found


def _find(connection: Connection, match_id: str) -> Found | None:
    row = _BY_ID.run(connection, p_match=match_id).fetchone()
    return _read(row) if row is not None else None


def _find_both(connection: Connection, hashed: str, match_id: str) -> tuple[Agent, Found | None]:
    row = _BY_KEY.run(connection, p_key=hashed, p_match=match_id).fetchone()
    if row is None:
        raise RuleError("the key is not known", status=401)
    return _both(row, hashed)


def _both(row: tuple[Any, ...], hashed: str) -> tuple[Agent, Found | None]:
    if not hmac.compare_digest(row[0], hashed):
        raise RuleError("the key is not known", status=401)
    end = 1 + len(_AGENT)
    agent = Agent(**dict(zip(_AGENT, row[1:end], strict=True)))
    return agent, _read(row[end:]) if row[end] is not None else None


def _read(row: tuple[Any, ...]) -> Found:
    match = from_driver(row[: len(FIELDS)])
    truth, digest, category, *numbers = row[len(FIELDS) :]
    stands = (_standing(*numbers[:2]), _standing(*numbers[2:])) if category is not None else None
    return Found(match, truth, digest, stands)


def _standing(rating: int | None, matches: int | None) -> Standing:
    return Standing() if rating is None or matches is None else Standing(rating, matches)
