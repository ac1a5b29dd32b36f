"""The migrations make exactly the tables that the code reads, on both databases."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

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


def test_a_database_of_a_later_version_is_refused_in_one_line(store_url: str) -> None:
    database = open_database(store_url)
    migrate(database)
    database.write_now(
        lambda connection: connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
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
def test_a_database_that_cannot_be_opened_is_told(url: str, wrong: type[Exception], says: str) -> None:
    with pytest.raises(wrong, match=says) as told:
        open_database(url)
    assert "secret" not in str(told.value)
