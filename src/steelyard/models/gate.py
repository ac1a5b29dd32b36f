"""How many calls may be in flight: a window that opens with every reply and closes when the endpoint has too much."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Protocol

FIRST_WINDOW = 8


class Time(Protocol):
    """The clock that waits are measured by."""

    def now(self) -> float:
        """Seconds on a clock that never goes back."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait that long."""
        ...


class Gate:
    """Lets callers in, first come first served, while fewer than ``window`` are inside and nobody is held back.

    The window grows by one with each reply (slow start), and above the ``threshold``, where the endpoint last had too
    much, by one a round. A round is everything in flight at a time: what it fails by is punished once.
    """

    def __init__(self, most: int, clock: Time) -> None:
        self.most, self._clock = most, clock
        self.window = float(min(most, FIRST_WINDOW))
        self.threshold = float(most)
        self.in_flight = 0
        self.tickets = 0
        self._cut_at = 0
        self._held_until = float("-inf")
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._opening: asyncio.Task[None] | None = None
        self._stopped: Exception | None = None

    @property
    def held_for(self) -> float:
        """Seconds until somebody is let in again; 0 where nobody is held back."""
        return max(0.0, self._held_until - self._clock.now())

    @property
    def waiting(self) -> int:
        """How many stand before the gate."""
        return len(self._waiting)

    async def enter(self) -> int:
        """Wait for a place; the number of the call, by which its round is known."""
        if self._stopped is not None:
            raise self._stopped
        if self._waiting or not self._is_open():
            turn = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            self._open_later()
            await self._stand(turn)
        else:
            self.in_flight += 1
        self.tickets += 1
        return self.tickets

    async def _stand(self, turn: asyncio.Future[None]) -> None:
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                self.leave()  # the place was given in the same moment, and nobody takes it
            raise

    def leave(self) -> None:
        """Give the place back."""
        self.in_flight -= 1
        self._admit()

    def grow(self, ticket: int) -> None:
        """A reply came: there is room for more, unless it was asked for before the window was last cut."""
        if ticket > self._cut_at and self.window < self.most:
            self.window += 1.0 if self.window < self.threshold else 1.0 / self.window
            self.window = min(self.window, float(self.most))

    def shrink(self, ticket: int) -> None:
        """The call failed in a way that a lighter load may mend: half the window, once a round."""
        if ticket > self._cut_at:
            self._cut_at = self.tickets
            self.window = self.threshold = max(1.0, self.window / 2)

    def collapse(self, ticket: int, hold: float) -> None:
        """The endpoint asks for quiet: nobody is let in for ``hold`` seconds, then one, then slowly more."""
        if ticket > self._cut_at:
            self._cut_at = self.tickets
            self.threshold = max(1.0, self.window / 2)
            self.window = 1.0
        self._held_until = max(self._held_until, self._clock.now() + hold)

    def stop(self, why: Exception) -> None:
        """Let nobody in any more."""
        self._stopped = why
        if self._opening is not None:
            self._opening.cancel()
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_exception(why)

    def _is_open(self) -> bool:
        return self.in_flight < int(self.window) and self._held_until <= self._clock.now()

    def _admit(self) -> None:
        while self._waiting and self._is_open():
            turn = self._waiting.popleft()
            if not turn.done():
                self.in_flight += 1
                turn.set_result(None)
        self._open_later()

    def _open_later(self) -> None:
        """Where all are held back nobody leaves, so that somebody has to open when the time is over."""
        if self._waiting and self._opening is None and self.held_for > 0:
            self._opening = asyncio.get_running_loop().create_task(self._open_when_due())

    async def _open_when_due(self) -> None:
        try:
            while (wait := self.held_for) > 0:
                await self._clock.sleep(wait)
        finally:
            self._opening = None
        self._admit()
