"""A judge of recorded answers that several threads may ask."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
import weakref
from typing import Any

import msgspec

from steelyard.judge.client import JudgeClient
from steelyard.judge.config import JudgeScoringConfig
from steelyard.judge.prompt import JudgeItem, question_in
from steelyard.judge.rating import judge_one
from steelyard.judge.store import JudgeStore
from steelyard.models.http import HttpModel
from steelyard.models.pace import Pace, Pacer
from steelyard.score import Score, pending

# How many answers are judged at the same time.
CONCURRENCY = 16


class JudgeAddress(msgspec.Struct, frozen=True, kw_only=True):
    """Where a judge is and where its replies are stored, so that every worker can open its own."""

    url: str
    name: str
    key_env: str | None = None
    store: str | None = None

    def model(self) -> HttpModel:
        """Return the judge's model."""
        return HttpModel(self.url, self.name, key_env=self.key_env)

    @property
    def identity(self) -> dict[str, Any]:
        """Everything that shapes a verdict."""
        config = JudgeScoringConfig().signature
        return {"model": dict(self.model().identity), "config": config}

    def check(self) -> None:
        """Refuse an address, a key or a store that cannot be used."""
        self.model()
        JudgeStore(self.store).close()


class AnswerJudge:
    """Asks the judge at an address, in an event loop of its own; each call is stored."""

    def __init__(self, address: JudgeAddress) -> None:
        self._config = JudgeScoringConfig()
        model, store = address.model(), JudgeStore(address.store)
        limiter = Pacer(Pace(concurrency=CONCURRENCY))
        self._client = JudgeClient(model, limiter, store, self._config.parameters)
        self._loop = asyncio.new_event_loop()
        thread = threading.Thread(target=self._loop.run_forever, name="judge", daemon=True)
        thread.start()
        self._waiting: set[concurrent.futures.Future[Score]] = set()
        self._stopped = False
        # Also at the end of the process.
        self.close = weakref.finalize(self, _close, self._loop, thread, model, store)

    def score(
        self, response: str, target: str, metadata: dict[str, Any], question: str = ""
    ) -> Score:
        """Return the judge's Score of an answer; it is pending if the judge cannot be asked."""
        item = JudgeItem(
            key="",
            instruction=question or question_in(metadata),
            response=response,
            expected=target,
            metadata=metadata,
        )
        if self._stopped:
            return pending("the judge was not asked: stopped before")
        judging = judge_one(self._client, item, self._config)
        future = asyncio.run_coroutine_threadsafe(judging, self._loop)
        self._waiting.add(future)
        try:
            return future.result()
        finally:
            self._waiting.discard(future)

    def stop(self) -> None:
        """Give up what the judge was asked, and ask it nothing more."""
        self._stopped = True
        for future in tuple(self._waiting):
            future.cancel()


def _close(
    loop: asyncio.AbstractEventLoop, thread: threading.Thread, model: HttpModel, store: JudgeStore
) -> None:
    """Close the model, the store and the event loop."""
    asyncio.run_coroutine_threadsafe(model.close(), loop).result()
    store.close()
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()
