"""Transactions on a store that is full, locked, shared or gone: told, never lost and never half done."""

from __future__ import annotations

import asyncio
import functools
import multiprocessing
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, func, select, text

from arenas import Clock
from steelyard.arena.agents import new_key, register
from steelyard.arena.service import Arena
from steelyard.errors import RuleError, StoreError
from steelyard.store.database import Database, open_database
from steelyard.store.migrate import migrate
from steelyard.store.schema import AGENTS


def add(database: Database, name: str) -> None:
    database.write_now(lambda connection: register(connection, name, "", "", key=new_key(), now=1))


def agents(database: Database) -> int:
    count = select(func.count()).select_from(AGENTS)
    return database.read_now(lambda connection: int(connection.execute(count).scalar_one()))


def test_one_that_raises_leaves_those_beside_it_alone(database: Database) -> None:
    async def all_at_once() -> list[Any]:
        def one(number: int) -> Any:
            def work(connection: Any) -> int:
                register(connection, f"agent {number}", "", "", key=new_key(), now=1)
                if number % 3 == 0:
                    raise RuleError("no", status=422)
                return number

            return database.write(work)

        return await asyncio.gather(*(one(number) for number in range(60)), return_exceptions=True)

    told = asyncio.run(all_at_once())
    assert sum(isinstance(one, RuleError) for one in told) == 20
    assert [one for one in told if isinstance(one, int)] == [n for n in range(60) if n % 3]
    assert agents(database) == 40


def test_a_full_disk_is_told_and_loses_nothing(tmp_path: Path) -> None:
    database = open_database(f"{tmp_path}/arena.db")
    migrate(database)
    add(database, "before")
    full = database.read_now(
        lambda connection: int(connection.execute(text("PRAGMA page_count")).scalar_one())
    )

    def fill(
        connection: Any,
    ) -> None:  # SQLite refuses another page as it does where the disk has none
        connection.execute(text(f"PRAGMA max_page_count = {full + 1}"))
        connection.execute(AGENTS.update().values(harness="x" * 100_000))

    with pytest.raises(StoreError, match="full"):
        database.write_now(fill)
    add(database, "after")  # on a new connection, which the limit does not bind
    assert agents(database) == 2
    database.close()


@pytest.mark.parametrize("where", ["BEGIN IMMEDIATE", "SAVEPOINT one", "RELEASE one", "COMMIT"])
def test_where_sqlite_has_no_memory_that_is_told_and_lived_through(
    tmp_path: Path, where: str
) -> None:
    short = [where]

    class Short(sqlite3.Connection):
        """Says once what the driver says where SQLite has no memory."""

        def execute(self, statement: str, *values: Any) -> Any:
            if statement in short:
                short.remove(statement)
                raise MemoryError
            return super().execute(statement, *values)

    database = open_database(f"{tmp_path}/arena.db")
    migrate(database)
    database.engine.dispose()

    @event.listens_for(database.engine, "do_connect")
    def connect(dialect: Any, record: Any, places: Any, settings: dict[str, Any]) -> None:
        settings["factory"] = Short

    with pytest.raises(StoreError, match="MemoryError"):
        add(database, "first")
    assert short == []
    database.check_writing()
    add(database, "second")
    assert agents(database) == 1
    database.close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_that_nobody_writes_any_more_is_told(tmp_path: Path) -> None:
    database = open_database(f"{tmp_path}/arena.db")

    def end(_: Any) -> None:
        raise SystemExit

    with pytest.raises(StoreError, match="stopped writing"):
        database.write_now(end)
    with pytest.raises(StoreError, match="closed"):
        add(database, "late")
    with pytest.raises(StoreError, match="stopped writing"):
        database.check_writing()
    database.close()


def test_whoever_comes_after_the_end_is_told(database: Database) -> None:
    database.close()
    with pytest.raises(StoreError):
        add(database, "late")
    with pytest.raises(StoreError):
        asyncio.run(database.read(lambda connection: connection.execute(text("SELECT 1")).scalar()))


def test_whoever_comes_while_it_is_closed_is_told(store_url: str) -> None:
    database = open_database(store_url)
    migrate(database)
    go, told = threading.Barrier(5), []

    def one(connection: Any, name: str) -> None:
        register(connection, name, "", "", key=new_key(), now=1)

    def write(who: str) -> None:
        go.wait()
        for number in range(100):
            try:
                told.append(database.submit(functools.partial(one, name=f"{who} {number}")))
            except StoreError:
                return

    writing = [threading.Thread(target=write, args=(who,)) for who in "abcd"]
    for thread in writing:
        thread.start()
    go.wait()
    database.close()
    for thread in writing:
        thread.join()
    kept = sum(one.exception(20) is None for one in told)
    again = open_database(store_url)
    assert agents(again) == kept
    again.close()


def test_whoever_shares_a_commit_with_one_that_fills_the_disk_is_told_too(tmp_path: Path) -> None:
    database = open_database(f"{tmp_path}/arena.db")
    migrate(database)
    held, go = threading.Event(), threading.Event()

    def hold(_: Any) -> None:
        held.set()
        go.wait(20)

    first = database.submit(hold)
    held.wait(20)
    kept = database.submit(lambda c: register(c, "kept?", "", "", key=new_key(), now=1))

    def fill(connection: Any) -> None:
        pages = int(connection.execute(text("PRAGMA page_count")).scalar_one())
        connection.execute(text(f"PRAGMA max_page_count = {pages}"))
        connection.execute(AGENTS.update().values(harness="x" * 100_000))

    filling = database.submit(fill)
    go.set()
    first.result(20)
    with pytest.raises(StoreError):
        filling.result(20)
    # Answered and there, or refused and not there: never answered and lost.
    assert agents(database) == (kept.exception(20) is None)
    database.close()


def test_a_locked_database_is_waited_for(tmp_path: Path) -> None:
    database = open_database(f"{tmp_path}/arena.db")
    migrate(database)
    other = sqlite3.connect(tmp_path / "arena.db", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    threading.Timer(1.5, lambda: other.execute("COMMIT")).start()
    begun = time.monotonic()
    add(database, "patient")
    assert time.monotonic() - begun > 1
    assert agents(database) == 1
    other.close()
    database.close()


def _register_many(url: str, who: str, count: int) -> None:
    database = open_database(url)
    migrate(database)
    for number in range(count):
        add(database, f"{who} {number}")
    database.close()


@pytest.mark.slow
def test_two_processes_that_migrate_and_write_at_once_wait_for_each_other(store_url: str) -> None:
    start = multiprocessing.get_context("spawn")
    running = [
        start.Process(target=_register_many, args=(store_url, who, 100))
        for who in ("ada", "bo", "cy")
    ]
    for process in running:
        process.start()
    for process in running:
        process.join(120)
    assert [process.exitcode for process in running] == [0, 0, 0]
    database = open_database(store_url)
    assert agents(database) == 300
    database.close()


def test_what_was_handed_in_is_finished_before_the_end(store_url: str) -> None:
    database = open_database(store_url)
    migrate(database)
    waiting = [
        database.submit(lambda c, n=number: register(c, f"a {n}", "", "", key=new_key(), now=1))
        for number in range(50)
    ]
    database.close()
    assert all(one.exception(5) is None for one in waiting)
    again = open_database(store_url)
    assert agents(again) == 50
    again.close()


def test_whoever_leaves_does_not_stop_the_others(arena: Arena, clock: Clock) -> None:
    async def play() -> list[Any]:
        asked = [
            asyncio.ensure_future(arena.register(f"agent {number}", "", "")) for number in range(30)
        ]
        await asyncio.sleep(0)
        for one in asked[::2]:
            one.cancel()
        return await asyncio.gather(*asked, return_exceptions=True)

    told = asyncio.run(play())
    assert all(not isinstance(one, BaseException) for one in told[1::2])
    assert 15 <= agents(arena.database) <= 30
