"""Work in threads: in order, together, few ahead, and nobody waits for what is not wanted any more."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.engine.threads import in_threads

PATIENCE = 30


@given(st.lists(st.integers(), max_size=30), st.integers(1, 5))
def test_each_item_comes_with_its_result_in_order(items: list[int], workers: int) -> None:
    assert list(in_threads(lambda n: -n, items, workers, "some")) == [(n, -n) for n in items]


def test_so_many_are_under_way_at_the_same_time() -> None:
    meeting = threading.Barrier(3)
    found = [
        number
        for _, number in in_threads(lambda _: meeting.wait(PATIENCE) >= 0, range(9), 3, "some")
    ]
    assert found == [True] * 9


def test_no_thread_is_left_at_the_end() -> None:
    list(in_threads(lambda n: n, range(9), 3, "steelyard-left"))
    assert not [
        thread for thread in threading.enumerate() if thread.name.startswith("steelyard-left")
    ]


def test_few_are_taken_ahead_and_leaving_ends_the_rest() -> None:
    taken: list[int] = []
    begun: list[int] = []
    go_on = threading.Event()

    def items() -> Iterator[int]:
        for n in range(100):
            taken.append(n)
            yield n

    def work(n: int) -> None:
        begun.append(n)
        if n:
            go_on.wait(PATIENCE)

    results = in_threads(work, items(), 2, "steelyard-ahead")
    next(results)
    results.close()  # while two are under way, which would wait for half a minute
    assert len(taken) <= 8
    go_on.set()
    for thread in threading.enumerate():
        if thread.name.startswith("steelyard-ahead"):
            thread.join(PATIENCE)
    assert len(begun) <= 4


def test_a_failure_comes_where_its_result_would() -> None:
    results = in_threads(lambda n: 1 // n, [1, 0, 2], 2, "some")
    assert next(results) == (1, 1)
    with pytest.raises(ZeroDivisionError):
        next(results)
