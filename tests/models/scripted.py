"""A clock that is turned by hand, and a model that fails by plan, for tests of the pace."""

from __future__ import annotations

import asyncio
import heapq
import random
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, TypeVar

from steelyard.errors import ModelError
from steelyard.models.pace import Clock, Pace, Pacer
from steelyard.models.types import Message, Reply, Request

T = TypeVar("T")
ROUNDS = 40  # enough turns of the loop for everything that can happen at one moment


class FakeClock(Clock):
    """Time goes on only when everybody waits."""

    def __init__(self) -> None:
        self.time, self._order = 0.0, 0
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []

    def now(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        self._order += 1
        sleeper = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self.time + seconds, self._order, sleeper))
        await sleeper

    async def limit(self, waiting: Awaitable[T], seconds: float) -> T:
        task, bell = asyncio.ensure_future(waiting), asyncio.ensure_future(self.sleep(seconds))
        await asyncio.wait({task, bell}, return_when=asyncio.FIRST_COMPLETED)
        bell.cancel()
        if not task.done():
            task.cancel()
            raise TimeoutError
        return task.result()

    async def drive(self, main: Coroutine[Any, Any, T]) -> T:
        """Run it to its end, however much time that takes."""
        task = asyncio.create_task(main)
        while not task.done():
            for _ in range(ROUNDS):
                await asyncio.sleep(0)
            while self._sleepers and self._sleepers[0][2].done():
                heapq.heappop(self._sleepers)
            if self._sleepers and not task.done():
                self.time, _, sleeper = heapq.heappop(self._sleepers)
                sleeper.set_result(None)
        return task.result()


Outcome = ModelError | Reply | None
Act = Callable[[int, float], Outcome]  # the number of the call and the time give what happens


class ScriptedModel:
    """Takes a second for each reply, unless the script says otherwise."""

    def __init__(self, clock: FakeClock, act: Act, *, seconds: float = 1.0) -> None:
        self._clock, self._act, self._seconds = clock, act, seconds
        self.calls: list[tuple[float, str]] = []
        self.in_flight = self.most_in_flight = 0

    @property
    def identity(self) -> Mapping[str, Any]:
        return {"kind": "scripted"}

    async def ask(self, request: Request) -> Reply:
        self.calls.append((self._clock.now(), request.messages[0].content))
        number = len(self.calls)
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            outcome = self._act(number, self._clock.now())
            await self._clock.sleep(self._seconds)
        finally:
            self.in_flight -= 1
        if isinstance(outcome, ModelError):
            raise outcome
        return outcome or Reply(text="yes", input_tokens=10, output_tokens=5)

    async def close(self) -> None:
        pass


def ask_for(text: str) -> Request:
    return Request(messages=(Message("user", text),))


class Trial:
    """Many samples asked at once, on a clock that costs no time."""

    def __init__(
        self, act: Act, limits: Pace, *, samples: int = 40, seconds: float = 1.0, seed: int = 1
    ) -> None:
        self.clock = FakeClock()
        self.model = ScriptedModel(self.clock, act, seconds=seconds)
        self.limits, self.samples, self.seed = limits, samples, seed
        self.pacer: Pacer
        self.ended: list[Reply | BaseException] = []

    def run(self) -> Trial:
        async def main() -> None:
            self.pacer = Pacer(self.limits, clock=self.clock, dice=random.Random(self.seed))
            asking = (
                self.pacer.ask(self.model, ask_for(str(number))) for number in range(self.samples)
            )
            self.ended = list(await asyncio.gather(*asking, return_exceptions=True))

        asyncio.run(self.clock.drive(main()))
        return self

    @property
    def replies(self) -> int:
        return sum(isinstance(end, Reply) for end in self.ended)

    def errors(self, kind: type[BaseException]) -> list[BaseException]:
        return [end for end in self.ended if isinstance(end, kind)]
