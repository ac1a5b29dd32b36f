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

T = TypeVar("T")
_Promise = Future[Any] | asyncio.Future[Any]
_Work = tuple[Callable[[Connection], Any], _Promise]
_Answer = tuple[_Promise, Any, BaseException | None]
_MOST_TOGETHER = 128


class GroupWriter:
    """The thread and its queue."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._waiting: queue.SimpleQueue[_Work | None] = queue.SimpleQueue()
        self._closed = False
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

    def _take(self, transaction: Callable[[Connection], Any], promise: _Promise) -> None:
        if self._closed:
            raise StoreError("the database is closed")
        self._waiting.put((transaction, promise))

    def close(self) -> None:
        """Finish what was taken in, and end the thread."""
        if not self._closed:
            self._closed = True
            self._waiting.put(None)
            self._thread.join()

    def _run(self) -> None:
        while (first := self._waiting.get()) is not None:
            group, ended = self._gather(first)
            self._commit(group)
            if ended:
                break
        self._let_go()

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
        return [work for work in group if _is_wanted(work[1])], ended

    def _commit(self, group: list[_Work]) -> None:
        """Run the group in one transaction, and answer when it is on disk."""
        answers: list[_Answer] = []
        try:
            if self._connection is None:
                self._connection = self._engine.connect()
            driver: Any = self._connection.connection.driver_connection
            driver.execute("BEGIN IMMEDIATE")
            answers = [_one(self._connection, driver, *work) for work in group]
            driver.execute("COMMIT")
        except Exception as failed:  # noqa: BLE001 — the thread must live, and whoever waits must be told
            self._let_go()
            why = StoreError(f"the database failed: {getattr(failed, 'orig', None) or failed}")
            answers = [(promise, None, why) for _, promise in group]
        _answer(answers)

    def _let_go(self) -> None:
        """Close the connection, and with it whatever it had not committed."""
        if self._connection is not None:
            self._connection.invalidate()
            self._connection.close()
            self._connection = None


class Lane:
    """Threads that keep a connection each, without transactions: for what one statement does.

    Taking a connection out of a pool, and beginning and ending a transaction on it, takes longer than most statements.
    """

    def __init__(self, engine: Engine, threads: int, again: Callable[[Callable[[Connection], Any]], Any]) -> None:
        self._engine, self._again = engine.execution_options(isolation_level="AUTOCOMMIT"), again
        self._errors = (SQLAlchemyError, engine.dialect.loaded_dbapi.Error)
        self._waiting: queue.SimpleQueue[_Work | None] = queue.SimpleQueue()
        self._closed = False
        self._threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(threads)]
        for thread in self._threads:
            thread.start()

    async def run(self, work: Callable[[Connection], T]) -> T:
        """What the work gives; where the database fails it is handed to `again`, which tries it in its own way."""
        if self._closed:
            raise StoreError("the database is closed")
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.put((work, future))
        return await future

    def close(self) -> None:
        """Finish what was taken in, and end the threads."""
        self._closed = True
        for _ in self._threads:
            self._waiting.put(None)
        for thread in self._threads:
            thread.join()

    def _serve(self) -> None:
        kept: list[Connection] = []
        while (job := self._waiting.get()) is not None:
            work, promise = job
            if not promise.cancelled():
                try:
                    _answer([(promise, self._once(kept, work), None)])
                except BaseException as raised:  # noqa: BLE001 — whoever handed the work in gets what it raised
                    _answer([(promise, None, raised)])
        for connection in kept:
            connection.close()

    def _once(self, kept: list[Connection], work: Callable[[Connection], T]) -> T:
        try:
            if not kept:
                kept.append(self._engine.connect())
            return work(kept[0])
        except self._errors:
            while kept:
                connection = kept.pop()
                connection.invalidate()
                connection.close()
            again: T = self._again(work)
            return again


def _is_wanted(promise: _Promise) -> bool:
    """Whether whoever handed the work in still waits for it."""
    return promise.set_running_or_notify_cancel() if isinstance(promise, Future) else not promise.cancelled()


def _answer(answers: list[_Answer]) -> None:
    """Tell those who wait: threads at once, and each loop with all that concerns it."""
    loops: dict[asyncio.AbstractEventLoop, list[_Answer]] = {}
    for answer in answers:
        if isinstance(answer[0], Future):
            _tell([answer])
        else:
            loops.setdefault(answer[0].get_loop(), []).append(answer)
    for loop, told in loops.items():
        with contextlib.suppress(RuntimeError):  # a loop that has ended waits for nothing
            loop.call_soon_threadsafe(_tell, told)


def _tell(answers: list[_Answer]) -> None:
    for promise, value, wrong in answers:
        if promise.done():  # whoever waited has left in the meantime
            continue
        if wrong is not None:
            promise.set_exception(wrong)
        else:
            promise.set_result(value)


def _one(connection: Connection, driver: Any, transaction: Callable[[Connection], Any], promise: _Promise) -> _Answer:
    driver.execute("SAVEPOINT one")
    try:
        value = transaction(connection)
    except (SQLAlchemyError, sqlite3.Error) as failed:
        wrong: BaseException = StoreError(f"the database failed: {getattr(failed, 'orig', None) or failed}")
    except BaseException as raised:  # noqa: BLE001 — whoever handed the transaction in gets what it raised
        wrong = raised
    else:
        driver.execute("RELEASE one")
        return promise, value, None
    # Where the disk is full SQLite has undone everything by itself: this fails then, and with it the whole group.
    driver.execute("ROLLBACK TO one")
    driver.execute("RELEASE one")
    return promise, None, wrong
