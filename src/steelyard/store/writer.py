"""One thread that writes: transactions that wait at the same time share one commit.

A commit waits for the disk, and the disk takes as long for one as for fifty. Each transaction runs inside a savepoint, so
one that raises leaves the others alone; nobody is answered before the commit that holds its work is on disk.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from steelyard.errors import StoreError
from steelyard.store.promises import Answer, Promise, failed, is_wanted, tell

T = TypeVar("T")
_Work = tuple[Callable[[Connection], Any], Promise]
_Errors = (
    SQLAlchemyError,
    sqlite3.Error,
    MemoryError,
)  # the last is how SQLite's driver says that SQLite has none left
_MOST_TOGETHER = 128


class GroupWriter:
    """The thread and its queue."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._waiting: queue.SimpleQueue[_Work | None] = queue.SimpleQueue()
        self._closed = False
        self._taking_in = (
            threading.Lock()
        )  # nothing is put behind what ends the thread: nobody would find it there
        self._connection: Connection | None = None
        self._thread = threading.Thread(target=self._run, name="steelyard-writer", daemon=True)
        self._thread.start()

    def submit(self, transaction: Callable[[Connection], T]) -> Future[T]:
        """Take the transaction in; the future ends when it is on disk."""
        future: Future[T] = Future()
        self._take(transaction, future)
        return future

    async def write(self, transaction: Callable[[Connection], T]) -> T:
        """The same for a loop, which is woken once for all that was committed together."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._take(transaction, future)
        return await future

    def _take(self, transaction: Callable[[Connection], Any], promise: Promise) -> None:
        with self._taking_in:
            if self._closed:
                raise StoreError("the database is closed")
            self._waiting.put((transaction, promise))

    def is_open(self) -> bool:
        """Whether there is somebody who takes in and writes."""
        return not self._closed and self._thread.is_alive()

    def close(self) -> None:
        """Finish what was taken in, and end the thread."""
        with self._taking_in:
            if not self._closed:
                self._closed = True
                self._waiting.put(None)
        self._thread.join()

    def _run(self) -> None:
        try:
            while (first := self._waiting.get()) is not None:
                group, ended = self._gather(first)
                self._commit(group)
                if ended:
                    break
        finally:
            with self._taking_in:
                self._closed = True
            try:
                self._let_go()
            finally:
                self._tell_the_rest()

    def _gather(self, first: _Work) -> tuple[list[_Work], bool]:
        group, ended = [first], False
        with contextlib.suppress(queue.Empty):
            while len(group) < _MOST_TOGETHER and not ended:
                work = self._waiting.get_nowait()
                if work is None:
                    ended = True
                else:
                    group.append(work)
        # From here on nobody can withdraw what was handed in.
        return [work for work in group if is_wanted(work[1])], ended

    def _commit(self, group: list[_Work]) -> None:
        """Run the group in one transaction, and answer when it is on disk."""
        promises = [promise for _, promise in group]
        answers = failed(
            promises, "it has stopped writing"
        )  # what is told where none of the lines below comes to its end
        try:
            if self._connection is None:
                self._connection = self._engine.connect()
            driver: Any = self._connection.connection.driver_connection
            driver.execute("BEGIN IMMEDIATE")
            done = [_one(self._connection, driver, *work) for work in group]
            driver.execute("COMMIT")
            answers = done
        except _Errors as wrong:
            self._let_go()
            answers = failed(promises, wrong)
        finally:
            tell(answers)

    def _let_go(self) -> None:
        """Close the connection, and with it whatever it had not committed."""
        if self._connection is not None:
            self._connection.invalidate()
            self._connection.close()
            self._connection = None

    def _tell_the_rest(self) -> None:
        """Whoever came while the thread ended waits for nothing."""
        with contextlib.suppress(queue.Empty):
            while True:
                if (work := self._waiting.get_nowait()) is not None and is_wanted(work[1]):
                    tell(failed([work[1]], "it is closed"))


def attempted(work: Callable[..., T], *arguments: Any) -> tuple[T | None, Exception | None]:
    """What the work gives, or what it raised, for whoever handed it to a thread and waits in another: the thread goes on."""
    try:
        return work(*arguments), None
    except Exception as raised:  # noqa: BLE001 — a bug too is told where it was asked for, not where nobody listens
        return None, raised


def _one(
    connection: Connection, driver: Any, transaction: Callable[[Connection], Any], promise: Promise
) -> Answer:
    driver.execute("SAVEPOINT one")
    value, wrong = attempted(transaction, connection)
    if wrong is None:
        driver.execute("RELEASE one")
        return promise, value, None
    # Where the disk is full SQLite has undone everything by itself: this fails then, and with it the whole group.
    driver.execute("ROLLBACK TO one")
    driver.execute("RELEASE one")
    return failed([promise], wrong)[0] if isinstance(wrong, _Errors) else (promise, None, wrong)
