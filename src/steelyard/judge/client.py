"""Ask a judge: look in the store, call once, ask again if the verdict is unreadable."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from steelyard.errors import EngineError, JudgeError, ModelError, StoreError
from steelyard.judge.prompt import (
    FIRST,
    JudgePrompt,
    JudgeTask,
    JudgeTurn,
    build_prompt,
    replace_surrogates,
)
from steelyard.judge.store import JudgeStore, call_key
from steelyard.judge.verdict_parser import ParsedVerdict, Unreadable, VerdictKind, parse_verdict
from steelyard.models.types import Model, Reply, Request

T = TypeVar("T")
Function = Callable[[list[dict[str, str]]], str]


class CallLimiter(Protocol):
    """Decides when a model is asked, and how often it is tried."""

    async def ask(self, model: Model, request: Request) -> Reply:
        """Return the reply, or raise an EngineError."""
        ...


class NoLimit:
    """Asks at once, and once."""

    async def ask(self, model: Model, request: Request) -> Reply:
        """Return the model's own reply."""
        return await model.ask(request)


class JudgeAnswer(NamedTuple, Generic[T]):
    """What was read in the end (or None), from which calls, and why nothing could be read."""

    value: T | None
    calls: tuple[str, ...]
    why: str = ""


# Returns why a verdict cannot be used, or an empty text.
Check = Callable[[ParsedVerdict, JudgePrompt], str]


class JudgeClient:
    """A judge with its rate limit and its store.

    After an error that concerns every sample (a refused key, an open circuit, a spent budget)
    nothing more is asked; ``stopped`` has the reason.
    """

    def __init__(
        self, model: Model, limiter: CallLimiter, store: JudgeStore, parameters: Mapping[str, Any]
    ) -> None:
        self.identity = dict(model.identity)
        self.stopped = ""
        self._model, self._limiter, self._store = model, limiter, store
        self._parameters = dict(parameters)
        self._in_flight: dict[str, asyncio.Future[Reply]] = {}
        self._calls_by_id: Counter[str] = Counter()

    @property
    def name(self) -> str:
        """The judge's name for a reader."""
        named = (self.identity.get(key) for key in ("name", "model", "kind"))
        return str(next(filter(None, named), "judge"))

    async def ask(self, prompt: JudgePrompt, item_id: str = "") -> tuple[str, Reply]:
        """Return the key of the call and the reply, from the store if possible.

        A judge that cannot be asked is a JudgeError.
        """
        request = self._request(prompt, item_id)
        if item_id:
            self._calls_by_id[item_id] += 1
        key = call_key(self.identity, request)
        stored = self._store.find(self.identity, request)
        if stored is not None:
            return key, stored
        if key in self._in_flight:
            return key, await asyncio.shield(self._in_flight[key])
        return key, await self._fetch(key, request)

    def release(self, item_id: str) -> None:
        """Forget how often an item was asked about, once it is judged."""
        self._calls_by_id.pop(item_id, None)

    def _request(self, prompt: JudgePrompt, item_id: str = "") -> Request:
        return Request(
            messages=prompt.messages,
            parameters=self._parameters,
            id=item_id,
            repeat=self._calls_by_id.get(item_id, 0),
        )

    async def _fetch(self, key: str, request: Request) -> Reply:
        if self._store.offline:
            raise JudgeError(f"no reply of the judge {self.name!r} is stored for this")
        if self.stopped:
            raise JudgeError(self.stopped)
        future = self._in_flight[key] = asyncio.get_running_loop().create_future()
        try:
            reply = _encodable(await self._limiter.ask(self._model, request))
            self._store.add(self.identity, request, reply)
            future.set_result(reply)
        except EngineError as failed:
            error = self._outage(failed)
            future.set_exception(error)
            future.exception()  # mark it as retrieved: there may be no other waiter
            raise error from failed
        finally:
            del self._in_flight[key]
            future.cancel()
        return reply

    def _outage(self, failed: EngineError) -> EngineError:
        """Return the error of a sample; remember one that concerns every sample."""
        if isinstance(failed, StoreError):
            return failed
        message = f"the judge could not be asked: {failed}"
        if not isinstance(failed, ModelError):
            self.stopped = message
        return JudgeError(message)

    async def ask_until_readable(
        self,
        task: JudgeTask,
        kind: VerdictKind,
        *,
        tries: int,
        turn: JudgeTurn = FIRST,
        check: Check = lambda verdict, prompt: "",
    ) -> JudgeAnswer[ParsedVerdict]:
        """Ask until a verdict can be used, at most ``tries`` times, each time with a new tag."""
        calls: list[str] = []
        for attempt in range(tries):
            turn = msgspec.structs.replace(turn, attempt=attempt)
            prompt = self._prompt(task, turn)
            key, reply = await self.ask(prompt, turn.id)
            calls.append(key)
            found = parse_verdict(
                reply.text,
                kind,
                tag=prompt.tag,
                answer=prompt.work,
                truncated=reply.finish in {"length", "max_tokens"},
            )
            if isinstance(found, Unreadable):
                why = found.why
            elif not (why := check(found, prompt)):
                return JudgeAnswer(found, tuple(calls))
            turn = msgspec.structs.replace(turn, why=why)
        return JudgeAnswer(None, tuple(calls), turn.why)

    def _prompt(self, task: JudgeTask, turn: JudgeTurn) -> JudgePrompt:
        """Return the prompt of a turn.

        It has no tag where the replies were written down before there was one: in a file of
        recorded replies, and in stored calls of an earlier version.
        """
        untagged = msgspec.structs.replace(turn, tagged=False)
        if self.identity.get("kind") == "recorded":
            return build_prompt(task, untagged)
        prompt = build_prompt(task, turn)
        if self._store.has_untagged and prompt.tag and not self._is_stored(prompt):
            earlier = build_prompt(task, untagged)
            return earlier if self._is_stored(earlier) else prompt
        return prompt

    def _is_stored(self, prompt: JudgePrompt) -> bool:
        return self._store.find(self.identity, self._request(prompt)) is not None


def _encodable(reply: Reply) -> Reply:
    return msgspec.structs.replace(
        reply,
        text=replace_surrogates(reply.text),
        reasoning=replace_surrogates(reply.reasoning),
    )


class FunctionModel:
    """A function of the user's as a model; its name is its whole identity."""

    def __init__(self, function: Function) -> None:
        self._function = function

    @property
    def identity(self) -> Mapping[str, Any]:
        """The kind and the name of the function."""
        function = self._function
        name = getattr(function, "__qualname__", type(function).__name__)
        return {"kind": "function", "name": name}

    async def ask(self, request: Request) -> Reply:
        """Return what the function returns; anything but a text is a ModelError."""
        messages = [
            {"role": message.role, "content": message.content} for message in request.messages
        ]
        try:
            text = self._function(messages)
        except OSError as failed:  # connections and timeouts; a bug of the function is raised
            raise ModelError(str(failed) or type(failed).__name__, kind="connection") from failed
        if not isinstance(text, str):
            message = f"the judge returned {type(text).__name__}; a text is needed"
            raise ModelError(message, kind="malformed")
        return Reply(text=text)

    async def close(self) -> None:
        """Do nothing: there is nothing to release."""


def as_model(judge: Model | Function) -> Model:
    """Return a model as it is, and a function as a model."""
    if callable(judge) and not hasattr(judge, "identity"):
        return FunctionModel(judge)
    return judge  # type: ignore[return-value]
