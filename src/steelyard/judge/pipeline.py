"""The second pass of a run: whatever waits for a judge is judged, many at a time."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from typing import Any

from steelyard.errors import JudgeError, SpecError
from steelyard.judge.asking import Asker, Pacing
from steelyard.judge.checklist import check_off, read_criteria
from steelyard.judge.config import JudgeScoringConfig
from steelyard.judge.single import JudgeItem, rate
from steelyard.judge.store import JudgeStore
from steelyard.models.types import Model
from steelyard.score import Score, pending, unscored

Given = JudgeItem | tuple[Any, str, str, str, dict[str, Any]]


async def judge_pending(
    items: Iterable[Given],
    config: JudgeScoringConfig,
    model: Model,
    pacer: Pacing,
    store: JudgeStore,
    *,
    at_once: int = 64,
    on_stop: Callable[[str], None] = lambda why: None,
) -> AsyncIterator[tuple[Any, Score]]:
    """The Score of every item, as each is judged; an item is (key, prompt, response, expected, metadata).

    Replies that are stored are read again and cost nothing. Where the judge cannot be asked the item stays pending,
    with the reason; where its verdict stays unreadable it is unscored. A full disk is a StoreError. ``on_stop`` is told
    in the end why nothing more could be asked (a refused key, a spent budget, an endpoint out of reach).
    """
    asker = Asker(model, pacer, store, config.parameters)
    waiting = iter(items)
    done: asyncio.Queue[tuple[Any, Score] | None] = asyncio.Queue(maxsize=2 * at_once)
    workers = [asyncio.create_task(_work(waiting, done, asker, config)) for _ in range(at_once)]
    ended = asyncio.create_task(_finish(workers, done))
    try:
        while (judged := await done.get()) is not None:
            yield judged
        await ended
        if asker.stopped:
            on_stop(asker.stopped)
    finally:
        for task in (*workers, ended):
            task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(*workers, ended, return_exceptions=True)


async def judge_one(
    asker: Asker, item: JudgeItem, config: JudgeScoringConfig, *, repeat: int = 0
) -> Score:
    """The Score of one item: by its criteria where it brings some, else by the rubric."""
    try:
        criteria = read_criteria(item.metadata)
    except SpecError as wrong:
        return unscored(f"the criteria cannot be used: {wrong}")
    try:
        if criteria:
            return await check_off(asker, item, criteria, config, repeat=repeat)
        return await rate(asker, item, config, repeat=repeat)
    except JudgeError as failed:
        return pending(str(failed))


async def _work(
    waiting: Iterator[Given],
    done: asyncio.Queue[tuple[Any, Score] | None],
    asker: Asker,
    config: JudgeScoringConfig,
) -> None:
    for given in waiting:  # shared by all workers: each takes the next one
        key, item = _item(given)
        judged = await judge_one(asker, item, config)
        asker.forget(item.key)
        await done.put((key, judged))


async def _finish(
    workers: list[asyncio.Task[None]], done: asyncio.Queue[tuple[Any, Score] | None]
) -> None:
    """Tell that all is done, or at the first failure that nothing more comes."""
    try:
        await asyncio.gather(*workers)
    finally:
        await done.put(None)


def _item(given: Given) -> tuple[Any, JudgeItem]:
    if isinstance(given, JudgeItem):
        return given.key, given
    key, instruction, response, expected, metadata = given
    return key, JudgeItem(
        key=str(key),
        instruction=instruction,
        response=response,
        expected=expected,
        metadata=metadata,
    )
