"""The sums over named clusters whose problems stand anywhere in a run; what is known of each is on the disk."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import chain

import msgspec

from steelyard.metrics import Interval
from steelyard.metrics.clusters import Clusters
from steelyard.spill import PILES, Scratch, Tape

# Bytes that are in memory before they are brought to the disk.
_HELD = 256 * 1024
_decoder = msgspec.json.Decoder(tuple[int, str, list[float]])


class ClusterBook:
    """Many means over the same clusters, a page for each of them.

    Whatever has the name of one cluster comes to one pile, so that the clusters of a pile are summed by themselves.
    """

    def __init__(self) -> None:
        self._pages: list[Clusters] = []
        scratch = Scratch()
        self._piles = [Tape(scratch) for _ in range(PILES)]
        self._held = [bytearray() for _ in range(PILES)]
        self._size = 0
        self._summed = False

    def page(self) -> Page:
        """A new page."""
        self._pages.append(Clusters())
        return Page(self, len(self._pages) - 1)

    def add(self, page: int, name: str | None, values: Sequence[float]) -> None:
        """Take in the values of a problem; without a name it is a cluster of its own."""
        if name is None:
            self._pages[page].add(*_exact_sum(values), binary=_are_binary(values))
            return
        line = msgspec.json.encode((page, name, values))
        pile = self._held[zlib.crc32(name.encode("utf-8", "surrogatepass")) % PILES]
        pile += line + b"\n"
        self._size += len(line)
        if self._size >= _HELD:
            self._spill()

    def _spill(self) -> None:
        for tape, held in zip(self._piles, self._held, strict=True):
            if held:
                tape.put(bytes(held))
                held.clear()
        self._size = 0

    def interval(self, page: int) -> Interval | None:
        """The mean of a page with its interval; nothing can be added any more."""
        if not self._summed:
            self._summed = True
            for tape, held in zip(self._piles, self._held, strict=True):
                self._sum(chain(tape, (bytes(held),)))
        return self._pages[page].interval()

    def _sum(self, pieces: Iterable[bytes]) -> None:
        """Take in the clusters of one pile."""
        sums: dict[tuple[int, str], tuple[int, int | Fraction, bool]] = {}
        for piece in pieces:
            for page, name, values in map(_decoder.decode, piece.splitlines()):
                size, total, binary = sums.get((page, name), (0, 0, True))
                more, exact = _exact_sum(values)
                sums[page, name] = size + more, total + exact, binary and _are_binary(values)
        for (page, _), (size, total, binary) in sums.items():
            self._pages[page].add(size, total, binary=binary)


class Page:
    """One mean over clusters."""

    def __init__(self, book: ClusterBook, number: int) -> None:
        self._book, self._number = book, number

    def add(self, cluster: str | None, values: Sequence[float]) -> None:
        """Take in the values of a problem; without a cluster it is one of its own."""
        self._book.add(self._number, cluster, values)

    def interval(self) -> Interval | None:
        """The mean over all samples with an interval that knows of the clusters; fewer than two have none."""
        return self._book.interval(self._number)


def _are_binary(values: Sequence[float]) -> bool:
    return all(value in {0, 1} for value in values)


def _exact_sum(values: Sequence[float]) -> tuple[int, int | Fraction]:
    """How many there are, and what they come to; whole numbers as long as it can be, since those add up faster."""
    return len(values), sum(
        (int(value) if value in {0, 1} else Fraction(value) for value in values), start=0
    )
