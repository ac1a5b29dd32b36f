"""One statement for many: each gets what is its own, and where the statement fails everybody is told to ask alone."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from gatherings import doubled, said
from steelyard.errors import StoreError
from steelyard.store.database import Database
from steelyard.store.gathering import Steps


@pytest.mark.parametrize("at_once", [1, 3])
def test_each_gets_its_own_answer(server: Database, at_once: int) -> None:
    sizes: list[int] = []

    def many(asked: list[int]) -> Steps[int]:
        sizes.append(len(asked))
        return (yield from doubled(asked))

    gathering = server.gathering(many, at_once)

    async def ask() -> list[int | None]:
        return await asyncio.gather(*(gathering.ask(number) for number in range(300)))

    assert asyncio.run(ask()) == [2 * number for number in range(300)]
    assert sum(sizes) == 300
    assert max(sizes) > 1, "nothing was gathered"


def test_where_the_database_fails_all_are_told_nothing_and_the_next_ones_are_answered(
    server: Database,
) -> None:
    def many(asked: list[int]) -> Steps[int]:
        if 13 in asked:
            yield said("SELECT 1 / 0")
        if 17 in asked:  # the server throws us out
            yield said("SELECT pg_terminate_backend(pg_backend_pid())")
        return (yield from doubled(asked))

    gathering = server.gathering(many)

    async def ask() -> list[Any]:
        return [await gathering.ask(number) for number in (1, 13, 2, 17, 3)]

    assert asyncio.run(ask()) == [2, None, 4, None, 6]


def test_a_bug_is_told_to_whoever_asked_and_the_next_ones_are_answered(server: Database) -> None:
    def many(asked: list[int]) -> Steps[int]:
        return (yield from doubled([1 // one for one in asked]))

    gathering = server.gathering(many)

    async def ask() -> list[Any]:
        with pytest.raises(ZeroDivisionError):
            await gathering.ask(0)
        return [await gathering.ask(1)]

    assert asyncio.run(ask()) == [2]


@pytest.mark.parametrize("before", [True, False])
def test_a_bug_with_one_of_them_is_told_to_that_one_alone(server: Database, before: bool) -> None:
    def many(asked: list[int]) -> Steps[int]:
        if before and 13 in asked:
            raise ValueError("an unlucky number")
        told = yield from doubled(asked)
        if 13 in asked:
            raise ValueError("an unlucky number")
        return told

    gathering = server.gathering(many)

    async def ask() -> list[Any]:
        return await asyncio.gather(
            *(gathering.ask(number) for number in range(20)), return_exceptions=True
        )

    told = asyncio.run(ask())
    assert isinstance(told.pop(13), ValueError)
    assert told == [2 * number for number in range(20) if number != 13]


def test_whoever_leaves_does_not_keep_the_others(server: Database) -> None:
    gathering = server.gathering(doubled)

    async def ask() -> list[Any]:
        asked = [asyncio.ensure_future(gathering.ask(number)) for number in range(20)]
        await asyncio.sleep(0)
        for one in asked[::2]:
            one.cancel()
        return await asyncio.gather(*asked[1::2])

    assert asyncio.run(ask()) == [2 * number for number in range(1, 20, 2)]


def test_a_closed_one_takes_nothing_in(server: Database) -> None:
    gathering = server.gathering(doubled)
    gathering.close()
    with pytest.raises(StoreError, match="closed"):
        asyncio.run(gathering.ask(1))


@pytest.mark.parametrize("inside", [True, False])
def test_what_was_taken_in_is_answered_when_it_closes(server: Database, inside: bool) -> None:
    def many(asked: list[int]) -> Steps[int]:
        yield said("SELECT pg_sleep(0.2)")
        return (yield from doubled(asked))

    gathering = server.gathering(many)

    async def ask() -> list[Any]:
        asked = [asyncio.ensure_future(gathering.ask(number)) for number in range(3)]
        await asyncio.sleep(0.1)
        if inside:  # the loop stands still: there is nobody who could hear the server
            gathering.close()
        else:
            await asyncio.to_thread(gathering.close)
        return await asyncio.wait_for(asyncio.gather(*asked), 30)

    assert asyncio.run(ask()) == ([None] * 3 if inside else [0, 2, 4])


def test_a_loop_that_ends_before_it_has_handed_over_leaves_nobody_waiting(server: Database) -> None:
    gathering = server.gathering(doubled)
    ended = asyncio.new_event_loop()
    asked = ended.create_task(gathering.ask(1))
    ended.call_soon(ended.stop)
    ended.run_forever()  # one turn: it has been asked, and nothing was sent
    ended.close()
    assert not asked.done()
    assert asyncio.run(asyncio.wait_for(gathering.ask(2), 30)) == 4


def test_whoever_comes_while_it_is_closed_is_answered(server: Database) -> None:
    async def ask(gathering: Any, go: threading.Barrier) -> list[Any]:
        await asyncio.to_thread(go.wait)
        asked = (gathering.ask(number) for number in range(20))
        return await asyncio.wait_for(asyncio.gather(*asked, return_exceptions=True), 30)

    for _ in range(20):
        gathering, go = server.gathering(doubled, 2), threading.Barrier(2)

        def close(gathering: Any = gathering, go: threading.Barrier = go) -> None:
            go.wait()
            gathering.close()

        closing = threading.Thread(target=close)
        closing.start()
        told = asyncio.run(ask(gathering, go))
        closing.join()
        assert all(
            one == 2 * place or isinstance(one, StoreError) for place, one in enumerate(told)
        )


def test_whoever_waits_behind_one_that_ended_with_a_bug_is_answered(server: Database) -> None:
    def many(asked: list[int]) -> Steps[int]:
        if asked == [0]:
            yield said("SELECT pg_sleep(0.2)")
            yield said("SELECT '\ud800'")  # cannot even be sent
        return (yield from doubled(asked))

    gathering = server.gathering(many)

    async def ask() -> list[Any]:
        first = asyncio.ensure_future(gathering.ask(0))
        await asyncio.sleep(0.1)
        both = asyncio.gather(first, gathering.ask(4), return_exceptions=True)
        return await asyncio.wait_for(both, 30)

    wrong, told = asyncio.run(ask())
    assert isinstance(wrong, StoreError)
    assert told == 8


def test_a_connection_that_was_being_opened_when_it_closed_does_not_stay(server: Database) -> None:
    gathering = server.gathering(doubled)

    async def ask() -> int | None:
        asked = asyncio.ensure_future(gathering.ask(3))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        gathering.close()
        return await asyncio.wait_for(asked, 30)

    assert asyncio.run(ask()) == 6
    assert [wire._connection for wire in gathering._wires] == [None]
