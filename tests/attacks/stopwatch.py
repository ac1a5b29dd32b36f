"""A sandbox with a clock of our own beside it, which asks nobody inside and believes no record."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from typing import Any

from steelyard.sandbox import Docker, Job, Limits, Outcome, Sandbox
from steelyard.sandbox.box import Box

_REMOVAL = 10.0  # seconds for the daemon to remove containers in which nothing runs


class Stopwatch:
    """Passes everything on; a run is timed from the moment at which its program was let go until its outcome was had.

    What it takes to make a container is no part of a run, and is told apart; all else is the program's time.
    """

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox, self.name = sandbox, sandbox.name
        self.made_in = self.longest = 0.0
        # The user of each container and when its run was over; afterwards the same user may be lent to a container that waits.
        self.users: list[tuple[int, float]] = []
        self._containers: list[str] = []

    def start(self, job: Job, limits: Limits) -> Box:
        began = time.monotonic()
        box = self._sandbox.start(job, limits)
        if isinstance(self._sandbox, Docker):
            self.made_in += time.monotonic() - began
            self._containers.append(box._host.name)  # type: ignore[attr-defined]
        return _Timed(box, self)  # type: ignore[return-value]

    def describe(self) -> dict[str, Any]:
        return dict(self._sandbox.describe())

    def warm(self, count: int, limits: Limits | None = None) -> None:
        self._sandbox.warm(count, limits)

    def close(self) -> None:
        """Whoever has opened the sandbox closes it."""

    def ended(self, box: Box) -> None:
        """The run of that box is over."""
        if isinstance(self._sandbox, Docker):
            self.users.append((box._host.uid, time.clock_gettime(time.CLOCK_BOOTTIME)))  # type: ignore[attr-defined]

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
        self._began = time.monotonic()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._box, name)

    def restart_clock(self) -> None:
        self._began = time.monotonic()
        self._box.restart_clock()

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
                self._watch.ended(self._box)
                self._watch.longest = max(self._watch.longest, time.monotonic() - self._began)
