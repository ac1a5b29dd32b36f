"""The pages as they are sent: everything is text that was not drawn by us, and nothing is told that is not public."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

from challenges import ADDING, write_challenge
from sites import BROWSER, HOSTILE, NASTY, Site, changed, check, played, site, words
from steelyard.arena import library
from steelyard.arena.challenge import load_challenge
from steelyard.arena.service import Arena
from steelyard.arena.settling import Submission, accept, fail, find_match, lease

__all__ = ["site"]


def test_an_empty_arena_has_pages_that_say_so(site: Site) -> None:
    assert "No finished match counts here yet" in words(site.page("/"))
    assert "Adding" in words(site.page("/challenges"))
    assert "No match has been finished yet" in words(site.page("/challenges/adding"))
    agent, _ = site.register("Ada")
    assert "no finished match yet" in words(site.page(f"/agents/{agent}"))


def test_the_page_of_a_challenge_tells_how_hard_it_is_said_to_be(site: Site) -> None:
    assert "Difficulty contender (plays at 1,000)" in words(site.page("/challenges/adding"))


def test_whatever_an_agent_calls_itself_stays_text(site: Site) -> None:
    agent, key = site.register(HOSTILE, base_model=NASTY, harness="a harness")
    match = played(site, key, {"total": NASTY, "largest": HOSTILE}, harness_id=NASTY)
    for path in ("/", "/challenges/adding", f"/agents/{agent}", f"/matches/{match}"):
        page = site.page(path)
        assert HOSTILE in words(page)
        assert "<img" not in page
        assert "<script>" not in page
        assert "49" not in re.sub(r"[0-9a-f]{10,}", "", words(page)).split()
    assert NASTY in words(site.page(f"/agents/{agent}"))
    assert f"names the harness {NASTY!r}" in words(site.page(f"/matches/{match}"))


def test_the_page_of_a_match_tells_what_its_agent_was_told(site: Site) -> None:
    _, key = site.register("Ada")
    match = site.enter(key)
    before = words(site.page(f"/matches/{match}"))
    assert "time left 1:00" in before
    assert "not fetched" in before
    files = site.ask("GET", f"/matches/{match}/workspace", key)
    assert files
    site.clock.move(6)
    assert "time left 0:54" in words(site.page(f"/matches/{match}"))
    told = site.ask(
        "POST", f"/matches/{match}/submit", key, {"answer": {"total": 1, "largest": "x"}}
    )
    read = words(site.page(f"/matches/{match}"))
    assert "▼ loss" in read
    assert f"{told['elo_before']:,} → {told['elo_after']} −16" in read
    for name, points in told["score_breakdown"].items():
        reason = told["reasons"][name]
        assert f"{points['score']:g} × {points['weight']} = {points['weighted']:g}" in read
        assert reason[0].upper() + reason[1:] in read


@pytest.mark.parametrize("seconds", [0.004, 0.02, 7, 20])
def test_the_terms_on_the_page_of_a_match_add_up_to_its_score(
    site: Site, seconds: float, tmp_path: Path
) -> None:
    spec = json.loads((ADDING / "spec.json").read_text())
    fast = {"name": "speed", "weight": 0.15, "primitive": "time_decay", "time_limit_secs": 60}
    spec["dimensions"] = [{**spec["dimensions"][0], "weight": 0.85}, fast]
    case = {"files": {"spec.json": json.dumps(spec)}, "about": {"version": 2}}
    site.offer(load_challenge(write_challenge(tmp_path, case)))
    _, key = site.register("Ada")
    match = site.enter(key)
    site.clock.move(seconds)
    told = site.ask("POST", f"/matches/{match}/submit", key, {"answer": {"total": 0}})
    terms = re.findall(r"= ([\d,.]+)", words(site.page(f"/matches/{match}")))
    assert len(terms) == len(told["score_breakdown"])
    assert math.floor(sum(map(float, terms))) == told["score"] < 150
    speed = told["score_breakdown"]["speed"]
    assert speed["weighted"] == pytest.approx(0.15 * 1000 * (1 - seconds / 60))
    assert type(told["score_breakdown"]["correctness"]["score"]) is int


@pytest.mark.parametrize("disclosure", ["breakdown", "score"])
def test_a_page_tells_no_more_than_the_challenge_discloses(
    site: Site, arena: Arena, disclosure: str
) -> None:
    site.offer(changed(version=2, disclosure=disclosure))
    _, key = site.register("Ada")
    read = words(site.page(f"/matches/{played(site, key, {'total': 1, 'largest': 2})}"))
    assert "expected" not in read
    assert ("Why this score" in read) is (disclosure == "breakdown")
    assert ("tells the total alone" in read) is (disclosure == "score")


def test_reasons_that_would_help_in_the_next_match_are_for_the_agent_alone(site: Site) -> None:
    site.offer(changed(version=2, static=True))
    _, key = site.register("Ada")
    match = played(site, key, {"total": 1, "largest": 2})
    assert "expected" in json.dumps(site.ask("GET", f"/matches/{match}", key)["outcome"]["reasons"])
    read = words(site.page(f"/matches/{match}"))
    assert "expected" not in read
    assert "told to the agent alone" in read


def test_what_failed_on_our_side_is_no_zero(site: Site, arena: Arena) -> None:
    agent, key = site.register("Ada")
    match = site.enter(key)

    def break_down(connection: Any) -> bool:
        found = find_match(connection, match)
        assert found is not None
        sealed = Submission(body=b"{}", digest="-", at=site.clock())
        return (
            accept(connection, found, sealed)
            and lease(connection, match, "me", site.clock())
            and fail(
                connection, match, holder="me", why="a secret of the evaluator", now=site.clock()
            )
        )

    assert arena.database.write_now(break_down)
    read = words(site.page(f"/matches/{match}"))
    assert "Score – not scored" in read
    assert "never becomes a zero" in read
    assert "a secret of the evaluator" not in read
    assert "failed – –" in words(site.page(f"/agents/{agent}"))


@pytest.mark.parametrize("state", ["expired", "abandoned"])
def test_a_match_that_nobody_submitted_to_says_why_it_is_a_loss(site: Site, state: str) -> None:
    _, key = site.register("Ada")
    match = site.enter(key)
    if state == "abandoned":
        site.ask("POST", f"/matches/{match}/abandon", key)
    else:
        site.clock.move(61)
        site.enter(key)
    read = words(site.page(f"/matches/{match}"))
    assert f"Score 0 ▼ loss {state}" in read
    assert ("before the deadline" in read) is (state == "expired")


def test_what_a_live_page_asks_for_changes_with_the_match(site: Site) -> None:
    _, key = site.register("Ada")
    match = site.enter(key)

    def live() -> Any:
        told = site.client.get(f"/matches/{match}/live")
        assert told.headers["cache-control"] == "no-store"
        return told.json()

    first = live()
    assert (first["state"], first["seconds_left"]) == ("active", 60)
    site.clock.move(10.5)
    assert live() == {**first, "seconds_left": 49.5}
    site.ask("GET", f"/matches/{match}/workspace", key)
    fetched = live()
    assert fetched["tag"] != first["tag"]
    site.ask("POST", f"/matches/{match}/submit", key, {"answer": {}})
    assert (live()["state"], live()["seconds_left"]) == ("completed", 0)
    assert live()["tag"] not in {first["tag"], fetched["tag"]}
    assert f'data-tag="{live()["tag"]}"' in site.page(f"/matches/{match}")


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/nowhere", 404),
        ("/agents/nobody", 404),
        ("/matches/m_0", 404),
        ("/challenges/none", 404),
        ("/?page=0", 422),
        ("/?verified=perhaps", 422),
        ("/challenges/..%2f..%2fetc", 404),
        ("/agents/%3Cscript%3E", 404),
        ("/assets/arena.css", 404),
        ("/assets/..%2f..%2fapp.py", 404),
        (f"/?category={'x' * 101}", 422),
        ("/?category=%00", 422),
    ],
)
def test_an_address_that_leads_nowhere_says_so_on_a_page(
    site: Site, path: str, status: int
) -> None:
    assert "<h1>" in site.page(path, status)


def test_a_program_is_told_in_json(site: Site) -> None:
    for path, accept_ in (("/nowhere", "*/*"), ("/api/v1/nowhere", "text/html")):
        told = site.client.get(path, headers={"Accept": accept_})
        assert (told.status_code, told.json()["ok"]) == (404, False)


def test_a_category_in_the_address_stays_text(site: Site) -> None:
    page = site.client.get("/", params={"category": NASTY}, headers=BROWSER).text
    check(page)
    assert NASTY in words(page)
    assert "49" not in words(page).split()


def test_files_are_kept_for_ever_and_pages_are_not(site: Site) -> None:
    page = site.client.get("/", headers=BROWSER)
    assert page.headers["cache-control"] == "no-cache"
    assert "unsafe" not in page.headers["content-security-policy"]
    addresses = re.findall(r'"(/assets/[^"]+)"', page.text)
    assert len(addresses) == 3
    for address in addresses:
        told = site.client.get(address)
        assert (told.status_code, "immutable" in told.headers["cache-control"]) == (200, True)
        assert not re.search(rb"https?://(?!www\.w3\.org/2000/svg)", told.content)


def test_nothing_of_earlier_matches_is_handed_out_while_an_agent_plays_memoryless(
    site: Site,
) -> None:
    _, key = site.register("Ada")
    earlier = played(site, key, {"total": 1, "largest": 2})
    assert "expected" in words(site.page(f"/matches/{earlier}"))
    now = site.ask("POST", "/matches/enter", key, {"challenge_slug": "adding", "memoryless": True})[
        "match_id"
    ]
    read = words(site.page(f"/matches/{earlier}"))
    assert "expected" not in read
    assert "Why this score" not in read
    assert site.ask("GET", f"/matches/{earlier}", key)["outcome"] is None
    site.ask("POST", f"/matches/{now}/abandon", key)
    assert "expected" in words(site.page(f"/matches/{earlier}"))
    assert site.ask("GET", f"/matches/{earlier}", key)["outcome"]["reasons"]


def test_a_submission_that_is_being_scored_is_safe_and_has_no_score_yet(
    site: Site, arena: Arena
) -> None:
    _, key = site.register("Ada")
    match = site.enter(key)
    sealed = Submission(body=b"{}", digest="-", at=site.clock())
    assert arena.database.write_now(
        lambda connection: accept(connection, find_match(connection, match), sealed)
    )
    page = site.page(f"/matches/{match}")
    assert "evaluating The submission is safe" in words(page)
    assert f'data-live="/matches/{match}/live"' in page
    assert site.client.get(f"/matches/{match}/live").json()["state"] == "evaluating"


def test_a_challenge_that_was_retired_keeps_its_page(site: Site, arena: Arena) -> None:
    arena.database.write_now(
        lambda connection: library.retire(connection, "adding", now=site.clock())
    )
    read = words(site.page("/challenges/adding"))
    assert "retired" in read
    assert "steelyard arena enter" not in read
    assert "Nothing is on offer" in words(site.page("/challenges"))
