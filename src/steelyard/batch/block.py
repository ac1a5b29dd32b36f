"""What travels between the reader, the workers and the writer."""

from __future__ import annotations

from typing import NamedTuple

from steelyard.errors import DataError, printable

# Large enough that the cost of a block vanishes beside its rows, small enough that little is lost on Ctrl-C.
BLOCK_BYTES = 256 * 1024
# A longer line is refused, so that memory stays flat whatever a file holds.
LINE_LIMIT = 64 * 1024 * 1024
TOO_LONG = f"longer than {LINE_LIMIT // 2**20} MiB"


class BadLine(NamedTuple):
    """A line that could not be scored, and why; with the id of its row, where that could be read.

    ``digest`` is the hash of what stands there, where no block holds it, and ``rest`` is what else could be read of the row,
    as JSON: it belongs to its group all the same.
    """

    file: str
    line: int
    message: str
    id: str | int | float | bool | None = None
    digest: str = ""
    rest: bytes = b""
    unit: str = "line"

    def __str__(self) -> str:
        return str(self.error())

    def error(self) -> DataError:
        """The same as an exception."""
        if self.unit == "line":
            return DataError(self.message, file=self.file, line=self.line)
        return DataError(f"{self.unit} {self.line}: {self.message}", file=self.file)


class Block(NamedTuple):
    """Whole lines of JSON from one file.

    ``lines`` gives each row's line number where rows and lines do not go hand in hand; otherwise they count
    up from ``first``. ``bad`` are lines that could not even be turned into JSON. ``read`` is how many bytes
    of the input the block stands for. One without lines says that nothing comes for now. ``unit`` is
    what the numbers count: the lines of a file, or the items of a JSON array.
    """

    file: str
    first: int
    last: int
    data: bytes
    lines: tuple[int, ...] | None = None
    bad: tuple[BadLine, ...] = ()
    read: int = 0
    unit: str = "line"

    def __str__(self) -> str:
        lines = (
            f"{self.unit} {self.first}"
            if self.first == self.last
            else f"{self.unit}s {self.first} to {self.last}"
        )
        return f"{printable(self.file)}, {lines}"

    @property
    def size(self) -> int:
        """How many lines it has, good or bad; those of JSON may be blank."""
        return self.last - self.first + 1 if self.lines is None else len(self.lines) + len(self.bad)

    @property
    def rows(self) -> int:
        r"""How many rows it has, good or bad: blank lines are none.

        >>> Block("f", 1, 3, b'{"a":1}\r\n\r\n{"a":2}').rows
        2
        """
        if self.lines is not None or self._is_plain():
            return self.size
        return sum(1 for line in self.data.split(b"\n") if line.strip()) + len(self.bad)

    @property
    def content(self) -> bytes:
        r"""The rows as a hash sees them: one a line, without what shapes no score (blank lines, the ends of lines).

        >>> Block("f", 1, 3, b'{"a":1}\r\n\r\n{"a":2}').content
        b'{"a":1}\n{"a":2}\n'
        """
        data, bad = self.data, "".join(f"{found.message} {found.digest}\n" for found in self.bad)
        if self.lines is None and not self._is_plain():
            lines = (line.strip(b" \t\r") for line in data.split(b"\n"))
            data = b"".join(line + b"\n" for line in lines if line)
        return data + bad.encode(errors="replace") if bad else data

    def _is_plain(self) -> bool:
        """Whether each line is an object and nothing else, as in most files."""
        data, lines = self.data, self.last - self.first + 1
        return data[:1] == b"{" and data.endswith(b"}\n") and data.count(b"}\n{") == lines - 1
