"""Bringing a database to the tables of this version."""

from __future__ import annotations

import importlib.resources
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import SQLAlchemyError

from steelyard.errors import StoreError
from steelyard.store.database import Database
from steelyard.store.promises import told

if TYPE_CHECKING:
    from alembic.config import Config

# Only one process migrates at a time; the others wait, and then find nothing to do.
_LOCK = 7_232_665_141


def migrate(database: Database, *, to: str = "head") -> str:
    """Run the migrations that this database lacks, up to that revision; the revision that it has then."""
    try:
        with database.engine.connect() as connection:
            _lock(connection, embedded=database.embedded)
            found = _upgrade(connection, to)
            connection.exec_driver_sql("COMMIT") if database.embedded else connection.commit()
            return found
    except SQLAlchemyError as failed:
        raise told(failed) from failed


def revision(database: Database) -> str | None:
    """The revision that the database has; None where it has no tables of ours."""
    with database.engine.connect() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return None
        return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def newest() -> str:
    """The revision that this version of the package wants."""
    from alembic.script import ScriptDirectory

    return str(ScriptDirectory.from_config(_config()).get_current_head())


def _lock(connection: Connection, *, embedded: bool) -> None:
    if embedded:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})


def _upgrade(connection: Connection, to: str) -> str:
    from alembic import command
    from alembic.util import CommandError

    config = _config()
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, to)
    except CommandError as wrong:
        raise StoreError(f"the database is of another version of steelyard: {wrong}") from wrong
    return newest() if to == "head" else to


def _config() -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option(
        "script_location", str(importlib.resources.files("steelyard.store") / "migrations")
    )
    return config
