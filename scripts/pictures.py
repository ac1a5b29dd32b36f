"""How the pictures of docs/images are taken: a page in the system's Chromium, in a window of one size, light or dark."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).parent.parent
IMAGES = ROOT / "docs" / "images"


class Shot(NamedTuple):
    """A picture: what is added to the address, who looks at it, and what the page says of itself when all is there."""

    name: str
    page: str = ""
    width: int = 1200
    height: int = 860
    dark: bool = False
    until: str = "data-ready"


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser that ends with the block."""
    rights = (
        ["--no-sandbox"] if os.geteuid() == 0 else []
    )  # Chromium's own sandbox does not work for root
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=rights)
        try:
            yield browser
        finally:
            browser.close()


def take(browser: Browser, address: str, shot: Shot) -> None:
    """Open the page, wait until all is there, and keep what is seen."""
    context = browser.new_context(
        viewport={"width": shot.width, "height": shot.height},
        reduced_motion="reduce",
        color_scheme="dark" if shot.dark else "light",
    )
    tab = context.new_page()
    tab.goto(address + shot.page)
    tab.locator(f"html[{shot.until}]").wait_for(state="attached")
    if "sample=" in shot.page:
        tab.locator("#panel-title").wait_for()
    IMAGES.mkdir(exist_ok=True)
    path = IMAGES / f"{shot.name}.png"
    tab.screenshot(path=path)
    context.close()
    print(f"{path.relative_to(ROOT)}  {path.stat().st_size // 1000} kB")
