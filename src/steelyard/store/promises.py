"""What a thread owes to those who wait for it: in another thread, or in a loop."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from typing import Any

from steelyard.errors import StoreError

Promise = Future[Any] | asyncio.Future[Any]
Answer = tuple[Promise, Any, Exception | None]


def is_wanted(promise: Promise) -> bool:
    """Whether whoever handed the work in still waits for it; from here on it cannot be withdrawn."""
    return (
        promise.set_running_or_notify_cancel()
        if isinstance(promise, Future)
        else not promise.cancelled()
    )


def told(wrong: Exception | str) -> StoreError:
    """What went wrong in the database, in one line and without the data."""
    why = str(getattr(wrong, "orig", None) or wrong) or type(wrong).__name__
    return StoreError(f"the database failed: {why.splitlines()[0]}")


def failed(promises: Iterable[Promise], wrong: Exception | str) -> list[Answer]:
    """The same for all of them: nothing of theirs has happened."""
    return [(promise, None, told(wrong)) for promise in promises]


def tell(answers: Sequence[Answer]) -> None:
    """Tell those who wait: threads at once, and each loop with all that concerns it."""
    loops: dict[asyncio.AbstractEventLoop, list[Answer]] = {}
    for answer in answers:
        if isinstance(answer[0], Future):
            _keep([answer])
        else:
            loops.setdefault(answer[0].get_loop(), []).append(answer)
    for loop, ready in loops.items():
        with contextlib.suppress(RuntimeError):  # a loop that has ended waits for nothing
            loop.call_soon_threadsafe(_keep, ready)


def _keep(answers: list[Answer]) -> None:
    for promise, value, wrong in answers:
        if promise.done():  # whoever waited has left in the meantime
            continue
        if wrong is not None:
            promise.set_exception(wrong)
        else:
            promise.set_result(value)
