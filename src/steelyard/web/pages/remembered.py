"""Numbers over very many matches, made once and shown until somebody has played."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable
from typing import Any, Final, TypeVar

from sqlalchemy import Connection

from steelyard.arena.kept import Stamp, stamp

T = TypeVar("T")
MOST: Final = 512
# What took long is not made again at once, however much is played: a visitor must not be able to keep the store busy.
QUICK, LAG = 0.05, 8


class Remembered:
    """What was made for a key. A new entry of the ledger makes it old."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._made: dict[Hashable, tuple[Any, Stamp, float]] = {}
        self._making = threading.Lock()

    def get(self, connection: Connection, key: Hashable, make: Callable[[Connection], T]) -> T:
        """The value, made by one thread at a time."""
        found: T | None = self._fresh(connection, key)
        if found is None:
            with self._making:  # whoever waited finds what the other has made
                found = self._fresh(connection, key)
                if found is None:
                    found = self._make(connection, key, make)
        return found

    def _fresh(self, connection: Connection, key: Hashable) -> Any:
        value, newest, rest_until = self._made.get(key, (None, None, 0.0))
        return value if self._clock() < rest_until or newest == stamp(connection) else None

    def _make(self, connection: Connection, key: Hashable, make: Callable[[Connection], T]) -> T:
        began = self._clock()
        newest = stamp(connection)  # asked for first: what is rated meanwhile makes it old again
        value = make(connection)
        took = self._clock() - began
        if len(self._made) >= MOST:
            self._made.clear()
        self._made[key] = value, newest, self._clock() + LAG * took if took > QUICK else 0.0
        return value
