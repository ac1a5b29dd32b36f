"""What travels between the reader, the workers and the writer."""

from __future__ import annotations

from typing import NamedTuple

# Large enough that the cost of a block vanishes beside its rows, small enough that little is lost on Ctrl-C.
BLOCK_BYTES = 256 * 1024
# A longer line is refused, so that memory stays flat whatever a file holds.
LINE_LIMIT = 64 * 1024 * 1024


class BadLine(NamedTuple):
    """A line that could not be scored, and why."""

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}"


class Block(NamedTuple):
    """Whole lines of JSON from one file.

    ``lines`` gives each row's line number where rows and lines do not go hand in hand; otherwise they count
    up from ``first``. ``bad`` are lines that could not even be turned into JSON. ``read`` is how many bytes
    of the input the block stands for.
    """

    file: str
    first: int
    last: int
    data: bytes
    lines: tuple[int, ...] | None = None
    bad: tuple[BadLine, ...] = ()
    read: int = 0

    def __str__(self) -> str:
        return f"{self.file}, lines {self.first} to {self.last}"
