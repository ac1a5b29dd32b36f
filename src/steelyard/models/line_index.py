"""Where the lines of a file stand, by the hash of the name that each has; on the disk, but for one number in many."""

from __future__ import annotations

import itertools
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from steelyard.spill import PILES, Piles, Scratch

_WIDTH = 3
_BYTES = 8 * _WIDTH
# Lines that are looked at together.
_RUN = 64


class LineIndex:
    """Noted line by line, and once sorted asked by the hash of a name.

    >>> index = LineIndex()
    >>> for line, hashed in enumerate((5, 9, 5), 1):
    ...     index.add(hashed, 100 * line, line)
    >>> index.sort()
    >>> list(index.of(5)), list(index.of(6)), list(index.shared())
    ([(100, 1), (300, 3)], [], [5])
    """

    def __init__(self) -> None:
        self._piles, self._sorted = Piles(_WIDTH), Scratch()
        self._starts, self._counts = array("q"), array("q")
        self._firsts: list[array[int]] = []  # of each pile: the first hash of each run

    def add(self, hashed: int, offset: int, line: int) -> None:
        """Note a line."""
        self._piles.add(hashed, offset, line)

    def sort(self) -> None:
        """To be done once all lines are noted, and before any is looked for; lines of one name keep their order."""
        for pile in self._piles.ordered():
            self._starts.append(self._sorted.put(pile.tobytes()) if pile else 0)
            self._counts.append(len(pile) // _WIDTH)
            self._firsts.append(pile[:: _WIDTH * _RUN])
        self._piles = Piles(_WIDTH)

    def of(self, hashed: int) -> Iterator[tuple[int, int]]:
        """The place and the number of each line whose name has that hash."""
        pile = hashed & (PILES - 1)
        firsts = self._firsts[pile]
        first, end = max(0, bisect_left(firsts, hashed) - 1), bisect_right(firsts, hashed)
        found = self._read(pile, first * _RUN, min(end * _RUN, self._counts[pile]))
        names = found[::_WIDTH]
        for at in range(
            bisect_left(names, hashed) * _WIDTH, bisect_right(names, hashed) * _WIDTH, _WIDTH
        ):
            yield found[at + 1], found[at + 2]

    def _read(self, pile: int, start: int, end: int) -> array[int]:
        found = array("q")
        if end > start:
            found.frombytes(
                self._sorted.get(self._starts[pile] + start * _BYTES, (end - start) * _BYTES)
            )
        return found

    def shared(self) -> Iterator[int]:
        """The hashes that several lines have."""
        for pile, count in enumerate(self._counts):
            names = self._read(pile, 0, count)[::_WIDTH]
            yield from (one for one, many in itertools.groupby(names) if sum(1 for _ in many) > 1)
