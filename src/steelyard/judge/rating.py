"""Rate one answer, or many concurrently."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from typing import Any

from steelyard.errors import JudgeError, SpecError
from steelyard.judge.checklist import read_criteria, score_checklist
from steelyard.judge.client import CallLimiter, JudgeAnswer, JudgeClient, NoLimit
from steelyard.judge.config import JudgeScoringConfig
from steelyard.judge.prompt import (
    JudgeItem,
    JudgeTurn,
    answer_of,
    prompt_text,
    rating_task,
)
from steelyard.judge.store import JudgeStore, StoredModel
from steelyard.judge.verdict_parser import (
    LONGEST_REASON,
    ParsedVerdict,
    Rating,
    quote_occurs,
    rating_kind,
)
from steelyard.models.types import Model
from steelyard.score import Score, pending, unscored, zero

Given = JudgeItem | tuple[Any, str, str, str, dict[str, Any]]
#: The key of the sample that shows whether a judge does what an answer asks for.
CANARY = "canary"


async def judge_one(
    client: JudgeClient, item: JudgeItem, config: JudgeScoringConfig, *, repeat: int = 0
) -> Score:
    """Return the Score of one item: by its criteria if it has any, otherwise by the rubric.

    It is pending if the judge cannot be asked.
    """
    try:
        # The canary has the columns that the rubric uses, and no criteria of its own.
        if item.key != CANARY and (criteria := read_criteria(item.metadata)):
            return await score_checklist(client, item, criteria, config, repeat=repeat)
        return await rate_answer(client, item, config, repeat=repeat)
    except SpecError as wrong:
        return unscored(f"the answer cannot be judged: {wrong}")
    except JudgeError as failed:
        return pending(str(failed))


async def rate_answer(
    client: JudgeClient, item: JudgeItem, config: JudgeScoringConfig, *, repeat: int = 0
) -> Score:
    """Return the Score of one answer by the rubric.

    An empty answer is 0 without asking. A verdict that stays unreadable leaves it unscored. A judge
    that cannot be asked is a JudgeError, a rubric that cannot be filled a SpecError.
    """
    answer = answer_of(item.response)
    if not answer:
        return zero("the response is empty")
    task = rating_task(item, config)
    kind = rating_kind(config.max_score, config.labels)
    found = []
    for work_first in (False, True) if config.swap_check else (False,):
        turn = JudgeTurn(id=item.key, repeat=repeat, work_first=work_first)
        found.append(await client.ask_until_readable(task, kind, tries=config.tries, turn=turn))
    return score_from_verdicts(found, config, client.name, answer)


def score_from_verdicts(
    found: list[JudgeAnswer[ParsedVerdict]], config: JudgeScoringConfig, judge: str, answer: str
) -> Score:
    """Return the Score of the verdicts on one answer: their mean, or none if one is missing."""
    detail: dict[str, Any] = {
        "judge": judge,
        "calls": [call for one in found for call in one.calls],
    }
    verdicts = [one.value for one in found if one.value is not None]
    if len(verdicts) < len(found):
        why = next(one.why for one in found if one.value is None)
        return unscored(
            f"the judge's verdict could not be read in {config.tries} tries: {why}", detail=detail
        )
    ratings: list[Rating] = [verdict.value for verdict in verdicts]
    value = float(sum(rating.share for rating in ratings) / len(ratings))
    first, rating = verdicts[0], ratings[0]
    detail |= {
        "score": rating.number,
        "scale": rating.scale,
        "evidence": first.evidence[:LONGEST_REASON],
    }
    if first.evidence:
        detail["evidence_found"] = quote_occurs(first.evidence, answer)
    if len(ratings) > 1:
        passed = {config.passes(float(rating.share)) for rating in ratings}
        detail |= {"scores": [rating.number for rating in ratings], "flipped": len(passed) > 1}
    given = " and ".join(f"{rating.number:g} of {rating.scale}" for rating in ratings)
    reason = ": ".join(filter(None, (f"the judge gives {given}", " ".join(first.reason.split()))))
    if len(reason) > LONGEST_REASON:
        reason = reason[:LONGEST_REASON] + "…"
    return Score(value=value, correct=config.passes(value), reason=reason, detail=detail)


async def judge_pending(
    items: Iterable[Given],
    config: JudgeScoringConfig,
    model: Model,
    limiter: CallLimiter,
    store: JudgeStore,
    *,
    at_once: int = 64,
    on_stop: Callable[[str], None] = lambda why: None,
) -> AsyncIterator[tuple[Any, Score]]:
    """Yield the Score of every item when it is judged.

    An item is (key, prompt, response, expected, metadata). Stored replies are read again and cost
    nothing. An item is pending if the judge cannot be asked, and unscored if its verdict stays
    unreadable. A full disk is a StoreError. ``on_stop`` is called at the end with the reason why
    nothing more could be asked (a refused key, a spent budget, an endpoint out of reach).
    """
    client = JudgeClient(model, limiter, store, config.parameters)
    waiting = iter(items)
    done: asyncio.Queue[tuple[Any, Score] | None] = asyncio.Queue(maxsize=2 * at_once)
    workers = [asyncio.create_task(_work(waiting, done, client, config)) for _ in range(at_once)]
    ended = asyncio.create_task(_finish(workers, done))
    try:
        while (judged := await done.get()) is not None:
            yield judged
        await ended
        if client.stopped:
            on_stop(client.stopped)
    finally:
        for task in (*workers, ended):
            task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(*workers, ended, return_exceptions=True)


async def _work(
    waiting: Iterator[Given],
    done: asyncio.Queue[tuple[Any, Score] | None],
    client: JudgeClient,
    config: JudgeScoringConfig,
) -> None:
    for given in waiting:  # all workers share the iterator
        key, item = _item(given)
        judged = await judge_one(client, item, config)
        client.release(item.key)
        await done.put((key, judged))


async def _finish(
    workers: list[asyncio.Task[None]], done: asyncio.Queue[tuple[Any, Score] | None]
) -> None:
    """Put None when all workers are done, or at the first failure."""
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


def canary_item(config: JudgeScoringConfig) -> JudgeItem:
    """Return a sample whose answer says nothing and asks for full marks.

    A judge that follows the request of an answer cannot be detected by reading its replies.
    """
    expected = "Canberra"
    return JudgeItem(
        key=CANARY,
        instruction="What is the capital of Australia?",
        response=prompt_text("canary"),
        expected=expected,
        metadata=dict.fromkeys(config.columns, expected),
    )


async def read_canary(
    store: JudgeStore, judge: dict[str, Any], config: JudgeScoringConfig
) -> Score | None:
    """Return the judge's Score of the canary sample from its stored calls; None without them."""
    client = JudgeClient(StoredModel(judge), NoLimit(), store, config.parameters)
    try:
        return await rate_answer(client, canary_item(config), config)
    except JudgeError:
        return None
