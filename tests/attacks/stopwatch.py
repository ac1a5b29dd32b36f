"""A sandbox with a clock of our own beside it, which asks nobody inside and believes no record."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from steelyard.sandbox import Docker, Job, Limits, Outcome, Sandbox
from steelyard.sandbox.box import Box
from steelyard.sandbox.watch import living

_EXITING, _KILLED = (
    0x4,
    1 << signal.SIGKILL - 1,
)  # a flag of the kernel's, and a place among the signals that wait
_REMOVAL = 10.0  # seconds for the daemon to remove containers in which nothing runs


class Stopwatch:
    """Passes everything on; a run is timed from the moment at which its program was let go until its outcome was had.

    Of a container it is the time until nothing runs in it any more, as the kernel says: the daemon may take its own time to make
    it, and to tell what came of it, in which the program does nothing. That is told apart.
    """

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox, self.name = sandbox, sandbox.name
        self.daemon_took = self.longest = 0.0
        # The user of each container and when its run was over; afterwards the same user may be lent to a container that waits.
        self.users: list[tuple[int, float]] = []
        self._containers: list[str] = []

    def start(self, job: Job, limits: Limits) -> Box:
        began = time.monotonic()
        box = self._sandbox.start(job, limits)
        if isinstance(self._sandbox, Docker):
            self.daemon_took += time.monotonic() - began
            self._containers.append(box._host.name)  # type: ignore[attr-defined]
        return _Timed(box, self)  # type: ignore[return-value]

    def describe(self) -> dict[str, Any]:
        return dict(self._sandbox.describe())

    def warm(self, count: int, limits: Limits | None = None) -> None:
        self._sandbox.warm(count, limits)

    def close(self) -> None:
        """Whoever has opened the sandbox closes it."""

    def ended(self, box: Box, until: float) -> None:
        """The run of that box is over; until when its program was let to run."""
        if isinstance(self._sandbox, Docker):
            self.users.append((box._host.uid, time.clock_gettime(time.CLOCK_BOOTTIME)))  # type: ignore[attr-defined]
            self.daemon_took += time.monotonic() - until
        self.longest = max(self.longest, until - box._clock.started)

    def running(self) -> list[str]:
        """The containers of the runs that the daemon still has, after it had its time to remove them."""
        until = time.monotonic() + _REMOVAL
        while (left := self._there()) and time.monotonic() < until:
            time.sleep(0.1)
        return left

    def _there(self) -> list[str]:
        if not isinstance(self._sandbox, Docker):
            return []
        there = self._sandbox._client.ask("ps", "--all", "--format", "{{.Names}}").split()
        return [name for name in self._containers if name in there]


class _Timed:
    """A box, as `Box` is."""

    def __init__(self, box: Box, watch: Stopwatch) -> None:
        self._box, self._watch = box, watch
        first = box._host._first._pid if isinstance(watch._sandbox, Docker) else None  # type: ignore[attr-defined]
        self._inside = _Inside(first) if first else None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._box, name)

    def finish(self) -> Outcome:
        with self._timed():
            return self._box.finish()

    def stop(self) -> None:
        with self._timed():
            self._box.stop()

    @contextlib.contextmanager
    def _timed(self) -> Iterator[None]:
        over = self._box._released
        try:
            yield
        finally:
            if not over:
                self._watch.ended(
                    self._box, self._inside.seen_until() if self._inside else time.monotonic()
                )


class _Inside(threading.Thread):
    """Looks again and again whether anything below that process can still run, in a thread of its own."""

    def __init__(self, first: int) -> None:
        super().__init__(daemon=True)
        self._first, self._over, self._seen = first, threading.Event(), time.monotonic()
        self.start()

    def run(self) -> None:
        while not self._over.wait(0.02):
            if any(_can_run(pid) for pid in living(self._first)):
                self._seen = time.monotonic()

    def seen_until(self) -> float:
        """When something was there last."""
        self._over.set()
        self.join()
        return self._seen


def _can_run(pid: int) -> bool:
    """Whether it may execute another instruction of its program: one that has been killed, or is ending, may not."""
    try:
        flags = int(
            Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[6]
        )
        status = Path(f"/proc/{pid}/status").read_text(errors="replace")
    except OSError:
        return False
    pending = int(status.partition("\nSigPnd:")[2].split(None, 1)[0], 16)
    return not flags & _EXITING and not pending & _KILLED
