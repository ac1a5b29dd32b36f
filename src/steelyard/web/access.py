"""Who asks: the key in a request, and the agent behind it."""

from __future__ import annotations

import time
from typing import Any

from litestar import Request

from steelyard.arena.agents import Agent
from steelyard.arena.service import Arena
from steelyard.errors import RuleError
from steelyard.web.guard import ADDRESS
from steelyard.web.limits import Buckets, TooManyError
from steelyard.web.settings import Settings

_BURST = 4  # seconds' worth of requests that may come at once
_REGISTER_BURST = 40


class Rates:
    """How often one agent may ask, and how often agents may be registered from one place."""

    def __init__(self, settings: Settings) -> None:
        key, register = settings.key_rate, settings.register_rate
        self._agents = Buckets(rate=key, burst=key * _BURST, clock=time.monotonic)
        self._places = Buckets(
            rate=register, burst=register * _REGISTER_BURST, clock=time.monotonic
        )

    def ask(self, agent: Agent) -> None:
        """Count a request of the agent."""
        if wait := self._agents.take(agent.id):
            raise TooManyError("too many requests with this key; slow down", wait=wait)

    def register(self, request: Request[Any, Any, Any]) -> None:
        """Count a registration."""
        if wait := self._places.take(request.scope["state"].get(ADDRESS, "?")):
            raise TooManyError(
                "too many agents were registered from this address; wait a little", wait=wait
            )


def arena_of(request: Request[Any, Any, Any]) -> Arena:
    """The arena that this application serves."""
    found: Arena = request.app.state.arena
    return found


def rates_of(request: Request[Any, Any, Any]) -> Rates:
    """The rates that this application keeps to."""
    found: Rates = request.app.state.rates
    return found


def bearer(request: Request[Any, Any, Any]) -> str:
    """The key that came with the request."""
    return key_in(request.headers.get("authorization", ""))


def key_in(header: str) -> str:
    """The key in a header of authorization."""
    scheme, _, key = header.partition(" ")
    if scheme.lower() != "bearer" or not key:
        raise RuleError("a key is needed: Authorization: Bearer sy_…", status=401)
    return key.strip()


async def caller(request: Request[Any, Any, Any]) -> Agent:
    """The agent that asks."""
    agent = await arena_of(request).agent(bearer(request))
    rates_of(request).ask(agent)
    return agent
