"""Boards that are made once and shown often."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final, NamedTuple

from sqlalchemy import Connection, func, select

from steelyard.arena.board import Board, Filter, Place, make_board
from steelyard.metrics.ability import Rated
from steelyard.store.schema import RATINGS

MOST_KEPT: Final = 64
# Up to this many seconds a board is made again for every match; one that takes longer may lag by so many times its making,
# so that a busy arena does not spend itself on its board.
QUICK: Final = 0.25
LAG: Final = 8

Stamp = tuple[int, int]


class _Made(NamedTuple):
    board: Board
    stamp: Stamp
    rest_until: float


class Kept:
    """Boards that are still true: those made after the ledger's last entry. Each is made by one thread at a time."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._made: dict[Filter, _Made] = {}
        self._making = threading.Lock()

    def get(self, connection: Connection, which: Filter) -> list[Place]:
        """Everybody's place."""
        return self.board(connection, which).places

    def difficulty(self, connection: Connection, slug: str) -> Rated | None:
        """How hard a challenge turned out to be, where somebody has played it."""
        return self.board(connection, Filter()).difficulties.get(slug)

    def board(self, connection: Connection, which: Filter) -> Board:
        """The board, made again only where a match has been rated since."""
        if (made := self._fresh(connection, which)) is not None:
            return made.board
        with self._making:  # whoever waited finds what the other has made
            made = self._fresh(connection, which) or self._make(connection, which)
        return made.board

    def _fresh(self, connection: Connection, which: Filter) -> _Made | None:
        made = self._made.get(which)
        if made is None or self._clock() < made.rest_until or made.stamp == stamp(connection):
            return made
        return None

    def _make(self, connection: Connection, which: Filter) -> _Made:
        began = self._clock()
        # Asked for first: what is rated while the board is made makes it old again, whether it is in it or not.
        newest = stamp(connection)
        board = make_board(connection, which)
        took = self._clock() - began
        if len(self._made) >= MOST_KEPT:
            self._made.clear()
        rest = self._clock() + LAG * took if took > QUICK else 0.0
        made = self._made[which] = _Made(board, newest, rest)
        return made


def stamp(connection: Connection) -> Stamp:
    """What changes with every entry of the ledger.

    In SQLite the highest number does. In PostgreSQL a number is given out before its transaction is committed, so that a
    lower one may appear later; the count tells.
    """
    highest = func.coalesce(func.max(RATINGS.c.id), 0)
    if connection.dialect.name == "sqlite":
        return connection.execute(select(highest)).scalar_one(), 0
    found = connection.execute(select(highest, func.count()).select_from(RATINGS)).one()
    return found[0], found[1]
