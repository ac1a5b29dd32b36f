"""A real browser: the system's Chromium, driven by Playwright. No page may ask for anything, or complain."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    Route,
    sync_playwright,
)

from report.almanac import make_run
from report.contest import make_contest

NAMES = ("chromium", "chromium-browser", "google-chrome")
DESKTOP, PHONE = {"width": 1280, "height": 860}, {"width": 390, "height": 844}
Opener = Callable[..., Page]


@pytest.fixture(
    scope="module"
)  # no longer: while it is open, its event loop stands in the way of every other
def browser() -> Iterator[Browser]:
    """One browser for the tests of a file; it is closed with them."""
    path = next((found for name in NAMES if (found := shutil.which(name))), None)
    if path is None:
        pytest.skip("there is no Chromium; scripts/system_packages.sh installs one")
    rights = (
        ["--no-sandbox"] if os.geteuid() == 0 else []
    )  # Chromium's own sandbox does not work for root
    with sync_playwright() as play:
        running = play.chromium.launch(executable_path=path, args=rights)
        yield running
        running.close()


@pytest.fixture(scope="session")
def almanac(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that has everything that a report can show."""
    return make_run(tmp_path_factory.mktemp("almanac"))


@pytest.fixture(scope="session")
def contest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of runs that can be compared, and some that cannot."""
    return make_contest(tmp_path_factory.mktemp("contest"))


@pytest.fixture
def opened(browser: Browser, almanac: Path) -> Iterator[Opener]:
    """``opened("#filter=wrong", dark=True)`` is a tab with the report.

    Whatever leaves the page, and whatever it complains of, fails the test.
    """
    watch = Watch()
    contexts: list[BrowserContext] = []

    def open_page(
        state: str = "", *, dark: bool = False, phone: bool = False, page: Path | str | None = None
    ) -> Page:
        context = browser.new_context(
            viewport=PHONE if phone else DESKTOP,
            color_scheme="dark" if dark else "light",
            has_touch=phone,
            is_mobile=phone,
            reduced_motion="reduce",  # a test looks at once
        )
        contexts.append(context)
        context.route("**/*", watch.route)
        tab = context.new_page()
        watch.follow(tab)
        address = page if isinstance(page, str) else (page or almanac / "report.html").as_uri()
        watch.allow(address)
        tab.goto(address + state)
        tab.locator("html[data-ready]").wait_for(state="attached", timeout=60_000)
        return tab

    yield open_page
    for context in contexts:
        context.close()
    assert watch.told == []


class Watch:
    """What a page asked for and complained of."""

    def __init__(self) -> None:
        self.allowed: set[str] = set()
        self.told: list[str] = []

    def allow(self, address: str) -> None:
        """A file alone, or everything that a server of ours has."""
        self.allowed.add(
            address if address.startswith("file:") else "/".join(address.split("/")[:3])
        )

    def route(self, route: Route) -> None:
        address = route.request.url.partition("#")[0]
        if {address, "/".join(address.split("/")[:3])} & self.allowed:
            route.continue_()
            return
        self.told.append(f"asked for {address[:200]}")
        route.abort()

    def follow(self, tab: Page) -> None:
        tab.on("console", self.console)
        tab.on("pageerror", self.error)

    def console(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.told.append(f"console: {message.text}")

    def error(self, error: Error) -> None:
        self.told.append(f"error: {error}")
