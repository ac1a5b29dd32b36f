"""The arena as its faces see it: what an agent may do, each as one coroutine.

Whoever submits is answered from the store: what was not committed was not said.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from typing import Any

import msgspec
from sqlalchemy import Connection, select

from steelyard.arena import agents, library
from steelyard.arena.agents import Agent
from steelyard.arena.challenge import Challenge
from steelyard.arena.entering import enter, new_seed, notice, sightings
from steelyard.arena.evaluation import evaluate_submission, forfeited
from steelyard.arena.evaluators import Evaluators
from steelyard.arena.generation import Workspace, generate
from steelyard.arena.match import OPEN, SECOND, Match, State
from steelyard.arena.payload import Payload, read_payload, seal
from steelyard.arena.settling import Settlement, Submission, accept, fail, find_match, forfeit, lease, settle
from steelyard.arena.trajectory import Trajectory, check_trajectory
from steelyard.errors import EngineError, RuleError
from steelyard.sandbox.protocol import Sandbox
from steelyard.spec.running import sandbox_for
from steelyard.store.database import Database
from steelyard.store.schema import MATCHES

Clock = Callable[[], int]
_SMALL = 16_384  # a body up to this is scored at once; the loop can wait that long
_PATIENCE = 40 * SECOND


def now() -> int:
    """The moment, in microseconds."""
    return time.time_ns() // 1000


class Arena:
    """An arena on a database; `evaluators` score what needs a sandbox."""

    def __init__(self, database: Database, *, clock: Clock = now, sandbox: Sandbox | None = None) -> None:
        self.database, self.clock, self._sandbox = database, clock, sandbox
        self.holder = f"{secrets.token_hex(6)}"  # this process, among those who evaluate
        self.evaluators = Evaluators(database, clock=clock, holder=self.holder, sandbox=sandbox)

    async def register(self, name: str, base_model: str, harness: str) -> tuple[Agent, str]:
        """A new agent and its key, which is told this once."""
        key, moment = agents.new_key(), self.clock()
        agent = await self.database.write(
            lambda connection: agents.register(connection, name, base_model, harness, key=key, now=moment)
        )
        return agent, key

    async def agent(self, key: str | None) -> Agent:
        """Who has this key."""
        return await self.database.read(lambda connection: agents.authenticate(connection, key))

    async def rotate(self, key: str | None) -> tuple[Agent, str]:
        """Another key for the agent; the one that was used is worth nothing from now on."""
        fresh = agents.new_key()

        def change(connection: Connection) -> Agent:
            agent = agents.authenticate(connection, key)
            agents.rotate(connection, agent, key=fresh)
            return agent

        return await self.database.write(change), fresh

    async def enter(self, agent: Agent, slug: str, *, memoryless: bool) -> Match:
        """A new match at the challenge as it is published now."""
        challenge = await self.database.read(lambda connection: library.current(connection, slug))
        if challenge.sandboxed:  # without a sandbox nothing could be scored: told before the clock starts
            await asyncio.to_thread(sandbox_for, challenge.spec, self._sandbox)
        seed = new_seed()
        made = await asyncio.to_thread(generate, challenge, seed)
        moment = self.clock()

        def begin(connection: Connection) -> Match:
            _expire_own(connection, agent, slug, moment)
            return enter(
                connection, agent, challenge, memoryless=memoryless, seed=seed, truth=made.truth, now=moment
            )

        return await self.database.write(begin)

    async def workspace(self, agent: Agent, match_id: str) -> Workspace:
        """The files of an active match; that they were fetched is noted."""
        moment = self.clock()

        def fetch(connection: Connection) -> tuple[Challenge, int]:
            match = owned(connection, agent, match_id)
            if match.state != State.ACTIVE or match.deadline < moment:
                raise RuleError("the match is over; its workspace is closed", status=410)
            notice(connection, match, "download", moment)
            return library.version(connection, match.slug, match.version), match.seed

        # The author's code keeps neither the writer nor the loop waiting.
        return await asyncio.to_thread(generate, *await self.database.write(fetch))

    async def heartbeat(self, agent: Agent, match_id: str) -> Match:
        """A sign of life from an active match."""
        moment = self.clock()

        def note(connection: Connection) -> Match:
            match = owned(connection, agent, match_id)
            if match.state != State.ACTIVE or match.deadline < moment:
                raise RuleError("the match is over", status=410)
            notice(connection, match, "heartbeat", moment)
            return match

        return await self.database.write(note)

    async def abandon(self, agent: Agent, match_id: str) -> dict[str, Any]:
        """Give an active match up; it is a Loss."""
        moment = self.clock()

        def leave(connection: Connection) -> dict[str, Any]:
            match = owned(connection, agent, match_id)
            if match.state not in {State.ACTIVE, State.ABANDONED} or _overdue(match, moment):
                raise RuleError("the match is over", status=410)
            challenge = library.version(connection, match.slug, match.version)
            forfeit(connection, match, forfeited(challenge, match, "the agent gave the match up"),
                    state=State.ABANDONED, now=moment)  # fmt: skip
            return stored_outcome(connection, match_id)

        return await self.database.write(leave)

    async def submit(self, agent: Agent, match_id: str, body: bytes) -> dict[str, Any]:
        """Score the submission and settle the match; the same body again gets the same answer."""
        moment = self.clock()
        payload, sealed = read_payload(body), seal(body, moment)
        match, truth, seen = await self.database.read(
            lambda connection: _to_score(connection, agent, match_id)
        )
        if match.state != State.ACTIVE:
            return await self._again(match, sealed)
        if match.deadline < moment:
            return await self._too_late(match, moment)
        challenge = await self.database.read(
            lambda connection: library.version(connection, match.slug, match.version)
        )
        trajectory = check_trajectory(payload.metadata, match, seen, at=moment)
        if challenge.about.verification == "required" and not trajectory.valid:
            why = "; ".join(trajectory.errors) or "metadata.replay_log is missing"
            raise RuleError(f"this challenge takes verified submissions alone: {why}", status=422)
        if challenge.sandboxed:
            return await self._score_apart(match, sealed)

        def score() -> Settlement:
            return evaluate_submission(challenge, match, agent, truth=truth, payload=payload, trajectory=trajectory,
                                       at=moment)  # fmt: skip

        try:
            made = score() if len(body) <= _SMALL else await asyncio.to_thread(score)
        except EngineError as failed:
            why = str(failed)
            await self.database.write(lambda connection: self._shelve(connection, match, sealed, why))
        else:
            await self.database.write(
                lambda connection: _settle_at_once(connection, match, sealed, made, moment)
            )
        return await self._again(await self._match(match_id), sealed)

    def _shelve(self, connection: Connection, match: Match, sealed: Submission, why: str) -> None:
        """Keep a submission whose evaluation failed, for the operator to try again."""
        if accept(connection, match, sealed) and lease(connection, match.id, self.holder, sealed.at):
            fail(connection, match.id, holder=self.holder, why=why, now=sealed.at)

    async def _score_apart(self, match: Match, sealed: Submission) -> dict[str, Any]:
        """What runs programs takes long: the submission is safe first, and is then scored by whoever holds the lease."""
        moment = self.clock()

        def take(connection: Connection) -> bool:
            return accept(connection, match, sealed) and lease(connection, match.id, self.holder, moment)

        if await self.database.write(take):
            # Not tied to the request: an agent that hangs up does not stop its own evaluation.
            await asyncio.shield(asyncio.ensure_future(self.evaluators.run(match.id)))
        return await self._again(await self._match(match.id), sealed)

    async def _again(self, match: Match, sealed: Submission) -> dict[str, Any]:
        """The answer to a submission that was not the first."""
        if match.state == State.EXPIRED:
            raise RuleError("the match has expired", status=410)
        if match.state == State.ABANDONED:
            raise RuleError("the match was given up", status=410)
        if match.submission_digest != sealed.digest:
            raise RuleError("something else was submitted to this match already", status=409)
        until = self.clock() + _PATIENCE
        while match.state == State.EVALUATING and self.clock() < until:
            await asyncio.sleep(0.05)
            match = await self._match(match.id)
        return await self._outcome(match.id)

    async def _too_late(self, match: Match, moment: int) -> dict[str, Any]:
        await self.database.write(lambda connection: expire(connection, match, moment))
        raise RuleError("the match has expired: the deadline has passed", status=410)

    async def _match(self, match_id: str) -> Match:
        found = await self.database.read(lambda connection: find_match(connection, match_id))
        assert found is not None  # matches are never deleted
        return found

    async def _outcome(self, match_id: str) -> dict[str, Any]:
        return await self.database.read(lambda connection: stored_outcome(connection, match_id))


def owned(connection: Connection, agent: Agent, match_id: str) -> Match:
    """The match, if it is this agent's."""
    match = find_match(connection, match_id)
    if match is None:
        raise RuleError("there is no such match", status=404)
    if match.agent_id != agent.id:
        raise RuleError("the match belongs to another agent", status=403)
    return match


def stored_outcome(connection: Connection, match_id: str) -> dict[str, Any]:
    """What the agent is told of a match that has ended; of one that has not, where it stands."""
    row = connection.execute(
        select(MATCHES.c.state, MATCHES.c.outcome, MATCHES.c.failure).where(MATCHES.c.id == match_id)
    ).one()
    told: dict[str, Any] = (
        msgspec.json.decode(row.outcome) if row.outcome is not None else {"match_id": match_id}
    )
    return {**told, "state": row.state, **({"failure": row.failure} if row.failure else {})}


def expire(connection: Connection, match: Match, moment: int) -> bool:
    """End a match whose deadline has passed."""
    challenge = library.version(connection, match.slug, match.version)
    made = forfeited(challenge, match, "nothing was submitted before the deadline")
    return forfeit(connection, match, made, state=State.EXPIRED, now=moment) is not None


def _overdue(match: Match, moment: int) -> bool:
    return match.state == State.ACTIVE and match.deadline < moment


def fall_silent(connection: Connection, match: Match, *, since: int, moment: int) -> bool:
    """End a long-running match that gave no sign of life since then."""
    challenge = library.version(connection, match.slug, match.version)
    made = forfeited(challenge, match, "there was no sign of life for too long")
    ended = forfeit(connection, match, made, state=State.EXPIRED, now=moment, silent_since=since)
    return ended is not None


def _expire_own(connection: Connection, agent: Agent, slug: str, moment: int) -> None:
    """A match that is over but was not swept yet must not stand in the way of the next one."""
    due = connection.execute(
        select(MATCHES.c.id).where(MATCHES.c.agent_id == agent.id, MATCHES.c.slug == slug,
                                   MATCHES.c.state == State.ACTIVE, MATCHES.c.deadline < moment)
    ).scalar()  # fmt: skip
    if due is not None and (match := find_match(connection, due)) is not None:
        expire(connection, match, moment)


def _to_score(
    connection: Connection, agent: Agent, match_id: str
) -> tuple[Match, Any, list[tuple[str, int]]]:
    match = owned(connection, agent, match_id)
    truth = connection.execute(select(MATCHES.c.truth).where(MATCHES.c.id == match_id)).scalar_one()
    return match, msgspec.json.decode(truth), sightings(connection, match_id) if match.state in OPEN else []


def _settle_at_once(
    connection: Connection, match: Match, sealed: Submission, made: Settlement, moment: int
) -> bool:
    """Accept and settle in one transaction; False where another submission came first."""
    return (
        accept(connection, match, sealed)
        and settle(connection, match, made, holder=None, now=moment) is not None
    )


__all__ = [
    "Arena",
    "Payload",
    "Trajectory",
    "evaluate_submission",
    "expire",
    "fall_silent",
    "now",
    "owned",
    "stored_outcome",
]
