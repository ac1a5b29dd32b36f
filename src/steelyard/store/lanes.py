"""Threads that keep a connection to a server of databases each.

Taking a connection out of a pool, and beginning and ending a transaction on it, takes longer than most statements.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from steelyard.errors import StoreError
from steelyard.store.promises import is_wanted, tell
from steelyard.store.writer import attempted

T = TypeVar("T")
_Job = tuple[
    Callable[[Connection], Any], asyncio.Future[Any]
]  # what is asked, and who waits for it


class _Kept:
    """A connection without transactions, opened when it is needed and let go of when it is lost."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._connection: Connection | None = None
        self.errors: tuple[type[Exception], ...] = (
            SQLAlchemyError,
            engine.dialect.loaded_dbapi.Error,
        )

    def get(self) -> Connection:
        if self._connection is None:
            self._connection = self._engine.connect()
        return self._connection

    def look_after(self) -> None:
        """Let go of a connection that is lost. After a statement that merely failed it is as good as before."""
        connection = self._connection
        if connection is not None and (connection.invalidated or _is_closed(connection)):
            self.let_go()

    def let_go(self) -> None:
        if self._connection is not None:
            self._connection.invalidate()  # it is as we have set it, or broken: nobody else should have it
            self._connection.close()
            self._connection = None


def _is_closed(connection: Connection) -> bool:
    return bool(getattr(connection.connection.driver_connection, "closed", True))


class Lane:
    """For what one statement finds. Where the database fails, the work is handed to `again`, which tries it in its own way."""

    def __init__(
        self, engine: Engine, threads: int, again: Callable[[Callable[[Connection], Any]], Any]
    ) -> None:
        self._engine, self._again = engine, again
        self._waiting: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._closed = False
        self._taking_in = (
            threading.Lock()
        )  # nothing is put behind what ends the threads: nobody would find it there
        self._threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(threads)]
        for thread in self._threads:
            thread.start()

    async def run(self, work: Callable[[Connection], T]) -> T:
        """What the work gives."""
        promise: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        with self._taking_in:
            if self._closed:
                raise StoreError("the database is closed")
            self._waiting.put((work, promise))
        return await promise

    def close(self) -> None:
        """Finish what was taken in, and end the threads."""
        with self._taking_in:
            self._closed = True
            for _ in self._threads:
                self._waiting.put(None)
        for thread in self._threads:
            thread.join()

    def _serve(self) -> None:
        kept = _Kept(self._engine)
        while (job := self._waiting.get()) is not None:
            work, promise = job
            if is_wanted(promise):
                tell([(promise, *attempted(self._once, kept, work))])
        kept.let_go()

    def _once(self, kept: _Kept, work: Callable[[Connection], T]) -> T:
        try:
            return work(kept.get())
        except kept.errors:
            kept.look_after()
            again: T = self._again(work)
            return again
