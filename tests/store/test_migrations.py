"""The migrations make exactly the tables that the code reads, on both databases."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from arenas import CHALLENGE, Clock
from steelyard.arena.challenge import load_challenge
from steelyard.arena.replay import replay
from steelyard.arena.service import Arena
from steelyard.errors import DataError, StoreError
from steelyard.store.database import open_database
from steelyard.store.migrate import migrate, newest, revision
from steelyard.store.schema import META


def test_the_migrations_make_the_tables_of_the_schema(store_url: str) -> None:
    database = open_database(store_url)
    assert revision(database) is None
    assert migrate(database) == newest() == revision(database)
    with database.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), META) == []
    database.close()


def test_migrating_again_and_side_by_side_changes_nothing(store_url: str) -> None:
    databases = [open_database(store_url) for _ in range(3)]
    with ThreadPoolExecutor(3) as pool:
        assert set(pool.map(migrate, databases)) == {newest()}
    for database in databases:
        database.close()


def test_what_an_older_version_stored_can_be_played(store_url: str, clock: Clock) -> None:
    database = open_database(store_url)
    assert migrate(database, to="0001") == "0001" == revision(database)
    old = load_challenge(CHALLENGE)
    row = {
        "slug": old.slug,
        "version": 1,
        "digest": old.digest,
        "scorer": old.scorer,
        "archive": old.archive(),
        "at": 1,
    }
    stored = text(
        "INSERT INTO challenges (slug, version, digest, scorer, archive, published_at) "
        "VALUES (:slug, :version, :digest, :scorer, :archive, :at)"
    )
    database.write_now(lambda connection: connection.execute(stored, row))
    assert migrate(database) == newest()
    arena = Arena(database, clock=clock)

    async def play() -> list[dict[str, Any]]:
        agent, _ = await arena.register("ada", "", "")
        told = []
        for _ in range(2):
            match = await arena.enter(agent, old.slug, memoryless=False)
            told.append(await arena.submit(agent, match.id, b'{"answer": {"total": -1}}'))
        return told

    assert [(told["elo_before"], told["elo_after"]) for told in asyncio.run(play())] == [
        (1000, 984),
        (984, 969),
    ]
    assert database.read_now(replay).ok
    database.close()


def test_a_database_of_a_later_version_is_refused_in_one_line(store_url: str) -> None:
    database = open_database(store_url)
    migrate(database)
    database.write_now(
        lambda connection: connection.execute(
            text("UPDATE alembic_version SET version_num = '9999'")
        )
    )
    with pytest.raises(StoreError, match="another version of steelyard") as refused:
        migrate(database)
    assert "\n" not in str(refused.value)
    database.close()


@pytest.mark.parametrize(
    ("url", "wrong", "says"),
    [
        ("mysql://here/arena", DataError, "sqlite and postgresql are"),
        ("sqlite://", DataError, "needs a file"),
        ("postgresql://nobody:secret@127.0.0.1:1/arena", StoreError, r"\*\*\*"),
    ],
)
def test_a_database_that_cannot_be_opened_is_told(
    url: str, wrong: type[Exception], says: str
) -> None:
    with pytest.raises(wrong, match=says) as told:
        open_database(url)
    assert "secret" not in str(told.value)
