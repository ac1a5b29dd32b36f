"""The second pass: what only a judge can score is put before it, and its verdicts are kept."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Container, Iterator
from contextlib import aclosing
from itertools import chain
from typing import TYPE_CHECKING, Any

from steelyard.errors import StoreError
from steelyard.models.pace import Pacer
from steelyard.models.types import Model
from steelyard.runs.judge_file import JUDGE, calls_of
from steelyard.runs.lines import AttemptLine, ScoreLine
from steelyard.runs.loop import SYNC_SECONDS, Loop, Record, Stopped
from steelyard.runs.watch import Watch
from steelyard.score import Score

if TYPE_CHECKING:  # most runs have no judge, and start faster without loading one
    from steelyard.judge.config import JudgeScoringConfig
    from steelyard.judge.prompt import JudgeItem
    from steelyard.judge.store import JudgeStore


class JudgeDoor:
    """Who judges, how, and at what pace; ``offline`` only reads stored replies again."""

    def __init__(
        self, model: Model, config: JudgeScoringConfig, pacer: Pacer, *, offline: bool = False
    ) -> None:
        self.model, self.config, self.pacer, self.offline = model, config, pacer, offline

    @property
    def identity(self) -> dict[str, Any]:
        """Everything that shapes a verdict."""
        return {"model": dict(self.model.identity), "config": self.config.signature}

    async def close(self) -> None:
        """Give back what the judge holds."""
        await self.model.close()


async def judge_all(
    record: Record, judge: JudgeDoor, watch: Watch, loop: Loop | None = None
) -> None:
    """Every sample that waits for the judge is judged, or stays pending with the reason.

    Stopped says why nothing more could be asked, where that holds for every sample.
    """
    path = record.journal.path.parent / JUDGE
    if not path.exists() and next(_waiting(record, ()), None) is None:
        return
    from steelyard.judge.store import JudgeStore

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
    from steelyard.judge.rating import canary_item, judge_pending

    stopped: list[str] = []
    canary = canary_item(judge.config)
    keeper = _Keeper(record, store, watch, ignored=canary.key)
    found = judge_pending(
        chain([canary], _items(record, store)),
        judge.config,
        judge.model,
        judge.pacer,
        store,
        at_once=judge.pacer.limits.concurrency,
        on_stop=stopped.append,
    )
    try:
        async with aclosing(found) as judged:  # type: ignore[type-var]
            async for key, score in judged:
                keeper.add(key, score)
    finally:
        keeper.flush()
    if stopped:
        raise Stopped(stopped[0])


class _Keeper:
    """Puts verdicts into the journal once the replies that they were read from are on the disk, many at a time.

    What is not in the journal yet is not lost when the process dies: it is read from the stored reply again.
    The verdict on the ``ignored`` canary sample is only stored; ``write_judge_file`` reads it.
    """

    def __init__(self, record: Record, store: JudgeStore, watch: Watch, *, ignored: str) -> None:
        self._record, self._store, self._watch, self._ignored = record, store, watch, ignored
        self._held: list[tuple[str, Score]] = []
        self._flushed = time.monotonic()

    def add(self, key: str, judged: Score) -> None:
        """Take a verdict."""
        if key == self._ignored:
            return
        score = _settled(self._record, key, judged)
        self._held.append((key, score))
        self._watch.verdict(score)
        if time.monotonic() - self._flushed >= SYNC_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Keep those that were taken."""
        if self._held:
            self._store.sync()
            self._record.keep_scores(self._held, judged=True)
            self._record.journal.sync()
        self._held, self._flushed = [], time.monotonic()


def _settled(record: Record, key: str, judged: Score) -> Score:
    """What the judge's score comes to by the benchmark's own rules."""
    place = record.ledger.place(key)
    if place is None:
        return judged
    before = _score_at(record, place)
    return record.plan.benchmark.settled(record.plan.problem(place), before or judged, judged)


def _score_at(record: Record, place: int) -> Score | None:
    """The last Score of a sample."""
    offset = record.ledger.score(place)
    line = record.journal.read(offset) if offset is not None else None
    return line.score if isinstance(line, ScoreLine) else None


def _waiting(record: Record, kept: Container[str]) -> Iterator[int]:
    """The samples that the judge has still to speak about, and those whose verdict rests on a reply that was lost."""
    to_judge = record.ledger.to_judge()
    coming = next(to_judge, None)
    for place in range(record.ledger.total):
        if place == coming:
            coming = next(to_judge, None)
            yield place
        elif not all(call in kept for call in _calls_at(record, place)):
            yield place


def _calls_at(record: Record, place: int) -> Iterator[str]:
    offset = record.ledger.score(place)
    line = record.journal.read(offset) if offset is not None else None
    if isinstance(line, ScoreLine) and line.judged:
        yield from calls_of(line.score)


def _items(record: Record, kept: Container[str]) -> Iterator[JudgeItem]:
    """What waits for the judge, read from the journal one by one."""
    from steelyard.judge.prompt import JudgeItem
    from steelyard.scoring.cascade import judged_metadata

    for place in _waiting(record, kept):
        offset = record.ledger.attempt(place)
        line = record.journal.read(offset) if offset is not None else None
        if isinstance(line, AttemptLine):
            problem = record.plan.problem(place)
            before = _score_at(record, place) if record.plan.benchmark.cascade else None
            metadata = judged_metadata(before, problem.metadata) if before else problem.metadata
            yield JudgeItem(
                key=line.key,
                instruction=asked_text(record.plan.messages(problem)),
                response=line.response,
                expected=problem.target,
                metadata=metadata,
            )


def asked_text(messages: tuple[Any, ...]) -> str:
    """What was asked, as a judge reads it: the one question, or the conversation with who said what."""
    said = [message for message in messages if message.role != "system"]
    if len(said) == 1:
        return str(said[0].content)
    return "\n\n".join(f"{message.role}: {message.content}" for message in said)
