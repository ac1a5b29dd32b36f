"""How big a report is and how quick: a page of 50,000 samples, written, opened in Chromium, filtered and searched.

    python benchmarks/report.py [--samples 50000] [--characters 600] [--full] [--smoke] [--json]

The answers are random words of a vocabulary of 4,000, of up to so many characters (``--full``: each of them as long as
that). Each number stands beside its limit, as a share of it: 100% is the limit.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

STEELYARD = str(Path(sys.executable).with_name("steelyard"))
LIMITS = {
    "size, MB": 15.0,
    "written, s": 20.0,
    "peak memory, MB": 300.0,
    "headline, s": 2.0,
    "filter, ms": 200.0,
    "sort, ms": 200.0,
    "search, ms": 200.0,
}
BENCH = """
from steelyard import scorer, answer_line
from steelyard.bench import benchmark


@benchmark(name="report", dataset="rows.jsonl", prompt="{q}", target_field="target", category_field="kind")
@scorer
def last_line(sample):
    return answer_line(sample)
"""
LETTERS = "etaoinshrdlucmfwypvbgk"
# What a reader waits: from the click, or the new address, until the browser has drawn what came of it.
CLICK = """async (selector) => {
  const begun = performance.now();
  document.querySelector(selector).click();
  await new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
  return performance.now() - begun;
}"""
SEARCH = """async (words) => {
  const begun = performance.now();
  location.hash = "q=" + words;
  await new Promise((go) => addEventListener("hashchange", go, { once: true }));
  await new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
  return performance.now() - begun;
}"""


def words(rng: random.Random) -> list[str]:
    """A vocabulary."""
    return ["".join(rng.choices(LETTERS, k=rng.randint(2, 10))) for _ in range(4000)]


def prose(rng: random.Random, known: list[str], length: int) -> str:
    """Random words, cut to that length."""
    return " ".join(rng.choices(known, k=length // 2 + 1))[:length]


def make_run(folder: Path, samples: int, characters: int, *, full: bool) -> Path:
    """A run over recorded answers, by the command that users have."""
    rng = random.Random(11)
    known = words(rng)
    with (folder / "rows.jsonl").open("w") as rows, (folder / "replies.jsonl").open("w") as replies:
        for n in range(samples):
            target = rng.choice(known)
            length = characters - 20 if full else rng.randint(20, characters - 20)
            said = f"{prose(rng, known, length)}\nAnswer: {target if rng.random() < 0.7 else rng.choice(known)}"
            row = {
                "id": f"p{n}",
                "q": f"{prose(rng, known, 80)}?",
                "target": target,
                "kind": f"kind {n % 12}",
            }
            rows.write(json.dumps(row) + "\n")
            replies.write(
                json.dumps({"id": f"p{n}", "text": said[:characters], "output_tokens": length // 4})
                + "\n"
            )
    (folder / "bench.py").write_text(BENCH)
    run = folder / "run"
    command = [
        STEELYARD,
        "eval",
        "run",
        "--bench",
        folder / "bench.py",
        "--recorded",
        folder / "replies.jsonl",
        "-o",
        run,
        "-q",
    ]
    subprocess.run(list(map(str, command)), check=True, cwd=folder)
    return run


def write_again(run: Path) -> dict[str, float]:
    """Write the page in a process of its own."""
    begun = time.perf_counter()
    child = os.posix_spawn(STEELYARD, [STEELYARD, "eval", "report", str(run)], os.environ)
    _, status, used = os.wait4(child, 0)
    assert status == 0
    took, size = time.perf_counter() - begun, (run / "report.html").stat().st_size
    return {"size, MB": size / 1e6, "written, s": took, "peak memory, MB": used.ru_maxrss / 1000}


def in_browser(page: Path) -> dict[str, float]:
    """Open the page, and use it."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        try:
            return measured(browser.new_page(), page)
        finally:
            browser.close()


def measured(tab: Page, page: Path) -> dict[str, float]:
    """The times that a reader waits."""
    begun = time.perf_counter()
    tab.goto(page.as_uri(), wait_until="commit")
    tab.locator(".headline .value").wait_for(state="visible")
    seen = time.perf_counter() - begun
    tab.locator("html[data-ready]").wait_for(state="attached", timeout=60_000)
    tab.locator("html[data-searchable]").wait_for(state="attached", timeout=120_000)
    read = time.perf_counter() - begun
    filters = [tab.evaluate(CLICK, f"[data-filter={name}]") for name in ("wrong", "right")]
    sorts = [tab.evaluate(CLICK, ".head .c-score button") for _ in range(2)]
    search = [tab.evaluate(SEARCH, words) for words in ("the", "answer: re", "kind 7")]
    return {
        "headline, s": seen,
        "all texts read, s": read,
        "filter, ms": max(filters),
        "sort, ms": max(sorts),
        "search, ms": max(search),
    }


def show(found: dict[str, float]) -> None:
    """A line each."""
    for name, value in found.items():
        limit = LIMITS.get(name)
        share = f"{value / limit:6.0%} of {limit:g}" if limit else ""
        print(f"{name:20} {value:10.2f}  {share}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--samples", type=int, default=50_000)
    parser.add_argument("--characters", type=int, default=600)
    parser.add_argument("--full", action="store_true", help="every answer is as long as that")
    parser.add_argument("--smoke", action="store_true", help="a small run, to see that it works")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    samples = 1000 if given.smoke else given.samples
    with tempfile.TemporaryDirectory() as folder:
        run = make_run(Path(folder), samples, given.characters, full=given.full)
        found: dict[str, Any] = {**write_again(run), **in_browser(run / "report.html")}
    if given.json:
        print(json.dumps(found))
    else:
        show(found)


if __name__ == "__main__":
    main()
