"""A connection that a loop listens to: what is long arrives, what is lost is noticed, and nothing waits for ever."""

from __future__ import annotations

import asyncio
import os
import socket
from typing import Any

import pytest
from sqlalchemy import text

import postgres
from gatherings import doubled, is_open, said
from steelyard.errors import DataError, StoreError
from steelyard.store.database import Database, open_database
from steelyard.store.gathering import Steps
from steelyard.store.prepared import Prepared


def test_a_statement_longer_than_the_line_takes_at_once_arrives_and_so_does_its_answer(
    server: Database,
) -> None:
    def many(asked: list[str]) -> Steps[str]:
        rows = yield Prepared(text("SELECT CAST(:given AS text)")), {"given": "".join(asked)}
        return [rows[0][0]] * len(asked)

    gathering = server.gathering(many)
    long = "a steelyard weighs " * 1_000_000
    assert asyncio.run(gathering.ask(long)) == long


def test_a_loop_that_ends_in_the_middle_leaves_the_next_one_a_good_connection(
    server: Database,
) -> None:
    def many(asked: list[int]) -> Steps[int]:
        if asked == [0]:
            yield said("SELECT pg_sleep(30)")
        return (yield from doubled(asked))

    gathering = server.gathering(many)

    async def leave() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(gathering.ask(0), 0.3)

    asyncio.run(leave())
    assert asyncio.run(gathering.ask(4)) == 8
    assert asyncio.run(gathering.ask(5)) == 10


def test_a_plan_that_was_made_while_a_table_was_small_is_not_kept_when_it_has_grown(
    server: Database,
) -> None:
    table = text("CREATE TABLE grown (id int PRIMARY KEY, n int)")
    server.write_now(lambda connection: connection.execute(table))
    made = "PREPARE it AS SELECT n FROM grown JOIN json_to_recordset(CAST($1 AS json)) AS asked(one int) ON id = one"

    def many(asked: list[int]) -> Steps[str]:
        if asked == [0]:
            yield said("INSERT INTO grown VALUES (0, 0)")
            yield said(made)
        plan = yield said("EXPLAIN EXECUTE it('[]')")
        return ["\n".join(line for (line,) in plan)]

    gathering = server.gathering(many)

    async def ask() -> list[str | None]:
        small = await gathering.ask(0)
        fill = text("INSERT INTO grown SELECT n, n FROM generate_series(1, 50000) AS n")
        await server.write(lambda connection: connection.execute(fill))
        await asyncio.sleep(1.2)
        return [small, await gathering.ask(1)]

    small, later = asyncio.run(ask())
    assert "Index Cond: (id = asked.one)" in str(later)
    assert later != small


def test_only_a_lost_connection_is_let_go_of(server: Database) -> None:
    def many(asked: list[str]) -> Steps[int]:
        yield said(asked[0])
        ((number,),) = yield said("SELECT pg_backend_pid()")
        return [number]

    gathering = server.gathering(many)

    async def ask() -> list[Any]:
        lost = "SELECT pg_terminate_backend(pg_backend_pid())"
        return [
            await gathering.ask(one)
            for one in ("SELECT 1", "SELECT 1 / 0", "SELECT 1", lost, "SELECT 1")
        ]

    first, failed, second, lost, third = asyncio.run(ask())
    assert (failed, lost) == (None, None)
    assert first == second != third


def test_a_connection_that_the_server_ends_while_nobody_asks_is_noticed(server: Database) -> None:
    def many(asked: list[int]) -> Steps[int]:
        ((number,),) = yield said("SELECT pg_backend_pid()")
        return [number]

    gathering = server.gathering(many)

    async def ask() -> list[int | None]:
        first = await gathering.ask(0)
        out = text(f"SELECT pg_terminate_backend({first})")
        await server.read(lambda connection: connection.execute(out).scalar())
        await asyncio.sleep(0.3)
        return [first, await gathering.ask(0)]

    first, second = asyncio.run(ask())
    assert second is not None
    assert second != first


def test_a_statement_that_is_kept_waiting_lets_those_who_asked_go(server: Database) -> None:
    made = text("CREATE TABLE held (id int)")
    server.write_now(lambda connection: connection.execute(made))

    def many(asked: list[str]) -> Steps[Any]:
        ((found,),) = yield said(asked[0])
        return [found]

    gathering = server.gathering(many)

    async def ask() -> list[Any]:
        with server.engine.begin() as other:
            other.execute(text("LOCK TABLE held"))
            kept = await asyncio.wait_for(gathering.ask("SELECT count(*) FROM held"), 30)
        return [kept, await gathering.ask("SHOW statement_timeout")]

    assert asyncio.run(ask()) == [None, "5s"]


def test_a_server_that_is_gone_without_a_word_is_found_out(server: Database) -> None:
    def given(opened: Database) -> dict[str, str]:
        with opened.engine.connect() as connection:
            return dict(connection.connection.driver_connection.info.get_parameters())  # type: ignore[union-attr]

    assert given(server).items() >= {"connect_timeout": "10", "tcp_user_timeout": "20000"}.items()
    address = server.engine.url.render_as_string(hide_password=False)
    patient = open_database(address + ("&" if "?" in address else "?") + "connect_timeout=60")
    assert given(patient)["connect_timeout"] == "60"
    patient.close()


def ending(asked: list[int]) -> Steps[int]:
    """The number of the server's process; whoever asks for 0 waits for long."""
    if asked == [0]:
        yield said("SELECT pg_sleep(30)")
    ((number,),) = yield said("SELECT pg_backend_pid()")
    return [number]


@pytest.mark.parametrize("transport", [True, False])
def test_the_number_of_a_lost_socket_may_be_that_of_another_at_once(
    server: Database, transport: bool
) -> None:
    gathering = server.gathering(ending)

    async def lose() -> None:
        end = text(f"SELECT pg_terminate_backend({await gathering.ask(1)})")
        number = gathering._wires[0]._driver.pgconn.socket
        near, far = socket.socketpair()
        near.setblocking(False)
        waiting = asyncio.ensure_future(gathering.ask(0))
        await asyncio.sleep(0.2)
        ended = asyncio.ensure_future(
            server.read(lambda connection: connection.execute(end).scalar())
        )
        while is_open(number):
            await asyncio.sleep(0)
        os.dup2(near.fileno(), number)  # in the turn of the loop in which the driver has closed it
        other, heard = socket.socket(fileno=number), asyncio.Event()
        loop = asyncio.get_running_loop()
        if transport:
            held, _ = await loop.connect_accepted_socket(lambda: Hearing(heard), other)
        else:
            loop.add_reader(number, heard.set)
        assert await asyncio.wait_for(waiting, 30) is None, "it failed: to be asked in another way"
        await ended
        far.send(b"x")
        await asyncio.wait_for(heard.wait(), 30)
        assert await asyncio.wait_for(gathering.ask(1), 30) is not None
        if transport:
            held.close()
        else:
            loop.remove_reader(number)
        for one in (near, far, other):
            one.close()

    asyncio.run(lose())


class Hearing(asyncio.Protocol):
    """Notes that something has come."""

    def __init__(self, heard: asyncio.Event) -> None:
        self._heard = heard

    def data_received(self, data: bytes) -> None:
        self._heard.set()


KEPT = Prepared(text("SELECT it FROM kept"))


@pytest.mark.parametrize("change", ["ALTER TABLE kept ALTER it TYPE text", "forgotten"])
def test_a_statement_that_became_outdated_is_prepared_again(server: Database, change: str) -> None:
    made = text("CREATE TABLE kept AS SELECT 7 AS it")
    server.write_now(lambda connection: connection.execute(made))

    def many(asked: list[bool]) -> Steps[str]:
        if asked == [True]:  # as a pooler between us and the server may do it
            yield said("DEALLOCATE ALL")
            return [None]
        ((found,),) = yield KEPT, {}
        return [str(found)]

    gathering = server.gathering(many)

    async def ask() -> list[str | None]:
        before = await gathering.ask(False)
        if change == "forgotten":
            await gathering.ask(True)
        else:
            await server.write(lambda connection: connection.execute(text(change)))
        return [before, await gathering.ask(False), await gathering.ask(False)]

    assert asyncio.run(ask()) == ["7", None, "7"]


def test_a_text_is_the_same_whatever_encoding_the_address_wants(server: Database) -> None:
    address = server.engine.url.render_as_string(hide_password=False)
    opened = open_database(address + ("&" if "?" in address else "?") + "client_encoding=latin1")

    def many(asked: list[str]) -> Steps[tuple[str, bytes]]:
        rows = yield (
            Prepared(text("SELECT CAST(:given AS text), convert_to(:given, 'UTF8')")),
            {"given": asked[0]},
        )
        return list(rows)

    told = asyncio.run(opened.gathering(many).ask("é 漢"))
    opened.close()
    assert told == ("é 漢", "é 漢".encode())


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ("postgresql://ada:secret@127.0.0.1:one/arena", "is no address of a database"),
        ("postgresql://ada:secret@127.0.0.1:1,127.0.0.1:2/arena", "is no address of a database"),
        ("post gresql://ada:secret@127.0.0.1/arena", "is no address of a database"),
        ("postgresql://ada:secret@127.0.0.1:1/arena?nonsense=1", "nonsense"),
        ("postgresql://ada:secret@127.0.0.1:1/arena?connect_timeout=soon", "connect_timeout"),
        ("postgresql://ada:secret@127.0.0.1:1/arena", "refused"),
    ],
)
def test_an_address_that_leads_nowhere_is_said_without_its_password(
    changed: str, told: str
) -> None:
    pytest.importorskip("psycopg")
    with pytest.raises((DataError, StoreError), match=told) as wrong:
        open_database(changed)
    assert "secret" not in str(wrong.value)


def test_a_database_that_knows_no_texts_is_refused_in_one_line(server: Database) -> None:
    import psycopg

    address, name = postgres.server(), f"bytes_{os.getpid()}"
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(
            f"CREATE DATABASE {name} ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0"
        )
    with pytest.raises(StoreError) as wrong:
        open_database(address.rsplit("/", 1)[0] + f"/{name}")
    told = str(wrong.value)
    assert name in told
    assert "the encoding SQL_ASCII" in told
    assert "CREATE DATABASE … ENCODING 'UTF8'" in told
    assert "\n" not in told
