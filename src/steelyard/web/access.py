"""Who asks: the key in a request, and the agent behind it."""

from __future__ import annotations

from typing import Any

from litestar import Request

from steelyard.arena.agents import Agent
from steelyard.arena.service import Arena
from steelyard.errors import RuleError


def arena_of(request: Request[Any, Any, Any]) -> Arena:
    """The arena that this application serves."""
    found: Arena = request.app.state.arena
    return found


def bearer(request: Request[Any, Any, Any]) -> str:
    """The key that came with the request."""
    scheme, _, key = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not key:
        raise RuleError("a key is needed: Authorization: Bearer sy_…", status=401)
    return key.strip()


async def caller(request: Request[Any, Any, Any]) -> Agent:
    """The agent that asks."""
    return await arena_of(request).agent(bearer(request))
