"""A server that stands still without a word: how long it is waited for.

Its machine still takes what is sent and keeps the line open, so nothing below us ever says that anything is wrong.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Generator, Iterator
from typing import Any, TypeVar

from sqlalchemy import Connection

from steelyard.errors import StoreError

T = TypeVar("T")
PATIENCE = 30.0  # seconds
# A database that keeps bytes of which nobody knows what they mean; the driver gives them back as bytes.
_NO_ENCODING = "SQL_ASCII"
_NO_TEXTS = (
    f"the database has the encoding {_NO_ENCODING}, in which texts are not kept safely; "
    "make another one: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0"
)


async def bounded(waiting: Awaitable[T], patience: float | None) -> T:
    """What is waited for; a StoreError, and nobody waits for it any more, where it does not come in so many seconds."""
    try:
        async with asyncio.timeout(patience) as limit:
            return await waiting
    except TimeoutError:
        if not limit.expired():  # it was raised by what was waited for
            raise
        raise StoreError(f"the database failed: {silent(patience)}") from None


def silent(patience: float | None) -> str:
    """What is said of such a server."""
    return f"it has not answered for {patience:g} seconds" if patience is not None else "it has not answered"


def listening(patience: float) -> Callable[..., Any]:
    """What connects to a server by psycopg; such a connection gives up by itself when nothing comes for so many seconds."""
    import psycopg

    def connect(*given: Any, **named: Any) -> Any:
        line = Listening.connect(*given, **named)
        if line.info.parameter_status("server_encoding") == _NO_ENCODING:
            line.close()
            raise psycopg.NotSupportedError(_NO_TEXTS)
        return line

    class Listening(psycopg.Connection[Any]):
        patience: float | None

        def wait(self, gen: Generator[Any, Any, Any], *args: Any, **named: Any) -> Any:
            return super().wait(_heard(gen, self, psycopg.OperationalError), *args, **named)

    Listening.patience = patience
    return connect


def _heard(asking: Generator[Any, Any, Any], line: Any, error: type[Exception]) -> Generator[Any, Any, Any]:
    """What the driver asks its line for, as long as something comes: it looks up from time to time, and says then that
    nothing has."""
    try:
        wanted, since = next(asking), time.monotonic()
        while True:
            if ready := (yield wanted):
                since = time.monotonic()
            elif line.patience is not None and time.monotonic() - since >= line.patience:
                line.pgconn.finish()  # what it has not committed will be undone when the server wakes up
                raise error(silent(line.patience))
            wanted = asking.send(ready)
    except StopIteration as ended:
        return ended.value


@contextlib.contextmanager
def unhurried(connection: Connection) -> Iterator[None]:
    """Let what is done on this connection take as long as it takes."""
    line: Any = connection.connection.driver_connection
    kept = getattr(line, "patience", None)
    if kept is None:
        yield
        return
    line.patience = None
    try:
        yield
    finally:
        line.patience = kept
