"""An agent: where it stands, how it came there, and its matches."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Request, Response, get
from litestar.params import FromPath
from sqlalchemy import Connection

from steelyard.arena.agents import Agent, find_agent
from steelyard.arena.board import Filter, Place, record_of
from steelyard.metrics.elo import START
from steelyard.report.charts.outcomes import outcome_bar
from steelyard.store.schema import MATCHES
from steelyard.web.access import arena_of
from steelyard.web.api.boards import Kept
from steelyard.web.pages import queries
from steelyard.web.pages.board import PER_PAGE, Number, pager
from steelyard.web.pages.drawing import Rating, rating_chart
from steelyard.web.pages.rendering import page
from steelyard.web.pages.words import RESULTS


class _Found(msgspec.Struct, frozen=True, kw_only=True):
    agent: Agent
    record: dict[str, Any]
    history: list[Rating]
    place: Place | None
    of: int
    matches: list[queries.Row]
    total: int


@get("/agents/{reference:str}", include_in_schema=False)
async def agent_page(
    request: Request[Any, Any, Any],
    reference: FromPath[str],
    number: Number = 1,
) -> Response[str]:
    """One agent."""
    kept: Kept = request.app.state.boards

    def look(connection: Connection) -> _Found:
        agent = find_agent(connection, reference)
        board = kept.get(connection, Filter())
        own = MATCHES.c.agent_id == agent.id
        rows, total = queries.matches(
            connection, own, limit=PER_PAGE, offset=(number - 1) * PER_PAGE
        )
        record = record_of(connection, agent.id)
        return _Found(
            agent=agent,
            record=record,
            of=len(board),
            matches=rows,
            total=total,
            place=next((one for one in board if one.agent_id == agent.id), None),
            history=queries.history(connection, agent.id, record["match_count"]),
        )

    found = await arena_of(request).database.read(look)
    record = found.record
    results = {name: record[name] for name in RESULTS}
    return page(
        "agent.html",
        here="",
        agent=found.agent,
        record=record,
        place=found.place,
        of=found.of,
        chart=rating_chart(found.history, START) if found.history else None,
        outcomes=outcome_bar(results, kinds=RESULTS),
        matches=found.matches,
        total=found.total,
        pager=pager(f"/agents/{found.agent.id}", number, found.total, {}),
    )
