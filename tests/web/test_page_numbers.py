"""Lists and numbers on the pages: long ones have pages of their own, and costly ones are not made for every visitor."""

from __future__ import annotations

import time
from typing import Any

from sites import Site, played, site, words
from steelyard.web.pages.remembered import Remembered

__all__ = ["site"]


def test_long_lists_have_pages(site: Site) -> None:
    _, key = site.register("Ada")
    for _ in range(51):
        site.ask("POST", f"/matches/{site.enter(key)}/abandon", key)
    first, second = site.page("/agents/Ada"), site.page("/agents/Ada?page=2")
    assert (first.count('href="/matches/'), second.count('href="/matches/')) == (50, 1)
    assert 'rel="next"' in first
    assert 'rel="prev"' in second


def test_numbers_are_made_again_when_somebody_has_played_but_slow_ones_not_at_once(
    site: Site,
) -> None:
    _, key = site.register("Ada")
    now, took = [100.0], [0.0]
    made: list[int] = []

    def count(_: Any) -> int:
        made.append(1)
        now[0] += took[0]
        return len(made)

    remembered = Remembered(clock=lambda: now[0])

    def get() -> int:
        return site.arena.database.read_now(
            lambda connection: remembered.get(connection, "count", count)
        )

    assert (get(), get()) == (1, 1)
    played(site, key, {})
    took[0] = 1.0
    assert (get(), get()) == (2, 2)
    played(site, key, {})
    assert get() == 2
    now[0] += 8.1
    assert get() == 3


def test_the_pages_count_what_was_played_since(site: Site) -> None:
    _, key = site.register("Ada")
    for number in range(1, 4):
        played(site, key, {})
        assert shows(site, "/challenges/adding", f"{number} finished match")
        assert shows(site, "/challenges", f"Finished {number} Won 0%")
    site.enter(key)
    assert shows(site, "/challenges", "1 going on")
    assert "arithmetic" in words(site.page("/"))


def shows(site: Site, path: str, text: str) -> bool:
    """Whether the page says it, at the latest when numbers that took long to count may be counted again."""
    until = time.monotonic() + 20
    while text not in words(site.page(path)):
        if time.monotonic() > until:
            return False
        time.sleep(0.1)
    return True
