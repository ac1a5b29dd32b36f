"""A user's own scorer in a process of its own: one that never ends, or takes all memory, costs its sample and no more.

Between this process and the one that scores stands a third. It was forked before there were threads, so that it can fork
another scoring process in the place of one that it had to end.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import pickle
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection, Pipe, wait
from typing import NoReturn

from steelyard.foreign import caught, told
from steelyard.score import Score, unscored
from steelyard.scoring.types import ScorerInput

Scoring = Callable[[ScorerInput], Score]
SECONDS = 60.0
LOOK_SECONDS = 0.1
# Scores are handed over in groups, but not later than this.
FLUSH_SECONDS = 0.05
GIGABYTE = 1024**3
_GONE = "the process that scores has ended"


def can_fork() -> bool:
    """Whether a copy of this process is sound: other threads would be missing in it, and what they hold stay held."""
    return hasattr(os, "fork") and sys.platform != "darwin" and threading.active_count() == 1


class Apart:
    """Scores samples in another process, each within a time and all within a memory that they cannot pass."""

    def __init__(self, score: Scoring, seconds: float = SECONDS) -> None:
        self._pipe, theirs = Pipe()
        self._lock = threading.Lock()
        _flush()
        self._process = os.fork()
        if self._process == 0:
            self._pipe.close()
            _end_after(lambda: _Overseer(theirs, score, seconds).serve())
        theirs.close()

    def batch(self, samples: Sequence[ScorerInput]) -> list[Score]:
        """The Scores in the order of the samples."""
        with self._lock:
            try:
                self._pipe.send([pickle.dumps(sample) for sample in samples])
                return [score for group in self._pipe.recv() for score in pickle.loads(group)]
            except (EOFError, OSError):
                return [unscored(_GONE) for _ in samples]

    def close(self) -> None:
        """End both processes, whatever they are doing."""
        self._pipe.close()
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self._process, 0)


class _Overseer:
    """The process between: it passes samples on, and ends who takes too long over one."""

    def __init__(self, pipe: Connection, score: Scoring, seconds: float) -> None:
        self._pipe, self._score, self._seconds = pipe, score, seconds
        self._place = mmap.mmap(-1, 8)  # which sample is being scored; seen by both processes
        self._worker, self._process = pipe, 0

    def serve(self) -> None:
        _take_no_signals()
        while True:
            try:
                samples: list[bytes] = self._pipe.recv()
                scored = _Scored()
                while scored.count < len(samples):
                    scored.take(self._some(samples[scored.count :]))
                self._pipe.send(scored.groups)
            except (_Alone, EOFError, OSError):
                self._end()
                return

    def _some(self, samples: list[bytes]) -> _Scored:
        """The scores of the first of the samples: all, or those up to the one that the scorer did not survive."""
        if not self._process:
            self._start()
        scored = _Scored()
        self._note(0)
        try:
            self._worker.send(samples)
            while scored.count < len(samples):
                scored.add(*self._next())
        except (_Late, EOFError, OSError) as ended:
            at = self._at()
            if isinstance(ended, _Late):
                reason = f"the scorer took longer than {self._seconds:g} seconds"
                self._end()
            else:
                reason = f"the scorer ended its process {self._end()}"
            if at > scored.count:  # those before it were scored and not handed over: once more
                scored.take(self._some(samples[scored.count : at]))
            if at == scored.count:
                scored.add(1, pickle.dumps([unscored(reason)]))
        return scored

    def _next(self) -> tuple[int, bytes]:
        at, since = self._at(), time.monotonic()
        while True:
            ready = wait([self._worker, self._pipe], min(LOOK_SECONDS, self._seconds))
            if self._pipe in ready:
                raise _Alone  # nothing more is sent before an answer, so that nobody is there any longer
            if self._worker in ready:
                found: tuple[int, bytes] = self._worker.recv()
                return found
            if self._at() != at:
                at, since = self._at(), time.monotonic()
            elif time.monotonic() - since > self._seconds:
                raise _Late

    def _start(self) -> None:
        self._worker, theirs = Pipe()
        self._process = os.fork()
        if self._process == 0:
            self._worker.close()
            self._pipe.close()
            _end_after(lambda: _work(theirs, self._score, self._note))
        theirs.close()

    def _end(self) -> str:
        """End the worker; how it had ended, if it had."""
        if not self._process:
            return ""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process, signal.SIGKILL)
        _, status = os.waitpid(self._process, 0)
        self._process = 0
        self._worker.close()
        code = os.waitstatus_to_exitcode(status)
        return f"with exit code {code}" if code >= 0 else f"by signal {-code}"

    def _note(self, place: int) -> None:
        self._place[:] = place.to_bytes(8, "little")

    def _at(self) -> int:
        return int.from_bytes(self._place[:], "little")


class _Scored:
    """Scores in groups, as they were handed over, and how many they are; nobody on the way looks into a group."""

    def __init__(self) -> None:
        self.count, self.groups = 0, list[bytes]()

    def add(self, count: int, group: bytes) -> None:
        self.count += count
        self.groups.append(group)

    def take(self, others: _Scored) -> None:
        self.count += others.count
        self.groups += others.groups


class _Late(Exception):  # noqa: N818 - not what went wrong but when
    """The time for a sample is over."""


class _Alone(Exception):  # noqa: N818 - not what went wrong but how things stand
    """The first process has ended."""


def _work(pipe: Connection, score: Scoring, note: Callable[[int], None]) -> None:
    """Score what comes, and hand it over."""
    _limit_memory()
    while True:
        samples = pipe.recv()
        scores, flushed = list[Score](), time.monotonic()
        for place, sample in enumerate(samples):
            note(place)
            scores.append(_scored(score, sample))
            if time.monotonic() - flushed > FLUSH_SECONDS:
                pipe.send((len(scores), _packed(scores)))
                scores, flushed = [], time.monotonic()
        if scores:
            pipe.send((len(scores), _packed(scores)))


def _packed(scores: list[Score]) -> bytes:
    """All at once, which takes a fortieth of the time of one after the other; what cannot be packed is left out alone."""
    found, _ = caught(pickle.dumps, scores)
    return (
        found if isinstance(found, bytes) else pickle.dumps([_packable(score) for score in scores])
    )


def _packable(score: Score) -> Score:
    found, failed = caught(pickle.dumps, score)
    return (
        score
        if isinstance(found, bytes)
        else unscored(f"the scorer failed: {told(failed or TypeError())}")
    )


def _scored(score: Scoring, sample: bytes) -> Score:
    found, failed = caught(score, pickle.loads(sample))
    return (
        found
        if isinstance(found, Score)
        else unscored(f"the scorer failed: {told(failed or TypeError())}")
    )


def _limit_memory() -> None:
    """At most half of the machine: what a scorer takes beyond that is a MemoryError in it."""
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    most = max(GIGABYTE, pages // 2)
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def _take_no_signals() -> None:
    """Ctrl-C goes to the whole group; the first process decides what it means, and its end ends these two.

    By a handler, since programs that a scorer starts would inherit that a signal is ignored.
    """
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: None)


def _end_after(do: Callable[[], None]) -> NoReturn:
    """All that a forked process does: nothing of what the first one would do at its end."""
    # The standard output belongs to the results; whatever a user's scorer prints goes to the other one.
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    caught(do)
    caught(_flush)
    os._exit(0)


def _flush() -> None:
    sys.stdout.flush()
    sys.stderr.flush()
