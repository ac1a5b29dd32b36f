"""Ctrl-C as a request to stop after what is whole, not as a blow in the middle of a line."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


class Interrupt:
    """Remembers that the user wants to stop; inside ``breakable`` work it stops at once.

    >>> with Interrupt() as interrupt:
    ...     interrupt.requested
    False
    """

    def __init__(self) -> None:
        self.requested = False
        self._breakable = False
        self._before: Any = None

    def __enter__(self) -> Interrupt:
        # Only the main thread may set a handler; elsewhere Ctrl-C is the business of the program around us.
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._handle)
        return self

    def __exit__(self, *exc: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
            self._before = None

    def _handle(self, number: int, frame: FrameType | None) -> None:
        self.requested = True
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
