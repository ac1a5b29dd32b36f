"""One thread that writes: transactions that wait at the same time share one commit.

A commit waits for the disk, and the disk takes as long for one as for fifty. Each transaction runs inside a savepoint, so
one that raises leaves the others alone; nobody is answered before the commit that holds its work is on disk.
"""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from steelyard.errors import StoreError

T = TypeVar("T")
_Work = tuple[Callable[[Connection], Any], "Future[Any]"]
_MOST_TOGETHER = 128


class GroupWriter:
    """The thread and its queue."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._waiting: queue.SimpleQueue[_Work | None] = queue.SimpleQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="steelyard-writer", daemon=True)
        self._thread.start()

    def submit(self, transaction: Callable[[Connection], T]) -> Future[T]:
        """Take the transaction in; the future ends when it is on disk."""
        if self._closed:
            raise StoreError("the database is closed")
        future: Future[T] = Future()
        self._waiting.put((transaction, future))
        return future

    def close(self) -> None:
        """Finish what was taken in, and end the thread."""
        if not self._closed:
            self._closed = True
            self._waiting.put(None)
            self._thread.join()

    def _run(self) -> None:
        while (first := self._waiting.get()) is not None:
            group, ended = self._gather(first)
            self._commit(group)
            if ended:
                return

    def _gather(self, first: _Work) -> tuple[list[_Work], bool]:
        group, ended = [first], False
        with contextlib.suppress(queue.Empty):
            while len(group) < _MOST_TOGETHER and not ended:
                work = self._waiting.get_nowait()
                if work is None:
                    ended = True
                else:
                    group.append(work)
        # From here on nobody can withdraw what was handed in.
        return [work for work in group if work[1].set_running_or_notify_cancel()], ended

    def _commit(self, group: list[_Work]) -> None:
        """Run the group in one transaction, and answer when it is on disk."""
        answers: list[tuple[Future[Any], Any, BaseException | None]] = []
        try:
            with self._engine.connect() as connection:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
                answers = [_one(connection, *work) for work in group]
                connection.exec_driver_sql("COMMIT")
        except SQLAlchemyError as failed:
            why = StoreError(f"the database failed: {getattr(failed, 'orig', failed)}")
            answers = [(future, None, why) for _, future in group]
        for future, value, wrong in answers:
            if wrong is not None:
                future.set_exception(wrong)
            else:
                future.set_result(value)


def _one(
    connection: Connection, transaction: Callable[[Connection], Any], future: Future[Any]
) -> tuple[Future[Any], Any, BaseException | None]:
    connection.exec_driver_sql("SAVEPOINT one")
    try:
        value = transaction(connection)
    except SQLAlchemyError as failed:
        wrong: BaseException = StoreError(f"the database failed: {getattr(failed, 'orig', failed)}")
    except BaseException as raised:  # noqa: BLE001 — whoever handed the transaction in gets what it raised
        wrong = raised
    else:
        connection.exec_driver_sql("RELEASE one")
        return future, value, None
    connection.exec_driver_sql("ROLLBACK TO one")
    connection.exec_driver_sql("RELEASE one")
    return future, None, wrong
