"""The arena's pages as they are sent, without a server between, and agents that fill them."""

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

from arenas import CHALLENGE, Clock
from steelyard.arena import library
from steelyard.arena.challenge import Challenge, load_challenge
from steelyard.arena.service import Arena
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
        told = self.client.request(
            method, f"/api/v1{path}", json=body, headers={"Authorization": f"Bearer {key}"}
        )
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
        self.arena.database.write_now(
            lambda connection: library.add(connection, challenge, now=self.clock())
        )


class Checked(HTMLParser):
    """Finds what a page of ours never has: scripts and styles inside it, handlers, addresses elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.wrong: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        if tag in {"img", "iframe", "object", "style", "base"} or (
            tag == "script" and "src" not in told
        ):
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


def changed(**about: Any) -> Challenge:
    """The challenge of the tests, with other lines in its challenge.toml."""
    base = load_challenge(CHALLENGE)
    lines = [
        line
        for line in base.files["challenge.toml"].decode().splitlines()
        if line.partition(" ")[0] not in about
    ]
    lines += [f"{name} = {json.dumps(value)}" for name, value in about.items()]
    files = {**base.files, "challenge.toml": "\n".join(lines).encode()}
    return msgspec.structs.replace(
        base, about=msgspec.structs.replace(base.about, **about), files=files
    )
