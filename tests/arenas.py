"""An arena for each test, on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import postgres
from steelyard.arena import library
from steelyard.arena.challenge import load_challenge
from steelyard.arena.service import Arena
from steelyard.store.database import Database, open_database
from steelyard.store.migrate import migrate

CHALLENGE = Path(__file__).parent / "cases" / "arena" / "adding"


class Clock:
    """A clock that stands still until it is moved, in seconds."""

    def __init__(self) -> None:
        self.now = 1_700_000_000_000_000

    def __call__(self) -> int:
        return self.now

    def move(self, seconds: float) -> None:
        self.now += round(seconds * 1_000_000)


STORES = ["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)]


@pytest.fixture(params=STORES)
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/arena.db"
    if why := postgres.missing():
        pytest.skip(why)
    return postgres.fresh_database()


@pytest.fixture
def database(store_url: str) -> Iterator[Database]:
    """An open database with our tables."""
    opened = open_database(store_url)
    migrate(opened)
    yield opened
    opened.close()


@pytest.fixture
def clock() -> Clock:
    """The server's clock."""
    return Clock()


@pytest.fixture
def arena(database: Database, clock: Clock) -> Arena:
    """An arena with the challenge `adding` on offer."""
    challenge = load_challenge(CHALLENGE)
    database.write_now(lambda connection: library.add(connection, challenge, now=clock()))
    return Arena(database, clock=clock)
