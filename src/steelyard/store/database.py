"""A database, opened by its URL, and how transactions run in it.

A transaction is a function of a connection. `Database.write` runs it so that it is durable when the caller goes on, and
whatever it raises has changed nothing. In SQLite one thread writes, and transactions that wait at the same time share one
commit, each inside a savepoint of its own; in PostgreSQL each has a connection of its own, and the server does the rest; what
is asked all the time is gathered there into one statement for many.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, OperationalError, ProgrammingError, SQLAlchemyError
from sqlalchemy.pool import QueuePool

from steelyard.errors import DataError, StoreError
from steelyard.store.gathering import Gathering, Steps
from steelyard.store.lanes import Lane
from steelyard.store.promises import told
from steelyard.store.writer import GroupWriter

A = TypeVar("A")
T = TypeVar("T")
Transaction = Callable[[Connection], T]

_READERS, _WRITERS = 4, 8
_BUSY = 30.0
# A server that cannot be reached, or is gone without a word, is found out in seconds; an address may say otherwise.
_FOUND_OUT = {
    "connect_timeout": 10,
    "tcp_user_timeout": 20_000,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
}
_TRIES = 5
# PostgreSQL: serialisation failure, deadlock, a number that somebody else took. Nothing has happened: it may be tried again.
_AGAIN = {"40001", "40P01", "23505"}
# A database that keeps bytes of which nobody knows what they mean; the driver gives them back as bytes.
_NO_ENCODING = "SQL_ASCII"
_NO_TEXTS = (
    f"the database has the encoding {_NO_ENCODING}, in which texts are not kept safely; "
    "make another one: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0"
)
_PASSWORD = re.compile(r"(://[^/]*:)[^/]*(?=@)")


class Database:
    """An open database; `close` ends its threads and connections."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.embedded = engine.dialect.name == "sqlite"
        # A query needs no transaction around it: that would be two more ways to the server and back.
        self._looking = (
            engine.execution_options(isolation_level="AUTOCOMMIT") if not self.embedded else engine
        )
        self._errors: tuple[type[Exception], ...] = (
            SQLAlchemyError,
            engine.dialect.loaded_dbapi.Error,
        )
        self._readers = ThreadPoolExecutor(_READERS, "steelyard-read")
        self._writers = None if self.embedded else ThreadPoolExecutor(_WRITERS, "steelyard-write")
        self._group = GroupWriter(engine) if self.embedded else None
        self._glancing: Connection | None = None
        self._lane = None if self.embedded else Lane(engine, _READERS, self._tried)
        self._gatherings: list[Gathering[Any, Any]] = []

    async def write(self, transaction: Transaction[T]) -> T:
        """Run the transaction; when this returns, it is on disk."""
        if self._group is not None:
            return await self._group.write(transaction)
        return await asyncio.wrap_future(self.submit(transaction))

    def gathering(self, many: Callable[[list[A]], Steps[T]], at_once: int = 1) -> Gathering[A, T]:
        """One statement for all who ask at the same time, durable when they are answered; not for SQLite, which has no way
        to a server that could be saved."""
        made = Gathering(self.engine, many, at_once)
        self._gatherings.append(made)
        return made

    async def read(self, query: Transaction[T]) -> T:
        """Run a query that changes nothing."""
        return await asyncio.wrap_future(_handed(self._readers, self.read_now, query))

    async def glance(self, query: Transaction[T]) -> T:
        """Run a query that finds a few rows by their keys: in SQLite here and now, since handing it over takes longer.

        To be called from one loop only.
        """
        if self._lane is not None:
            return await self._lane.run(query)
        try:
            if self._glancing is None:
                self._glancing = self.engine.connect()
            return query(self._glancing)
        except self._errors as failed:
            self._stop_glancing()
            raise told(failed) from failed

    def write_now(self, transaction: Transaction[T]) -> T:
        """Run the transaction from code that is not async."""
        return self.submit(transaction).result()

    def read_now(self, query: Transaction[T]) -> T:
        """Run the query from code that is not async."""
        return self._tried(query, self._looking)

    def submit(self, transaction: Transaction[T]) -> Future[T]:
        """Hand the transaction to those who write."""
        if self._group is not None:
            return self._group.submit(transaction)
        assert self._writers is not None
        return _handed(self._writers, self._tried, transaction)

    def check_writing(self) -> None:
        """A StoreError where nobody is left who writes."""
        if self._group is not None and not self._group.is_open():
            raise told("it has stopped writing")

    def close(self) -> None:
        """Finish what was handed in, and let go of the database."""
        for threads in (
            *self._gatherings,
            self._lane,
        ):  # first: whom these have nothing for, goes to those who write
            if threads is not None:
                threads.close()
        if self._group is not None:
            self._group.close()
        if self._writers is not None:
            self._writers.shutdown()
        self._readers.shutdown()
        self._stop_glancing()
        self.engine.dispose()

    def _tried(self, work: Transaction[T], engine: Engine | None = None) -> T:
        """What the work gives, committed; tried again where nothing can have happened yet."""
        place = engine or self.engine
        try:
            for _ in range(_TRIES - 1):
                with contextlib.suppress(_AgainError):
                    return self._once(place, work)
            return self._once(place, work)
        except _AgainError as failed:
            raise told(failed) from failed
        except self._errors as failed:
            raise told(failed) from failed

    def _once(self, engine: Engine, work: Transaction[T]) -> T:
        with engine.connect() as connection:
            connection.begin()  # said, since a prepared statement goes past those who would begin by themselves
            try:
                value = work(connection)
            except self._errors as failed:
                if self._lost(connection) or _state(failed) in _AGAIN:
                    raise _AgainError(failed) from failed
                raise
            connection.commit()
            return value

    def _lost(self, connection: Connection) -> bool:
        """Whether the server is no longer at the other end. What else waits in the pool is as old, and is let go of too."""
        if not connection.invalidated and not getattr(
            connection.connection.driver_connection, "broken", False
        ):
            return False
        connection.invalidate()
        self.engine.dispose(close=False)
        return True

    def _stop_glancing(self) -> None:
        if self._glancing is not None:
            self._glancing.close()
            self._glancing = None


class _AgainError(Exception):
    """Nothing has happened, and the same may be tried again."""

    def __init__(self, failed: Exception) -> None:
        super().__init__(str(failed))
        self.orig = getattr(failed, "orig", None) or failed


def _handed(pool: ThreadPoolExecutor, work: Callable[..., T], *arguments: Any) -> Future[T]:
    """The work, handed to the pool; a StoreError where that has ended."""
    try:
        return pool.submit(work, *arguments)
    except RuntimeError as refused:
        raise told(refused) from refused


def _state(failed: Exception) -> str | None:
    return getattr(getattr(failed, "orig", None) or failed, "sqlstate", None)


def open_database(url: str) -> Database:
    """The database at ``sqlite:///file`` (or just a path) or ``postgresql://…``; one that is not there is a StoreError."""
    place = _read_url(url)
    engine = _sqlite(place) if place.get_backend_name() == "sqlite" else _postgresql(place)
    try:
        with engine.connect():
            pass
    except StoreError as failed:
        engine.dispose()
        raise StoreError(f"{place.render_as_string(hide_password=True)}: {failed}") from failed
    except (
        OperationalError,
        ProgrammingError,
    ) as failed:  # the latter for an option that there is not
        engine.dispose()
        raise StoreError(
            f"{place.render_as_string(hide_password=True)}: {str(failed.orig).splitlines()[0]}"
        ) from failed
    return Database(engine)


def _read_url(url: str) -> URL:
    if "://" not in url:
        return URL.create("sqlite", database=str(Path(url).expanduser()))
    try:
        place = make_url(url)
    except (ArgumentError, ValueError):  # the latter for a port that is no number
        raise DataError(
            "is no address of a database; sqlite:///FILE or postgresql://… is needed",
            file=_PASSWORD.sub(r"\1***", url),
        ) from None
    backend = place.get_backend_name()
    if backend not in {"sqlite", "postgresql"}:
        raise DataError(
            f"{backend!r} is not known; sqlite and postgresql are", file=place.render_as_string()
        )
    return place.set(drivername="postgresql+psycopg") if backend == "postgresql" else place


def _sqlite(place: URL) -> Engine:
    if not place.database or place.database == ":memory:":
        raise DataError(
            "an arena needs a file: in memory nothing would outlive the process", file=str(place)
        )
    Path(place.database).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(
        place,
        poolclass=QueuePool,
        pool_size=_READERS + 2,
        connect_args={"check_same_thread": False, "timeout": _patience(place)},
    )
    event.listen(engine, "connect", _prepare_sqlite)
    return engine


def _patience(place: URL) -> float:
    """For how many seconds a store that somebody else has locked is waited for."""
    given = place.query.get("timeout", _BUSY)
    try:
        return max(0.0, float(str(given)))
    except ValueError:
        raise DataError(
            f"timeout={given} is no number of seconds", file=place.render_as_string()
        ) from None


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # transactions are begun by us, and at once
    for setting in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {setting}")


def _postgresql(place: URL) -> Engine:
    unsaid = {name: value for name, value in _FOUND_OUT.items() if name not in place.query}
    try:
        engine = create_engine(
            place, pool_size=2 * (_READERS + _WRITERS), max_overflow=2, connect_args=unsaid
        )
    except ModuleNotFoundError as missing:
        raise StoreError("PostgreSQL needs psycopg: pip install 'steelyard[postgres]'") from missing
    event.listen(
        engine, "connect", _refuse_bytes, insert=True
    )  # before anybody asks the server for a text
    return engine


def _refuse_bytes(connection: Any, _record: Any) -> None:
    if connection.info.parameter_status("server_encoding") == _NO_ENCODING:
        connection.close()
        raise StoreError(_NO_TEXTS)
