"""Whether rows share an id: looked for among some of the ids, so that memory stays flat and little time is taken."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any
from zlib import crc32

from steelyard.batch.fields import PLACES

# So many ids are remembered, and of so many lines all ids are looked at; later of half as many, a quarter, and so on.
KEPT = 10_000
_LONGEST = 100


def chosen(lines: list[int], rows: list[Any]) -> list[Any]:
    """The ids of some rows: which ones depends on the ids and the lines alone, not on how rows are cut into blocks."""
    if not lines or lines[-1] < KEPT:
        return [row.id for row in rows if type(row.id) in PLACES]
    return [row.id for line, row in zip(lines, rows, strict=True)
            if type(row.id) in PLACES and not _number(row.id) & (1 << (line // KEPT).bit_length()) - 1]  # fmt: skip


def _number(known_as: str | int) -> int:
    return crc32(str(known_as).encode(errors="replace"))


class Repeats:
    """``found`` once an id has come a second time. Of fewer than KEPT rows none is missed; of more, one that is rare may be.

    >>> repeats = Repeats()
    >>> repeats.add(["a", "b"])
    >>> repeats.found
    False
    >>> repeats.add([1, "a"])
    >>> repeats.found
    True
    """

    def __init__(self) -> None:
        self.found = False
        self._seen: set[str | int] = set()
        self._mask = 0

    def add(self, ids: Iterable[str | int]) -> None:
        """Take in the next ids, in the order of their rows."""
        for known_as in () if self.found else ids:
            short = known_as if type(known_as) is int or len(str(known_as)) <= _LONGEST else _digest(str(known_as))
            if self._mask and _number(short) & self._mask:
                continue
            self.found = self.found or short in self._seen
            self._seen.add(short)
            if len(self._seen) > KEPT:
                self._forget()

    def _forget(self) -> None:
        """Keep half of the ids, and look at no others from now on."""
        self._mask = 2 * self._mask + 1
        self._seen = {one for one in self._seen if not _number(one) & self._mask}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()
