"""Runs that are not as runs usually are: nothing scored, one sample, many categories, measured times."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser.conftest import Opener
from report.made import sample, told
from steelyard.report.page import PageOptions, write_told

pytestmark = pytest.mark.slow

NONE = {
    "value": None,
    "ci_lower": None,
    "ci_upper": None,
    "interval": None,
    "total": 3,
    "scored": 0,
    "pending": 1,
    "unscored": 2,
    "correct": 0,
    "accuracy": None,
    "worst": 0.0,
    "best": 1.0,
}


def test_nothing_is_scored(opened: Opener, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    rows = [
        sample(
            n,
            status="unscored" if n else "pending",
            value=None,
            correct=False,
            response=None,
            span=None,
            extracted=None,
            error="no route",
            error_kind="connection",
            failure="model_error",
        )
        for n in range(3)
    ]
    coverage = {"reasons": {"the model did not answer": 2}, "truncated": 0}
    with page.open("wb") as out:
        write_told(
            told(3, headline=NONE, coverage=coverage, categories={"unknown": NONE}),
            rows,
            out,
            PageOptions(),
        )
    tab = opened("#sample=1.0", page=page)
    expect(tab.locator(".headline .value")).to_have_text("–")
    expect(tab.locator(".headline")).to_contain_text("0.000 to 1.000")
    expect(tab.locator("#outcomes button")).to_have_count(3)
    expect(tab.locator("#panel")).to_contain_text("connection: no route")


def test_one_sample_without_a_category_whose_text_is_empty(opened: Opener, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    rows = [
        sample(0, response="", target="", span=None, extracted=None, category=None, messages=())
    ]
    with page.open("wb") as out:
        write_told(told(1), rows, out, PageOptions())
    tab = opened("#sample=0.0", page=page)
    expect(tab.locator("#category-pick")).to_be_hidden()
    expect(tab.locator("#panel")).to_be_visible()


def test_more_categories_than_are_drawn(opened: Opener, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    about = told(200)
    head = about.results["headline"]
    groups = {f"a rather long name of a category, number {n}": head for n in range(200)}
    rows = (sample(n, category=name) for n, name in enumerate(groups))
    with page.open("wb") as out:
        write_told(told(200, categories=groups), rows, out, PageOptions())
    tab = opened(page=page, phone=True)
    expect(tab.get_by_text("The first 60 of 200 categories")).to_be_visible()
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390
    tab.select_option("#category", "a rather long name of a category, number 150")
    expect(tab.locator("#found")).to_have_text("1 of 200")


def test_a_very_long_name_of_a_category_is_cut_and_fits(opened: Opener, tmp_path: Path) -> None:
    page, name = tmp_path / "report.html", "x" * 5000
    about = told(2)
    groups = {name: about.results["headline"], "all": about.results["headline"]}
    with page.open("wb") as out:
        write_told(
            told(2, categories=groups),
            [sample(0, category=name), sample(1, category="all")],
            out,
            PageOptions(),
        )
    tab = opened("#sample=0.0", page=page)
    expect(tab.locator("table.plotted th", has_text="xxx")).to_have_text("x" * 79 + "…")
    assert tab.locator("#panel").evaluate("(panel) => panel.scrollWidth - panel.clientWidth") == 0
    tab.goto(page.as_uri() + "#category=all")
    expect(tab.locator("#found")).to_have_text("1 of 2")


def test_an_address_that_names_nothing_shows_everything(opened: Opener, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    with page.open("wb") as out:
        write_told(told(3), [sample(n) for n in range(3)], out, PageOptions())
    tab = opened("#filter=__proto__&sort=toString&sample=constructor", page=page)
    expect(tab.locator("#found")).to_have_text("3 of 3")
    expect(tab.locator("#panel")).to_be_hidden()


def test_measured_times_have_a_chart_and_a_column(opened: Opener, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    rows = (sample(n, seconds=1.5 + n) for n in range(40))
    with page.open("wb") as out:
        write_told(told(40), rows, out, PageOptions(timings=True))
    tab = opened("#sort=-seconds", page=page)
    expect(tab.get_by_role("heading", name="Latency")).to_be_visible()
    expect(tab.locator(".body .c-seconds").first).to_have_text("40.500")
    expect(tab.locator(".head .c-seconds")).to_have_attribute("aria-sort", "descending")
