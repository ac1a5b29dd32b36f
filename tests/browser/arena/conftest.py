"""The arena's pages in a real browser: a season that was played, served by `steelyard serve`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from browser.conftest import DESKTOP, PHONE, Watch
from servers import Server, serving
from world import World, make_world

Looker = Callable[..., Page]


class Season(NamedTuple):
    """What was played, and where it is served."""

    world: World
    server: Server

    def pages(self) -> dict[str, str]:
        """One of every kind."""
        matches, agents = self.world.matches, self.world.agents
        return {
            "board": "/",
            "verified": "/?verified=true&category=audit",
            "none": "/?category=nothing",
            "challenges": "/challenges",
            "challenge": "/challenges/lantern-posts",
            "new": "/challenges/clockmaker",
            "agent": f"/agents/{agents['Old Hand']}",
            "match": f"/matches/{matches['ferry-ledger draw']}",
            "left": f"/matches/{matches['abandoned']}",
            "active": f"/matches/{matches['active']}",
        }


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Season]:
    """A season whose last match is going on."""
    store = f"{tmp_path_factory.mktemp('season')}/arena.db"
    world = make_world(store, end=time.time_ns() // 1000)
    with serving(store, challenges=()) as server:
        yield Season(world, server)


@pytest.fixture
def look(browser: Browser, season: Season) -> Iterator[Looker]:
    """``look("/challenges", dark=True)`` is a tab with that page; what it asks for elsewhere or complains of fails the test."""
    watch = Watch()
    contexts: list[BrowserContext] = []

    def open_page(
        path: str = "/", *, dark: bool = False, phone: bool = False, script: bool = True
    ) -> Page:
        context = browser.new_context(
            viewport=PHONE if phone else DESKTOP,
            color_scheme="dark" if dark else "light",
            has_touch=phone,
            is_mobile=phone,
            reduced_motion="reduce",
            java_script_enabled=script,
        )
        contexts.append(context)
        context.route("**/*", watch.route)
        tab = context.new_page()
        watch.follow(tab)
        tab.on(
            "dialog",
            lambda dialog: watch.told.append(f"dialog: {dialog.message}") or dialog.dismiss(),
        )
        watch.allow(season.server.url)
        tab.goto(season.server.url + path)
        if script:
            tab.locator("html[data-ready]").wait_for(state="attached")
        return tab

    yield open_page
    for context in contexts:
        context.close()
    assert watch.told == []
