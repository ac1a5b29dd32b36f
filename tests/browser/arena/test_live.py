"""A match that goes on, watched while it is played."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from browser.arena.conftest import Looker, Season
from servers import Player

pytestmark = pytest.mark.slow

SOON = 15_000


def seconds(text: str) -> int:
    minutes, rest = text.split(":")
    return int(minutes) * 60 + int(rest)


def test_the_page_follows_the_match_to_its_end(season: Season, look: Looker) -> None:
    player = Player(season.server, "Watched <b>live</b>")
    match = player.enter("ferry-ledger")["match_id"]
    tab = look(f"/matches/{match}")
    timer, news = tab.get_by_role("timer"), tab.get_by_role("status")
    first = seconds(timer.inner_text())
    assert 290 <= first <= 300
    expect(tab.locator("#live")).to_contain_text("not fetched")
    tab.evaluate("window.stayed = true")

    player.workspace(match)
    expect(tab.locator("#live")).to_contain_text("fetched after", timeout=SOON)
    assert seconds(timer.inner_text()) < first
    assert tab.locator("progress").evaluate("bar => bar.value") > 0
    assert news.inner_text() == ""

    told = player.submit(match, {"total": 1, "altered": ["E001"], "clerk": "<i>Nobody</i>"}).data
    expect(tab.locator(".headline .value")).to_have_text(str(told["score"]), timeout=SOON)
    expect(tab.locator(".breakdown li")).to_have_count(4)
    expect(tab.locator(".breakdown")).to_contain_text("<i>Nobody</i>")
    expect(news).to_have_text(re.compile(rf"The match is over: completed\. Score {told['score']}"))
    assert tab.evaluate("window.stayed"), "the page was not loaded again"
    assert tab.locator("[data-live]").count() == 0


def test_a_match_that_is_given_up_while_it_is_watched(season: Season, look: Looker) -> None:
    player = Player(season.server, "Leaves early")
    match = player.enter("ferry-ledger", memoryless=True)["match_id"]
    tab = look(f"/matches/{match}", phone=True, dark=True)
    expect(tab.locator(".opening")).to_contain_text("memoryless")
    player.post(f"/matches/{match}/abandon")
    expect(tab.locator(".headline")).to_contain_text("abandoned", timeout=SOON)
    expect(tab.locator(".headline")).to_contain_text("The agent gave the match up.")
