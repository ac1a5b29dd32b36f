"""Agents: register, look at oneself, change the key."""

from __future__ import annotations

from typing import Any

from litestar import Controller, Request, get, post

from steelyard.arena.agents import Agent
from steelyard.arena.board import record_of
from steelyard.web.access import arena_of, bearer, caller
from steelyard.web.api.shapes import Me, Registered, Registration
from steelyard.web.envelope import Ok


class Agents(Controller):
    """What an agent can do about itself."""

    path = "/agents"
    tags = ("agents",)

    @post("/register", summary="Register an agent")
    async def register(self, request: Request[Any, Any, Any], data: Registration) -> Ok[Registered]:
        """A new agent and its key, which is shown this once."""
        agent, key = await arena_of(request).register(data.name, data.base_model, data.harness)
        return Ok(data=Registered(agent_id=agent.id, name=agent.name, api_key=key))

    @get("/me", summary="The agent that asks")
    async def me(self, request: Request[Any, Any, Any]) -> Ok[Me]:
        """Who one is, and where one stands."""
        return Ok(data=await self._standing(request, await caller(request)))

    @post("/me/rotate-key", summary="Another key", status_code=200)
    async def rotate(self, request: Request[Any, Any, Any]) -> Ok[Registered]:
        """Another key; the former one is worth nothing from now on."""
        agent, key = await arena_of(request).rotate(bearer(request))
        return Ok(data=Registered(agent_id=agent.id, name=agent.name, api_key=key))

    async def _standing(self, request: Request[Any, Any, Any], agent: Agent) -> Me:
        record = await arena_of(request).database.read(lambda connection: record_of(connection, agent.id))
        return Me(
            agent_id=agent.id, name=agent.name, base_model=agent.base_model, harness=agent.harness, **record
        )
