"""The second pass: what only a judge can score is put before it, and its verdicts are kept."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from steelyard.errors import ModelError, StoreError
from steelyard.models.pace import Pacer
from steelyard.models.types import Model, Reply, Request
from steelyard.runs.lines import AttemptLine, ScoreLine
from steelyard.runs.loop import Loop, Record, Stopped
from steelyard.runs.watch import Watch
from steelyard.score import Score

if TYPE_CHECKING:  # most runs have no judge, and start faster without loading one
    from steelyard.judge.config import JudgeScoringConfig
    from steelyard.judge.single import JudgeItem
    from steelyard.judge.store import JudgeStore

JUDGE = "judge.jsonl"


class JudgeDoor:
    """Who judges, how, and at what pace; ``offline`` only reads stored replies again."""

    def __init__(self, model: Model, config: JudgeScoringConfig, pacer: Pacer, *, offline: bool = False) -> None:
        self.model, self.config, self.pacer, self.offline = model, config, pacer, offline

    @property
    def identity(self) -> dict[str, Any]:
        """Everything that shapes a verdict."""
        return {"model": dict(self.model.identity), "config": self.config.signature}

    async def close(self) -> None:
        """Give back what the judge holds."""
        await self.model.close()


async def judge_all(record: Record, judge: JudgeDoor, watch: Watch, loop: Loop | None = None) -> None:
    """Every sample that waits for the judge is judged, or stays pending with the reason."""
    if next(iter(record.ledger.to_judge()), None) is None:
        return
    from steelyard.judge.store import JudgeStore

    path = record.journal.path.parent / JUDGE
    if judge.offline and not path.exists():
        path.touch()
    with JudgeStore(path, offline=judge.offline) as store:
        judging = asyncio.create_task(_judge(record, judge, store, watch))
        while not judging.done():
            await asyncio.wait({judging}, timeout=0.2)
            if loop is not None and loop.stopped is not None:
                judging.cancel()
                await asyncio.gather(judging, return_exceptions=True)
                raise loop.stopped
        try:
            judging.result()
        except StoreError as failed:
            raise Stopped(str(failed)) from None


async def _judge(record: Record, judge: JudgeDoor, store: JudgeStore, watch: Watch) -> None:
    from steelyard.judge.pipeline import judge_pending

    at_once = judge.pacer.limits.concurrency
    found = judge_pending(_items(record), judge.config, judge.model, judge.pacer, store, at_once=at_once)
    async with aclosing(found) as judged:  # type: ignore[type-var]
        async for key, score in judged:
            settled = _settled(record, key, score)
            record.keep_scores([(key, settled)], judged=True)
            watch.verdict(settled)


def _settled(record: Record, key: str, judged: Score) -> Score:
    """What the judge's score comes to by the benchmark's own rules."""
    place = record.ledger.place(key)
    return judged if place is None else record.plan.benchmark.settled(record.plan.problem(place), judged)


def _items(record: Record) -> Iterator[JudgeItem]:
    """What waits for the judge, read from the journal one by one."""
    from steelyard.judge.single import JudgeItem

    for place in record.ledger.to_judge():
        offset = record.ledger.attempt(place)
        line = record.journal.read(offset) if offset is not None else None
        if isinstance(line, AttemptLine):
            problem = record.plan.problem(place)
            yield JudgeItem(
                key=line.key, instruction=asked_text(record.plan.messages(problem)), response=line.response,
                expected=problem.target, metadata=problem.metadata,
            )  # fmt: skip


def asked_text(messages: tuple[Any, ...]) -> str:
    """What was asked, as a judge reads it: the one question, or the conversation with who said what."""
    said = [message for message in messages if message.role != "system"]
    if len(said) == 1:
        return str(said[0].content)
    return "\n\n".join(f"{message.role}: {message.content}" for message in said)


def write_judge_file(record: Record, folder: Path) -> dict[str, int] | None:
    """Put the judge's replies into the order of the samples; the tokens that they took, None where nobody judged."""
    path = folder / JUDGE
    if not path.exists():
        return None
    from steelyard.judge.store import JudgeStore

    with JudgeStore(path) as store:
        store.settle(_calls_in_order(record))
        tokens = {"input": 0, "output": 0}
        for call in store.calls():
            tokens["input"] += call.reply.input_tokens or 0
            tokens["output"] += call.reply.output_tokens or 0
    return tokens


def _calls_in_order(record: Record) -> Iterator[str]:
    for place in range(record.ledger.total):
        offset = record.ledger.score(place)
        line = record.journal.read(offset) if offset is not None else None
        if isinstance(line, ScoreLine) and line.judged:
            yield from _calls(line.score)


def _calls(score: Score) -> Iterator[str]:
    found = score.detail.get("calls")
    if isinstance(found, list):
        yield from (call for call in found if isinstance(call, str))
    for part in score.parts:
        yield from _calls(part.score)


class StoredJudge:
    """A judge that is no longer asked: it has the identity of the one that was, and says nothing new."""

    def __init__(self, identity: Mapping[str, Any]) -> None:
        self.identity: Mapping[str, Any] = dict(identity)

    async def ask(self, request: Request) -> Reply:
        """There is nobody to ask."""
        raise ModelError("the judge is not asked, only its stored replies are read", kind="refused")

    async def close(self) -> None:
        """Holds nothing."""
