"""Input files as blocks of JSON lines, whatever their format and compression."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import stat
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, BinaryIO, NamedTuple, cast

from steelyard.batch.block import BLOCK_BYTES, LINE_LIMIT, TOO_LONG, BadLine, Block
from steelyard.batch.live import is_live, live_chunks
from steelyard.errors import DataError

FORMATS = ("jsonl", "json", "csv", "tsv", "parquet")
_SUFFIXES = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
}
_PACKED = (".gz", ".zst")
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_PORTION = 16 * 1024


class Source:
    """One input; ``names`` maps our fields to those that its rows have."""

    def __init__(
        self, path: str, kind: str = "", *, names: Mapping[str, str] | None = None
    ) -> None:
        self.path, self.names = path, dict(names or {})
        # A name need not be text, but it is printed, and written into JSON.
        self.name = "<stdin>" if path == "-" else os.fsencode(path).decode(errors="replace")
        self.kind = kind or _guess(path)
        if path != "-":
            _check(path)

    @property
    def size(self) -> int | None:
        """How many bytes the file has on disk, if that can be known."""
        try:
            return (
                os.stat(self.path).st_size
                if self.path != "-" and os.path.isfile(self.path)
                else None
            )
        except OSError:
            return None

    def blocks(self, needs: Sequence[str] = (), *, most: int | None = None) -> Iterator[Block]:
        """The file's rows, block by block; a table without a column for each of the fields it ``needs`` is refused.

        Where no more than the ``most`` first rows are asked for, these do not wait for others.
        """
        if self.kind == "jsonl":
            yield from self._json_lines()
        elif self.kind == "json":
            from steelyard.batch.json_array import json_blocks

            yield from json_blocks(self)
        elif self.kind == "parquet":
            from steelyard.batch.parquet import parquet_blocks

            yield from parquet_blocks(self, needs)
        else:
            from steelyard.batch.tables import csv_blocks

            yield from csv_blocks(self, needs, most)

    def check(self, needs: Sequence[str]) -> None:
        """Refuse a table without a column for each of the fields it ``needs``, where it can be looked at twice."""
        if self.kind in {"jsonl", "json"} or self.size is None:
            return
        if self.kind == "parquet":
            from steelyard.batch.parquet import check_schema

            check_schema(self, needs)
        else:
            from steelyard.batch.tables import check_header

            check_header(self, needs)

    def chunks(self, stream: BinaryIO) -> Iterator[bytes]:
        """Unpacked bytes in pieces; of damaged data all that could still be unpacked comes before the error."""
        while True:
            held, failed = self._gathered(stream)
            if held:
                yield held
            if failed is not None:
                raise failed
            if not held:
                return

    def _gathered(self, stream: BinaryIO) -> tuple[bytes, DataError | None]:
        """The next piece, and why there will be no other."""
        # What is unpacked by a call that fails is lost, so it is asked for in small portions.
        step = BLOCK_BYTES if isinstance(stream, io.BufferedReader) else _PORTION
        read: Any = stream.read if step == BLOCK_BYTES else getattr(stream, "read1", stream.read)
        held: list[bytes] = []
        try:
            while len(held) * step < BLOCK_BYTES and (more := read(step)):
                held.append(more)
        except (EOFError, zlib.error, gzip.BadGzipFile) as broken:
            return b"".join(held), DataError(f"damaged gzip data: {broken}", file=self.name)
        except OSError as failed:
            what = (
                "cannot be read" if failed.strerror or step == BLOCK_BYTES else "damaged zstd data"
            )
            return b"".join(held), DataError(f"{what}: {failed.strerror or failed}", file=self.name)
        return b"".join(held), None

    def as_they_come(self, stream: BinaryIO) -> Iterator[bytes]:
        """The same, but what a pipe has brought does not wait for more, and an empty piece says that nothing comes."""
        if not is_live(stream):
            yield from self.chunks(stream)
            return
        try:
            yield from live_chunks(stream)
        except OSError as failed:
            raise DataError(
                f"cannot be read: {failed.strerror or failed}", file=self.name
            ) from None

    def text_chunks(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        """The same, where it is not UTF-16, which would only be seen as one odd line after the other."""
        begun = False
        for chunk in chunks:
            if not begun and chunk.startswith(_UTF16):
                raise DataError("this is UTF-16; save it as UTF-8", file=self.name)
            begun = True
            yield chunk

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """The unpacked bytes; gzip and zstd are known by how they begin, not by their names."""
        try:
            stream: Any = sys.stdin.buffer if self.path == "-" else open(self.path, "rb")  # noqa: SIM115
        except OSError as failed:
            raise DataError(f"cannot be read: {failed.strerror}", file=self.name) from None
        raw = stream if hasattr(stream, "peek") else io.BufferedReader(stream)
        try:
            yield _unpacked(raw)
        finally:
            if self.path != "-":
                raw.close()

    def _json_lines(self) -> Iterator[Block]:
        with self.open() as stream:
            yield from line_blocks(self, self.text_chunks(self.as_they_come(stream)))


def line_blocks(source: Source, chunks: Iterator[bytes], first: int = 1) -> Iterator[Block]:
    """Chunks of a file's bytes as blocks of whole lines, of which the first has that number."""
    line = first
    try:
        for data, skipped in whole_lines(chunks):
            block = _line_block(
                source.name, line, data.removeprefix(_BOM) if line == 1 else data, skipped
            )
            yield block
            line = block.last + 1
    except DataError as broken:
        raise broken_off(broken, line - 1) from None


def _line_block(file: str, line: int, data: bytes, skipped: TooLong | None) -> Block:
    if skipped:
        bad = BadLine(file, line, TOO_LONG, digest=skipped.digest)
        return Block(file, line, line, b"", None, (bad,), skipped.size)
    last = line + data.count(b"\n") - (1 if data.endswith(b"\n") or not data else 0)
    return Block(file, line, last, data, None, (), len(data))


class MalformedError(DataError):
    """A document that is malformed as a whole, so that nothing can be said of its rows."""


def broken_off(wrong: DataError, after: int, unit: str = "line") -> DataError:
    """The same error with the place up to which the input could be read.

    >>> str(broken_off(DataError("damaged", file="a.jsonl.gz"), 7))
    'a.jsonl.gz: damaged, after line 7'
    """
    return DataError(f"{wrong.message}, after {unit} {after}", file=wrong.file) if after else wrong


class TooLong(NamedTuple):
    """A line that was not kept: how many bytes it has, and their hash."""

    size: int
    digest: str


class _Dropped:
    """A line that is too long, as it passes."""

    def __init__(self, begun: list[bytes]) -> None:
        self._size, self._hash = 0, hashlib.sha256()
        for piece in begun:
            self.add(piece)

    def add(self, piece: bytes) -> None:
        self._size += len(piece)
        self._hash.update(piece)

    def whole(self) -> TooLong:
        return TooLong(self._size, self._hash.hexdigest())


def whole_lines(chunks: Iterator[bytes]) -> Iterator[tuple[bytes, TooLong | None]]:
    """Pieces that end with a line's end, but for the last; a TooLong beside nothing for a line that is too long.

    For an empty chunk comes an empty piece: nothing is there for now.

    >>> list(whole_lines(iter([b"a\\nb", b"c\\nd"])))
    [(b'a\\n', None), (b'bc\\n', None), (b'd', None)]
    """
    held: list[bytes] = []
    size, dropped = 0, None
    for chunk in chunks:
        rest = chunk
        if not chunk:
            yield b"", None
            continue
        if dropped is not None:
            head, end, rest = chunk.partition(b"\n")
            dropped.add(head)
            if not end:
                continue
            yield b"", dropped.whole()
            dropped = None
        cut = rest.rfind(b"\n") + 1
        if cut:
            yield b"".join([*held, rest[:cut]]), None
            held, size = [], 0
        held.append(rest[cut:])
        size += len(held[-1])
        if size > LINE_LIMIT:
            held, size, dropped = [], 0, _Dropped(held)
    if dropped is not None or size:
        yield b"".join(held), dropped.whole() if dropped is not None else None


def _guess(path: str) -> str:
    stem = path
    while os.path.splitext(stem)[1].lower() in _PACKED:
        stem = os.path.splitext(stem)[0]
    suffix = os.path.splitext(stem)[1].lower()
    if path == "-" or suffix in _SUFFIXES:
        return _SUFFIXES.get(suffix, "jsonl")
    raise DataError(
        f"its format cannot be told from its name; say --format {'|'.join(FORMATS)}", file=path
    )


def _check(path: str) -> None:
    """All inputs are looked at before the first is read, so that a wrong name costs nothing."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        raise DataError("there is no such file", file=path) from None
    except (OSError, ValueError) as failed:
        raise DataError(
            f"cannot be read: {getattr(failed, 'strerror', failed)}", file=path
        ) from None
    if stat.S_ISDIR(found.st_mode):
        raise DataError("this is a folder, not a file", file=path)
    # Not by opening it: a pipe can be opened only once.
    if not os.access(path, os.R_OK):
        raise DataError("may not be read", file=path)


def _unpacked(raw: Any) -> BinaryIO:
    start = raw.peek(4)[:4]
    if start.startswith(_GZIP):
        return cast(BinaryIO, gzip.GzipFile(fileobj=raw))
    if start != _ZSTD:
        return cast(BinaryIO, raw)
    from steelyard.batch.zstd import Unpacked

    return cast(BinaryIO, Unpacked(raw))
