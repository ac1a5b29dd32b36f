"""A line that is reset in the moment in which something comes: whatever loop listens to it, nobody waits for ever."""

from __future__ import annotations

import asyncio
import os
import socket
import struct
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest
from sqlalchemy import text

from gatherings import is_open, said
from steelyard.store.database import Database, open_database
from steelyard.store.gathering import Steps

NOTICE = b"SNOTICE\0VNOTICE\0C00000\0Mby the way\0\0"
AT_ONCE = struct.pack("ii", 1, 0)  # close with a reset, and wait for nothing
Run = Callable[[Coroutine[Any, Any, Any]], Any]


class Line:
    """Stands between a database and whoever uses it."""

    def __init__(self, host: str, port: int) -> None:
        self._server = host, port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self.newest: socket.socket | None = (
            None  # the client's end of the connection that was made last
        )
        self.kept: bytes | None = None  # what would go to a client, if it is to be kept for a while
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            self.newest, far = near, socket.create_connection(self._server)
            for one, other in ((near, far), (far, near)):
                threading.Thread(
                    target=self._pass_on, args=(one, other, one is far), daemon=True
                ).start()

    def _pass_on(self, one: socket.socket, other: socket.socket, down: bool) -> None:
        try:
            while data := one.recv(65536):
                if down and self.kept is not None:
                    self.kept += data
                else:
                    other.sendall(data)
        except OSError:
            pass
        one.close()

    def tell_and_reset(self, told: bytes) -> None:
        """Both are there when the client looks next."""
        assert self.newest is not None
        self.newest.sendall(told)
        time.sleep(0.1)
        self.newest.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
        self.newest.shutdown(socket.SHUT_RD)  # who waits for the client lets go of it
        self.newest.close()
        time.sleep(0.1)

    def close(self) -> None:
        self._listening.close()


@pytest.fixture
def line(server: Database) -> Iterator[Line]:
    place = server.engine.url
    made = Line(str(place.host), place.port or 5432)
    yield made
    made.close()


@pytest.fixture
def opened(server: Database, line: Line) -> Iterator[Database]:
    through = server.engine.url.set(host="127.0.0.1", port=line.port)
    made = open_database(through.render_as_string(hide_password=False))
    yield made
    made.close()


@pytest.fixture(params=["asyncio", "uvloop"])
def run(request: pytest.FixtureRequest) -> Iterator[Run]:
    factory = None
    if request.param == "uvloop":
        factory = pytest.importorskip("uvloop").new_event_loop
    with asyncio.Runner(loop_factory=factory) as runner:
        yield runner.run


def processes(asked: list[float]) -> Steps[int]:
    """The number of the server's process, after so many seconds."""
    if asked[0]:
        yield said(f"SELECT pg_sleep({asked[0]})")
    ((number,),) = yield said("SELECT pg_backend_pid()")
    return [number]


@pytest.mark.parametrize("busy", [True, False])
def test_something_was_said_before_the_reset(
    opened: Database, line: Line, run: Run, busy: bool
) -> None:
    gathering = opened.gathering(processes)

    async def ask() -> None:
        before = await gathering.ask(0)
        waiting = asyncio.ensure_future(gathering.ask(20)) if busy else None
        await asyncio.sleep(0.2)
        line.tell_and_reset(
            b"N" + struct.pack("!i", 4 + len(NOTICE)) + NOTICE
        )  # the loop stands still meanwhile
        if waiting is not None:
            assert await asyncio.wait_for(waiting, 10) is None
        await asyncio.sleep(0.2)
        after = await asyncio.wait_for(gathering.ask(0), 10)
        assert after is not None
        assert after != before

    run(ask())


def test_the_whole_answer_came_before_the_reset(opened: Database, line: Line, run: Run) -> None:
    gathering = opened.gathering(lambda asked: answered())

    def answered() -> Steps[int]:
        ((found,),) = yield said("SELECT 7")
        return [found]

    async def ask() -> None:
        assert await gathering.ask(0) == 7
        line.kept = b""
        waiting = asyncio.ensure_future(gathering.ask(0))
        answers = []
        for _ in range(2):  # it is prepared, and it is run
            while not line.kept:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.1)
            answers.append(line.kept)
            line.kept = b""
            if len(answers) == 1:
                assert line.newest is not None
                line.newest.sendall(answers[0])
        line.kept = None
        line.tell_and_reset(answers[1])
        assert await asyncio.wait_for(waiting, 10) in {7, None}
        assert await asyncio.wait_for(gathering.ask(0), 10) in {7, None}
        assert await asyncio.wait_for(gathering.ask(0), 10) == 7

    run(ask())


def test_what_is_no_answer_at_all_ends_the_connection_at_once(
    opened: Database, line: Line, run: Run
) -> None:
    gathering = opened.gathering(processes)

    async def ask() -> None:
        await gathering.ask(0)
        number = gathering._wires[0]._driver.pgconn.socket
        near, far = socket.socketpair()
        waiting = asyncio.ensure_future(gathering.ask(20))
        await asyncio.sleep(0.2)
        assert line.newest is not None
        line.newest.sendall(b"\1\xff\xff\xff\xff" * 8)
        while is_open(number):
            await asyncio.sleep(0)
        os.dup2(near.fileno(), number)  # in the turn of the loop in which the driver has closed it
        heard = asyncio.Event()
        asyncio.get_running_loop().add_reader(number, heard.set)
        assert await asyncio.wait_for(waiting, 10) is None
        far.send(b"x")
        await asyncio.wait_for(heard.wait(), 10)
        asyncio.get_running_loop().remove_reader(number)
        os.close(number)
        for one in (near, far):
            one.close()
        assert await asyncio.wait_for(gathering.ask(0), 10) is not None

    run(ask())


def test_what_the_server_says_beside_its_answers_harms_nothing(server: Database, run: Run) -> None:
    def many(asked: list[str]) -> Steps[int]:
        yield said("DO $$ BEGIN RAISE NOTICE 'by the way'; END $$")
        yield said("SET application_name = 'told of by the server'")
        ((found,),) = yield said("SELECT 7")
        return [found]

    gathering = server.gathering(many)
    reload = text("SELECT pg_reload_conf()")

    async def ask() -> None:
        assert await gathering.ask("") == 7
        await server.read(lambda connection: connection.execute(reload).scalar())
        assert await asyncio.wait_for(gathering.ask(""), 10) == 7

    run(ask())
