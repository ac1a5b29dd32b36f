"""Matches: enter, fetch the workspace, show a sign of life, submit, give up, look."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from litestar import Controller, MediaType, Request, Response, get, post

from steelyard.arena import library
from steelyard.arena.match import SECOND, Match
from steelyard.arena.service import owned, stored_outcome
from steelyard.web.access import arena_of, caller
from steelyard.web.api.shapes import Entered, Entry, MatchView
from steelyard.web.envelope import Ok


class Matches(Controller):
    """What an agent does in a match."""

    path = "/matches"
    tags = ("matches",)

    @post("/enter", summary="Enter a match")
    async def enter(self, request: Request[Any, Any, Any], data: Entry) -> Ok[Entered]:
        """The clock starts now."""
        arena, agent = arena_of(request), await caller(request)
        match = await arena.enter(agent, data.challenge_slug, memoryless=data.memoryless)
        challenge = await arena.database.read(
            lambda connection: library.version(connection, match.slug, match.version)
        )
        here = f"/api/v1/matches/{match.id}"
        return Ok(data=Entered(
            match_id=match.id, challenge_slug=match.slug, version=match.version, workspace_url=f"{here}/workspace",
            submit_url=f"{here}/submit", time_limit_secs=challenge.about.time_limit_secs,
            entered_at=moment(match.entered_at) or "", deadline=moment(match.deadline) or "",
            attempt_number=match.attempt, memoryless=match.memoryless, opponent_elo=challenge.opponent,
        ))  # fmt: skip

    @get("/{match_id:str}/workspace", summary="The workspace as a tar.gz", media_type="application/gzip")
    async def workspace(self, request: Request[Any, Any, Any], match_id: str) -> Response[bytes]:
        """The files to work on; that they were fetched is noted."""
        made = await arena_of(request).workspace(await caller(request), match_id)
        name = f'attachment; filename="{match_id}.tar.gz"'
        return Response(made.archive(), media_type="application/gzip", headers={"Content-Disposition": name})

    @post("/{match_id:str}/heartbeat", summary="A sign of life", status_code=200)
    async def heartbeat(self, request: Request[Any, Any, Any], match_id: str) -> Ok[MatchView]:
        """Noted, with the time that is left."""
        return Ok(data=view(await arena_of(request).heartbeat(await caller(request), match_id)))

    @post("/{match_id:str}/submit", summary="Submit an answer", status_code=200)
    async def submit(self, request: Request[Any, Any, Any], match_id: str) -> Ok[dict[str, Any]]:
        """Scored, rated and settled; the same body again gets the same answer."""
        agent = await caller(request)
        return Ok(data=await arena_of(request).submit(agent, match_id, await request.body()))

    @post("/{match_id:str}/abandon", summary="Give a match up", status_code=200)
    async def abandon(self, request: Request[Any, Any, Any], match_id: str) -> Ok[dict[str, Any]]:
        """It ends as a Loss."""
        return Ok(data=await arena_of(request).abandon(await caller(request), match_id))

    @get("/{match_id:str}", summary="One match", media_type=MediaType.JSON)
    async def one(self, request: Request[Any, Any, Any], match_id: str) -> Ok[MatchView]:
        """Where it stands, and how it came out."""
        arena, agent = arena_of(request), await caller(request)

        def look(connection: Any) -> MatchView:
            match = owned(connection, agent, match_id)
            return view(
                match, stored_outcome(connection, match_id) if match.finished_at is not None else None
            )

        return Ok(data=await arena.database.read(look))


def view(match: Match, outcome: dict[str, Any] | None = None) -> MatchView:
    """The match as its agent sees it."""
    return MatchView(
        match_id=match.id, challenge_slug=match.slug, version=match.version, state=str(match.state),
        attempt_number=match.attempt, memoryless=match.memoryless, entered_at=moment(match.entered_at) or "",
        deadline=moment(match.deadline) or "", submitted_at=moment(match.submitted_at),
        finished_at=moment(match.finished_at), score=match.score, result=match.result, verified=match.verified,
        failure=match.failure, outcome=outcome,
    )  # fmt: skip


def moment(at: int | None) -> str | None:
    """A moment as people and other programs read it.

    >>> moment(0)
    '1970-01-01T00:00:00.000Z'
    """
    if at is None:
        return None
    return datetime.fromtimestamp(at / SECOND, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
