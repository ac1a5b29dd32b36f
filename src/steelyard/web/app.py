"""The application: the API under /api/v1 and the pages, on an arena."""

from __future__ import annotations

import asyncio
import contextlib
import gc
from collections.abc import AsyncIterator
from typing import Any, Final

from litestar import Litestar, Request, Response, Router, get
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.types import ASGIApp
from sqlalchemy import text

from steelyard.arena.match import SECOND
from steelyard.arena.payload import LONGEST_BODY
from steelyard.arena.service import Arena
from steelyard.arena.sweep import keep_sweeping
from steelyard.store.database import open_database
from steelyard.version import __version__
from steelyard.web.access import Rates, arena_of
from steelyard.web.api.agents import Agents
from steelyard.web.api.boards import Boards, Kept
from steelyard.web.api.challenges import Challenges
from steelyard.web.api.matches import Matches
from steelyard.web.api.shapes import Health
from steelyard.web.document import describe
from steelyard.web.envelope import HANDLERS, Ok
from steelyard.web.guard import Guard
from steelyard.web.logs import WRITER, start_logging
from steelyard.web.pages.remembered import Remembered
from steelyard.web.pages.rendering import on_missing
from steelyard.web.pages.routes import pages
from steelyard.web.requests import StrictRequest
from steelyard.web.settings import Settings, handed_over

_LAST_LINES = 2.0  # seconds that whoever reads the log has for the rest of it
API: Final = (Agents, Challenges, Matches, Boards)


@get("/health", include_in_schema=False)
async def health(request: Request[Any, Any, Any]) -> Ok[Health]:
    """Whether the service is there, and its store with it; 503 where the store is not, or takes nothing in."""
    database = arena_of(request).database
    database.check_writing()
    await database.read(lambda connection: connection.execute(text("SELECT 1")).scalar())
    return Ok(
        data=Health(
            status="up", version=__version__, store="sqlite" if database.embedded else "postgresql"
        )
    )


@get("/api/v1/openapi.json", include_in_schema=False, sync_to_thread=True)
def document() -> Response[bytes]:
    """The OpenAPI document."""
    return Response(describe(API), media_type="application/json")


def create_app(arena: Arena, settings: Settings) -> Litestar:
    """The application on this arena; it closes the arena's database when it ends."""

    @contextlib.asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        sweeping = asyncio.ensure_future(keep_sweeping(arena, settings.sweep_seconds))
        try:
            yield
        finally:
            sweeping.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await sweeping
            await asyncio.to_thread(arena.database.close)
            await asyncio.to_thread(WRITER.flush, _LAST_LINES)

    state = State(
        {"arena": arena, "rates": Rates(settings), "boards": Kept(), "remembered": Remembered()}
    )
    return Litestar(
        route_handlers=[Router("/api/v1", route_handlers=list(API)), pages(), document, health],
        exception_handlers={**HANDLERS, NotFoundException: on_missing},
        lifespan=[lifespan],
        state=state,
        request_class=StrictRequest,
        request_max_body_size=LONGEST_BODY,
        logging_config=None,
        openapi_config=None,
    )


def guarded(arena: Arena, settings: Settings) -> ASGIApp:
    """The application as it is served: behind what counts, bounds and dresses."""
    return Guard(create_app(arena, settings), settings)


def from_environment() -> ASGIApp:
    """The application as a worker process makes it."""
    settings = handed_over()
    start_logging()
    lease = round(settings.lease_seconds * SECOND)
    made = guarded(Arena(open_database(settings.store), lease=lease), settings)
    gc.freeze()  # what stays as long as the worker is not looked through for garbage, which takes a tenth of a second
    return made
