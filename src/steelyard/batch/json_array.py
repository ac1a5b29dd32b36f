"""JSON arrays and single objects as blocks of rows, an item at a time."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING

from steelyard.batch.block import BLOCK_BYTES, LINE_LIMIT, TOO_LONG, Block
from steelyard.batch.source import MalformedError, broken_off, line_blocks
from steelyard.errors import DataError

if TYPE_CHECKING:
    from steelyard.batch.source import Source

_BOM = b"\xef\xbb\xbf"
_SPACE = re.compile(rb"[ \t\r\n]*")
_SIGN = re.compile(rb'["{}\[\]]')
_LINE_END = re.compile(rb"[\n\r]")
_SCALAR = re.compile(rb'[^ \t\r\n,:"{}\[\]]+')
_BACKSLASH = 0x5C
_EXPECTED = "expected a JSON array of rows, or an object"


def json_blocks(source: Source) -> Iterator[Block]:
    """The items of an array, or the object of a document; objects one a line are read as lines.

    An item that is not a row is a bad item like a bad line. A document that is neither of the three
    is a MalformedError. In memory is one block, or one item.
    """
    batch = _Batch(source.name)
    with source.open() as stream:
        document = _Document(source, source.text_chunks(source.as_they_come(stream)))
        try:
            for item in document.items():
                yield from batch.add(item)
            yield from batch.take(least=0)
        except MalformedError:
            raise
        except DataError as broken:
            yield from batch.take(least=0)
            raise broken_off(broken, batch.count, "item") from None
        if document.has_lines:
            yield from line_blocks(source, document.rest(), first=document.line)


class _Batch:
    """Items on their way into one block."""

    def __init__(self, file: str) -> None:
        self.file, self.count, self._size = file, 0, 0
        self._held: list[bytes] = []

    def add(self, data: bytes | None) -> Iterator[Block]:
        """Take in an item, or hand over those that are held where nothing comes for now.

        Between its tokens JSON may have line ends, and inside its texts it has none.
        """
        if data is None:
            yield from self.take(least=0)
            yield Block(self.file, 1, 0, b"")
            return
        self.count += 1
        if b"\n" in data or b"\r" in data:
            data = data.replace(b"\n", b" ").replace(b"\r", b" ")
        self._held.append(data)
        self._size += len(data)
        yield from self.take()

    def take(self, *, least: int = BLOCK_BYTES) -> Iterator[Block]:
        """A block of what was taken in, if that is more than the least."""
        if not self._held or self._size <= least:
            return
        first = self.count - len(self._held) + 1
        data = b"\n".join(self._held) + b"\n"
        numbers = tuple(range(first, self.count + 1))
        yield Block(self.file, first, self.count, data, numbers, (), self._size, "item")
        self._held, self._size = [], 0


class _Document:
    """The bytes of a document and the place up to which they were read.

    The methods that need more bytes are generators: they yield None while nothing comes.
    """

    def __init__(self, source: Source, chunks: Iterator[bytes]) -> None:
        self._source, self._chunks = source, chunks
        self._data, self._at, self._first_line = b"", 0, 1
        self.has_lines = False

    @property
    def line(self) -> int:
        """The number of the line at the place."""
        return self._first_line + self._data.count(b"\n", 0, self._at)

    def rest(self) -> Iterator[bytes]:
        """What was not read yet."""
        yield self._data[self._at :]
        yield from self._chunks

    def items(self) -> Iterator[bytes | None]:
        """The items of an array or the one object; none for objects one a line, which sets ``has_lines``."""
        yield from self._more()
        self._data = self._data.removeprefix(_BOM)
        first = yield from self._next()
        if first == b"[":
            yield from self._array()
        elif first == b"{":
            item = yield from self._value()
            if b"\n" in item:
                yield item
                yield from self._end("the object")
            else:
                self._at, self.has_lines = self._at - len(item), True
        elif first:
            raise self._malformed(_EXPECTED)

    def _array(self) -> Iterator[bytes | None]:
        count, self._at = 0, self._at + 1
        follows = yield from self._next()
        if follows == b"]":
            follows, self._at = b"", self._at + 1
        while follows:
            count += 1
            yield (yield from self._value())
            follows = yield from self._next()
            if follows not in {b",", b"]"}:
                raise self._malformed(
                    f"not JSON: a comma or the end of the array is expected after item {count}"
                )
            self._at += 1
            if follows == b"]":
                break
            yield from self._next()
        yield from self._end("the array")

    def _end(self, what: str) -> Iterator[None]:
        if (yield from self._next()):
            raise self._malformed(
                f"not JSON: nothing may follow {what}; write rows as one array, or one a line"
            )

    def _next(self) -> Generator[None, None, bytes]:
        """The next byte that is not white space, which is not passed; nothing at the end."""
        while True:
            self._at = _SPACE.match(self._data, self._at).end()  # type: ignore[union-attr]
            if self._at < len(self._data):
                return self._data[self._at : self._at + 1]
            if not (yield from self._more()):
                return b""

    def _value(self) -> Generator[None, None, bytes]:
        """The value at the place, which is passed."""
        while (end := self._end_of_value()) is None:
            if len(self._data) - self._at > LINE_LIMIT:
                raise self._malformed(f"a value is {TOO_LONG}")
            if not (yield from self._more()):
                raise self._malformed("not JSON: it ends inside a value that begins here")
        found, self._at = self._data[self._at : end], end
        return found

    def _end_of_value(self) -> int | None:
        """Where the value at the place ends; None where more bytes are needed to know."""
        data, at = self._data, self._at
        first = data[at : at + 1]
        if first == b'"':
            return self._end_of_text(at)
        if first not in {b"{", b"["}:
            scalar = _SCALAR.match(data, at)
            if first and scalar is None:
                raise self._malformed("not JSON: a value is expected")
            return scalar.end() if scalar is not None and scalar.end() < len(data) else None
        depth = 0
        while sign := _SIGN.search(data, at):
            at = sign.end()
            if sign[0] == b'"':
                end = self._end_of_text(at - 1)
                if end is None:
                    return None
                at = end
                continue
            depth += 1 if sign[0] in b"{[" else -1
            if depth == 0:
                return at
        return None

    def _end_of_text(self, start: int) -> int | None:
        """Where the text at a place ends; None where more bytes are needed to know.

        A text that does not end on its line is refused.
        """
        data = self._data
        end = data.find(b'"', start + 1)
        while end >= 0 and _is_escaped(data, end):
            end = data.find(b'"', end + 1)
        if _LINE_END.search(data, start, end if end >= 0 else len(data)):
            self._at = start
            raise self._malformed("not JSON: a text is not closed on its line")
        return end + 1 if end >= 0 else None

    def _more(self) -> Generator[None, None, bool]:
        """Read on, as much again as is held, so that a long value is looked at a few times only."""
        self._first_line, rest = self.line, self._data[self._at :]
        held, size = [rest], 0
        for chunk in self._chunks:
            if not chunk:
                yield None
                continue
            held.append(chunk)
            size += len(chunk)
            if size >= len(rest):
                break
        self._data, self._at = b"".join(held), 0
        return size > 0

    def _malformed(self, what: str) -> MalformedError:
        return MalformedError(what, file=self._source.name, line=self.line)


def _is_escaped(data: bytes, quote: int) -> bool:
    """Whether an odd number of backslashes stands before a quotation mark."""
    first = quote
    while data[first - 1] == _BACKSLASH:
        first -= 1
    return (quote - first) % 2 == 1
