"""Challenges: what can be played, and what the finished matches say of it."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Request, Response, get
from litestar.params import FromPath
from sqlalchemy import Connection

from steelyard.arena import library
from steelyard.arena.analytics import Analytics, analytics
from steelyard.arena.challenge import Challenge
from steelyard.errors import RuleError
from steelyard.report.charts.outcomes import outcome_bar
from steelyard.web.access import arena_of
from steelyard.web.api.boards import Kept
from steelyard.web.pages import queries
from steelyard.web.pages.breakdown import dimensions, weights_bar
from steelyard.web.pages.drawing import score_chart, tries_chart
from steelyard.web.pages.remembered import Remembered
from steelyard.web.pages.rendering import page
from steelyard.web.pages.words import RESULTS

_LATEST, _BEST = 12, 8


class _Found(msgspec.Struct, frozen=True, kw_only=True):
    challenge: Challenge
    offered: bool
    numbers: Analytics
    latest: list[queries.Row]
    best: list[queries.Best]


@get("/challenges", include_in_schema=False)
async def challenges_page(request: Request[Any, Any, Any]) -> Response[str]:
    """Everything that can be entered now."""

    remembered: Remembered = request.app.state.remembered

    def look(
        connection: Connection,
    ) -> tuple[list[Challenge], dict[str, dict[str, int]], dict[str, int]]:
        counts = remembered.get(connection, "results", queries.results)
        return library.on_offer(connection), counts, queries.going_on(connection)

    offered, counts, going = await arena_of(request).database.read(look)
    found = sorted(offered, key=lambda one: (one.opponent, one.about.name))
    drawn = {one.slug: weights_bar(dimensions(one.spec.dimensions)) for one in found}
    return page(
        "challenges.html", here="challenges", found=found, counts=counts, going=going, drawn=drawn
    )


@get("/challenges/{slug:str}", include_in_schema=False)
async def challenge_page(request: Request[Any, Any, Any], slug: FromPath[str]) -> Response[str]:
    """One challenge in words and numbers."""
    kept: Kept = request.app.state.boards
    remembered: Remembered = request.app.state.remembered

    def count(connection: Connection) -> tuple[Analytics, list[queries.Best]]:
        numbers = analytics(connection, slug, difficulty=kept.difficulty(connection, slug))
        return numbers, queries.best(connection, slug, limit=_BEST)

    def look(connection: Connection) -> _Found:
        newest = queries.newest_version(connection, slug)
        if newest is None:
            raise RuleError("there is no such challenge", status=404)
        numbers, best = remembered.get(connection, ("challenge", slug), count)
        return _Found(
            challenge=library.version(connection, slug, newest[0]),
            offered=newest[1],
            numbers=numbers,
            best=best,
            latest=queries.latest(connection, slug, limit=_LATEST),
        )

    found = await arena_of(request).database.read(look)
    numbers, shown = found.numbers, dimensions(found.challenge.spec.dimensions)
    results = {"wins": numbers.wins, "draws": numbers.draws, "losses": numbers.losses}
    return page(
        "challenge.html",
        here="challenges",
        challenge=found.challenge,
        about=found.challenge.about,
        offered=found.offered,
        numbers=numbers,
        dimensions=shown,
        weights=weights_bar(shown),
        latest=found.latest,
        best=found.best,
        curve=tries_chart(numbers),
        chart=score_chart(numbers.distribution, numbers.mean_score),
        outcomes=outcome_bar(results, kinds=RESULTS),
    )
