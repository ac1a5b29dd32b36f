"""One session of a run: everything that is asked of models, under one event loop, until it is done or stopped."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import msgspec

from steelyard.models.pace import Pacer
from steelyard.models.types import Model
from steelyard.runs.judging import JudgeDoor, judge_all
from steelyard.runs.loop import Loop, Record, Stopped
from steelyard.runs.scoring import SampleScorer
from steelyard.runs.watch import Watch

T = TypeVar("T")


class Doors:
    """Who is asked: the model with its pace, and the judge where there is one."""

    def __init__(self, model: Model, pacer: Pacer, judge: JudgeDoor | None = None) -> None:
        self.model, self.pacer, self.judge = model, pacer, judge

    async def close(self) -> None:
        """Give back what they hold."""
        await self.model.close()
        if self.judge is not None:
            await self.judge.close()


async def work(
    record: Record, doors: Doors, scorer: SampleScorer, concurrency: int, watch: Watch
) -> Stopped | None:
    """Ask, score, judge; why it stopped, where something is left to do."""
    loop = Loop(record, doors.model, doors.pacer, scorer, watch, judged=doors.judge is not None)
    try:
        with interruptible(loop):
            await loop.run(concurrency)
            if doors.judge is not None:
                watch.phase = "judging"
                _leave_time(doors, watch)
                await judge_all(record, doors.judge, watch, loop)
    except Stopped as stopped:
        return stopped
    finally:
        await doors.close()
    return None


def _leave_time(doors: Doors, watch: Watch) -> None:
    """A limit on time is for asking and judging together."""
    limits = doors.judge.pacer.limits if doors.judge is not None else None
    if doors.judge is not None and limits is not None and limits.max_seconds is not None:
        left = max(0.0, limits.max_seconds - watch.seconds)
        doors.judge.pacer.limits = msgspec.structs.replace(limits, max_seconds=left)


@contextmanager
def interruptible(loop: Loop) -> Iterator[None]:
    """Ctrl-C, or the wish of the system that we end, takes no new work; a second one ends at once."""
    running, task = asyncio.get_running_loop(), asyncio.current_task()
    if threading.current_thread() is not threading.main_thread() or task is None:
        yield
        return
    asked = 0

    def handle(number: int) -> None:
        nonlocal asked
        asked += 1
        loop.stop(Stopped("interrupted", signal=number))
        if asked > 1:
            task.cancel()

    for number in (signal.SIGINT, signal.SIGTERM):
        running.add_signal_handler(number, handle, number)
    try:
        yield
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            running.remove_signal_handler(number)


def run_async(main: Coroutine[Any, Any, T]) -> T:
    """Run it to its end, on the faster loop where that is installed."""
    try:
        import uvloop
    except ImportError:
        return asyncio.run(main)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(main)
