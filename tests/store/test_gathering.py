"""One statement for many: each gets what is its own, and where the statement fails everybody is told to ask alone."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import text

import postgres
from steelyard.errors import StoreError
from steelyard.store.database import Database, open_database
from steelyard.store.gathering import Steps
from steelyard.store.prepared import Prepared


@pytest.fixture
def database() -> Iterator[Database]:
    """Only a server of databases gathers."""
    if why := postgres.missing():
        pytest.skip(why)
    opened = open_database(postgres.fresh_database())
    yield opened
    opened.close()


TWICE = Prepared(
    text("SELECT place, 2 * x FROM unnest(CAST(:asked AS int[])) WITH ORDINALITY AS t(x, place) ORDER BY place")
)


def doubled(asked: list[int]) -> Steps[int]:
    found = yield TWICE, {"asked": "{" + ",".join(map(str, asked)) + "}"}
    return [value for _, value in found]


def said(statement: str) -> tuple[Prepared, dict[str, Any]]:
    return Prepared(text(statement)), {}


@pytest.mark.parametrize("at_once", [1, 3])
def test_each_gets_its_own_answer(database: Database, at_once: int) -> None:
    sizes: list[int] = []

    def many(asked: list[int]) -> Steps[int]:
        sizes.append(len(asked))
        return (yield from doubled(asked))

    gathering = database.gathering(many, at_once)

    async def ask() -> list[int | None]:
        return await asyncio.gather(*(gathering.ask(number) for number in range(300)))

    assert asyncio.run(ask()) == [2 * number for number in range(300)]
    assert sum(sizes) == 300
    assert max(sizes) > 1, "nothing was gathered"


def test_where_the_database_fails_all_are_told_nothing_and_the_next_ones_are_answered(
    database: Database,
) -> None:
    def many(asked: list[int]) -> Steps[int]:
        if 13 in asked:
            yield said("SELECT 1 / 0")
        if 17 in asked:  # the server throws us out
            yield said("SELECT pg_terminate_backend(pg_backend_pid())")
        return (yield from doubled(asked))

    gathering = database.gathering(many)

    async def ask() -> list[Any]:
        return [await gathering.ask(number) for number in (1, 13, 2, 17, 3)]

    assert asyncio.run(ask()) == [2, None, 4, None, 6]


def test_a_bug_is_told_to_whoever_asked_and_the_next_ones_are_answered(database: Database) -> None:
    def many(asked: list[int]) -> Steps[int]:
        return (yield from doubled([1 // one for one in asked]))

    gathering = database.gathering(many)

    async def ask() -> list[Any]:
        with pytest.raises(ZeroDivisionError):
            await gathering.ask(0)
        return [await gathering.ask(1)]

    assert asyncio.run(ask()) == [2]


@pytest.mark.parametrize("before", [True, False])
def test_a_bug_with_one_of_them_is_told_to_that_one_alone(database: Database, before: bool) -> None:
    def many(asked: list[int]) -> Steps[int]:
        if before and 13 in asked:
            raise ValueError("an unlucky number")
        told = yield from doubled(asked)
        if 13 in asked:
            raise ValueError("an unlucky number")
        return told

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


def test_a_statement_longer_than_the_line_takes_at_once_arrives_and_so_does_its_answer(database: Database) -> None:
    def many(asked: list[str]) -> Steps[str]:
        rows = yield Prepared(text("SELECT CAST(:given AS text)")), {"given": "".join(asked)}
        return [rows[0][0]] * len(asked)

    gathering = database.gathering(many)
    long = "a steelyard weighs " * 1_000_000
    assert asyncio.run(gathering.ask(long)) == long


def test_a_closed_one_takes_nothing_in(database: Database) -> None:
    gathering = database.gathering(doubled)
    gathering.close()
    with pytest.raises(StoreError, match="closed"):
        asyncio.run(gathering.ask(1))


@pytest.mark.parametrize("inside", [True, False])
def test_what_was_taken_in_is_answered_when_it_closes(database: Database, inside: bool) -> None:
    def many(asked: list[int]) -> Steps[int]:
        yield said("SELECT pg_sleep(0.2)")
        return (yield from doubled(asked))

    gathering = database.gathering(many)

    async def ask() -> list[Any]:
        asked = [asyncio.ensure_future(gathering.ask(number)) for number in range(3)]
        await asyncio.sleep(0.1)
        if inside:  # the loop stands still: there is nobody who could hear the server
            gathering.close()
        else:
            await asyncio.to_thread(gathering.close)
        return await asyncio.wait_for(asyncio.gather(*asked), 30)

    assert asyncio.run(ask()) == ([None] * 3 if inside else [0, 2, 4])


def test_a_loop_that_ends_in_the_middle_leaves_the_next_one_a_good_connection(database: Database) -> None:
    def many(asked: list[int]) -> Steps[int]:
        if asked == [0]:
            yield said("SELECT pg_sleep(30)")
        return (yield from doubled(asked))

    gathering = database.gathering(many)

    async def leave() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(gathering.ask(0), 0.3)

    asyncio.run(leave())
    assert asyncio.run(gathering.ask(4)) == 8
    assert asyncio.run(gathering.ask(5)) == 10


def test_a_plan_that_was_made_while_a_table_was_small_is_not_kept_when_it_has_grown(
    database: Database,
) -> None:
    table = text("CREATE TABLE grown (id int PRIMARY KEY, n int)")
    database.write_now(lambda connection: connection.execute(table))
    made = "PREPARE it AS SELECT n FROM grown JOIN json_to_recordset(CAST($1 AS json)) AS asked(one int) ON id = one"

    def many(asked: list[int]) -> Steps[str]:
        if asked == [0]:
            yield said("INSERT INTO grown VALUES (0, 0)")
            yield said(made)
        plan = yield said("EXPLAIN EXECUTE it('[]')")
        return ["\n".join(line for (line,) in plan)]

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
    asked = ended.create_task(gathering.ask(1))
    ended.call_soon(ended.stop)
    ended.run_forever()  # one turn: it has been asked, and nothing was sent
    ended.close()
    assert not asked.done()
    assert asyncio.run(asyncio.wait_for(gathering.ask(2), 30)) == 4


def test_only_a_lost_connection_is_let_go_of(database: Database) -> None:
    def many(asked: list[str]) -> Steps[int]:
        yield said(asked[0])
        ((number,),) = yield said("SELECT pg_backend_pid()")
        return [number]

    gathering = database.gathering(many)

    async def ask() -> list[Any]:
        lost = "SELECT pg_terminate_backend(pg_backend_pid())"
        return [await gathering.ask(one) for one in ("SELECT 1", "SELECT 1 / 0", "SELECT 1", lost, "SELECT 1")]

    first, failed, second, lost, third = asyncio.run(ask())
    assert (failed, lost) == (None, None)
    assert first == second != third


def test_a_connection_that_the_server_ends_while_nobody_asks_is_noticed(database: Database) -> None:
    def many(asked: list[int]) -> Steps[int]:
        ((number,),) = yield said("SELECT pg_backend_pid()")
        return [number]

    gathering = database.gathering(many)

    async def ask() -> list[int | None]:
        first = await gathering.ask(0)
        out = text(f"SELECT pg_terminate_backend({first})")
        await database.read(lambda connection: connection.execute(out).scalar())
        await asyncio.sleep(0.3)
        return [first, await gathering.ask(0)]

    first, second = asyncio.run(ask())
    assert second is not None
    assert second != first


def test_a_statement_that_is_kept_waiting_lets_those_who_asked_go(database: Database) -> None:
    made = text("CREATE TABLE held (id int)")
    database.write_now(lambda connection: connection.execute(made))

    def many(asked: list[str]) -> Steps[Any]:
        ((found,),) = yield said(asked[0])
        return [found]

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
