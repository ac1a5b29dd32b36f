"""Ctrl-C and the like as a request to stop after what is whole, not as a blow in the middle of a line."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


class Interrupt:
    """Remembers that somebody wants us to stop; inside ``breakable`` work it stops at once.

    ``signals`` are those that say so, and ``signal`` is the one that did, 0 where none has.

    >>> with Interrupt() as interrupt:
    ...     interrupt.requested
    False
    """

    def __init__(self, *signals: int) -> None:
        self.requested = False
        self.signal = 0
        self._signals = signals or (signal.SIGINT,)
        self._breakable = False
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Interrupt:
        # Only the main thread may set a handler; elsewhere Ctrl-C is the business of the program around us.
        if threading.current_thread() is threading.main_thread():
            self._before = {number: signal.signal(number, self._handle) for number in self._signals}
        return self

    def __exit__(self, *exc: object) -> None:
        for number, before in self._before.items():
            # What was not set by Python cannot be told, and is what the system does by itself.
            signal.signal(number, signal.SIG_DFL if before is None else before)
        self._before = {}

    def _handle(self, number: int, frame: FrameType | None) -> None:
        self.requested = True
        self.signal = self.signal or number  # the first one decides how we end
        if self._breakable:
            raise KeyboardInterrupt

    @contextmanager
    def breakable(self) -> Iterator[None]:
        """Reading and scoring may be left at any point: nothing of it has been written yet."""
        if self.requested:
            raise KeyboardInterrupt
        self._breakable = True
        try:
            yield
        finally:
            self._breakable = False
