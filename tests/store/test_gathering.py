"""One statement for many: each gets what is its own, and where the statement fails everybody is told to ask alone."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import Connection, text

import postgres
from steelyard.errors import StoreError
from steelyard.store.database import Database, open_database


@pytest.fixture
def database() -> Iterator[Database]:
    """Only a server of databases gathers."""
    if why := postgres.missing():
        pytest.skip(why)
    opened = open_database(postgres.fresh_database())
    yield opened
    opened.close()


def doubled(connection: Connection, asked: list[int]) -> list[int | None]:
    query = "SELECT 2 * x FROM unnest(CAST(:asked AS int[])) WITH ORDINALITY AS t(x, place) ORDER BY place"
    found = connection.execute(text(query), {"asked": asked})
    return list(found.scalars())


@pytest.mark.parametrize("threads", [1, 3])
def test_each_gets_its_own_answer(database: Database, threads: int) -> None:
    sizes: list[int] = []

    def many(connection: Connection, asked: list[int]) -> list[int | None]:
        sizes.append(len(asked))
        return doubled(connection, asked)

    gathering = database.gathering(many, threads)

    async def ask() -> list[int | None]:
        return await asyncio.gather(*(gathering.ask(number) for number in range(300)))

    assert asyncio.run(ask()) == [2 * number for number in range(300)]
    assert sum(sizes) == 300
    assert max(sizes) > 1, "nothing was gathered"


def test_where_the_database_fails_all_are_told_nothing_and_the_next_ones_are_answered(
    database: Database,
) -> None:
    def many(connection: Connection, asked: list[int]) -> list[int | None]:
        if 13 in asked:
            connection.execute(text("SELECT 1 / 0"))
        if 17 in asked:  # the server throws us out
            connection.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))
        return doubled(connection, asked)

    gathering = database.gathering(many)

    async def one(number: int) -> int | None:
        return await gathering.ask(number)

    async def ask() -> list[Any]:
        return [await one(number) for number in (1, 13, 2, 17, 3)]

    assert asyncio.run(ask()) == [2, None, 4, None, 6]


def test_a_bug_is_told_to_whoever_asked_and_the_thread_goes_on(database: Database) -> None:
    def many(connection: Connection, asked: list[int]) -> list[int | None]:
        return doubled(connection, [1 // one for one in asked])

    gathering = database.gathering(many)

    async def ask() -> list[Any]:
        with pytest.raises(ZeroDivisionError):
            await gathering.ask(0)
        return [await gathering.ask(1)]

    assert asyncio.run(ask()) == [2]


def test_a_bug_with_one_of_them_is_told_to_that_one_alone(database: Database) -> None:
    def many(connection: Connection, asked: list[int]) -> list[int | None]:
        if 13 in asked:
            raise ValueError("an unlucky number")
        return doubled(connection, asked)

    gathering = database.gathering(many)

    async def ask() -> list[Any]:
        return await asyncio.gather(*(gathering.ask(number) for number in range(20)), return_exceptions=True)

    told = asyncio.run(ask())
    assert isinstance(told.pop(13), ValueError)
    assert told == [2 * number for number in range(20) if number != 13]


def test_whoever_leaves_does_not_keep_the_others(database: Database) -> None:
    gathering = database.gathering(doubled)

    async def ask() -> list[Any]:
        asked = [asyncio.ensure_future(gathering.ask(number)) for number in range(20)]
        await asyncio.sleep(0)
        for one in asked[::2]:
            one.cancel()
        return await asyncio.gather(*asked[1::2])

    assert asyncio.run(ask()) == [2 * number for number in range(1, 20, 2)]


def test_a_closed_one_takes_nothing_in(database: Database) -> None:
    gathering = database.gathering(doubled)
    gathering.close()
    with pytest.raises(StoreError, match="closed"):
        asyncio.run(gathering.ask(1))


def test_a_plan_that_was_made_while_a_table_was_small_is_not_kept_when_it_has_grown(
    database: Database,
) -> None:
    table = text("CREATE TABLE grown (id int PRIMARY KEY, n int)")
    database.write_now(lambda connection: connection.execute(table))
    made = "PREPARE it AS SELECT n FROM grown JOIN json_to_recordset(CAST($1 AS json)) AS asked(one int) ON id = one"

    def many(connection: Connection, asked: list[int]) -> list[str | None]:
        if asked == [0]:
            connection.execute(text("INSERT INTO grown VALUES (0, 0)"))
            connection.exec_driver_sql(made)
        plan = connection.exec_driver_sql("EXPLAIN EXECUTE it('[]')").scalars()
        return ["\n".join(plan)]

    gathering = database.gathering(many)

    async def ask() -> list[str | None]:
        small = await gathering.ask(0)
        fill = text("INSERT INTO grown SELECT n, n FROM generate_series(1, 50000) AS n")
        await database.write(lambda connection: connection.execute(fill))
        await asyncio.sleep(1.2)
        return [small, await gathering.ask(1)]

    small, later = asyncio.run(ask())
    assert "Index Cond: (id = asked.one)" in str(later)
    assert later != small


def test_a_loop_that_ends_before_it_has_handed_over_leaves_nobody_waiting(database: Database) -> None:
    gathering = database.gathering(doubled)
    ended = asyncio.new_event_loop()
    gathering._called = ended  # as it is where the loop was stopped before its next turn
    ended.close()

    async def ask() -> int | None:
        return await asyncio.wait_for(gathering.ask(2), 30)

    assert asyncio.run(ask()) == 4


def test_only_a_lost_connection_is_let_go_of(database: Database) -> None:
    def many(connection: Connection, asked: list[str]) -> list[int | None]:
        connection.execute(text(asked[0]))
        return [connection.execute(text("SELECT pg_backend_pid()")).scalar_one()]

    gathering = database.gathering(many)

    async def ask() -> list[Any]:
        lost = "SELECT pg_terminate_backend(pg_backend_pid())"
        return [await gathering.ask(one) for one in ("SELECT 1", "SELECT 1 / 0", "SELECT 1", lost, "SELECT 1")]

    first, failed, second, lost, third = asyncio.run(ask())
    assert (failed, lost) == (None, None)
    assert first == second != third


def test_a_statement_that_is_kept_waiting_lets_those_who_asked_go(database: Database) -> None:
    made = text("CREATE TABLE held (id int)")
    database.write_now(lambda connection: connection.execute(made))

    def many(connection: Connection, asked: list[str]) -> list[Any]:
        return [connection.execute(text(one)).scalar() for one in asked]

    gathering = database.gathering(many)

    async def ask() -> list[Any]:
        with database.engine.begin() as other:
            other.execute(text("LOCK TABLE held"))
            kept = await asyncio.wait_for(gathering.ask("SELECT count(*) FROM held"), 30)
        return [kept, await gathering.ask("SHOW statement_timeout")]

    assert asyncio.run(ask()) == [None, "5s"]


def test_a_server_that_is_gone_without_a_word_is_found_out(database: Database) -> None:
    def given(opened: Database) -> dict[str, str]:
        with opened.engine.connect() as connection:
            return dict(connection.connection.driver_connection.info.get_parameters())  # type: ignore[union-attr]

    assert given(database).items() >= {"connect_timeout": "10", "tcp_user_timeout": "20000"}.items()
    address = database.engine.url.render_as_string(hide_password=False)
    patient = open_database(address + ("&" if "?" in address else "?") + "connect_timeout=60")
    assert given(patient)["connect_timeout"] == "60"
    patient.close()


def test_whoever_comes_while_it_is_closed_is_answered(database: Database) -> None:
    async def ask(gathering: Any, go: threading.Barrier) -> list[Any]:
        await asyncio.to_thread(go.wait)
        asked = (gathering.ask(number) for number in range(20))
        return await asyncio.wait_for(asyncio.gather(*asked, return_exceptions=True), 30)

    for _ in range(20):
        gathering, go = database.gathering(doubled, 2), threading.Barrier(2)

        def close(gathering: Any = gathering, go: threading.Barrier = go) -> None:
            go.wait()
            gathering.close()

        closing = threading.Thread(target=close)
        closing.start()
        told = asyncio.run(ask(gathering, go))
        closing.join()
        assert all(one == 2 * place or isinstance(one, StoreError) for place, one in enumerate(told))
