"""Asking at a pace that the endpoint bears: bounded in flight, gentle after a 429, patient within limits."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable
from typing import TypeVar

from steelyard.errors import EngineError, ModelError
from steelyard.models.gate import Gate
from steelyard.models.spending import Pace, Spent
from steelyard.models.types import Model, Reply, Request

__all__ = ["Clock", "Pace", "Pacer", "Spent", "StopRun"]

T = TypeVar("T")
# Worth another try: the next one may go well.
PASSING = frozenset({"timeout", "connection", "server", "rate_limit", "malformed"})
# Every other call would fail as this one did.
FATAL = {
    "refused": "the endpoint refuses us",
    "not_found": "the endpoint or the model is not there",
}


class StopRun(EngineError):  # noqa: N818 - not what went wrong but what is to be done
    """No further call makes sense. ``kind``: refused, not_found, rate_limit, breaker or budget.

    ``failed`` is how the caller's own call ended; None where it was not made.
    """

    def __init__(self, message: str, kind: str = "", failed: ModelError | None = None) -> None:
        self.message, self.kind, self.failed = message, kind, failed
        super().__init__(message)

    def __reduce__(self) -> tuple[object, ...]:
        return StopRun, (self.message, self.kind, self.failed)


class Clock:
    """The real time; a test passes in one of its own."""

    def now(self) -> float:
        """Seconds on a clock that never goes back."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait that long."""
        await asyncio.sleep(seconds)

    async def limit(self, waiting: Awaitable[T], seconds: float) -> T:
        """The result, or a TimeoutError once the seconds are over."""
        async with asyncio.timeout(seconds):
            return await waiting


class Pacer:
    """Asks models for many callers at once, under one set of limits.

    ``ask`` gives the reply; a ModelError, when this request failed for good; or StopRun, when all would: after a 401,
    403 or 404, when the endpoint is out of reach, or when a budget is used up. Once stopped it stays stopped.
    ``spent`` may begin with what an earlier session spent.
    """

    def __init__(
        self,
        limits: Pace | None = None,
        *,
        clock: Clock | None = None,
        dice: random.Random | None = None,
        spent: Spent | None = None,
    ) -> None:
        self.limits = limits or Pace()
        self.spent = spent or Spent()
        self._clock = clock or Clock()
        self._dice = dice or random.Random()
        self._gate = Gate(self.limits.concurrency, self._clock)
        self._began: float | None = None
        self._last_reply: float | None = None
        self._promised = 0  # retries that were granted and have not begun
        self._bad_rounds = 0
        self._round_ends = 0
        self._stopped: StopRun | None = None

    @property
    def in_flight(self) -> int:
        """Calls that have not ended yet."""
        return self._gate.in_flight

    @property
    def window(self) -> int:
        """How many calls may be in flight at the moment."""
        return int(self._gate.window)

    @property
    def held_for(self) -> float:
        """Seconds until the next call, after the endpoint asked for quiet."""
        return self._gate.held_for

    @property
    def cost(self) -> float | None:
        """What has been spent, where the prices are known."""
        return self.spent.cost(self.limits)

    async def ask(self, model: Model, request: Request) -> Reply:
        """The reply, after as many tries as the limits allow."""
        ends, left = (
            float("inf"),
            self.limits.deadline,
        )  # which begins with the first call, not with the wait for it
        failed: ModelError | None = None
        for attempt in range(1, self.limits.tries + 1):
            ticket = await self._enter(failed)
            try:
                if failed is None:
                    ends = self._clock.now() + left
                elif (left := ends - self._clock.now()) <= 0:
                    break
                self._begin(failed)
                reply = await self._call(model, request, left)
                self._succeeded(request, reply, ticket)
                return reply
            except ModelError as wrong:
                failed = wrong
                wait = self._wait_or_stop(wrong, ticket, attempt, ends)
            finally:
                self._gate.leave()
            if wait is None:
                break
            await self._pause(wait, failed)
        assert failed is not None  # only a failure leads here
        raise failed

    async def _pause(self, seconds: float, failed: ModelError) -> None:
        self._promised += _makes_a_retry(failed)
        try:
            await self._clock.sleep(seconds)
        except asyncio.CancelledError:
            self._promised -= _makes_a_retry(failed)
            raise

    async def _enter(self, failed: ModelError | None) -> int:
        try:
            return await self._gate.enter()
        finally:
            self._promised -= _makes_a_retry(failed)

    async def _call(self, model: Model, request: Request, left: float) -> Reply:
        if left >= getattr(model, "longest", float("inf")):
            return await model.ask(
                request
            )  # it ends its calls itself by then, and a second clock would only cost time
        try:
            return await self._clock.limit(model.ask(request), left)
        except TimeoutError:
            within = f"no reply within the deadline of {self.limits.deadline:g} seconds"
            raise ModelError(within, kind="timeout") from None

    def _begin(self, before: ModelError | None) -> None:
        now = self._clock.now()
        self._began = now if self._began is None else self._began
        if over := self.spent.exhausted(self.limits, now - self._began):
            raise self._stop(over, "budget")
        self.spent.calls += 1
        self.spent.retries += _makes_a_retry(before)

    def _succeeded(self, request: Request, reply: Reply, ticket: int) -> None:
        self._last_reply, self._bad_rounds = self._clock.now(), 0
        self.spent.note(request, reply)
        self._gate.grow(ticket)

    def _wait_or_stop(
        self, failed: ModelError, ticket: int, attempt: int, ends: float
    ) -> float | None:
        """As below; whoever is stopped by his own call is told how it ended."""
        try:
            return self._wait_after(failed, ticket, attempt, ends)
        except StopRun as stop:
            raise StopRun(stop.message, stop.kind, failed) from None

    def _wait_after(
        self, failed: ModelError, ticket: int, attempt: int, ends: float
    ) -> float | None:
        """How long to wait before the next try; None where there is none. Raises StopRun where all calls would fail."""
        self.spent.failures[failed.kind or "other"] += 1
        if failed.kind in FATAL:
            raise self._stop(f"{FATAL[failed.kind]}: {failed}", failed.kind)
        self._ease(failed, ticket)
        self._break_circuit(failed, ticket)
        if failed.kind not in PASSING or attempt == self.limits.tries:
            return None
        # The gate sees to it that after a 429 the next ones come slowly, and no sooner than the endpoint asks.
        if _makes_a_retry(failed) and not self.spent.may_retry(self.limits, self._promised):
            return None
        wait = max(failed.retry_after or 0.0, self._backoff(attempt))
        return wait if self._clock.now() + wait < ends else None

    def _ease(self, failed: ModelError, ticket: int) -> None:
        """Lighten the load that the endpoint failed under."""
        if failed.kind == "rate_limit" or failed.retry_after is not None:
            asked = failed.retry_after
            if asked is not None and asked > self.limits.deadline:
                raise self._stop(
                    f"the endpoint asks for a wait of {asked:,.0f} seconds: {failed}", "rate_limit"
                )
            spread = self._dice.uniform(0.0, 0.1) * (asked or 0.0)
            hold = asked + spread if asked is not None else self._backoff(self._bad_rounds + 1)
            self._gate.collapse(ticket, hold)
        elif failed.kind in PASSING and failed.kind != "malformed":
            self._gate.shrink(ticket)

    def _break_circuit(self, failed: ModelError, ticket: int) -> None:
        """Count rounds in which nothing came back; after too many of them wait with one call at a time, then give up.

        A request that the endpoint finds bad says something of the others only while none has gone well.
        """
        if failed.kind not in PASSING and (
            failed.kind != "bad_request" or self._last_reply is not None
        ):
            return
        if ticket > self._round_ends:
            self._round_ends = self._gate.tickets
            self._bad_rounds += 1
        if self._bad_rounds < self.limits.breaker:
            return
        if self._last_reply is None:
            raise self._stop(
                f"{self._bad_rounds} rounds of calls and not one reply; the last one: {failed}",
                "breaker",
            )
        silent = self._clock.now() - self._last_reply
        if silent >= self.limits.patience:
            raise self._stop(
                f"no reply for {silent:.0f} seconds; the last one: {failed}", "breaker"
            )
        self._gate.collapse(ticket, self._backoff(self._bad_rounds - self.limits.breaker + 2))

    def _backoff(self, attempt: int) -> float:
        longest = min(
            self.limits.longest_backoff, self.limits.backoff * 2.0 ** min(attempt - 1, 30)
        )
        return longest * self._dice.uniform(0.5, 1.0)

    def _stop(self, message: str, kind: str) -> StopRun:
        if self._stopped is None:
            self._stopped = StopRun(message, kind)
            self._gate.stop(self._stopped)
        return self._stopped


def _makes_a_retry(failed: ModelError | None) -> bool:
    """Whether a call after this failure is a second try.

    One that was turned away with 429 cost the endpoint nothing; asking for it later is the first try still.
    """
    return failed is not None and failed.kind != "rate_limit"
