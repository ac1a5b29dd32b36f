"""Matches: enter, fetch the workspace, show a sign of life, submit, give up, look."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Controller, MediaType, Request, Response, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody
from sqlalchemy import Connection

from steelyard.arena import library
from steelyard.arena.memory import withheld
from steelyard.arena.payload import Payload
from steelyard.arena.service import owned, stored_outcome
from steelyard.web.access import arena_of, bearer, caller, rates_of
from steelyard.web.api.shapes import Entered, Entry, MatchView, Outcome, Page
from steelyard.web.api.straight import straight, submitted
from steelyard.web.api.told import KEYED, Limit, MatchId, Offset, wrongs
from steelyard.web.api.views import entered, matches_of, view
from steelyard.web.envelope import Ok

_OWN = (401, 403, 404)
_WAITING = {
    202: ResponseSpec(
        data_container=Ok[Outcome],
        generate_examples=False,
        description="The submission is safe, and its evaluation goes on: look again later",
    )
}


class Matches(Controller):
    """What an agent does in a match."""

    path = "/matches"
    tags = ("matches",)
    security = KEYED

    @post("/enter", summary="Enter a match", responses=wrongs(401, 404, 408, 409, 413, 422))
    async def enter(self, request: Request[Any, Any, Any], data: JSONBody[Entry]) -> Ok[Entered]:
        """The clock starts now."""
        arena, agent = arena_of(request), await caller(request)
        match = await arena.enter(agent, data.challenge_slug, memoryless=data.memoryless)
        challenge = await arena.database.read(
            lambda connection: library.version(connection, match.slug, match.version)
        )
        return Ok(data=entered(match, challenge))

    @get("/", summary="The own matches", responses=wrongs(401, 422))
    async def all(
        self, request: Request[Any, Any, Any], limit: Limit = 50, offset: Offset = 0
    ) -> Ok[Page[MatchView]]:
        """The newest first."""
        arena, agent = arena_of(request), await caller(request)
        moment = arena.clock()

        def look(connection: Connection) -> Page[MatchView]:
            found, total = matches_of(connection, agent.id, limit=limit, offset=offset)
            items = [view(match, moment) for match in found]
            return Page(items=items, total=total, limit=limit, offset=offset)

        return Ok(data=await arena.database.read(look))

    @get(
        "/{match_id:str}/workspace",
        summary="The workspace as a tar.gz",
        media_type="application/gzip",
        responses=wrongs(*_OWN, 410),
    )
    async def workspace(
        self, request: Request[Any, Any, Any], match_id: MatchId
    ) -> Response[bytes]:
        """The files to work on; that they were fetched is noted."""
        made = await arena_of(request).workspace(await caller(request), match_id)
        name = f'attachment; filename="{match_id}.tar.gz"'
        return Response(
            made.archive(), media_type="application/gzip", headers={"Content-Disposition": name}
        )

    @post(
        "/{match_id:str}/heartbeat",
        summary="A sign of life",
        status_code=200,
        responses=wrongs(*_OWN, 410),
    )
    async def heartbeat(self, request: Request[Any, Any, Any], match_id: MatchId) -> Ok[MatchView]:
        """Noted, with the time that is left."""
        arena = arena_of(request)
        return Ok(data=view(await arena.heartbeat(await caller(request), match_id), arena.clock()))

    @post(
        "/{match_id:str}/submit",
        summary="Submit an answer",
        status_code=200,
        middleware=[straight],
        responses={**_WAITING, **wrongs(*_OWN, 408, 409, 410, 413, 422)},
    )
    async def submit(
        self, request: Request[Any, Any, Any], match_id: MatchId, data: JSONBody[Payload]
    ) -> Response[Ok[Outcome]]:
        """Scored, rated and settled; the same content again gets the same answer."""
        key, body = bearer(request), await request.body()
        told = await submitted(arena_of(request), rates_of(request), key, match_id, body, data)
        return Response(told.envelope, status_code=told.status)

    @post(
        "/{match_id:str}/abandon",
        summary="Give a match up",
        status_code=200,
        responses=wrongs(*_OWN, 410),
    )
    async def abandon(self, request: Request[Any, Any, Any], match_id: MatchId) -> Ok[Outcome]:
        """It ends as a Loss."""
        told = await arena_of(request).abandon(await caller(request), match_id)
        return Ok(data=msgspec.convert(told, Outcome))

    @get("/{match_id:str}", summary="One match", media_type=MediaType.JSON, responses=wrongs(*_OWN))
    async def one(self, request: Request[Any, Any, Any], match_id: MatchId) -> Ok[MatchView]:
        """Where it stands, and how it came out; the outcome is kept back while the agent plays the challenge memoryless."""
        arena, agent = arena_of(request), await caller(request)
        moment = arena.clock()

        def look(connection: Connection) -> MatchView:
            match = owned(connection, agent, match_id)
            over = match.finished_at is not None and not withheld(connection, match)
            told = stored_outcome(connection, match_id) if over else None
            return view(match, moment, told)

        return Ok(data=await arena.database.read(look))
