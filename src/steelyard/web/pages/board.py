"""The first page: where everybody stands, and the latest matches."""

from __future__ import annotations

from typing import Annotated, Any, Final
from urllib.parse import urlencode

import msgspec
from litestar import Request, Response, get
from litestar.params import FromQuery, QueryParameter
from sqlalchemy import Connection

from steelyard.arena.board import Filter, Place
from steelyard.report.markup import Markup
from steelyard.web.access import arena_of
from steelyard.web.api.boards import Kept
from steelyard.web.api.shapes import ONE_LINE
from steelyard.web.pages import queries
from steelyard.web.pages.drawing import Scale, ability_axis, ability_row, scale
from steelyard.web.pages.remembered import Remembered
from steelyard.web.pages.rendering import page

PER_PAGE: Final = 50
_LATEST = 8
Number = Annotated[int, QueryParameter(name="page", ge=1, le=20_000)]
Category = Annotated[str, QueryParameter(max_length=100, pattern=ONE_LINE)]


class Standing(msgspec.Struct, frozen=True):
    """A row of the board."""

    place: Place
    drawn: Markup


class _Board(msgspec.Struct, frozen=True, kw_only=True):
    places: list[Place]
    categories: list[str]
    latest: list[queries.Row]


@get("/", include_in_schema=False)
async def leaderboard_page(
    request: Request[Any, Any, Any],
    *,
    category: Category = "",
    verified: FromQuery[bool] = False,
    memoryless: FromQuery[bool] = False,
    first_attempt: FromQuery[bool] = False,
    number: Number = 1,
) -> Response[str]:
    """The leaderboard of the matches that the filters let through."""
    which = Filter(
        category=category or None,
        verified=verified,
        memoryless=memoryless,
        first_attempt=first_attempt,
    )
    kept: Kept = request.app.state.boards
    remembered: Remembered = request.app.state.remembered

    def look(connection: Connection) -> _Board:
        latest = queries.latest(connection, limit=_LATEST)
        categories = remembered.get(connection, "categories", queries.categories)
        return _Board(places=kept.get(connection, which), categories=categories, latest=latest)

    found = await arena_of(request).database.read(look)
    shown = found.places[(number - 1) * PER_PAGE : number * PER_PAGE]
    on = scale(bound for one in shown for bound in (one.ability.lower, one.ability.upper))
    return page(
        "board.html",
        here="board",
        which=which,
        categories=found.categories,
        latest=found.latest,
        total=len(found.places),
        rows=_rows(shown, on),
        axis=ability_axis(on),
        pager=pager("/", number, len(found.places), _asked(which)),
    )


def _rows(places: list[Place], on: Scale) -> list[Standing]:
    return [Standing(place, ability_row(place.ability, on)) for place in places]


def _asked(which: Filter) -> dict[str, str]:
    marks = {
        name: "true" for name in ("verified", "memoryless", "first_attempt") if getattr(which, name)
    }
    return marks if which.category is None else {"category": which.category, **marks}


class Pager(msgspec.Struct, frozen=True, kw_only=True):
    """Where the stretches before and after this one are."""

    number: int
    count: int
    before: str | None
    after: str | None


def pager(path: str, number: int, total: int, asked: dict[str, str]) -> Pager:
    """The pager of a list.

    >>> pager("/", 1, 51, {"verified": "true"}).after
    '/?verified=true&page=2'
    """
    count = max(1, -(-total // PER_PAGE))

    def address(at: int) -> str | None:
        return f"{path}?{urlencode({**asked, 'page': at})}" if 1 <= at <= count else None

    return Pager(number=number, count=count, before=address(number - 1), after=address(number + 1))
