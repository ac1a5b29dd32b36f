"""What every engine promises, whatever it runs on."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar

T = TypeVar("T", contravariant=True)
R = TypeVar("R", covariant=True)


class Engine(Protocol[T, R]):
    """Results come in the order of the items, however many workers there are, and few are held at a time.

    An engine is made with ``build``, a function that can be pickled and that gives the work itself, so that
    each worker prepares once what it needs. Items are named by ``str(item)`` when something goes wrong.
    """

    def map(self, items: Iterable[T]) -> Iterator[R]:
        """The result of each item, in order; ends early when an interrupt was asked for."""

    def close(self) -> None:
        """Let go of all workers; asking twice is fine."""


def usable_cores() -> int:
    """How many cores this process may use.

    >>> usable_cores() >= 1
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1
