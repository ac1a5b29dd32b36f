"""What a screen reader, or a reader with poor sight, would stumble over: axe-core finds nothing serious."""

from __future__ import annotations

from itertools import product

import pytest
from axe_playwright_python.sync_playwright import Axe

from browser.conftest import Opener

pytestmark = pytest.mark.slow

STATES = ["", "#filter=wrong&sample=0.0", "#sample=30.0", "#q=no+such+words"]


@pytest.mark.parametrize(
    ("state", "dark", "phone"),
    [*product(STATES, (False, True), (False,)), ("", False, True), ("#sample=27.0", True, True)],
)
def test_axe_finds_nothing_serious(opened: Opener, state: str, dark: bool, phone: bool) -> None:
    tab = opened(state, dark=dark, phone=phone)
    tab.locator("html[data-searchable]").wait_for(state="attached")
    tab.evaluate("for (const folded of document.querySelectorAll('details')) folded.open = true")
    found = Axe().run(tab).response["violations"]
    told = [
        f"{one['id']} ({one['impact']}): {node['html'][:200]}: {node.get('failureSummary', '')}"
        for one in found
        for node in one["nodes"]
    ]
    assert not told, "\n".join(told)


def test_the_table_tells_how_many_rows_it_has(opened: Opener) -> None:
    tab = opened()
    table = tab.get_by_role("grid", name="Samples")
    assert int(table.get_attribute("aria-rowcount") or 0) == 103
    assert tab.locator("#row-4").get_attribute("aria-rowindex") == "6"


def test_each_chart_has_a_name_and_a_description(opened: Opener) -> None:
    tab = opened()
    for chart in tab.locator("svg[role=img]").all():
        names = (chart.get_attribute("aria-labelledby") or "").split()
        assert names
        assert all(tab.locator(f"#{name}").text_content() for name in names)
