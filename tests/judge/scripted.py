"""A judge for tests: replies from a list or a function, with the tag of the prompt filled in."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TypeVar

from steelyard.judge.client import JudgeClient, NoLimit
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
        if isinstance(said, Reply):
            return said
        return Reply(text=said.replace("{tag}", tag_of(request)))

    async def close(self) -> None:
        pass


def tag_of(request: Request) -> str:
    """The verdict tag that a judge is asked for, if there is one."""
    found = re.search(r"VERDICT-\w+", "\n".join(part.content for part in request.messages))
    return found[0] if found else ""


def asker(
    model: Scripted, store: JudgeStore | None = None, config: JudgeScoringConfig | None = None
) -> JudgeClient:
    kept = JudgeStore(None) if store is None else store
    return JudgeClient(model, NoLimit(), kept, (config or JudgeScoringConfig()).parameters)


def run(asking: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asking)


def verdict(score: float | str, reason: str = "so it is", evidence: str = "Paris") -> str:
    return f"Evidence: {evidence}\nReason: {reason}\n{{tag}} {json.dumps({'score': score})}"


def says(word: str, evidence: str = "", reason: str = "so it is") -> str:
    return f"Evidence: {evidence}\nReason: {reason}\n{{tag}} {json.dumps({'verdict': word})}"
