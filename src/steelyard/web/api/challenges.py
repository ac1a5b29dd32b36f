"""Challenges on offer."""

from __future__ import annotations

from typing import Any

from litestar import Controller, Request, get
from sqlalchemy import Connection

from steelyard.arena import library
from steelyard.arena.analytics import Analytics, analytics
from steelyard.arena.challenge import Challenge
from steelyard.arena.kept import Kept
from steelyard.web.access import arena_of
from steelyard.web.api.shapes import DimensionView, Offer
from steelyard.web.api.told import SlugInPath, wrongs
from steelyard.web.envelope import Ok


class Challenges(Controller):
    """What can be played."""

    path = "/challenges"
    tags = ("challenges",)

    @get("/", summary="The challenges on offer", responses=wrongs())
    async def all(self, request: Request[Any, Any, Any]) -> Ok[list[Offer]]:
        """The newest version of each, by name."""
        found = await arena_of(request).database.read(library.on_offer)
        return Ok(data=[offer(challenge) for challenge in found])

    @get("/{slug:str}", summary="One challenge", responses=wrongs(404))
    async def one(self, request: Request[Any, Any, Any], slug: SlugInPath) -> Ok[Offer]:
        """The version that is entered now."""
        found = await arena_of(request).database.read(
            lambda connection: library.current(connection, slug)
        )
        return Ok(data=offer(found))

    @get("/{slug:str}/analytics", summary="A challenge in numbers", responses=wrongs(404))
    async def analytics(self, request: Request[Any, Any, Any], slug: SlugInPath) -> Ok[Analytics]:
        """What its finished matches say, all versions together."""

        kept: Kept = request.app.state.boards

        def look(connection: Connection) -> Analytics:
            found = library.current(connection, slug).slug
            return analytics(connection, found, difficulty=kept.difficulty(connection, found))

        return Ok(data=await arena_of(request).database.read(look))


def offer(challenge: Challenge) -> Offer:
    """What anybody may know of a challenge."""
    about = challenge.about
    dimensions = [
        DimensionView(
            name=d.name,
            weight=float(d.weight),
            label=d.label,
            description=d.description,
            color=d.color,
        )
        for d in challenge.spec.dimensions
    ]
    return Offer(
        slug=about.slug,
        name=about.name,
        description=about.description,
        category=about.category,
        difficulty=about.difficulty,
        version=about.version,
        time_limit_secs=about.time_limit_secs,
        match_type=about.match_type,
        heartbeat_secs=about.heartbeat_secs,
        opponent_elo=challenge.opponent,
        verification=about.verification,
        disclosure=about.disclosure,
        constraints=challenge.constraints,
        dimensions=dimensions,
    )
