"""What a visitor sees and does on the arena's pages."""

from __future__ import annotations

import re
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from browser.arena.conftest import Looker, Season
from world import HOSTILE

pytestmark = pytest.mark.slow

KINDS = [
    "board",
    "verified",
    "none",
    "challenges",
    "challenge",
    "new",
    "agent",
    "match",
    "left",
    "active",
]
EYES: list[dict[str, bool]] = [{}, {"dark": True}, {"phone": True}]


@pytest.mark.parametrize("eyes", EYES, ids=["light", "dark", "phone"])
@pytest.mark.parametrize("kind", KINDS)
def test_axe_finds_nothing_and_nothing_sticks_out(
    season: Season, look: Looker, kind: str, eyes: dict[str, bool]
) -> None:
    tab = look(season.pages()[kind], **eyes)
    tab.evaluate("for (const folded of document.querySelectorAll('details')) folded.open = true")
    found = Axe().run(tab).response["violations"]
    told = [
        f"{one['id']} ({one['impact']}): {node['html'][:200]}: {node.get('failureSummary', '')}"
        for one in found
        for node in one["nodes"]
    ]
    assert not told, "\n".join(told)
    assert tab.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0


def test_the_board_is_drawn_and_leads_on(season: Season, look: Looker) -> None:
    tab = look("/")
    rows = tab.locator(".standings tbody tr")
    assert rows.count() == len(season.world.agents)
    for row in rows.all():
        assert row.locator("svg .whisker").count() == 3
    tab.get_by_role("link", name="Marigold").first.click()
    expect(tab).to_have_url(re.compile(season.world.agents["Marigold"]))
    expect(tab.get_by_role("heading", level=1)).to_have_text("Marigold")
    expect(tab.get_by_role("img", name="Rating after each match")).to_be_visible()


def test_filters_are_in_the_address_and_stay_chosen(look: Looker) -> None:
    tab = look("/")
    everybody = tab.locator(".standings tbody tr").count()
    tab.get_by_label("verified").check()
    tab.get_by_label("category").select_option("planning")
    tab.get_by_role("button", name="Show").click()
    expect(tab).to_have_url(re.compile(r"category=planning&verified=true"))
    expect(tab.get_by_label("verified")).to_be_checked()
    expect(tab.get_by_label("category")).to_have_value("planning")
    assert tab.locator(".standings tbody tr").count() < everybody


def test_a_hostile_name_is_only_a_name(season: Season, look: Looker) -> None:
    tab = look(f"/agents/{season.world.agents[HOSTILE]}")
    expect(tab.get_by_role("heading", level=1)).to_have_text(HOSTILE)
    expect(tab).to_have_title(re.compile(re.escape(HOSTILE)))
    assert tab.locator("img").count() == 0
    tab.goto(season.server.url)
    tab.get_by_role("link", name=HOSTILE).first.click()
    expect(tab.get_by_role("heading", level=1)).to_have_text(HOSTILE)


def test_each_dimension_has_its_colour_its_points_and_its_reason(
    season: Season, look: Looker
) -> None:
    tab = look(season.pages()["match"])
    rows = tab.locator(".breakdown li")
    assert rows.count() == 4
    colours = {
        "Correctness": "16, 185, 129",
        "Precision": "255, 127, 80",
        "Analysis": "212, 160, 23",
        "Speed": "14, 165, 233",
    }
    for row in rows.all():
        name = row.locator("h3").inner_text()
        fill = row.locator("h3 rect").evaluate("one => getComputedStyle(one).fill")
        assert fill == f"rgb({colours[name]})"
        assert row.locator(".reason").inner_text()
    shown = sum(
        float(text.split("=")[1].replace(",", ""))
        for text in tab.locator(".breakdown .sum").all_inner_texts()
    )
    assert (
        abs(shown - int(tab.locator(".headline .value").inner_text())) < 1.3
    )  # each is rounded, and the total cut once


def test_dark_is_remembered_from_page_to_page(look: Looker) -> None:
    tab = look("/")
    light = background(tab)
    tab.get_by_role("button", name="Dark colours").click()
    dark = background(tab)
    assert dark != light
    tab.get_by_role("link", name="Challenges").first.click()
    tab.locator("html[data-ready]").wait_for(state="attached")
    assert background(tab) == dark


def background(tab: Page) -> Any:
    return tab.evaluate("getComputedStyle(document.body).backgroundColor")


def test_everything_is_there_without_scripts(season: Season, look: Looker) -> None:
    for path, heading in (("/", "Leaderboard"), ("/challenges/ferry-ledger", "The ferry ledger")):
        tab = look(path, script=False)
        expect(tab.get_by_role("heading", level=1)).to_have_text(heading)
        assert tab.locator("svg.chart").count()
    tab = look(season.pages()["active"], script=False)
    expect(tab.get_by_role("timer")).to_have_text(re.compile(r"^\d:\d\d$"))
    assert 'http-equiv="refresh"' in tab.content()


def test_the_keyboard_reaches_the_content_first(look: Looker) -> None:
    tab = look("/")
    tab.keyboard.press("Tab")
    expect(tab.get_by_role("link", name="Skip to the content")).to_be_focused()
    tab.keyboard.press("Enter")
    expect(tab.locator("main")).to_be_focused()


def test_each_chart_has_a_name_and_a_description(season: Season, look: Looker) -> None:
    for kind in ("challenge", "agent", "match"):
        tab = look(season.pages()[kind])
        charts = tab.locator("svg[role=img]")
        assert charts.count()
        for chart in charts.all():
            names = (chart.get_attribute("aria-labelledby") or "").split()
            assert len(names) == 2
            assert all(tab.locator(f"#{name}").text_content() for name in names)
