"""The engine without workers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar

from steelyard.engine.interrupt import Interrupt
from steelyard.errors import EngineError
from steelyard.foreign import told

T = TypeVar("T")
R = TypeVar("R")


class InProcess(Generic[T, R]):
    """Does each item in turn, here.

    >>> list(InProcess(lambda: str.upper).map(["a", "b"]))
    ['A', 'B']
    """

    def __init__(
        self, build: Callable[[], Callable[[T], R]], *, interrupt: Interrupt | None = None
    ) -> None:
        self._work = build()
        self._interrupt = interrupt or Interrupt()

    def map(self, items: Iterable[T]) -> Iterator[R]:
        """The result of each item, in order."""
        left = iter(items)
        while True:
            try:
                with self._interrupt.breakable():
                    item = next(left)
                    result = self._do(item)
            except StopIteration:
                return
            except KeyboardInterrupt:
                if not self._interrupt.requested:
                    raise
                return
            yield result

    def _do(self, item: T) -> R:
        try:
            return self._work(item)
        except (SystemExit, GeneratorExit) as ended:
            raise EngineError(f"the work ended with {told(ended)} while scoring {item}") from None
        except StopIteration as bug:
            raise RuntimeError("the work ended an iteration that is not its own") from bug

    def close(self) -> None:
        """Nothing to let go of."""
