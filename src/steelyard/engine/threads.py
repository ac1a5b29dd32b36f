"""Work that waits more than it computes, in threads of this process: in order, with a few items begun ahead."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")
_AHEAD = 4  # items for each worker that are taken before the first of them is waited for


def in_threads(
    work: Callable[[T], R], items: Iterable[T], workers: int, name: str
) -> Iterator[tuple[T, R]]:
    """Each item with what its work gave, in the order of the items; one that is slow holds up no other.

    Whoever leaves early does not wait for what is under way, and what has not begun is never begun.

    >>> list(in_threads(lambda n: n * n, [1, 2, 3], 2, "squares"))
    [(1, 1), (2, 4), (3, 9)]
    """
    pool = ThreadPoolExecutor(workers, name)
    waiting: deque[tuple[T, Future[R]]] = deque()
    left_early = True
    try:
        for item in items:
            waiting.append((item, pool.submit(work, item)))
            if len(waiting) >= _AHEAD * workers:
                yield _first(waiting)
        while waiting:
            yield _first(waiting)
        left_early = False
    finally:
        pool.shutdown(wait=not left_early, cancel_futures=True)


def _first(waiting: deque[tuple[T, Future[R]]]) -> tuple[T, R]:
    item, future = waiting.popleft()
    return item, future.result()
