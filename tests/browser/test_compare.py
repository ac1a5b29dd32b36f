"""The page of a comparison as its readers use it."""

from __future__ import annotations

import io
import re
import shutil
from itertools import product
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from browser.conftest import Opener
from report.almanac import HOSTILE_TEXT
from report.contest import HOSTILE_ID
from steelyard.report.compare_page import write_comparison_page
from steelyard.runs.compare import compare

pytestmark = pytest.mark.slow


def written(path: Path, *runs: Path) -> Path:
    out = io.BytesIO()
    write_comparison_page(compare(*runs), out)
    path.write_bytes(out.getvalue())
    return path


@pytest.fixture(scope="session")
def page(contest: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("compared")
    return written(
        folder / "comparison.html", contest / "ledger-quill-1", contest / "ledger-quill-2"
    )


@pytest.fixture(scope="session")
def several(contest: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("several")
    for model in ("quill-1", "quill-2"):
        for bench in ("ledger", "almanac"):
            shutil.copytree(contest / f"{bench}-{model}", folder / model / bench)
    return written(folder / "comparison.html", folder / "quill-1", folder / "quill-2")


def count(tab: Page) -> int:
    return int(tab.locator("#found").inner_text().split(" of ")[0].replace(",", ""))


def test_the_headline_says_which_is_better_and_from_where_on(opened: Opener, page: Path) -> None:
    tab = opened(page=page)
    headline = tab.locator(".headline")
    told = re.compile(r"quill-2\.jsonl is [\d.]+ points better than quill-1\.jsonl\.")
    expect(headline.locator(".verdict-line")).to_have_text(told)
    expect(headline).to_contain_text("95% interval")
    expect(headline).to_contain_text(
        re.compile(r"differences below [\d.]+ points cannot be told apart with 320 problems")
    )
    expect(tab.get_by_role("img", name="Difference with its interval")).to_be_visible()
    for title in ("By category", "Signatures"):
        expect(tab.get_by_role("heading", name=title)).to_be_visible()


@pytest.mark.parametrize(
    ("chip", "glyphs"),
    [("lost", {"▼"}), ("gained", {"▲"}), ("flipped", {"▲", "▼"}), ("both wrong", {"✕"})],
)
def test_flips_are_filtered_both_ways(
    opened: Opener, page: Path, chip: str, glyphs: set[str]
) -> None:
    tab = opened(page=page)
    button = tab.locator(f'[data-filter="{chip}"]')
    button.click()
    assert count(tab) == int(button.locator(".quiet").inner_text()) > 0
    assert set(tab.locator(".body .c-outcome .glyph").all_inner_texts()) == glyphs
    again = opened("#" + tab.url.partition("#")[2], page=page)
    assert count(again) == count(tab)


def test_both_answers_stand_side_by_side_with_what_was_read(opened: Opener, page: Path) -> None:
    tab = opened("#filter=gained", page=page)
    tab.locator(".body").first.click()
    panel = tab.locator("#panel")
    expect(panel.locator(".side")).to_have_count(2)
    base, candidate = panel.locator(".side.base"), panel.locator(".side.candidate")
    expect(base).to_contain_text("quill-1.jsonl")
    expect(candidate).to_contain_text("quill-2.jsonl")
    target = panel.locator("h4", has_text="Target").locator("+ .text").inner_text()
    expect(candidate.locator("mark")).to_have_text(target)
    expect(base.locator("mark")).not_to_have_text(target)
    expect(base).to_contain_text(f"expected '{target}'")
    left, right = base.bounding_box(), candidate.bounding_box()
    assert left is not None
    assert right is not None
    assert left["x"] + left["width"] < right["x"] + 1
    assert abs(left["y"] - right["y"]) < 2


def test_search_category_sort_and_keys(opened: Opener, page: Path) -> None:
    tab = opened(page=page)
    tab.select_option("#category", "two steps")
    assert count(tab) == 80
    expect(tab.locator("#result-pick")).to_be_hidden()
    tab.locator("html[data-searchable]").wait_for(state="attached")
    tab.locator("#query").fill("one of 7 pounds")
    expect(tab.locator("#found")).to_have_text("80 of 320")
    tab.locator(".head .c-difference button").click()
    expect(tab.locator(".body .c-difference").first).to_have_text(re.compile("1 → 0|0 → 0|1 → 1"))
    tab.locator(".head .c-difference button").click()
    expect(tab.locator(".body .c-difference").first).to_have_text("0 → 1")
    tab.locator(".table").focus()
    tab.keyboard.press("j")
    tab.keyboard.press("Enter")
    expect(tab.locator("#panel-title")).to_be_focused()
    expect(tab.locator("#panel .verdict")).to_contain_text("gained")
    tab.keyboard.press("Escape")
    expect(tab.locator("#panel")).to_be_hidden()


def test_what_a_model_says_stays_text(opened: Opener, page: Path) -> None:
    tab = opened(f"#q={HOSTILE_ID}&sample=0.0", page=page)
    shown = tab.locator("#panel .side.candidate .text", has_text="onerror").first
    assert shown.inner_text() == HOSTILE_TEXT.replace("\x1b", "␛").replace("\u202e", "\ufffd")
    assert tab.evaluate("window.broken") is None


def test_several_benchmarks_have_a_chart_and_a_filter(opened: Opener, several: Path) -> None:
    tab = opened(page=several)
    table = tab.locator(".card", has=tab.get_by_role("heading", name="Differences", exact=True))
    expect(table.locator("tbody tr")).to_have_count(2)
    expect(table).to_contain_text("p (Holm)")
    tab.select_option("#result", "almanac")
    assert count(tab) == 34
    tab.locator(".body").first.click()
    expect(tab.locator("#panel .verdict")).to_contain_text("almanac")


def test_on_a_phone_the_answers_stand_one_below_the_other(opened: Opener, page: Path) -> None:
    tab = opened(phone=True, page=page)
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390
    tab.locator(".body").first.tap()
    base, candidate = (
        tab.locator(f".side.{side}").bounding_box() for side in ("base", "candidate")
    )
    assert base is not None
    assert candidate is not None
    assert candidate["y"] > base["y"] + base["height"] - 1
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize(
    ("state", "dark", "phone"),
    [
        *product(("", "#filter=flipped&sample=1.0"), (False, True), (False,)),
        ("", True, True),
        ("#sample=0.0", False, True),
    ],
)
def test_axe_finds_nothing_serious(
    opened: Opener, several: Path, state: str, dark: bool, phone: bool
) -> None:
    tab = opened(state, dark=dark, phone=phone, page=several)
    tab.locator("html[data-searchable]").wait_for(state="attached")
    tab.evaluate("for (const folded of document.querySelectorAll('details')) folded.open = true")
    found = Axe().run(tab).response["violations"]
    assert not [
        f"{one['id']}: {node['html'][:200]}: {node.get('failureSummary', '')}"
        for one in found
        for node in one["nodes"]
    ]
