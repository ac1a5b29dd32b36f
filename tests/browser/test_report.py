"""The report of a run as its readers use it."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import Opener
from report.almanac import (
    HOSTILE,
    HOSTILE_TEXT,
    LINES,
    LONG,
    MISSING,
    PRIVATE,
    PRIVATE_TEXT,
    REFUSED,
    REPEATS,
)

TOTAL = len(LINES) * REPEATS


def count(tab: Page) -> int:
    """How many samples the table says it shows."""
    told = tab.locator("#found").inner_text()
    return int(told.split(" of ")[0].replace(",", ""))


def keys(tab: Page) -> list[str]:
    return tab.locator(".body").evaluate_all("rows => rows.map(row => row.id)")


def test_the_headline_its_interval_and_its_coverage(opened: Opener) -> None:
    tab = opened()
    expect(tab.locator("h1")).to_have_text("almanac")
    assert re.fullmatch(r"0\.\d{3}", tab.locator(".headline .value").inner_text())
    headline = tab.locator(".headline")
    expect(headline).to_contain_text("95% interval")
    expect(headline).to_contain_text(f"{TOTAL - 1} of {TOTAL} samples scored")
    expect(headline).to_contain_text("If the sample without a score")
    for title in (
        "By category",
        "Distribution of scores",
        "k attempts at a problem",
        "Failures",
        "Without a score",
        "Output tokens",
        "Signature",
    ):
        expect(tab.get_by_role("heading", name=title)).to_be_visible()
    expect(tab.get_by_role("heading", name="Latency")).to_have_count(0)


def test_the_headline_needs_no_script(opened: Opener, almanac: Path) -> None:
    """The summary is there before anything has been unpacked, and for those who run no scripts."""
    page = (almanac / "report.html").read_text(encoding="utf-8")
    assert page.index('class="value"') < page.index('id="columns"')


@pytest.mark.parametrize(("chip", "wanted"), [("right", "✓"), ("wrong", "✕"), ("unscored", "○")])
def test_filters_by_outcome(opened: Opener, chip: str, wanted: str) -> None:
    tab = opened()
    button = tab.locator(f'[data-filter="{chip}"]')
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    assert count(tab) == int(button.locator(".quiet").inner_text())
    assert set(tab.locator(".body .c-outcome .glyph").all_inner_texts()) == {wanted}
    assert f"filter={chip}" in tab.url


def test_filters_add_up_and_the_address_keeps_them(opened: Opener) -> None:
    tab = opened()
    tab.select_option("#category", "capitals")
    everywhere = count(tab)
    tab.locator('[data-filter="wrong"]').click()
    assert 0 < count(tab) < everywhere
    again = opened("#" + tab.url.partition("#")[2])
    assert count(again) == count(tab)
    assert keys(again) == keys(tab)
    again.select_option("#failure", "refusal")
    assert count(again) == 1
    again.locator('[data-filter="refused"]').click()
    assert keys(again) == [f"row-{REFUSED * REPEATS}"]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("kilimanjaro", None),
        ("CAFÉ ПАРОТИТ 山", 1),
        ("onerror=", 1),
        ("it names the cause", 9),
        ("no such words", 0),
        ("capitals-0", 3),
        ("one may wonder", 1),
    ],
)
def test_search_goes_over_all_texts(opened: Opener, words: str, found: int | None) -> None:
    tab = opened()
    tab.locator("#query").fill(words)
    tab.locator("html[data-searchable]").wait_for(state="attached")
    expect(tab).to_have_url(re.compile(re.escape(urlencode({"q": words}))))
    expect(tab.locator("#found")).not_to_contain_text("searching")
    if found is None:
        assert 0 < count(tab) < TOTAL
    else:
        assert count(tab) == found
    if not found and found is not None:
        expect(tab.locator(".none")).to_have_text("No sample matches.")


def test_a_sample_with_its_prompt_answer_span_and_target(opened: Opener) -> None:
    tab = opened()
    tab.locator("#row-2").click()
    panel = tab.locator("#panel")
    expect(panel).to_be_visible()
    expect(panel).to_contain_text("What is the capital of France?")
    expect(panel).to_contain_text("Answer in a sentence or two")
    expect(panel.locator("mark")).to_have_text("Paris")
    expect(panel).to_contain_text("Target")
    assert "sample=0.2" in tab.url
    expect(tab.locator("#panel-title")).to_be_focused()


def test_a_link_opens_the_sample_that_it_names(opened: Opener) -> None:
    tab = opened("#sample=30.1")
    expect(tab.locator("#panel")).to_contain_text("flag of Italy")
    expect(tab.locator(".part")).to_have_count(3)
    expect(tab.locator("#row-91")).to_have_attribute("aria-selected", "true")
    tab = opened("#sample=27.0")
    expect(tab.locator("#panel")).to_contain_text("The judge’s reply")
    expect(tab.locator("#panel")).to_contain_text("Reason: it names the cause")
    assert opened("#sample=9999.0&filter=nonsense").locator("#panel").is_hidden()


def test_an_example_of_a_failure_leads_to_its_sample(opened: Opener) -> None:
    tab = opened()
    tab.get_by_text("refusal: examples").click()
    tab.locator(f'a[href="#sample={REFUSED}.0"]').click()
    expect(tab.locator("#panel")).to_contain_text("I'm sorry")


def test_what_a_model_says_stays_text(opened: Opener) -> None:
    tab = opened(f"#sample={HOSTILE}.0")
    shown = tab.locator("#panel .text", has_text="onerror")
    assert shown.inner_text() == HOSTILE_TEXT.replace("\x1b", "␛").replace("\u202e", "\ufffd")
    assert tab.evaluate("window.broken") is None
    assert tab.locator("#panel img").count() == 0


def test_every_character_comes_through(opened: Opener) -> None:
    tab = opened(f"#sample={PRIVATE}.0")
    assert tab.locator("#panel .text", has_text="caf").inner_text() == PRIVATE_TEXT


def test_a_long_answer_is_cut_around_what_was_read_and_says_so(opened: Opener) -> None:
    tab = opened(f"#sample={LONG}.0")
    answer = tab.locator("#panel .text", has_text="Let me think")
    expect(answer.locator("mark")).to_have_text("Kilimanjaro")
    expect(answer.locator("mark")).to_be_in_viewport()
    gaps = answer.locator(".gap").all_inner_texts()
    assert len(gaps) == 2
    assert all(
        re.search(r"[\d,]+ characters not shown; whole in attempts\.jsonl", gap) for gap in gaps
    )


def test_a_sample_without_an_answer_says_why(opened: Opener) -> None:
    tab = opened(f"#sample={MISSING}.0")
    expect(tab.locator("#panel")).to_contain_text("has no reply to")
    expect(tab.locator("#panel .verdict")).to_contain_text("unscored")


def test_sorting_by_score_goes_up_down_and_back(opened: Opener) -> None:
    tab = opened()
    button = tab.locator(".head .c-score button")
    for order, value in (("ascending", "–"), ("descending", "1")):
        button.click()
        expect(tab.locator(".head .c-score")).to_have_attribute("aria-sort", order)
        assert tab.locator(".body .c-score span").first.inner_text() == value
    button.click()
    expect(tab.locator(".head .c-score")).to_have_attribute("aria-sort", "none")
    assert keys(tab)[0] == "row-0"


def test_keys(opened: Opener) -> None:
    tab = opened()
    tab.keyboard.press("/")
    expect(tab.locator("#query")).to_be_focused()
    tab.keyboard.type("capital")
    expect(tab).to_have_url(re.compile("q=capital"))
    tab.keyboard.press("ArrowDown")
    expect(tab.locator(".table")).to_be_focused()
    tab.keyboard.press("j")
    tab.keyboard.press("j")
    tab.keyboard.press("k")
    expect(tab.locator(".body.chosen")).to_have_attribute("id", "row-1")
    expect(tab.locator(".table")).to_have_attribute("aria-activedescendant", "row-1")
    tab.keyboard.press("Enter")
    expect(tab.locator("#panel-title")).to_be_focused()
    tab.keyboard.press("ArrowDown")
    expect(tab.locator("#panel")).to_contain_text("capitals-0 · 2")
    tab.keyboard.press("Escape")
    expect(tab.locator("#panel")).to_be_hidden()
    expect(tab.locator(".table")).to_be_focused()
    tab.keyboard.press("End")
    assert tab.locator(".body.chosen").get_attribute("aria-rowindex") == str(count(tab) + 1)


@pytest.mark.parametrize(
    ("keys", "row"), [("j", "row-0"), ("jj", "row-1"), ("jjk", "row-0"), ("", "row-0")]
)
def test_keys_work_right_after_the_page_was_opened(keys: str, row: str, opened: Opener) -> None:
    tab = opened()
    for key in keys:
        tab.keyboard.press(key)
    if keys:
        expect(tab.locator(".body.chosen")).to_have_attribute("id", row)
        expect(tab.locator(".body.chosen")).to_be_in_viewport()
    tab.keyboard.press("Enter")
    expect(tab.locator("#panel-title")).to_be_focused()
    expect(tab.locator(".body.chosen")).to_have_attribute("id", row)
    expect(tab).to_have_url(re.compile("sample="))


def test_back_closes_the_sample(opened: Opener) -> None:
    tab = opened()
    tab.locator("#row-1").click()
    expect(tab.locator("#panel")).to_be_visible()
    tab.go_back()
    expect(tab.locator("#panel")).to_be_hidden()


def ground(tab: Page) -> int:
    colour = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    return sum(int(part) for part in re.findall(r"\d+", colour)[:3])


def test_dark_by_the_system_and_by_hand(opened: Opener) -> None:
    light, dark = opened(), opened(dark=True)
    assert ground(light) > 600
    assert ground(dark) < 150
    light.locator("#theme").click()
    assert ground(light) < 150
    # A busy browser may store the choice a moment after the next page has begun.
    for _ in range(5):
        light.reload()
        light.locator("html[data-ready]").wait_for(state="attached")
        if ground(light) < 150:
            return
    pytest.fail("the choice is forgotten")


def test_on_a_phone_nothing_is_wider_and_a_sample_fills_the_screen(opened: Opener) -> None:
    tab = opened(phone=True)
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390
    tab.locator("#row-1").tap()
    box = tab.locator("#panel").bounding_box()
    assert box is not None
    assert (box["x"], box["y"], box["width"]) == (0, 0, 390)
    assert box["height"] >= 840
    tab.get_by_role("button", name="Next sample").tap()
    expect(tab.locator("#panel")).to_contain_text("capitals-0 · 2")
    tab.get_by_role("button", name="Close").tap()
    expect(tab.locator("#panel")).to_be_hidden()


def test_in_print_the_controls_are_gone(opened: Opener) -> None:
    tab = opened()
    tab.emulate_media(media="print")
    expect(tab.locator(".headline .value")).to_be_visible()
    for gone in ("#theme", ".split", "#query"):
        expect(tab.locator(gone)).to_be_hidden()
    expect(tab.locator(".printed")).to_be_visible()
