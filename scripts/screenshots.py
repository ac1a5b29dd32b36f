"""Make the pictures of docs/images again: reports, a comparison and a list of runs, wide and narrow, light and dark.

    python scripts/screenshots.py
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).parent.parent
IMAGES = ROOT / "docs" / "images"
sys.path.insert(0, str(ROOT / "tests"))

from report.almanac import make_run  # noqa: E402 - the tests' own runs are what is shown
from report.contest import make_contest  # noqa: E402
from steelyard.report.view.server import ViewServer  # noqa: E402


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
COMPARE = "compare?base=ledger-quill-1&candidate=ledger-quill-2"
SERVED = [
    Shot("compare", COMPARE, height=960),
    Shot("compare-dark", COMPARE, height=960, dark=True),
    Shot("compare-sample", f"{COMPARE}#filter=flipped&sample=7.0"),
    Shot("compare-phone", COMPARE, width=390, height=844),
    Shot("compare-phone-sample-dark", f"{COMPARE}#filter=flipped&sample=7.0", width=390, height=844, dark=True),
    Shot("view", height=1000),
    Shot("view-dark", height=1000, dark=True),
    Shot("view-phone", width=390, height=844),
]


def take(browser: Browser, page: str, shot: Shot) -> None:
    """Open the page, wait until all is there, and keep what is seen."""
    context = browser.new_context(viewport={"width": shot.width, "height": shot.height}, reduced_motion="reduce",
                                  color_scheme="dark" if shot.dark else "light")  # fmt: skip
    tab = context.new_page()
    tab.goto(page + shot.state)
    tab.locator("html[data-ready]" if shot.name.startswith("view") else "html[data-searchable]").wait_for(state="attached")
    if "sample=" in shot.state:
        tab.locator("#panel-title").wait_for()
    path = IMAGES / f"{shot.name}.png"
    tab.screenshot(path=path)
    context.close()
    print(f"{path.relative_to(ROOT)}  {path.stat().st_size // 1000} kB")


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The pages of a folder of runs."""
    server = ViewServer(folder)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.url
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    rights = ["--no-sandbox"] if os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        for part in ("one", "many"):
            (Path(folder) / part).mkdir()
        run = make_run(Path(folder) / "one", odd=False)
        runs = make_contest(Path(folder) / "many")
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=rights)
        for shot in SHOTS:
            take(browser, (run / "report.html").as_uri(), shot)
        with served(runs) as address:
            for shot in SERVED:
                take(browser, address, shot)
        browser.close()


if __name__ == "__main__":
    main()
