"""Make the pictures of docs/images again: a report at desktop and phone width, light and dark.

    python scripts/screenshots.py
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).parent.parent
IMAGES = ROOT / "docs" / "images"
sys.path.insert(0, str(ROOT / "tests"))

from report.almanac import make_run  # noqa: E402 - the tests' own run is what is shown


class Shot(NamedTuple):
    """A picture: the state of the page, and who looks at it."""

    name: str
    state: str = ""
    width: int = 1200
    height: int = 860
    dark: bool = False


SHOTS = [
    Shot("report", height=1180),
    Shot("report-dark", dark=True, height=1180),
    Shot("report-sample", "#filter=wrong&sample=3.2"),
    Shot("report-sample-dark", "#sample=30.1", dark=True),
    Shot("report-phone", width=390, height=844),
    Shot("report-phone-sample-dark", "#sample=3.2", width=390, height=844, dark=True),
]


def take(browser: Browser, page: Path, shot: Shot) -> None:
    """Open the page, wait until all is there, and keep what is seen."""
    context = browser.new_context(viewport={"width": shot.width, "height": shot.height}, reduced_motion="reduce",
                                  color_scheme="dark" if shot.dark else "light")  # fmt: skip
    tab = context.new_page()
    tab.goto(page.as_uri() + shot.state)
    tab.locator("html[data-searchable]").wait_for(state="attached")
    if shot.state:
        tab.locator("#panel-title").wait_for()
    path = IMAGES / f"{shot.name}.png"
    tab.screenshot(path=path)
    context.close()
    print(f"{path.relative_to(ROOT)}  {path.stat().st_size // 1000} kB")


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    rights = ["--no-sandbox"] if os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        run = make_run(Path(folder), odd=False)
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=rights)
        for shot in SHOTS:
            take(browser, run / "report.html", shot)
        browser.close()


if __name__ == "__main__":
    main()
