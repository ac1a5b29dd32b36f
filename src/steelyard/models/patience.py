"""Calls that take too long are ended: all of them are looked at now and then, since a clock for each costs more than asking."""

from __future__ import annotations

import asyncio
import time

# A call ends early by at most this share of its time, and by at most this many seconds.
SHARE, STEP = 0.05, 1.0


class Patience:
    """Ends whatever has been silent for ``read`` seconds or has taken ``total`` seconds: never later, and hardly earlier.

    A call is known by the ``asyncio.timeout(None)`` around it, which ends as if its own time were over.
    """

    def __init__(self, read: float, total: float) -> None:
        self._read, self._total = read, total
        self._step = min(STEP, SHARE * min(read, total))
        # When a call will have been silent for too long, and when it will have taken too long.
        self._calls: dict[asyncio.Timeout, tuple[float, float]] = {}
        self._next: asyncio.TimerHandle | None = None

    def begins(self, call: asyncio.Timeout, now: float) -> None:
        """The call has begun."""
        self._calls[call] = now + self._read, now + self._total
        if self._next is None:
            self._next = asyncio.get_running_loop().call_later(self._step, self._look)

    def hears(self, call: asyncio.Timeout) -> None:
        """Something has come; for a call whose time is over, too late."""
        if (due := self._calls.get(call)) is not None:
            self._calls[call] = time.monotonic() + self._read, due[1]

    def ends(self, call: asyncio.Timeout) -> None:
        """The call is over."""
        self._calls.pop(call, None)

    def rest(self) -> None:
        """Nothing is looked at any more, until a call begins; it may do so in another loop."""
        if self._next is not None:
            self._next.cancel()
        self._next = None

    def _look(self) -> None:
        loop = asyncio.get_running_loop()
        soon = time.monotonic() + self._step  # the next look would come too late
        for call in [call for call, due in self._calls.items() if min(due) <= soon]:
            self.ends(call)
            call.reschedule(loop.time())
        self._next = loop.call_later(self._step, self._look) if self._calls else None
