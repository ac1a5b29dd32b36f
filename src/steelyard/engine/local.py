"""The engine of local worker processes, each with a pipe of its own."""

from __future__ import annotations

import multiprocessing
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, TypeVar

from steelyard.engine.interrupt import Interrupt
from steelyard.errors import EngineError, SteelyardError

T = TypeVar("T")
R = TypeVar("R")

# How long a wait for results may last before the interrupt is looked at again.
_PATIENCE = 0.1


class _Worker:
    """One process and its item: never more than one, so that neither side of the pipe can block the other."""

    def __init__(self, context: Any, build: Callable[[], Any], others: list[_Worker]) -> None:
        self.pipe, theirs = context.Pipe()
        # A forked worker holds copies of the pipes of earlier ones; unless it closes them, they never end.
        inherited = [w.pipe for w in others] + [self.pipe] if context.get_start_method() == "fork" else []
        self.process = context.Process(target=_serve, args=(theirs, build, inherited), daemon=True)
        self.process.start()
        theirs.close()
        self.index = -1
        self.item: Any = None

    def give(self, index: int, item: Any) -> None:
        self.index, self.item = index, item
        try:
            self.pipe.send(item)
        except (BrokenPipeError, ConnectionResetError):
            raise self.died() from None

    def take(self) -> Any:
        try:
            outcome = self.pipe.recv()
        except (EOFError, ConnectionResetError):
            raise self.died() from None
        self.item = None
        if isinstance(outcome, SteelyardError):
            raise outcome
        return outcome

    def died(self) -> EngineError:
        self.process.join(1)
        code = self.process.exitcode
        killed = code is not None and code < 0
        how = f"was killed by signal {-(code or 0)}" if killed else f"ended with exit code {code}"
        return EngineError(f"a worker process {how} while scoring {self.item}")


class LocalProcesses(Generic[T, R]):
    """Shares the items out to worker processes and gives the results in order.

    Workers are forked where that is safe, so that a function of the user need not be importable; where
    threads are running they are spawned.
    """

    def __init__(
        self, build: Callable[[], Callable[[T], R]], *, workers: int, interrupt: Interrupt | None = None
    ) -> None:
        context = _context()
        self._interrupt = interrupt or Interrupt()
        self._workers: list[_Worker] = []
        for _ in range(workers):
            self._workers.append(_Worker(context, build, self._workers))

    def map(self, items: Iterable[T]) -> Iterator[R]:
        """The result of each item, in order, with at most a few waiting for an earlier one."""
        left = enumerate(items)
        idle = deque(self._workers)
        busy: dict[Connection, _Worker] = {}
        ready: dict[int, R] = {}
        wanted, exhausted = 0, False
        while not self._interrupt.requested:
            # Work is handed out first, so that nobody waits while the caller looks at a result.
            while idle and not exhausted and len(busy) + len(ready) < 4 * len(self._workers):
                entry = self._next(left)
                exhausted = entry is None
                if entry is not None:
                    worker = idle.popleft()
                    busy[worker.pipe] = worker
                    worker.give(*entry)
            while wanted in ready:
                yield ready.pop(wanted)
                wanted += 1
            if exhausted and not busy:
                return
            self._collect(busy, idle, ready)

    def _next(self, left: Iterator[tuple[int, T]]) -> tuple[int, T] | None:
        try:
            with self._interrupt.breakable():
                return next(left, None)
        except KeyboardInterrupt:
            if not self._interrupt.requested:
                raise
            return None

    def _collect(self, busy: dict[Connection, _Worker], idle: deque[_Worker], ready: dict[int, R]) -> None:
        for pipe in wait(list(busy), timeout=_PATIENCE):
            worker = busy[pipe]  # type: ignore[index]
            ready[worker.index] = worker.take()
            del busy[worker.pipe]
            idle.append(worker)

    def close(self) -> None:
        """End all workers, whatever they are doing."""
        for worker in self._workers:
            worker.pipe.close()
            worker.process.terminate()
        for worker in self._workers:
            worker.process.join()
        self._workers = []


def _context() -> Any:
    threads = threading.active_count() > 1
    forks = "fork" in multiprocessing.get_all_start_methods() and sys.platform != "darwin"
    return multiprocessing.get_context("fork" if forks and not threads else "spawn")


def _serve(pipe: Connection, build: Callable[[], Callable[[Any], Any]], inherited: list[Connection]) -> None:
    """What a worker does: an item in, its result or the error out, until there are no more."""
    # Ctrl-C goes to the whole group; the main process decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for other in inherited:
        other.close()
    # The standard output belongs to the summary; what a user's scorer prints goes to the other one.
    sys.stdout = sys.stderr
    work: Callable[[Any], Any] | None = None
    while True:
        try:
            item = pipe.recv()
        except EOFError:
            return
        try:
            work = work or build()
            outcome = work(item)
        except SteelyardError as failed:
            outcome = failed
        try:
            pipe.send(outcome)
        except (BrokenPipeError, ConnectionResetError):
            return
