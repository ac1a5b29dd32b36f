"""Input files as blocks of JSON lines, whatever their format and compression."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import stat
import sys
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, BinaryIO, cast

from steelyard.batch.block import BLOCK_BYTES, LINE_LIMIT, BadLine, Block
from steelyard.errors import DataError

FORMATS = ("jsonl", "csv", "tsv", "parquet")
_SUFFIXES = {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl", ".csv": "csv", ".tsv": "tsv",
             ".parquet": "parquet", ".pq": "parquet"}  # fmt: skip
_PACKED = (".gz", ".zst")
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


class Source:
    """One input; once its blocks were read, ``hash`` is that of its bytes as they are when unpacked."""

    def __init__(self, path: str, kind: str = "", *, names: Mapping[str, str] | None = None) -> None:
        self.path, self.names = path, dict(names or {})
        self.name = "<stdin>" if path == "-" else path
        self.kind = kind or _guess(path)
        self.hash = hashlib.sha256()
        self.complete = False
        if path != "-":
            _check(path)

    @property
    def size(self) -> int | None:
        """How many bytes the file has on disk, if that can be known."""
        try:
            return os.stat(self.path).st_size if self.path != "-" and os.path.isfile(self.path) else None
        except OSError:
            return None

    def blocks(self) -> Iterator[Block]:
        """The file's rows, block by block."""
        if self.kind == "jsonl":
            yield from self._json_lines()
        elif self.kind == "parquet":
            from steelyard.batch.tables import parquet_blocks

            yield from parquet_blocks(self)
        else:
            from steelyard.batch.tables import csv_blocks

            yield from csv_blocks(self)
        self.complete = True

    def chunks(self, stream: BinaryIO) -> Iterator[bytes]:
        """Unpacked bytes in pieces, hashed as they pass."""
        while True:
            try:
                chunk = stream.read(BLOCK_BYTES)
            except (EOFError, zlib.error, gzip.BadGzipFile) as broken:
                raise DataError(f"damaged gzip data: {broken}", file=self.name) from None
            except OSError as failed:
                raise DataError(f"cannot be read: {failed.strerror or failed}", file=self.name) from None
            if not chunk:
                return
            self.hash.update(chunk)
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
        line, begun = 1, False
        with self.open() as stream:
            for data, skipped in whole_lines(self.chunks(stream)):
                if not begun:
                    data, begun = self._start(data), True
                last = line + data.count(b"\n") - (1 if data.endswith(b"\n") else 0)
                if skipped:
                    bad = BadLine(self.name, line, f"longer than {LINE_LIMIT // 2**20} MiB")
                    yield Block(self.name, line, line, b"", None, (bad,), skipped)
                    line += 1
                elif data:
                    yield Block(self.name, line, last, data, None, (), len(data))
                    line = last + 1

    def _start(self, data: bytes) -> bytes:
        if data.startswith(_UTF16):
            raise DataError("this is UTF-16; save it as UTF-8", file=self.name)
        return data.removeprefix(_BOM)


def whole_lines(chunks: Iterator[bytes]) -> Iterator[tuple[bytes, int]]:
    """Pieces that end with a line's end, but for the last; ``(b"", n)`` for a line that is n bytes too long.

    >>> list(whole_lines(iter([b"a\\nb", b"c\\nd"])))
    [(b'a\\n', 0), (b'bc\\n', 0), (b'd', 0)]
    """
    held: list[bytes] = []
    size = dropped = 0
    for chunk in chunks:
        rest = chunk
        if dropped:
            head, end, rest = chunk.partition(b"\n")
            dropped += len(head)
            if not end:
                continue
            yield b"", dropped
            dropped = 0
        cut = rest.rfind(b"\n") + 1
        if cut:
            yield b"".join([*held, rest[:cut]]), 0
            held, size = [], 0
        held.append(rest[cut:])
        size += len(held[-1])
        if size > LINE_LIMIT:
            held, size, dropped = [], 0, size
    if dropped or size:
        yield b"".join(held), dropped


def _guess(path: str) -> str:
    stem = path
    while os.path.splitext(stem)[1].lower() in _PACKED:
        stem = os.path.splitext(stem)[0]
    suffix = os.path.splitext(stem)[1].lower()
    if path == "-" or suffix in _SUFFIXES:
        return _SUFFIXES.get(suffix, "jsonl")
    raise DataError(f"its format cannot be told from its name; say --format {'|'.join(FORMATS)}", file=path)


def _check(path: str) -> None:
    """All inputs are looked at before the first is read, so that a wrong name costs nothing."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        raise DataError("there is no such file", file=path) from None
    except (OSError, ValueError) as failed:
        raise DataError(f"cannot be read: {getattr(failed, 'strerror', failed)}", file=path) from None
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
    import pyarrow as pa

    return cast(BinaryIO, pa.CompressedInputStream(pa.PythonFile(raw, mode="r"), "zstd"))
