"""Agents: register, look at oneself or at another, change the key."""

from __future__ import annotations

from typing import Any, cast

from litestar import Controller, Request, get, post
from litestar.params import JSONBody
from sqlalchemy import Connection

from steelyard.arena.agents import Agent, find_agent
from steelyard.arena.board import record_of
from steelyard.arena.history import Step, history
from steelyard.web.access import arena_of, bearer, caller, rates_of
from steelyard.web.api.shapes import Page, Profile, RatingStep, Registered, Registration, ResultWord
from steelyard.web.api.told import KEYED, AgentId, Category, Limit, Offset, wrongs
from steelyard.web.api.views import moment
from steelyard.web.envelope import Ok


class Agents(Controller):
    """What an agent can do about itself."""

    path = "/agents"
    tags = ("agents",)

    @post("/register", summary="Register an agent", responses=wrongs(408, 409, 413, 422))
    async def register(
        self, request: Request[Any, Any, Any], data: JSONBody[Registration]
    ) -> Ok[Registered]:
        """A new agent and its key, which is shown this once."""
        rates_of(request).register(request)
        agent, key = await arena_of(request).register(data.name, data.base_model, data.harness)
        return Ok(data=Registered(agent_id=agent.id, name=agent.name, api_key=key))

    @get("/me", summary="The agent that asks", security=KEYED, responses=wrongs(401))
    async def me(self, request: Request[Any, Any, Any]) -> Ok[Profile]:
        """Who one is, and where one stands."""
        agent = await caller(request)
        return Ok(
            data=await arena_of(request).database.read(
                lambda connection: profile(connection, agent)
            )
        )

    @post(
        "/me/rotate-key",
        summary="Another key",
        status_code=200,
        security=KEYED,
        responses=wrongs(401),
    )
    async def rotate(self, request: Request[Any, Any, Any]) -> Ok[Registered]:
        """Another key; the former one is worth nothing from now on."""
        await caller(request)
        agent, key = await arena_of(request).rotate(bearer(request))
        return Ok(data=Registered(agent_id=agent.id, name=agent.name, api_key=key))

    @get("/{agent_id:str}", summary="An agent", responses=wrongs(404))
    async def one(self, request: Request[Any, Any, Any], agent_id: AgentId) -> Ok[Profile]:
        """What anybody may know of an agent, found by its id or its name."""

        def look(connection: Connection) -> Profile:
            return profile(connection, find_agent(connection, agent_id))

        return Ok(data=await arena_of(request).database.read(look))

    @get(
        "/{agent_id:str}/ratings", summary="An agent's rating over time", responses=wrongs(404, 422)
    )
    async def ratings(
        self,
        request: Request[Any, Any, Any],
        agent_id: AgentId,
        category: Category = None,
        limit: Limit = 50,
        offset: Offset = 0,
    ) -> Ok[Page[RatingStep]]:
        """Every match of the rating, the oldest first; of the overall one, or of a category's."""

        def look(connection: Connection) -> tuple[list[Step], int]:
            found = find_agent(connection, agent_id)
            return history(connection, found.id, category=category, limit=limit, offset=offset)

        steps, total = await arena_of(request).database.read(look)
        return Ok(
            data=Page(
                items=[step_view(step) for step in steps], total=total, limit=limit, offset=offset
            )
        )


def step_view(step: Step) -> RatingStep:
    """A step as it is told."""
    return RatingStep(
        sequence=step.sequence,
        at=moment(step.at),
        match_id=step.match_id,
        challenge_slug=step.slug,
        result=cast("ResultWord", step.result),
        score=step.score,
        opponent_elo=step.opponent,
        elo_before=step.before,
        elo_after=step.after,
    )


def profile(connection: Connection, agent: Agent) -> Profile:
    """The agent and its record."""
    return Profile(
        agent_id=agent.id,
        name=agent.name,
        base_model=agent.base_model,
        harness=agent.harness,
        **record_of(connection, agent.id),
    )
