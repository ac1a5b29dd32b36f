"""Make the pictures of docs/images again: reports, a comparison and a list of runs, wide and narrow, light and dark.

python scripts/screenshots.py
"""

from __future__ import annotations

import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pictures import ROOT, Shot, chromium, take

sys.path.insert(0, str(ROOT / "tests"))

from report.almanac import make_run  # the tests' own runs are what is shown
from report.contest import make_contest
from steelyard.report.view.server import ViewServer

SEARCHABLE = "data-searchable"  # the texts of all samples are unpacked
SHOTS = [
    Shot("report", height=1180),
    Shot("report-dark", dark=True, height=1180),
    Shot("report-sample", "#filter=wrong&sample=3.2"),
    Shot("report-sample-dark", "#sample=30.1", dark=True),
    Shot("report-phone", width=390, height=844),
    Shot("report-phone-sample-dark", "#sample=3.2", width=390, height=844, dark=True),
]
COMPARE = "compare?base=ledger-quill-1&candidate=ledger-quill-2"
COMPARED = [
    Shot("compare", COMPARE, height=960),
    Shot("compare-dark", COMPARE, height=960, dark=True),
    Shot("compare-sample", f"{COMPARE}#filter=flipped&sample=7.0"),
    Shot("compare-phone", COMPARE, width=390, height=844),
    Shot(
        "compare-phone-sample-dark",
        f"{COMPARE}#filter=flipped&sample=7.0",
        width=390,
        height=844,
        dark=True,
    ),
]
LISTED = [
    Shot("view", height=1000),
    Shot("view-dark", height=1000, dark=True),
    Shot("view-phone", width=390, height=844),
]


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
    """Make the runs, and look at them."""
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        for part in ("one", "many"):
            (Path(folder) / part).mkdir()
        run = make_run(Path(folder) / "one", odd=False)
        for shot in SHOTS:
            take(browser, (run / "report.html").as_uri(), shot._replace(until=SEARCHABLE))
        with served(make_contest(Path(folder) / "many")) as address:
            for shot in COMPARED:
                take(browser, address, shot._replace(until=SEARCHABLE))
            for shot in LISTED:
                take(browser, address, shot)


if __name__ == "__main__":
    main()
