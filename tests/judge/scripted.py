"""A judge for tests: says what it is told to, and keeps what it was asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TypeVar

import msgspec

from steelyard.judge.asking import Asker, Unpaced
from steelyard.judge.config import JudgeScoringConfig
from steelyard.judge.store import JudgeStore
from steelyard.models.types import Reply, Request

T = TypeVar("T")
Say = Callable[[Request], str | Reply | Exception]


class Scripted:
    """Replies one after the other (the last one again and again), or what a function makes of the request."""

    def __init__(
        self, *replies: str | Reply | Exception, say: Say | None = None, name: str = "scripted"
    ) -> None:
        self.replies, self.say, self.name = list(replies), say, name
        self.asked: list[Request] = []

    @property
    def identity(self) -> Mapping[str, Any]:
        return {"kind": "scripted", "name": self.name}

    async def ask(self, request: Request) -> Reply:
        await asyncio.sleep(0)
        said = (
            self.say(request)
            if self.say
            else self.replies[min(len(self.asked), len(self.replies) - 1)]
        )
        self.asked.append(request)
        if isinstance(said, Exception):
            raise said
        return said if isinstance(said, Reply) else Reply(text=said)

    async def close(self) -> None:
        pass


def asker(
    model: Scripted, store: JudgeStore | None = None, config: JudgeScoringConfig | None = None
) -> Asker:
    kept = JudgeStore(None) if store is None else store
    return Asker(model, Unpaced(), kept, (config or JudgeScoringConfig()).parameters)


def run(asking: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asking)


def verdict(score: float | str, reason: str = "so it is", evidence: str = "Paris") -> str:
    return msgspec.json.encode({"evidence": evidence, "reason": reason, "score": score}).decode()


def says(word: str, evidence: str = "", reason: str = "so it is") -> str:
    return msgspec.json.encode({"evidence": evidence, "reason": reason, "verdict": word}).decode()
