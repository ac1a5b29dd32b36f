"""Stored submissions evaluated again: by the version that they were played at, and by the scorer of today."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence

import msgspec
from sqlalchemy import ColumnElement, Connection, select

from steelyard.arena import library
from steelyard.arena.challenge import Challenge
from steelyard.arena.evaluators import Job, evaluated, read_job
from steelyard.arena.match import State
from steelyard.arena.service import Arena
from steelyard.arena.settling import find_match, reopen
from steelyard.errors import EngineError, RuleError
from steelyard.sandbox.protocol import Sandbox
from steelyard.store.database import Database
from steelyard.store.schema import MATCHES

_AT_ONCE = 500


class Chosen(msgspec.Struct, frozen=True, kw_only=True):
    """Which matches: all, those of a challenge, or those that are named."""

    slug: str | None = None
    matches: tuple[str, ...] = ()

    def where(self) -> list[ColumnElement[bool]]:
        """As the database is asked."""
        found: list[ColumnElement[bool]] = []
        if self.slug is not None:
            found.append(MATCHES.c.slug == self.slug)
        if self.matches:
            found.append(MATCHES.c.id.in_(self.matches))
        return found


class Came(msgspec.Struct, frozen=True, kw_only=True):
    """What a submission came to, by which scorer."""

    score: int | None
    result: str | None
    verified: bool | None
    scorer: str


class Rescored(msgspec.Struct, frozen=True, kw_only=True):
    """A match then and now; `failure` says why there is no now."""

    match_id: str
    slug: str
    version: int
    then: Came
    now: Came | None = None
    failure: str | None = None

    @property
    def same(self) -> bool:
        """Whether the submission came to the same; another scorer may have said so."""
        return self.now is not None and all(
            getattr(self.now, name) == getattr(self.then, name)
            for name in ("score", "result", "verified")
        )


def rescore(
    database: Database, chosen: Chosen, *, sandbox: Sandbox | None = None
) -> Iterator[Rescored]:
    """Every completed match that was chosen, evaluated again. Nothing is stored: a score that was given stays."""
    for match_id in _names(database, chosen, State.COMPLETED):
        job = database.read_now(functools.partial(read_job, match_id=match_id))
        yield _rescored(job, sandbox)


def _rescored(job: Job, sandbox: Sandbox | None) -> Rescored:
    match = job.match
    then = Came(
        score=match.score, result=match.result, verified=match.verified, scorer=match.scorer
    )
    told = Rescored(match_id=match.id, slug=match.slug, version=match.version, then=then)
    try:
        made = evaluated(job, sandbox)
    except (EngineError, RuleError) as failed:
        return msgspec.structs.replace(told, failure=str(failed))
    now = Came(score=made.score, result=made.result, verified=made.verified, scorer=made.scorer)
    return msgspec.structs.replace(told, now=now)


async def retry(arena: Arena, chosen: Chosen) -> list[Rescored]:
    """Every failed match that was chosen, evaluated again, and settled where that works now."""
    found = []
    for match_id in list(_names(arena.database, chosen, State.FAILED)):
        if await arena.database.write(functools.partial(reopen, match_id=match_id)):
            await arena.evaluators.take_over(match_id)
            found.append(await arena.database.read(functools.partial(_retried, match_id=match_id)))
    return found


def _retried(connection: Connection, match_id: str) -> Rescored:
    match = find_match(connection, match_id)
    assert match is not None  # matches are never deleted
    now = Came(score=match.score, result=match.result, verified=match.verified, scorer=match.scorer)
    then = Came(score=None, result=None, verified=None, scorer=match.scorer)
    done = match.state == State.COMPLETED
    why = None if done else match.failure or f"the match is {match.state}"
    return Rescored(
        match_id=match.id,
        slug=match.slug,
        version=match.version,
        then=then,
        now=now if done else None,
        failure=why,
    )


def concerned(connection: Connection, chosen: Chosen) -> list[Challenge]:
    """The versions that the chosen matches were played at."""
    versions = select(MATCHES.c.slug, MATCHES.c.version).where(*chosen.where()).distinct()
    return [
        library.version(connection, row.slug, row.version) for row in connection.execute(versions)
    ]


def _names(database: Database, chosen: Chosen, state: State) -> Iterator[str]:
    last = ""
    while stretch := database.read_now(
        functools.partial(_stretch, chosen=chosen, state=state, last=last)
    ):
        yield from stretch
        last = stretch[-1]


def _stretch(connection: Connection, chosen: Chosen, state: State, last: str) -> Sequence[str]:
    where = (*chosen.where(), MATCHES.c.state == state, MATCHES.c.id > last)
    return (
        connection.execute(
            select(MATCHES.c.id).where(*where).order_by(MATCHES.c.id).limit(_AT_ONCE)
        )
        .scalars()
        .all()
    )
