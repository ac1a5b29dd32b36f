"""The engine without workers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar

from steelyard.engine.interrupt import Interrupt
from steelyard.errors import EngineError

T = TypeVar("T")
R = TypeVar("R")


class InProcess(Generic[T, R]):
    """Does each item in turn, here.

    >>> list(InProcess(lambda: str.upper).map(["a", "b"]))
    ['A', 'B']
    """

    def __init__(self, build: Callable[[], Callable[[T], R]], *, interrupt: Interrupt | None = None) -> None:
        self._work = build()
        self._interrupt = interrupt or Interrupt()

    def map(self, items: Iterable[T]) -> Iterator[R]:
        """The result of each item, in order."""
        for item in items:
            try:
                with self._interrupt.breakable():
                    result = self._work(item)
            except KeyboardInterrupt:
                if not self._interrupt.requested:
                    raise
                return
            except SystemExit as left:
                how = f"the scorer ended the program (exit {left.code})"
                raise EngineError(f"{how} while scoring {item}") from None
            yield result
            if self._interrupt.requested:
                return

    def close(self) -> None:
        """Nothing to let go of."""
