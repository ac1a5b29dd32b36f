"""Where everybody stands, and all that is public, to be taken away."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Controller, Request, get
from litestar.params import QueryParameter
from litestar.response import Stream

from steelyard.arena.board import Filter, Place
from steelyard.arena.export import export
from steelyard.arena.kept import Kept as Kept
from steelyard.web.access import arena_of
from steelyard.web.api.shapes import BoardRow, Bounds, Page
from steelyard.web.api.told import Category, Limit, Offset, wrongs
from steelyard.web.envelope import Ok

Verified = Annotated[bool, QueryParameter(description="Only matches with a valid log")]
Memoryless = Annotated[bool, QueryParameter(description="Only matches entered so")]
First = Annotated[bool, QueryParameter(description="Only first attempts")]


class Boards(Controller):
    """What anybody may see."""

    tags = ("boards",)

    @get("/leaderboard", summary="The leaderboard", responses=wrongs(422))
    async def leaderboard(
        self,
        request: Request[Any, Any, Any],
        *,
        category: Category = None,
        verified: Verified = False,
        memoryless: Memoryless = False,
        first_attempt: First = False,
        limit: Limit = 50,
        offset: Offset = 0,
    ) -> Ok[Page[BoardRow]]:
        """By the lower bound of the ability that the matches show; equal ones share a rank."""
        which = Filter(
            category=category, verified=verified, memoryless=memoryless, first_attempt=first_attempt
        )
        kept: Kept = request.app.state.boards
        board = await arena_of(request).database.read(
            lambda connection: kept.get(connection, which)
        )
        items = [row(place) for place in board[offset : offset + limit]]
        return Ok(data=Page(items=items, total=len(board), limit=limit, offset=offset))

    @get(
        "/export",
        summary="All that is public, as lines of JSON",
        media_type="application/x-ndjson",
        responses=wrongs(),
    )
    async def export(self, request: Request[Any, Any, Any]) -> Stream:
        """Agents, challenges, finished matches and rating events: no keys, no ground truth, no submissions."""
        return Stream(export(arena_of(request).database), media_type="application/x-ndjson")


def row(place: Place) -> BoardRow:
    """A place as it is told."""
    shown = {name: getattr(place, name) for name in Place.__struct_fields__ if name != "ability"}
    value, lower, upper = place.ability
    return BoardRow(**shown, ability=Bounds(value=value, lower=lower, upper=upper))
