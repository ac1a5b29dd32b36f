"""The engine of local worker processes, each with a pipe of its own."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, TypeVar

from steelyard.engine.interrupt import Interrupt
from steelyard.errors import EngineError, SteelyardError
from steelyard.foreign import caught, told

T = TypeVar("T")
R = TypeVar("R")

# How long a wait for results may last before the interrupt is looked at again.
_PATIENCE = 0.1
# An item that takes longer to come leaves time to look for results.
_SLOW = 0.02
# How long a worker that was told to end may take before it is killed.
_GRACE = 2.0
_SET_DEATH_SIGNAL = 1  # of prctl


class _Worker:
    """One process and its item: never more than one, so that neither side of the pipe can block the other."""

    def __init__(
        self,
        context: Any,
        build: Callable[[], Any],
        others: list[_Worker],
        *,
        watch: bool,
        doing: str,
    ) -> None:
        self.doing = doing
        self.pipe, theirs = context.Pipe()
        # Shared memory outlives the worker: it tells where in its item a worker was when it died.
        self.place = context.RawValue("q", 0) if watch else None
        # A forked worker holds copies of the pipes of earlier ones; unless it closes them, they never end.
        inherited = (
            [w.pipe for w in others] + [self.pipe] if context.get_start_method() == "fork" else []
        )
        # As a daemon it is ended with us also where nobody closes the engine; it may have children all the same.
        self.process = context.Process(
            target=_serve,
            args=(theirs, build, inherited, self.place, doing, os.getpid()),
            daemon=True,
        )
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
        except (EOFError, OSError):  # before, or in the middle of what it had to say
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
        place = self.place.value if self.place is not None else 0
        line = (
            f", at line {place}" if place and not str(self.item).endswith(f" line {place}") else ""
        )
        return EngineError(f"a worker process {how} while {self.doing} {self.item}{line}")


class LocalProcesses(Generic[T, R]):
    """Shares the items out to worker processes and gives the results in order.

    Workers are forked where that is safe, so that a function of the user need not be importable; where
    threads are running they are spawned. With ``watch`` the work gets an attribute ``place``, whose
    ``value`` it keeps at the line it is at, so that a worker's sudden end can be told with its line.
    """

    def __init__(
        self,
        build: Callable[[], Callable[[T], R]],
        *,
        workers: int,
        interrupt: Interrupt | None = None,
        watch: bool = False,
        doing: str = "scoring",
    ) -> None:
        context = _context()
        self._interrupt = interrupt or Interrupt()
        self._patience = _PATIENCE
        self._workers: list[_Worker] = []
        for _ in range(workers):
            self._workers.append(_Worker(context, build, self._workers, watch=watch, doing=doing))

    def map(self, items: Iterable[T]) -> Iterator[R]:
        """The result of each item, in order, with at most a few waiting for an earlier one."""
        left = enumerate(items)
        idle = deque(self._workers)
        busy: dict[Connection, _Worker] = {}
        ready: dict[int, R] = {}
        wanted, exhausted = 0, False
        while not self._interrupt.requested:
            # Work is handed out first, so that nobody waits while the caller looks at a result.
            slow = False
            while (
                idle
                and not exhausted
                and not slow
                and len(busy) + len(ready) < 4 * len(self._workers)
            ):
                entry, slow = self._timed_next(left)
                exhausted = entry is None
                if entry is not None:
                    self._give(entry, busy, idle.popleft())
            # Where items come slowly, results are looked for between them, and nobody waits for either.
            self._patience = 0.0 if slow and not exhausted else _PATIENCE
            while wanted in ready:
                yield ready.pop(wanted)
                wanted += 1
            if exhausted and not busy:
                return
            with self._forgiving():
                self._collect(busy, idle, ready)
        while wanted in ready:  # what is whole is not lost by an interrupt
            yield ready.pop(wanted)
            wanted += 1

    def _timed_next(self, left: Iterator[tuple[int, T]]) -> tuple[tuple[int, T] | None, bool]:
        """The next item, if there is one, and whether it has been long in coming."""
        began = time.monotonic()
        return self._next(left), time.monotonic() - began > _SLOW

    def _next(self, left: Iterator[tuple[int, T]]) -> tuple[int, T] | None:
        try:
            with self._interrupt.breakable():
                return next(left, None)
        except KeyboardInterrupt:
            if not self._interrupt.requested:
                raise
            return None

    def _give(self, entry: tuple[int, T], busy: dict[Connection, _Worker], worker: _Worker) -> None:
        busy[worker.pipe] = worker
        with self._forgiving():
            worker.give(*entry)

    @contextmanager
    def _forgiving(self) -> Iterator[None]:
        """A signal to the whole group ends the workers too: that is no fault where we are to stop anyway."""
        try:
            yield
        except EngineError:
            if not self._interrupt.requested:
                raise

    def _collect(
        self, busy: dict[Connection, _Worker], idle: deque[_Worker], ready: dict[int, R]
    ) -> None:
        for pipe in wait(list(busy), timeout=self._patience):
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
            worker.process.join(_GRACE)
            worker.process.kill()
            worker.process.join()
        self._workers = []


def _context() -> Any:
    threads = threading.active_count() > 1
    forks = "fork" in multiprocessing.get_all_start_methods() and sys.platform != "darwin"
    return multiprocessing.get_context("fork" if forks and not threads else "spawn")


def run_apart(build: Callable[[], Callable[[T], R]], item: T, *, doing: str = "scoring") -> R:
    """The result of one item, worked out in a process of its own: an EngineError where that ended instead."""
    engine: LocalProcesses[T, R] = LocalProcesses(build, workers=1, doing=doing)
    try:
        (result,) = engine.map([item])
        return result
    finally:
        engine.close()


def _serve(
    pipe: Connection,
    build: Callable[[], Callable[[Any], Any]],
    inherited: list[Connection],
    place: Any,
    doing: str,
    parent: int,
) -> None:
    """What a worker does: an item in, its result or the error out, until there are no more."""
    _end_with(parent)
    # Graders hand what may never end to a process of their own.
    multiprocessing.current_process().daemon = False
    _keep_from_copies(pipe)
    # Ctrl-C goes to the whole group; the main process decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # By this it tells us to end; a handler of its own would be ours as well.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for other in inherited:
        other.close()
    # The standard output belongs to the summary; whatever a user's scorer prints goes to the other one.
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    work = _Once(build, place)
    while _served(pipe, work, doing):
        pass


def _served(pipe: Connection, work: Callable[[Any], Any], doing: str) -> bool:
    """Whether an item came and its result, or the error, went: else the main process has left, maybe before it took it."""
    item, failed = caught(pipe.recv)
    if isinstance(failed, (EOFError, OSError)):
        return False
    if failed is not None:
        raise failed
    outcome, failed = caught(work, item)
    if failed is not None:
        outcome = _error(failed, f"{doing} {item}")
    _, failed = caught(pipe.send, outcome)
    if failed is not None and not isinstance(failed, (BrokenPipeError, ConnectionResetError)):
        pipe.send(_error(failed, f"{doing} {item}"))
        return True
    return failed is None


def _keep_from_copies(pipe: Connection) -> None:
    """See to it that no process which the work forks speaks or listens in the worker's place, or outlives it.

    Where it holds the pipe, also nobody would notice that the worker has ended.
    """
    worker, thread = os.getpid(), threading.get_ident()
    copied: list[int] = []

    def be_a_copy() -> None:
        pipe.close()
        # What another thread has forked would end with that thread already, and what a copy has forked with the copy.
        if threading.get_ident() == thread and not copied:
            _end_with(worker)
        copied.append(os.getpid())

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=be_a_copy)


def _end_with(parent: int) -> None:
    """Let this process end with the one that started it, also by a signal and in the middle of an item."""
    if sys.platform != "linux":
        return  # there it ends when it looks at its pipe again
    import ctypes

    ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent:  # which ended before that was said
        os._exit(1)


class _Once:
    """The work, built when the first item comes."""

    def __init__(self, build: Callable[[], Callable[[Any], Any]], place: Any) -> None:
        self._build, self._place = build, place
        self._work: Callable[[Any], Any] | None = None

    def __call__(self, item: Any) -> Any:
        if self._work is None:
            self._work = self._build()
            if self._place is not None:
                self._work.place = self._place  # type: ignore[attr-defined]
        return self._work(item)


def _error(failed: BaseException, doing: str) -> SteelyardError:
    """What the main process can be told of a failure: an error of ours as it is, any other in words."""
    if isinstance(failed, SteelyardError) and type(failed).__module__.startswith("steelyard."):
        return failed
    frames = traceback.extract_tb(failed.__traceback__)
    where = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
    return EngineError(f"a worker process failed while {doing}: {told(failed)}{where}")
