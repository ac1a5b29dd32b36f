"""Threads that keep a connection to a server of databases each.

Taking a connection out of a pool, and beginning and ending a transaction on it, takes longer than most statements; and a
way to the server and back takes as long for one row as for fifty.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from steelyard.errors import StoreError
from steelyard.store.promises import Answer, is_wanted, tell
from steelyard.store.writer import attempted

A = TypeVar("A")
T = TypeVar("T")
_Job = tuple[A, asyncio.Future[Any]]  # what is asked, and who waits for it
_MOST_TOGETHER = 64
# Rows are found by their keys here. A plan that was made while the tables were small reads all of them, and would stay:
# the server thinks again from time to time, and not at each statement, which would take as long as running it.
_BY_KEYS = (
    "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; "
    "SET plan_cache_mode = force_generic_plan"
)
# Whatever keeps one statement waiting keeps all who were gathered into it, and all who come after them.
_SOON = "SET lock_timeout = '1s'; SET statement_timeout = '5s'"
_PLANS_KEPT = 1.0  # seconds


class _Kept:
    """A connection without transactions, opened when it is needed and let go of when it is lost."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._connection: Connection | None = None
        self._planned: float | None = None  # when it was set up, or thought again
        self.errors: tuple[type[Exception], ...] = (SQLAlchemyError, engine.dialect.loaded_dbapi.Error)

    def get(self) -> Connection:
        if self._connection is None:
            self._connection = self._engine.connect()
        return self._connection

    def for_keys(self) -> Connection:
        """The same, set so that rows are found by their keys, whatever the tables have grown to."""
        connection, now = self.get(), time.monotonic()
        if self._planned is None:
            connection.exec_driver_sql(f"{_BY_KEYS}; {_SOON}")
            self._planned = now
        elif now - self._planned > _PLANS_KEPT:
            connection.exec_driver_sql("DISCARD PLANS")
            self._planned = now
        return connection

    def look_after(self) -> None:
        """Let go of a connection that is lost. After a statement that merely failed it is as good as before."""
        connection = self._connection
        if connection is not None and (connection.invalidated or _is_closed(connection)):
            self.let_go()

    def let_go(self) -> None:
        if self._connection is not None:
            self._connection.invalidate()  # it is as we have set it, or broken: nobody else should have it
            self._connection.close()
            self._connection = self._planned = None


def _is_closed(connection: Connection) -> bool:
    return bool(getattr(connection.connection.driver_connection, "closed", True))


class _Threads(Generic[A]):
    """Threads that take what waits, until there is nothing and it is over."""

    def __init__(self, engine: Engine, count: int) -> None:
        self._engine = engine
        self._waiting: queue.SimpleQueue[list[_Job[A]] | None] = queue.SimpleQueue()
        self._coming: deque[_Job[A]] = deque()
        self._called: asyncio.AbstractEventLoop | None = None  # which will pass on what is coming
        self._closed = False
        self._taking_in = threading.Lock()  # nothing is put behind what ends the threads: nobody would find it there
        self._threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(count)]
        for thread in self._threads:
            thread.start()

    async def _handed_over(self, work: A) -> Any:
        if self._closed:
            raise StoreError("the database is closed")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        self._coming.append((work, future))
        if self._called is not loop:  # another one may have ended before it came to that
            self._called = loop
            loop.call_soon(self._pass_on)
        return await future

    def _pass_on(self) -> None:
        """Hand over what came in this turn of the loop at once: a thread that is woken for one stands in the way of the rest."""
        self._called = None  # before the rest: who comes from now on calls again
        jobs = []
        with contextlib.suppress(IndexError):
            while True:
                jobs.append(self._coming.popleft())
        with self._taking_in:
            if not self._closed:
                for share in self._shares(jobs):
                    self._waiting.put(share)
                return
        for _, promise in jobs:
            if not promise.done():
                promise.set_exception(StoreError("the database is closed"))

    def _shares(self, jobs: list[_Job[A]]) -> Iterable[list[_Job[A]]]:
        """What each thread takes of these at a time."""
        raise NotImplementedError

    def close(self) -> None:
        """Finish what was taken in, and end the threads."""
        with self._taking_in:
            self._closed = True
            for _ in self._threads:
                self._waiting.put(None)
        for thread in self._threads:
            thread.join()

    def _serve(self) -> None:
        raise NotImplementedError


class Lane(_Threads[Callable[[Connection], Any]]):
    """For what one statement finds. Where the database fails, the work is handed to `again`, which tries it in its own way."""

    def __init__(self, engine: Engine, threads: int, again: Callable[[Callable[[Connection], Any]], Any]) -> None:
        self._again = again
        super().__init__(engine, threads)

    async def run(self, work: Callable[[Connection], T]) -> T:
        """What the work gives."""
        value: T = await self._handed_over(work)
        return value

    def _serve(self) -> None:
        kept = _Kept(self._engine)
        while (jobs := self._waiting.get()) is not None:
            for work, promise in jobs:
                if is_wanted(promise):
                    tell([(promise, *attempted(self._once, kept, work))])
        kept.let_go()

    def _shares(self, jobs: list[_Job[Callable[[Connection], Any]]]) -> Iterable[list[_Job[Callable[[Connection], Any]]]]:
        return ([job] for job in jobs)

    def _once(self, kept: _Kept, work: Callable[[Connection], T]) -> T:
        try:
            return work(kept.get())
        except kept.errors:
            kept.look_after()
            again: T = self._again(work)
            return again


class Gathering(_Threads[A], Generic[A, T]):
    """One statement for all who ask at the same time; `many` gives what each of them is told.

    Each thread takes all that waits when it is free. A second one pays where the statement waits for the disk.

    None is told to whom it has nothing for, and to all where the database failed: they ask in another way. So the
    statement must be one that may run twice.
    """

    def __init__(self, engine: Engine, many: Callable[[Connection, list[A]], list[T | None]], threads: int = 1) -> None:
        self._many = many
        super().__init__(engine, threads)

    async def ask(self, one: A) -> T | None:
        """What there is for this one."""
        value: T | None = await self._handed_over(one)
        return value

    def _serve(self) -> None:
        kept, ended = _Kept(self._engine), False
        while not ended and (first := self._waiting.get()) is not None:
            jobs = first
            with contextlib.suppress(queue.Empty):
                while len(jobs) < _MOST_TOGETHER and not ended:
                    more = self._waiting.get_nowait()
                    ended = more is None
                    jobs += more or []
            if wanted := [job for job in jobs if is_wanted(job[1])]:
                tell(self._answers(kept, wanted))
        kept.let_go()

    def _shares(self, jobs: list[_Job[A]]) -> Iterable[list[_Job[A]]]:
        return (jobs[start : start + _MOST_TOGETHER] for start in range(0, len(jobs), _MOST_TOGETHER))

    def _answers(self, kept: _Kept, jobs: list[tuple[A, asyncio.Future[Any]]]) -> list[Answer]:
        found, wrong = attempted(self._once, kept, [one for one, _ in jobs])
        if wrong is not None and len(jobs) > 1:  # by one of them, and nobody knows by whom: each is asked for alone
            return [answer for job in jobs for answer in self._answers(kept, [job])]
        values = found if found is not None else [None] * len(jobs)
        return [(promise, value, wrong) for (_, promise), value in zip(jobs, values, strict=True)]

    def _once(self, kept: _Kept, asks: list[A]) -> list[T | None]:
        try:
            return self._many(kept.for_keys(), asks)
        except kept.errors:
            kept.look_after()
            return [None] * len(asks)
