"""One statement for all who ask at the same time: a way to the server and back takes as long for one row as for fifty."""

from __future__ import annotations

import asyncio
import concurrent.futures
from collections import deque
from collections.abc import Callable, Generator
from typing import Any, Generic, TypeVar

from sqlalchemy import Engine

from steelyard.errors import StoreError
from steelyard.store.prepared import Prepared
from steelyard.store.wire import Rows, Wire
from steelyard.store.writer import attempted

A = TypeVar("A")
T = TypeVar("T")
# Gives the statements that it wants to be run, takes their rows, and ends with what each of those who ask is told.
Steps = Generator[tuple[Prepared, dict[str, Any]], Rows, list[T | None]]
_Job = tuple[A, asyncio.Future[T | None]]  # what is asked, and who waits for it
_MOST_TOGETHER = 64


class Gathering(Generic[A, T]):
    """Asks for many; `many` knows the statement, and what each of them is told.

    While a statement runs, those who come are gathered for the next one. A second one at the same time pays where the
    statement waits for the disk. To be asked from one loop, until that has ended.

    None is told to whom it has nothing for, and to all where the database failed: they ask in another way. So the
    statement must be one that may run twice.
    """

    def __init__(
        self, engine: Engine, many: Callable[[list[A]], Steps[T]], at_once: int = 1
    ) -> None:
        self._engine, self._many, self._at_once = engine, many, at_once
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False
        self._start_anew()

    def _start_anew(self) -> None:
        self._wires = [Wire(self._engine) for _ in range(self._at_once)]
        self._free = list(self._wires)
        self._coming: deque[_Job[A, T]] = deque()
        self._going: set[asyncio.Task[None]] = set()
        self._called = False

    async def ask(self, one: A) -> T | None:
        """What there is for this one."""
        if self._closed:
            raise StoreError("the database is closed")
        loop = asyncio.get_running_loop()
        if self._loop is not loop:  # the one before has ended, and nobody waits there any more
            self._let_go()
            self._start_anew()
            self._loop = loop
        promise: asyncio.Future[T | None] = loop.create_future()
        self._coming.append((one, promise))
        self._call(loop)
        return await promise

    def _call(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._coming and self._free and not self._called:
            self._called = True
            loop.call_soon(
                self._begin
            )  # not at once: what else comes in this turn of the loop goes with it

    def _begin(self) -> None:
        self._called = False
        while self._free and (jobs := self._taken()):
            task = asyncio.ensure_future(self._serve(self._free.pop(), jobs))
            self._going.add(task)
            task.add_done_callback(self._going.discard)

    async def _serve(self, wire: Wire, jobs: list[_Job[A, T]]) -> None:
        try:
            while jobs:
                await self._answer(wire, jobs)
                jobs = self._taken()
        finally:
            _tell(jobs, [], StoreError("the database failed: it has stopped answering"))
            self._leave(wire)

    def _leave(self, wire: Wire) -> None:
        """It is free again; who has come meanwhile waits for it, unless the whole loop ends."""
        self._free.append(wire)
        if self._closed:  # by somebody who found nothing to let go of while it was being opened
            wire.let_go()
        if self._loop is not None and not self._loop.is_closed():
            self._call(self._loop)

    def _taken(self) -> list[_Job[A, T]]:
        """What waits and is still wanted, as much as goes together."""
        jobs: list[_Job[A, T]] = []
        while self._coming and len(jobs) < _MOST_TOGETHER:
            job = self._coming.popleft()
            if not job[1].done():
                jobs.append(job)
        return jobs

    async def _answer(self, wire: Wire, jobs: list[_Job[A, T]]) -> None:
        values, wrong = await self._once(wire, [one for one, _ in jobs])
        if wrong is None or len(jobs) == 1:
            _tell(jobs, values, wrong)
            return
        for job in jobs:  # it was by one of them, and nobody knows by whom: each is asked for alone
            await self._answer(wire, [job])

    async def _once(self, wire: Wire, asks: list[A]) -> tuple[list[T | None], Exception | None]:
        """What each of them is told, or what was raised beside the database's own errors."""
        nothing: list[T | None] = [None] * len(asks)
        steps = self._many(asks)
        try:
            wanted, wrong = attempted(next, steps)
            while wanted is not None:
                rows = await wire.run(*wanted)
                wanted, wrong = attempted(steps.send, rows)
        except wire.errors:
            return nothing, None
        finally:
            steps.close()
        return (wrong.value, None) if isinstance(wrong, StopIteration) else (nothing, wrong)

    def close(self) -> None:
        """Finish what was taken in, if its loop still runs and is not the one that calls; let go of the connections."""
        self._closed = True
        loop = self._loop
        if loop is not None and loop.is_running() and _running_here() is not loop:
            ended = asyncio.run_coroutine_threadsafe(self._finish(), loop)
            while loop.is_running() and not ended.done():
                concurrent.futures.wait([ended], timeout=0.1)
        self._let_go()

    async def _finish(self) -> None:
        while self._coming or self._going:
            self._begin()
            if self._going:
                await asyncio.wait(self._going)
        self._let_go()  # here, where nobody listens to them at the same time

    def _let_go(self) -> None:
        for wire in self._wires:
            wire.let_go()


def _running_here() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def _tell(jobs: list[_Job[A, T]], values: list[T | None], wrong: Exception | None) -> None:
    for place, (_, promise) in enumerate(jobs):
        if promise.done():  # told already, or whoever waited has left in the meantime
            continue
        if wrong is not None:
            promise.set_exception(wrong)
        else:
            promise.set_result(values[place])
