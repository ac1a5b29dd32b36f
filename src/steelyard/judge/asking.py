"""Asking a judge: each call is stored before it is read, and no call is made twice."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from steelyard.errors import EngineError, JudgeError, ModelError, StoreError
from steelyard.judge.prompt import JudgePrompt, Task, Turn, build_prompt
from steelyard.judge.store import JudgeStore, call_key
from steelyard.models.types import Model, Reply, Request

T = TypeVar("T")


class Pacing(Protocol):
    """Whoever decides when a model is asked, and how often it is tried."""

    async def ask(self, model: Model, request: Request) -> Reply:
        """The reply; an EngineError where there is none."""
        ...


class Unpaced:
    """Asks at once, and once."""

    async def ask(self, model: Model, request: Request) -> Reply:
        """The model's own reply."""
        return await model.ask(request)


class Unreadable(NamedTuple):
    """Why a reply cannot be used."""

    why: str


class Answered(NamedTuple, Generic[T]):
    """What was read in the end (None where nothing could be), by which calls, and why not."""

    value: T | None
    calls: tuple[str, ...]
    why: str = ""


Reader = Callable[[Reply, JudgePrompt], "T | Unreadable"]


class Asker:
    """A judge with its pace and its store.

    After an error that is the run's and not the sample's (a refused key, an open circuit, a spent budget) nothing
    more is asked: ``stopped`` has the reason.
    """

    def __init__(
        self, model: Model, pacer: Pacing, store: JudgeStore, parameters: Mapping[str, Any]
    ) -> None:
        self.identity = dict(model.identity)
        self.stopped = ""
        self._model, self._pacer, self._store, self._parameters = (
            model,
            pacer,
            store,
            dict(parameters),
        )
        self._flying: dict[str, asyncio.Future[Reply]] = {}
        self._asked: Counter[str] = Counter()

    @property
    def name(self) -> str:
        """Who judges, for a reader."""
        return str(
            self.identity.get("name")
            or self.identity.get("model")
            or self.identity.get("kind")
            or "judge"
        )

    async def ask(self, prompt: JudgePrompt, id: str = "") -> tuple[str, Reply]:  # noqa: A002
        """The key of the call, and the reply: the stored one if there is one. A JudgeError where there is none."""
        request = Request(
            messages=prompt.messages, parameters=self._parameters, id=id, repeat=self._asked[id]
        )
        if id:
            self._asked[id] += 1
        key = call_key(self.identity, request)
        kept = self._store.find(self.identity, request)
        if kept is not None:
            return key, kept
        if key in self._flying:
            return key, await asyncio.shield(self._flying[key])
        return key, await self._fetch(key, request)

    def forget(self, id: str) -> None:  # noqa: A002
        """What has this id is judged; how often it was asked about need not be known any longer."""
        self._asked.pop(id, None)

    async def _fetch(self, key: str, request: Request) -> Reply:
        if self._store.offline:
            raise JudgeError(f"no reply of the judge {self.name!r} is stored for this")
        if self.stopped:
            raise JudgeError(self.stopped)
        future = self._flying[key] = asyncio.get_running_loop().create_future()
        try:
            reply = await self._pacer.ask(self._model, request)
            self._store.add(self.identity, request, reply)
            future.set_result(reply)
        except EngineError as failed:
            told = self._outage(failed)
            future.set_exception(told)
            future.exception()  # whoever waits gets it; if nobody does, that is no bug
            raise told from failed
        finally:
            del self._flying[key]
            future.cancel()
        return reply

    def _outage(self, failed: EngineError) -> EngineError:
        """The error as the sample sees it; what holds for all samples is remembered."""
        if isinstance(failed, StoreError):
            return failed
        said = f"the judge could not be asked: {failed}"
        if not isinstance(failed, ModelError):
            self.stopped = said
        return JudgeError(said)

    async def decide(
        self, task: Task, read: Reader[T], *, tries: int, turn: Turn | None = None
    ) -> Answered[T]:
        """Ask until a reply can be used, at most so many times; each new try has new marks, and says what was wrong."""
        asked = turn or Turn()
        calls: list[str] = []
        for attempt in range(tries):
            prompt = build_prompt(task, msgspec.structs.replace(asked, attempt=attempt))
            key, reply = await self.ask(prompt, asked.id)
            calls.append(key)
            found = read(reply, prompt)
            if not isinstance(found, Unreadable):
                return Answered(found, tuple(calls))
            asked = msgspec.structs.replace(asked, why=found.why)
        return Answered(None, tuple(calls), asked.why)


def was_cut(reply: Reply) -> bool:
    """Whether the reply was broken off for its length."""
    return reply.finish in {"length", "max_tokens"}
