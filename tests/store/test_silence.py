"""A server that stands still and keeps its lines open: nobody waits for ever, and all goes on when it wakes up."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.engine import make_url

from gatherings import said
from postgres import still
from steelyard.errors import DataError, StoreError
from steelyard.store.database import Database, open_database
from steelyard.store.gathering import Steps
from steelyard.store.migrate import migrate

NUMBER = text("SELECT pg_backend_pid() FROM pg_sleep(0.1)")  # so that four at once need four connections
SHORT = 1.0


def opened_at(address: str, **query: str) -> Database:
    place = make_url(address).update_query_dict(query)
    return open_database(place.render_as_string(hide_password=False))


@pytest.fixture
def hasty(server: Database) -> Iterator[Database]:
    """The same database, whose server is waited for a second."""
    made = opened_at(server.engine.url.render_as_string(hide_password=False), timeout=str(SHORT))
    yield made
    made.close()


def number_of(connection: Any) -> int:
    return int(connection.execute(NUMBER).scalar())


def numbers(asked: list[int]) -> Steps[int]:
    ((found,),) = yield said("SELECT pg_backend_pid()")
    return [found] * len(asked)


WAYS: dict[str, Callable[[Database], Callable[[], Coroutine[Any, Any, Any]]]] = {
    "read": lambda it: lambda: it.read(number_of),
    "write": lambda it: lambda: it.write(number_of),
    "glance": lambda it: lambda: it.glance(number_of),
    "gathering": lambda it: (lambda made: lambda: made.ask(0))(it.gathering(numbers)),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_process_of_the_server_that_stands_still_is_given_up(hasty: Database, way: str) -> None:
    async def ask() -> None:
        asked = WAYS[way](hasty)
        first = set(await asyncio.gather(*(asked() for _ in range(4))))
        began = time.monotonic()
        with still(*first):
            with pytest.raises(StoreError, match="has not answered for 1 second"):
                await asyncio.wait_for(asked(), 20)
            assert SHORT * 0.9 < time.monotonic() - began < SHORT + 8
            await asyncio.sleep(0.5)  # until those who listen have given up too
            told = await asyncio.gather(*(asked() for _ in range(4)), return_exceptions=True)
            await asyncio.sleep(0.5)
            told += await asyncio.gather(*(asked() for _ in range(4)))
            answers = {one for one in told if not isinstance(one, StoreError)}
            assert not answers & {None, *first}, "by other connections, while the first still stand"
        assert await asked() is not None

    asyncio.run(ask())


def test_whoever_waits_behind_those_who_wait_is_told_too(hasty: Database) -> None:
    gathering = hasty.gathering(numbers)

    async def ask() -> None:
        kept = await gathering.ask(0)
        assert kept is not None
        with still(kept):
            waiting = [asyncio.ensure_future(gathering.ask(n)) for n in range(200)]
            await asyncio.sleep(0.3)
            waiting += [asyncio.ensure_future(gathering.ask(n)) for n in range(200)]
            told = await asyncio.wait_for(asyncio.gather(*waiting, return_exceptions=True), 20)
        assert all(isinstance(one, StoreError) or one not in {None, kept} for one in told)
        assert sum(isinstance(one, StoreError) for one in told) >= 64

    asyncio.run(ask())


def test_what_was_not_committed_is_undone_when_the_server_wakes_up(hasty: Database) -> None:
    hasty.write_now(lambda connection: connection.execute(text("CREATE TABLE counted (n int)")))
    found: list[int] = []

    def add(connection: Any) -> None:
        if not found:
            found.append(number_of(connection))
            os.kill(found[0], signal.SIGSTOP)
        connection.execute(text("INSERT INTO counted VALUES (1)"))

    try:
        with pytest.raises(StoreError, match="has not answered for 1 second"):
            hasty.write_now(add)
    finally:
        os.kill(found[0], signal.SIGCONT)
    hasty.write_now(add)
    time.sleep(0.5)
    count = text("SELECT count(*) FROM counted")
    assert hasty.read_now(lambda connection: connection.execute(count).scalar()) == 1


def test_an_answer_that_takes_long_is_given_up_only_where_nothing_comes(hasty: Database) -> None:
    slow = text("SELECT repeat('x', 1000000) FROM generate_series(1, 5), pg_sleep(0.4) AS slept")
    statement = "SELECT n FROM generate_series(1, 200000) AS n"

    def read(connection: Any) -> int:
        for _ in range(4):  # longer than a second in all
            connection.execute(slow).all()
        return len(connection.execute(text(statement)).all())

    assert hasty.read_now(read) == 200_000


def test_a_migration_takes_as_long_as_it_takes(hasty: Database) -> None:
    with hasty.engine.connect() as other:
        other.execute(text("SELECT pg_advisory_xact_lock(7232665141)"))
        ran = asyncio.run(freed_after(2.5 * SHORT, other, hasty))
    assert ran
    with hasty.engine.connect() as connection:
        assert connection.connection.driver_connection.patience == SHORT  # type: ignore[union-attr]


async def freed_after(seconds: float, holder: Any, database: Database) -> str:
    migrating = asyncio.ensure_future(asyncio.to_thread(migrate, database))
    await asyncio.sleep(seconds)
    assert not migrating.done()
    holder.rollback()
    return await migrating


@pytest.mark.parametrize(
    ("given", "told"),
    [("0", "in no time"), ("-1", "in no time"), ("nan", "in no time"), ("soon", "no number of seconds")],
)
def test_a_patience_that_is_none_is_refused(given: str, told: str) -> None:
    with pytest.raises(DataError, match=told):
        open_database(f"postgresql://ada@127.0.0.1:1/arena?timeout={given}")


def test_a_server_is_waited_for_half_a_minute_where_nothing_is_said(server: Database) -> None:
    with server.engine.connect() as connection:
        assert connection.connection.driver_connection.patience == 30  # type: ignore[union-attr]
