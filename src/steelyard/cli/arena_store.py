"""The store of an arena, opened by a command of its operator."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from steelyard.errors import DataError, EngineError, StoreError

if TYPE_CHECKING:
    from steelyard.store.database import Database


@contextmanager
def needed() -> Iterator[None]:
    """Where something of the arena's extra is imported: what is missing is one line that says what to install."""
    try:
        yield
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] == "steelyard":
            raise
        raise EngineError(
            f"the arena needs {missing.name}: pip install 'steelyard[arena]'"
        ) from missing


@contextmanager
def opened(store: str) -> Iterator[Database]:
    """The database, if there is an arena of this version in it; none is made by accident."""
    with needed():
        from steelyard.store.database import open_database
        from steelyard.store.migrate import newest, revision
    if "://" not in store and not Path(store).expanduser().exists():
        raise DataError("there is no such file; `steelyard serve` makes one", file=store)
    database = open_database(store)
    try:
        if (found := revision(database)) is None:
            raise DataError("there is no arena in this database", file=store)
        if found != newest():
            raise StoreError(
                "the database is of another version; `steelyard serve` brings it up to this one"
            )
        yield database
    finally:
        database.close()
