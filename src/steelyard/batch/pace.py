"""Blocks of as many rows as are scored in a moment, so that a slow scorer keeps all workers busy and loses little."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from steelyard.batch.block import BadLine, Block

# How long a block should take. Blocks of fast scorers stay whole: they take less.
BLOCK_SECONDS = 0.5
# Nothing is known of the first rows; from block to block there may be so many times more of them.
_GROWTH = 8


class Pace:
    """How many rows the next block may have, by what the last ones took; never fewer than ``least``.

    >>> pace = Pace()
    >>> whole = Block("f", 1, 3, b"{}\\n{}\\n{}\\n")
    >>> [str(block) for block in pace.cut([whole])]
    ['f, line 1', 'f, line 2', 'f, line 3']
    >>> pace.note(rows=1, seconds=0.001)
    >>> [str(block) for block in pace.cut([whole])]
    ['f, lines 1 to 3']
    """

    def __init__(self, *, least: int = 1) -> None:
        self._rows = self._least = least

    def note(self, *, rows: int, seconds: float) -> None:
        """A block of so many rows has taken so long."""
        if rows:
            fits = int(BLOCK_SECONDS * rows / max(seconds, 1e-9))
            self._rows = max(self._least, min(fits, self._rows * _GROWTH))

    def cut(self, blocks: Iterable[Block]) -> Iterator[Block]:
        """The same rows in blocks that are not larger than the pace allows when they are asked for."""
        for block in blocks:
            if block.size <= self._rows:
                yield block
            else:
                yield from self._parts(block)

    def _parts(self, block: Block) -> Iterator[Block]:
        """A block in pieces; what was read for it is told with the last."""
        rows, left = _rows(block), block.read
        at = 0
        while at < len(rows):
            piece = rows[at : at + self._rows]
            at += len(piece)
            data = b"".join(text for _, text, _ in piece)
            read = left if at == len(rows) else min(left, len(data))
            left -= read
            lines = (
                None
                if block.lines is None
                else tuple(line for line, _, bad in piece if bad is None)
            )
            bad = tuple(bad for _, _, bad in piece if bad is not None)
            yield Block(block.file, piece[0][0], piece[-1][0], data, lines, bad, read, block.unit)


def _rows(block: Block) -> list[tuple[int, bytes, BadLine | None]]:
    """Each line of the block, good or bad, with its number, in order."""
    texts = block.data.split(b"\n")
    if not texts[-1]:
        texts.pop()
    numbers = range(block.first, block.first + len(texts)) if block.lines is None else block.lines
    rows: list[tuple[int, bytes, BadLine | None]] = [
        (line, text + b"\n", None) for line, text in zip(numbers, texts, strict=True)
    ]
    return sorted([*rows, *((bad.line, b"", bad) for bad in block.bad)], key=_line)


def _line(entry: tuple[int, bytes, BadLine | None]) -> int:
    return entry[0]
