"""Those who score what runs programs: each holds a lease, and keeps it while it lives."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

import msgspec
from sqlalchemy import Connection, select

from steelyard.arena import library
from steelyard.arena.agents import Agent, find_agent
from steelyard.arena.challenge import Challenge
from steelyard.arena.entering import sightings
from steelyard.arena.evaluation import evaluate_submission
from steelyard.arena.match import SECOND, Match
from steelyard.arena.payload import read_payload
from steelyard.arena.settling import (
    LEASE,
    MOST_TRIES,
    Settlement,
    fail,
    find_match,
    lease,
    renew,
    settle,
)
from steelyard.arena.trajectory import check_trajectory
from steelyard.errors import EngineError, StoreError
from steelyard.sandbox.protocol import Sandbox
from steelyard.store.database import Database
from steelyard.store.schema import MATCHES

_TOGETHER = 2


class Evaluators:
    """The evaluators of one process."""

    def __init__(
        self,
        database: Database,
        *,
        clock: Callable[[], int],
        holder: str,
        sandbox: Sandbox | None,
        lease: int = LEASE,
    ) -> None:
        self._database, self._clock, self._holder, self._sandbox = database, clock, holder, sandbox
        self._lease = lease
        self._places = asyncio.Semaphore(_TOGETHER)

    async def run(self, match_id: str) -> None:
        """Evaluate a match whose lease this process holds, and settle it or leave it to the operator."""
        renewing = asyncio.ensure_future(self._renewing(match_id))
        try:
            async with self._places:
                job = await self._database.read(lambda connection: read_job(connection, match_id))
                made = await asyncio.to_thread(evaluated, job, self._sandbox)
        except EngineError as failed:
            why = str(failed)
            await self._database.write(
                lambda connection: fail(
                    connection, match_id, holder=self._holder, why=why, now=self._clock()
                )
            )
        else:
            match = job.match
            await self._database.write(
                lambda connection: settle(
                    connection, match, made, holder=self._holder, now=self._clock()
                )
            )
        finally:
            renewing.cancel()

    async def take_over(self, match_id: str) -> bool:
        """Evaluate a match whose evaluator is dead; one that has killed several is left to the operator."""
        moment = self._clock()
        if not await self._database.write(
            lambda connection: lease(connection, match_id, self._holder, moment, self._lease)
        ):
            return False
        match = await self._database.read(lambda connection: find_match(connection, match_id))
        if match is not None and match.tries > MOST_TRIES:
            why = f"{MOST_TRIES} evaluators died on it"
            await self._database.write(
                lambda connection: fail(
                    connection, match_id, holder=self._holder, why=why, now=self._clock()
                )
            )
            return True
        await self.run(match_id)
        return True

    async def _renewing(self, match_id: str) -> None:
        while True:
            await asyncio.sleep(self._lease / SECOND / 3)
            with contextlib.suppress(StoreError):  # the next time may be in time still
                await self._database.write(
                    lambda connection: renew(
                        connection, match_id, self._holder, self._clock(), self._lease
                    )
                )


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """All that an evaluation needs to know."""

    match: Match
    agent: Agent
    challenge: Challenge
    truth: Any
    body: bytes
    at: int
    seen: list[tuple[str, int]]


def read_job(connection: Connection, match_id: str) -> Job:
    """The job of a match that something was submitted to."""
    match = find_match(connection, match_id)
    assert match is not None  # matches are never deleted
    row = connection.execute(
        select(MATCHES.c.truth, MATCHES.c.submission).where(MATCHES.c.id == match_id)
    ).one()
    return Job(
        match=match,
        agent=find_agent(connection, match.agent_id),
        challenge=library.version(connection, match.slug, match.version),
        truth=msgspec.json.decode(row.truth),
        body=row.submission,
        at=match.submitted_at or match.deadline,
        seen=sightings(connection, match_id),
    )


def evaluated(job: Job, sandbox: Sandbox | None) -> Settlement:
    """How the match comes out; where the evaluator failed, an EngineError."""
    payload = read_payload(job.body)
    trajectory = check_trajectory(
        payload.metadata, job.match, job.seen, at=job.at, challenge=job.challenge, agent=job.agent
    )
    return evaluate_submission(
        job.challenge,
        job.match,
        job.agent,
        truth=job.truth,
        payload=payload,
        trajectory=trajectory,
        at=job.at,
        sandbox=sandbox,
    )
