"""``steelyard view`` in a real browser: the boards, the pages behind them, and nothing that is asked for elsewhere."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from browser.conftest import Opener
from steelyard.report.view.server import ViewServer

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def url(contest: Path) -> Iterator[str]:
    server = ViewServer(contest)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield server.url
    server.shutdown()
    thread.join()
    server.server_close()


def test_from_the_board_to_a_run_and_back(opened: Opener, url: str) -> None:
    tab = opened(page=url)
    board = tab.locator(".board", has=tab.get_by_role("heading", name="ledger"))
    rows = board.locator("tbody").first.locator("tr")
    expect(rows).to_have_count(3)
    scores = [float(text) for text in rows.locator("td.num:nth-child(3)").all_inner_texts()]
    assert scores == sorted(scores, reverse=True)
    expect(board.locator(".status")).to_have_text("interrupted")
    expect(board.locator(".apart")).to_contain_text('system_prompt: nothing → "Be brief."')
    rows.first.get_by_role("link").click()
    expect(tab.locator("h1")).to_have_text("ledger")
    expect(tab.get_by_role("heading", name="Output tokens")).to_be_visible()
    tab.get_by_role("link", name="all runs").click()
    expect(tab.locator(".board")).to_have_count(2)


def test_two_runs_are_chosen_and_compared(opened: Opener, url: str) -> None:
    tab = opened(page=url)
    board = tab.locator(".board", has=tab.get_by_role("heading", name="ledger"))
    board.get_by_label("ledger-quill-1 as the base").check()
    board.get_by_label("ledger-quill-2 as the candidate").check()
    board.get_by_role("button", name="Compare the two").click()
    expect(tab.locator(".verdict-line")).to_contain_text("better than quill-1.jsonl")
    tab.locator("html[data-ready]").wait_for(state="attached")
    tab.locator('[data-filter="gained"]').click()
    tab.locator(".body").first.click()
    expect(tab.locator("#panel .side")).to_have_count(2)


def test_colours_are_kept_from_page_to_page(opened: Opener, url: str) -> None:
    tab = opened(page=url)
    tab.locator("#theme").click()
    tab.locator(".board a").first.click()
    tab.locator("html[data-ready]").wait_for(state="attached")
    assert tab.evaluate("document.documentElement.dataset.theme") == "dark"


@pytest.mark.parametrize(
    ("dark", "phone"), [(False, False), (True, False), (False, True), (True, True)]
)
def test_axe_finds_nothing_serious_and_nothing_is_too_wide(
    opened: Opener, url: str, dark: bool, phone: bool
) -> None:
    tab = opened(dark=dark, phone=phone, page=url)
    found = Axe().run(tab).response["violations"]
    assert not [
        f"{one['id']}: {node['html'][:200]}: {node.get('failureSummary', '')}"
        for one in found
        for node in one["nodes"]
    ]
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
