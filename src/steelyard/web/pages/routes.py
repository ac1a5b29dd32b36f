"""The pages as one router."""

from __future__ import annotations

from litestar import Router

from steelyard.web.pages.agents import agent_page
from steelyard.web.pages.assets import asset
from steelyard.web.pages.board import leaderboard_page
from steelyard.web.pages.challenges import challenge_page, challenges_page
from steelyard.web.pages.matches import match_live, match_page
from steelyard.web.pages.rendering import PAGE_HANDLERS


def pages() -> Router:
    """What anybody may look at."""
    handlers = [
        leaderboard_page,
        challenges_page,
        challenge_page,
        agent_page,
        match_page,
        match_live,
        asset,
    ]
    return Router("/", route_handlers=handlers, exception_handlers=PAGE_HANDLERS)
