"""A connection to a server of databases that a loop itself listens to.

With a thread between them, both would wait for the interpreter each time that a statement is handed over, and once more
when its rows come back; that took as long as the statement.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DisconnectionError, SQLAlchemyError

from steelyard.store.prepared import Prepared

Rows = list[tuple[Any, ...]]
# Rows are found by their keys here. A plan that was made while the tables were small reads all of them, and would stay:
# the server thinks again from time to time, and not at each statement, which would take as long as running it.
_BY_KEYS = (
    "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; "
    "SET plan_cache_mode = force_generic_plan"
)
# Texts go and come as the bytes that they are in UTF-8, whatever the database or the address would have otherwise.
_ENCODED = "SET client_encoding = 'UTF8'"
# Whatever keeps one statement waiting keeps all who were gathered into it, and all who come after them.
_SOON = "SET lock_timeout = '1s'; SET statement_timeout = '5s'"
_PLANS_KEPT = 1.0  # seconds
# A statement that the server has forgotten, or whose columns are others since it was prepared: it would fail for ever.
_OUTDATED = {"26000", "0A000"}


class Wire:
    """One connection without transactions, for one statement at a time; opened when it is needed, let go of when it is lost."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._connection: Connection | None = None
        self._driver: Any = None
        self._socket: int | None = None  # which the loop listens to
        self._names: dict[Prepared, bytes] = {}  # of the statements that the server has
        self._planned = 0.0  # when it was set up, or thought again
        self._results: list[Any] = []
        self._waiting: asyncio.Future[list[Any]] | None = None
        self.errors: tuple[type[Exception], ...] = (
            SQLAlchemyError,
            engine.dialect.loaded_dbapi.Error,
        )

    async def run(self, statement: Prepared, values: dict[str, Any]) -> Rows:
        """The rows that the statement gives, committed; one of `errors` where the database fails."""
        try:
            await self._make_ready(statement)
            _, given = statement.numbered(self._engine.dialect, values)
            (result,) = await self._sent("send_query_prepared", self._names[statement], given)
            self._reader.set_pgresult(result)
            rows: Rows = self._reader.load_rows(0, result.ntuples, tuple)
            return rows
        except self.errors as failed:
            if getattr(failed, "sqlstate", None) in _OUTDATED:
                self.let_go()
            raise
        finally:
            # Nothing may come after a statement that nobody waits for any more. After one that merely failed the
            # connection is as good as before.
            if self._waiting is not None or self._socket is None or self._driver.closed:
                self.let_go()

    async def _make_ready(self, statement: Prepared) -> None:
        if self._connection is None:
            await self._open()
        if time.monotonic() - self._planned > _PLANS_KEPT:
            await self._sent("send_query", b"DISCARD PLANS")
            self._planned = time.monotonic()
        if statement not in self._names:
            name, (text, _) = (
                b"steelyard_%d" % len(self._names),
                statement.numbered(self._engine.dialect, {}),
            )
            await self._sent("send_prepare", name, text.encode())
            self._names[statement] = name

    async def _open(self) -> None:
        from psycopg.adapt import Transformer

        self._connection = await asyncio.to_thread(self._connected)
        self._driver = self._connection.connection.driver_connection
        self._reader = Transformer(self._driver)
        self._planned = time.monotonic()
        self._loop = asyncio.get_running_loop()
        self._socket = self._driver.pgconn.socket

    def _connected(self) -> Connection:
        made = self._engine.connect()
        made.exec_driver_sql(f"{_ENCODED}; {_BY_KEYS}; {_SOON}")
        return made

    async def _sent(self, how: str, *what: Any) -> list[Any]:
        """What comes back for it."""
        if self._socket is None:
            raise DisconnectionError("the connection was lost")
        self._listen(self._socket)
        self._results = []
        self._waiting = self._loop.create_future()
        getattr(self._driver.pgconn, how)(*what)
        self._write(self._socket)
        results = await self._waiting
        self._waiting = None
        for result in results:
            self._check(result)
        return results

    def _check(self, result: Any) -> None:
        from psycopg import errors, pq

        if result.status not in {pq.ExecStatus.COMMAND_OK, pq.ExecStatus.TUPLES_OK}:
            raise errors.error_from_result(result)

    def _listen(self, socket: int) -> None:
        """Anew for each statement, and for the rest of an answer: uvloop tells once of a line that was reset, and then never
        again, though what was said before the reset is still to be read first."""
        self._loop.remove_reader(socket)
        self._loop.add_reader(socket, self._read)

    def _write(self, socket: int) -> None:
        """Send what is still to be sent, as far as the line takes it."""
        self._loop.remove_writer(socket)
        try:
            if self._driver.pgconn.flush():
                self._loop.add_writer(socket, self._write, socket)
        except self.errors as lost:
            self._fail(lost)

    def _read(self) -> None:
        line, waiting = self._driver.pgconn, self._waiting
        try:
            line.consume_input()
            while waiting is not None and not waiting.done() and not line.is_busy():
                result = line.get_result()
                if result is None:
                    waiting.set_result(self._results)
                else:
                    self._results.append(result)
            if self._driver.closed:  # by the driver, which could not read what came
                self._fail(DisconnectionError("the connection was lost"))
            elif self._socket is not None and (waiting is None or not waiting.done()):
                self._listen(self._socket)
        except self.errors as lost:
            self._fail(lost)

    def _fail(self, lost: Exception) -> None:
        self._stop_listening()
        if self._waiting is None:  # the server has left while it had nothing to do
            self.let_go()
        elif not self._waiting.done():
            self._waiting.set_exception(lost)

    def _stop_listening(self) -> None:
        """Once, and in the moment in which the line is lost: the driver has closed the socket by then, and in the next turn
        of the loop its number may be that of somebody else's."""
        socket, self._socket = self._socket, None
        if socket is not None and not self._loop.is_closed():
            self._loop.remove_reader(socket)
            self._loop.remove_writer(socket)

    def let_go(self) -> None:
        """End the connection, and with it what it had not committed; the next statement opens another."""
        if self._connection is None:
            return
        self._stop_listening()
        if self._waiting is not None and not self._waiting.done() and not self._loop.is_closed():
            self._waiting.set_exception(DisconnectionError("the connection was ended"))
            self._waiting.exception()  # it may be that nobody has come to wait for it
        self._connection.invalidate()  # it is as we have set it, or broken: nobody else should have it
        self._connection.close()
        self._connection = self._driver = self._waiting = None
        self._names = {}
