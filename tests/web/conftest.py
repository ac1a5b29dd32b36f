"""What the tests of the web stand on: a real server on each database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import postgres
from arenas import STORES, arena, clock, database, store_url
from servers import Server, serving

__all__ = ["arena", "clock", "database", "store_url"]


def new_store(kind: str, folder: Path) -> str:
    """The address of an empty database."""
    if kind == "sqlite":
        return f"sqlite:///{folder}/arena.db"
    if why := postgres.missing():
        pytest.skip(why)
    return postgres.fresh_database()


@pytest.fixture(scope="module", params=STORES)
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """`steelyard serve` with two workers, one for all tests of a file; rates that no test reaches by accident."""
    store = new_store(request.param, tmp_path_factory.mktemp("arena"))
    with serving(
        store,
        "--workers",
        2,
        "--address-rate",
        0,
        "--key-rate",
        0,
        "--register-rate",
        0,
        "--body-seconds",
        2,
        "--sweep-seconds",
        0.5,
    ) as running:
        yield running
