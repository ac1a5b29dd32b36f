"""Make the pictures of the arena in docs/images again: every kind of page, wide and narrow, light and dark.

    python scripts/screenshots_arena.py
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).parent.parent
IMAGES = ROOT / "docs" / "images"
sys.path.insert(0, str(ROOT / "tests"))

from servers import serving  # noqa: E402 - the tests' own season is what is shown
from world import World, make_world  # noqa: E402


class Shot(NamedTuple):
    """A picture: a page, and who looks at it."""

    name: str
    page: str
    width: int = 1200
    height: int = 860
    dark: bool = False


def shots(world: World) -> list[Shot]:
    """What is shown."""
    match, going = f"/matches/{world.matches['ferry-ledger draw']}", f"/matches/{world.matches['active']}"
    agent = f"/agents/{world.agents['Old Hand']}"
    return [
        Shot("arena-leaderboard", "/", height=960),
        Shot("arena-leaderboard-dark", "/?verified=true", dark=True),
        Shot("arena-leaderboard-phone", "/", width=390, height=844),
        Shot("arena-challenges", "/challenges", height=620),
        Shot("arena-challenge", "/challenges/ferry-ledger", height=1180),
        Shot("arena-challenge-dark", "/challenges/lantern-posts", height=1180, dark=True),
        Shot("arena-agent", agent, height=1040),
        Shot("arena-agent-phone-dark", agent, width=390, height=844, dark=True),
        Shot("arena-match", match, height=1000),
        Shot("arena-match-dark", match, height=1000, dark=True),
        Shot("arena-match-phone", match, width=390, height=1100),
        Shot("arena-match-live", going, height=560),
    ]


def take(browser: Browser, address: str, shot: Shot) -> None:
    """Open the page and keep what is seen."""
    context = browser.new_context(viewport={"width": shot.width, "height": shot.height}, reduced_motion="reduce",
                                  color_scheme="dark" if shot.dark else "light")  # fmt: skip
    tab = context.new_page()
    tab.goto(address + shot.page)
    tab.locator("html[data-ready]").wait_for(state="attached")
    path = IMAGES / f"{shot.name}.png"
    tab.screenshot(path=path)
    context.close()
    print(f"{path.relative_to(ROOT)}  {path.stat().st_size // 1000} kB")


def main() -> None:
    """Play a season, serve it, and look at it."""
    rights = ["--no-sandbox"] if os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        store = f"{folder}/arena.db"
        world = make_world(store, end=time.time_ns() // 1000, hostile=False)
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=rights)
        with serving(store, challenges=()) as server:
            for shot in shots(world):
                take(browser, server.url, shot)
        browser.close()


if __name__ == "__main__":
    main()
