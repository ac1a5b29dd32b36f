"""The arena as its faces see it: what an agent may do, each as one coroutine.

Whoever submits is answered from the store: what was not committed was not said.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection

from steelyard.arena import agents, library
from steelyard.arena.agents import Agent
from steelyard.arena.challenge import Challenge
from steelyard.arena.ending import expire, expire_own, fall_silent, overdue, owned, stored_outcome
from steelyard.arena.entering import enter, new_seed, notice
from steelyard.arena.evaluation import evaluate_submission, forfeited
from steelyard.arena.evaluators import Evaluators
from steelyard.arena.generation import Workspace, generate
from steelyard.arena.match import Match, State
from steelyard.arena.payload import Payload
from steelyard.arena.settling import LEASE, forfeit
from steelyard.arena.submitting import Submitting
from steelyard.errors import RuleError
from steelyard.sandbox.protocol import Sandbox
from steelyard.spec.running import sandbox_for
from steelyard.store.database import Database

Clock = Callable[[], int]


def now() -> int:
    """The moment, in microseconds."""
    return time.time_ns() // 1000


class Arena:
    """An arena on a database; `evaluators` score what needs a sandbox."""

    def __init__(
        self,
        database: Database,
        *,
        clock: Clock = now,
        sandbox: Sandbox | None = None,
        lease: int = LEASE,
    ) -> None:
        self.database, self.clock, self._sandbox = database, clock, sandbox
        self.holder = f"{secrets.token_hex(6)}"  # this process, among those who evaluate
        self.evaluators = Evaluators(
            database, clock=clock, holder=self.holder, sandbox=sandbox, lease=lease
        )
        self._submitting = Submitting(
            database, clock=clock, holder=self.holder, lease=lease, evaluators=self.evaluators
        )

    async def register(self, name: str, base_model: str, harness: str) -> tuple[Agent, str]:
        """A new agent and its key, which is told this once."""
        key, moment = agents.new_key(), self.clock()
        agent = await self.database.write(
            lambda connection: agents.register(
                connection, name, base_model, harness, key=key, now=moment
            )
        )
        return agent, key

    async def agent(self, key: str | None) -> Agent:
        """Who has this key."""
        return await self.database.glance(lambda connection: agents.authenticate(connection, key))

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
        if (
            challenge.sandboxed
        ):  # without a sandbox nothing could be scored: told before the clock starts
            await asyncio.to_thread(sandbox_for, challenge.spec, self._sandbox)
        seed = new_seed()
        made = await asyncio.to_thread(generate, challenge, seed)
        moment = self.clock()

        def begin(connection: Connection) -> Match:
            expire_own(connection, agent, slug, moment)
            return enter(
                connection,
                agent,
                challenge,
                memoryless=memoryless,
                seed=seed,
                truth=made.truth,
                now=moment,
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
            if match.state not in {State.ACTIVE, State.ABANDONED} or overdue(match, moment):
                raise RuleError("the match is over", status=410)
            challenge = library.version(connection, match.slug, match.version)
            forfeit(
                connection,
                match,
                forfeited(challenge, match, "the agent gave the match up"),
                state=State.ABANDONED,
                now=moment,
            )
            return stored_outcome(connection, match_id)

        return await self.database.write(leave)

    async def submit(self, agent: Agent, match_id: str, body: bytes) -> dict[str, Any]:
        """Score the submission and settle the match; the same body again gets the same answer."""
        return await self._submitting.submit(agent, match_id, body)

    async def submit_with(
        self,
        key: str,
        match_id: str,
        body: bytes,
        admit: Callable[[Agent], None],
        payload: Payload | None = None,
    ) -> dict[str, Any]:
        """The same for whoever has this key, once `admit`, which may raise, has seen who that is. `payload` is what was
        read in the body, where somebody has."""
        return await self._submitting.submit_with(key, match_id, body, admit, payload)


__all__ = [
    "Arena",
    "evaluate_submission",
    "expire",
    "fall_silent",
    "now",
    "owned",
    "stored_outcome",
]
