"""The pages as they are sent: everything is text that was not drawn by us, and nothing is told that is not public."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import msgspec
import pytest
from litestar.testing import TestClient

from arenas import Clock
from steelyard.arena import library
from steelyard.arena.challenge import Challenge, load_challenge
from steelyard.arena.service import Arena
from steelyard.arena.settling import Submission, accept, fail, find_match, lease
from steelyard.web.app import guarded
from steelyard.web.settings import Settings

HOSTILE = "<img src=x onerror=alert(1)>"
NASTY = '"><script>alert(2)</script>{{ 7*7 }}'
FREE = Settings(store="", address_rate=0, key_rate=0, register_rate=0, sweep_seconds=1000)
BROWSER = {"Accept": "text/html,application/xhtml+xml"}


class Site:
    """The pages, and agents that fill them."""

    def __init__(self, client: TestClient[Any], arena: Arena, clock: Clock) -> None:
        self.client, self.arena, self.clock = client, arena, clock

    def register(self, name: str, **about: str) -> tuple[str, str]:
        told = self.client.post("/api/v1/agents/register", json={"name": name, **about})
        assert told.status_code == 201, told.text
        return told.json()["data"]["agent_id"], told.json()["data"]["api_key"]

    def ask(self, method: str, path: str, key: str, body: Any = None) -> Any:
        told = self.client.request(method, f"/api/v1{path}", json=body, headers={"Authorization": f"Bearer {key}"})
        assert told.status_code < 300, told.text
        return told.json()["data"] if "json" in told.headers["content-type"] else told.content

    def enter(self, key: str, slug: str = "adding") -> str:
        return str(self.ask("POST", "/matches/enter", key, {"challenge_slug": slug})["match_id"])

    def page(self, path: str, status: int = 200) -> str:
        told = self.client.get(path, headers=BROWSER)
        assert told.status_code == status, told.text
        assert told.headers["content-type"] == "text/html; charset=utf-8"
        check(told.text)
        return told.text

    def offer(self, challenge: Challenge) -> None:
        self.arena.database.write_now(lambda connection: library.add(connection, challenge, now=self.clock()))


class Checked(HTMLParser):
    """Finds what a page of ours never has: scripts and styles inside it, handlers, addresses elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.wrong: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        if tag in {"img", "iframe", "object", "style", "base"} or (tag == "script" and "src" not in told):
            self.wrong.append(f"<{tag}>")
        self.wrong += [f"{tag} {name}" for name in told if name.startswith("on") or name == "style"]
        for name in ("src", "href", "action"):
            if name in told and not re.match(r"(/(?!/)|#)", told[name] or ""):
                self.wrong.append(f"{tag} {name}={told[name]}")


def check(page: str) -> None:
    parser = Checked()
    parser.feed(page)
    assert not parser.wrong


def words(page: str) -> str:
    """What is read on the page."""
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", " ", page)))


@pytest.fixture
def site(arena: Arena, clock: Clock) -> Iterator[Site]:
    with TestClient(guarded(arena, FREE)) as client:
        yield Site(client, arena, clock)


def played(site: Site, key: str, answer: Any, **metadata: Any) -> str:
    match = site.enter(key)
    site.ask("GET", f"/matches/{match}/workspace", key)
    site.clock.move(6)
    site.ask("POST", f"/matches/{match}/submit", key, {"answer": answer, "metadata": metadata})
    return match


def test_an_empty_arena_has_pages_that_say_so(site: Site) -> None:
    assert "No finished match counts here yet" in words(site.page("/"))
    assert "Adding" in words(site.page("/challenges"))
    assert "No match has been finished yet" in words(site.page("/challenges/adding"))
    agent, _ = site.register("Ada")
    assert "no finished match yet" in words(site.page(f"/agents/{agent}"))


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
    told = site.ask("POST", f"/matches/{match}/submit", key, {"answer": {"total": 1, "largest": "x"}})
    read = words(site.page(f"/matches/{match}"))
    assert "▼ loss" in read
    assert f"{told['elo_before']:,} → {told['elo_after']} −16" in read
    for name, points in told["score_breakdown"].items():
        reason = told["reasons"][name]
        assert f"{points['score']:g} × {points['weight']} = {points['weighted']:g}" in read
        assert reason[0].upper() + reason[1:] in read


@pytest.mark.parametrize("disclosure", ["breakdown", "score"])
def test_a_page_tells_no_more_than_the_challenge_discloses(site: Site, arena: Arena, disclosure: str) -> None:
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
        return (accept(connection, found, sealed) and lease(connection, match, "me", site.clock())
                and fail(connection, match, holder="me", why="a secret of the evaluator", now=site.clock()))  # fmt: skip

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
        ("/nowhere", 404), ("/agents/nobody", 404), ("/matches/m_0", 404), ("/challenges/none", 404), ("/?page=0", 422),
        ("/?verified=perhaps", 422), ("/challenges/..%2f..%2fetc", 404), ("/agents/%3Cscript%3E", 404),
        ("/assets/arena.css", 404), ("/assets/..%2f..%2fapp.py", 404), (f"/?category={'x' * 101}", 422), ("/?category=%00", 422),
    ],
)  # fmt: skip
def test_an_address_that_leads_nowhere_says_so_on_a_page(site: Site, path: str, status: int) -> None:
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


def test_long_lists_have_pages(site: Site) -> None:
    _, key = site.register("Ada")
    for _ in range(51):
        site.ask("POST", f"/matches/{site.enter(key)}/abandon", key)
    first, second = site.page("/agents/Ada"), site.page("/agents/Ada?page=2")
    assert (first.count('href="/matches/'), second.count('href="/matches/')) == (50, 1)
    assert 'rel="next"' in first
    assert 'rel="prev"' in second


def changed(**about: Any) -> Challenge:
    """The challenge of the tests, with other lines in its challenge.toml."""
    from arenas import CHALLENGE

    base = load_challenge(CHALLENGE)
    lines = [line for line in base.files["challenge.toml"].decode().splitlines() if line.partition(" ")[0] not in about]
    lines += [f"{name} = {json.dumps(value)}" for name, value in about.items()]
    files = {**base.files, "challenge.toml": "\n".join(lines).encode()}
    return msgspec.structs.replace(base, about=msgspec.structs.replace(base.about, **about), files=files)
