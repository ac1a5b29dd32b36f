"""The loop: ask for every sample that has no reply, keep each reply before anything else, score in batches beside it."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Iterable, Iterator

from steelyard.bench.definition import Problem
from steelyard.errors import ModelError, StoreError
from steelyard.models.pace import Pacer, StopRun
from steelyard.models.types import Model, Reply
from steelyard.runs.journal import Journal
from steelyard.runs.ledger import Ledger
from steelyard.runs.lines import AttemptLine, ScoreLine, encode, writable
from steelyard.runs.plan import RunPlan, asked_hash
from steelyard.runs.scoring import SampleScorer
from steelyard.runs.watch import Watch
from steelyard.score import Score
from steelyard.scoring.cascade import JUDGE_MISSING

# Replies that wait to be scored; beyond these the asking waits, so that memory stays flat.
WAITING = 512
BATCH = 128
# As long the first reply of a batch waits for others: a batch has its price, however small it is.
GATHER_SECONDS = 0.05
SYNC_SECONDS = 0.5
# How long those in flight may still take once no new work is taken: what they cost has been spent.
GRACE_SECONDS = 10.0


class Stopped(Exception):  # noqa: N818 - not what went wrong but how it ended
    """The run cannot or shall not go on; what is in the journal stays, and a later run goes on from it.

    ``signal`` is the one that somebody ended it with.
    """

    def __init__(self, reason: str, *, signal: int = 0) -> None:
        self.reason, self.signal = reason, signal
        super().__init__(reason)

    @property
    def interrupted(self) -> bool:
        """Whether somebody wanted it to end."""
        return self.signal != 0


class Record:
    """The journal and what is known of it, kept in step."""

    def __init__(self, plan: RunPlan, journal: Journal, ledger: Ledger) -> None:
        self.plan, self.journal, self.ledger = plan, journal, ledger

    def keep_attempts(self, attempts: Iterable[tuple[AttemptLine, int]]) -> None:
        """The attempts, each with the place of its sample, are in the journal when this returns."""
        encoded = [(encode(line), place, bool(line.error)) for line, place in attempts]
        offsets = self.journal.append([data for data, _, _ in encoded])
        for (_, place, failed), offset in zip(encoded, offsets, strict=True):
            self.ledger.attempted(place, offset, failed=failed)

    def keep_scores(self, scores: Iterable[tuple[str, Score]], *, judged: bool = False) -> None:
        """The scores, each under its sample's key, are in the journal when this returns."""
        by = self.ledger.by
        lines = [ScoreLine(key=key, score=score, judged=judged, by=by) for key, score in scores]
        offsets = self.journal.append([encode(line) for line in lines])
        for line, offset in zip(lines, offsets, strict=True):
            self.ledger.note(line, offset)


_Waiting = tuple[
    AttemptLine, int, asyncio.Future[None]
]  # an attempt, the place of its sample, and who waits


class Together:
    """Attempts that come at the same moment go into the journal at once: a write for each takes a tenth of a fast run."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._waiting: list[_Waiting] = []

    async def keep(self, line: AttemptLine, place: int) -> None:
        """The attempt at the sample at that place is in the journal when this returns; it gets there even if nobody waits."""
        running = asyncio.get_running_loop()
        if not self._waiting:
            running.call_soon(self._write)
        kept: asyncio.Future[None] = running.create_future()
        self._waiting.append((line, place, kept))
        await kept

    def _write(self) -> None:
        waiting, self._waiting = self._waiting, []
        told: list[StoreError | None] = [StoreError("the journal cannot be written")] * len(waiting)
        try:
            told = self._kept(waiting)
        finally:  # a bug too must not leave anybody waiting
            for (_, _, kept), wrong in zip(waiting, told, strict=True):
                if wrong is None and not kept.done():
                    kept.set_result(None)
                elif wrong is not None and not kept.done():
                    kept.set_exception(wrong)

    def _kept(self, waiting: list[_Waiting]) -> list[StoreError | None]:
        """What each of them is told. Where not all can be kept, as many are as the disk takes: they are paid for."""
        try:
            self._record.keep_attempts((line, place) for line, place, _ in waiting)
        except StoreError as wrong:
            return (
                [wrong]
                if len(waiting) == 1
                else [one for job in waiting for one in self._kept([job])]
            )
        return [None] * len(waiting)


class Loop:
    """Asks and scores until every sample has a reply and every reply a score, or until it is told to stop."""

    def __init__(
        self,
        record: Record,
        model: Model,
        pacer: Pacer,
        scorer: SampleScorer,
        watch: Watch,
        *,
        judged: bool = True,
    ) -> None:
        self._record, self._plan, self._model, self._pacer = record, record.plan, model, pacer
        self._scorer, self.watch, self._judged = scorer, watch, judged
        self._together = Together(record)
        self.stopped: Stopped | None = None
        self._enough, self._ended = asyncio.Event(), False
        self._queue: asyncio.Queue[tuple[str, Problem, str] | None] = asyncio.Queue(WAITING)

    def stop(self, stopped: Stopped) -> None:
        """Take no new work; the first reason is the one that is told."""
        self.stopped = self.stopped or stopped

    async def run(self, concurrency: int) -> None:
        """Do it all; Stopped says why there is something left."""
        syncing = asyncio.create_task(self._sync_always())
        scoring = asyncio.create_task(self._score_always())
        try:
            await self._feed_stored(scoring)
            await self._ask_all(concurrency, scoring)
            await self._put(None, scoring)
            await scoring
        except StoreError as failed:
            self.stop(Stopped(str(failed)))
        finally:
            for task in (syncing, scoring):
                task.cancel()
            await asyncio.gather(syncing, scoring, return_exceptions=True)
        if self.stopped is not None:
            raise self.stopped
        self._record.journal.sync()

    async def _feed_stored(self, scoring: asyncio.Task[None]) -> None:
        """Replies that a former session kept and did not come to score."""
        for place in self._record.ledger.to_score():
            offset = self._record.ledger.attempt(place)
            line = self._record.journal.read(offset) if offset is not None else None
            if isinstance(line, AttemptLine):
                await self._put((line.key, self._plan.problem(place), line.response), scoring)

    async def _ask_all(self, concurrency: int, scoring: asyncio.Task[None]) -> None:
        places = self._record.ledger.to_ask()
        workers = {
            asyncio.create_task(self._work(places, scoring))
            for _ in range(min(concurrency, self._plan.total))
        }
        waiting: set[asyncio.Task[None]] = workers
        deadline = None
        while waiting:
            done, waiting = await asyncio.wait(
                waiting, timeout=0.2, return_when=asyncio.FIRST_EXCEPTION
            )
            for task in done:
                self._take_failure(task.exception())
            now = time.monotonic()
            if self.stopped is not None:
                grace = 0.0 if self.stopped.interrupted else GRACE_SECONDS
                deadline = deadline if deadline is not None else now + grace
                if now >= deadline:
                    break
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)

    def _take_failure(self, failed: BaseException | None) -> None:
        if isinstance(failed, (StopRun, StoreError)):
            self.stop(Stopped(str(failed)))
        elif failed is not None:
            raise failed

    async def _work(self, places: Iterator[int], scoring: asyncio.Task[None]) -> None:
        for place in places:
            if self.stopped is not None:
                return
            problem = self._plan.problem(place)
            request = self._plan.request(place, problem)
            sample = self._record.ledger.key(place), problem.id, asked_hash(request.messages)
            try:
                line = attempt_line(sample, await self._pacer.ask(self._model, request))
            except ModelError as failed:
                line = failed_line(sample, failed)
            except StopRun as stop:
                if stop.failed is not None:  # it was asked, and that is how it ended
                    await self._keep(failed_line(sample, stop.failed), place)
                raise
            await self._keep(line, place)
            if not line.error:
                await self._put((line.key, problem, line.response), scoring)

    async def _keep(self, line: AttemptLine, place: int) -> None:
        """In the journal before anything else happens to it, and before its worker takes new work."""
        await self._together.keep(line, place)
        self.watch.replied(line.output_tokens, line.error_kind)

    async def _put(
        self, item: tuple[str, Problem, str] | None, scoring: asyncio.Task[None]
    ) -> None:
        """Hand a reply to the scoring; where that has failed, there is no use in waiting for it."""
        while True:
            if scoring.done():
                scoring.result()
                return
            try:
                self._queue.put_nowait(item)
                self._ended = item is None
                if self._ended or self._queue.qsize() >= BATCH:
                    self._enough.set()
                return
            except asyncio.QueueFull:
                await asyncio.sleep(0.01)

    async def _score_always(self) -> None:
        running, more = asyncio.get_running_loop(), True
        while more:
            items = [await self._queue.get()]
            await self._gather()
            while len(items) < BATCH and not self._queue.empty():
                items.append(self._queue.get_nowait())
            more = None not in items
            waiting = list(filter(None, items))
            if waiting:
                samples = [(problem, text) for _, problem, text in waiting]
                scores = await running.run_in_executor(None, self._scorer.batch, samples)
                keys = [key for key, _, _ in waiting]
                self._record.keep_scores(zip(keys, scores, strict=True))
                self.watch.scores(scores)
                self._stop_without_judge(keys, scores)

    async def _gather(self) -> None:
        """Wait until there are enough replies, no more will come, or the time is over."""
        if self._ended or self._queue.qsize() >= BATCH:
            return
        self._enough.clear()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._enough.wait(), GATHER_SECONDS)

    def _stop_without_judge(self, keys: list[str], scores: list[Score]) -> None:
        """Every further call would be spent on what nobody will score."""
        if not self._judged and (
            waits := next((k for k, s in zip(keys, scores, strict=True) if s.pending), None)
        ):
            self.stop(Stopped(f"sample {waits} {JUDGE_MISSING}"))

    async def _sync_always(self) -> None:
        running = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(SYNC_SECONDS)
            try:
                await running.run_in_executor(None, self._record.journal.sync)
            except StoreError as failed:
                self.stop(Stopped(str(failed)))
                return


def failed_line(sample: tuple[str, str, str], failed: ModelError) -> AttemptLine:
    """An error as the journal keeps it."""
    key, name, asked = sample
    kind, error = failed.kind or "model_error", writable(str(failed)) or "it did not say why"
    return AttemptLine(
        key=key, id=name, asked=asked, error=error, error_kind=kind, ended=time.time()
    )


def attempt_line(sample: tuple[str, str, str], reply: Reply) -> AttemptLine:
    """A reply as the journal keeps it."""
    key, name, asked = sample
    return AttemptLine(
        key=key,
        id=name,
        asked=asked,
        response=writable(reply.text),
        reasoning=writable(reply.reasoning),
        finish=reply.finish,
        input_tokens=reply.input_tokens,
        output_tokens=reply.output_tokens,
        served_by=reply.served_by,
        seconds=round(reply.seconds, 6),
        ended=time.time(),
    )
