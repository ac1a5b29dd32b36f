"""The application: the API under /api/v1, on an arena."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
from litestar import Litestar, Router, get
from litestar.datastructures import State
from litestar.openapi import OpenAPIConfig

from steelyard.arena.payload import LONGEST_BODY
from steelyard.arena.service import Arena
from steelyard.arena.sweep import keep_sweeping
from steelyard.store.database import open_database
from steelyard.version import __version__
from steelyard.web.api.agents import Agents
from steelyard.web.api.challenges import Challenges
from steelyard.web.api.matches import Matches
from steelyard.web.envelope import HANDLERS, Ok

SETTINGS = "STEELYARD_ARENA_SETTINGS"  # how the settings reach the workers


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What an operator may set."""

    store: str


@get("/health", include_in_schema=False)
async def health() -> Ok[dict[str, str]]:
    """Whether the service is there."""
    return Ok(data={"status": "up", "version": __version__})


def create_app(arena: Arena, settings: Settings) -> Litestar:
    """The application on this arena."""
    api = Router("/api/v1", route_handlers=[Agents, Challenges, Matches])

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        sweeping = asyncio.ensure_future(keep_sweeping(arena))
        yield
        sweeping.cancel()
        arena.database.close()

    return Litestar(
        route_handlers=[api, health], exception_handlers=HANDLERS, lifespan=[lifespan], state=State({"arena": arena}),
        request_max_body_size=LONGEST_BODY, logging_config=None,
        openapi_config=OpenAPIConfig(title="Steelyard arena", version=__version__, path="/api/v1/schema"),
    )  # fmt: skip


def from_environment() -> Litestar:
    """The application as a worker process makes it."""
    settings = msgspec.json.decode(os.environ[SETTINGS], type=Settings)
    return create_app(Arena(open_database(settings.store)), settings)
