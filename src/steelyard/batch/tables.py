"""CSV and Parquet as blocks of JSON lines; columns without a meaning of their own become metadata."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any, cast

import msgspec

from steelyard.batch.block import BLOCK_BYTES, LINE_LIMIT, BadLine, Block
from steelyard.batch.full_json import loads
from steelyard.errors import DataError

if TYPE_CHECKING:
    from steelyard.batch.source import Source

# In a CSV cell these hold JSON; every other cell is the text that stands there.
_JSON_CELLS = frozenset({"metadata", "submission", "truth", "trajectory", "time_used", "verified"})
_encoder = msgspec.json.Encoder(enc_hook=str)


class _Batch:
    """Rows on their way into one block."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._clear()

    def _clear(self) -> None:
        self.rows: list[bytes] = []
        self.lines: list[int] = []
        self.bad: list[BadLine] = []
        self.size = 0

    def add(self, line: int, row: dict[str, Any]) -> None:
        try:
            text = _encoder.encode(row)
        except UnicodeEncodeError:
            return self.refuse(line, "not UTF-8")
        except (ValueError, TypeError, OverflowError, RecursionError) as wrong:
            return self.refuse(line, f"cannot be read as a row: {wrong}")
        self.rows.append(text)
        self.lines.append(line)
        self.size += len(text)
        return None

    def refuse(self, line: int, message: str) -> None:
        self.bad.append(BadLine(self.file, line, message))
        self.size += 100

    def take(self, *, least: int) -> Iterator[Block]:
        if self.size <= least:
            return
        numbers = [*self.lines, *(b.line for b in self.bad)]
        data = b"".join(row + b"\n" for row in self.rows)
        span = min(numbers), max(numbers)
        yield Block(self.file, *span, data, tuple(self.lines), tuple(self.bad), self.size)
        self._clear()


def csv_blocks(source: Source) -> Iterator[Block]:
    """A CSV file's rows; the first line names the columns."""
    delimiter = "\t" if source.kind == "tsv" else ","
    csv.field_size_limit(LINE_LIMIT)
    batch = _Batch(source.name)
    with source.open() as stream:
        # Bytes that are no UTF-8 pass as lone surrogates, which the encoder then refuses row by row.
        raw = cast(Any, io.BufferedReader(_Chunks(source.chunks(stream)), BLOCK_BYTES))
        text = io.TextIOWrapper(raw, encoding="utf-8-sig", errors="surrogateescape", newline="")
        reader = csv.reader(text, delimiter=delimiter, strict=True)
        header = _header(source, reader)
        as_json = {source.names.get(name, name) for name in _JSON_CELLS}.intersection(header)
        while True:
            line = reader.line_num + 1
            try:
                cells = next(reader)
            except StopIteration:
                break
            except csv.Error as wrong:
                batch.refuse(line, f"not CSV: {wrong}")
                continue
            _add_cells(batch, line, header, cells, as_json)
            yield from batch.take(least=BLOCK_BYTES)
    yield from batch.take(least=0)


def _header(source: Source, reader: Iterable[list[str]]) -> list[str]:
    try:
        header = next(iter(reader), [])
    except csv.Error as wrong:
        raise DataError(f"not CSV: {wrong}", file=source.name, line=1) from None
    twice = sorted({name for name in header if header.count(name) > 1}) if len(header) < 10_000 else []
    if twice:
        raise DataError(f"the column {twice[0]!r} is there twice", file=source.name, line=1)
    return header


def _add_cells(batch: _Batch, line: int, header: list[str], cells: list[str], as_json: set[str]) -> None:
    if not cells:
        return None
    if len(cells) != len(header):
        return batch.refuse(line, f"{len(cells)} cells where the header has {len(header)}")
    row: dict[str, Any] = dict(zip(header, cells, strict=True))
    for name in as_json:
        try:
            row[name] = msgspec.Raw(row[name].encode()) if _is_json(row[name]) else None
        except ValueError as wrong:
            return batch.refuse(line, f"{name}: the cell is not JSON: {wrong}")
    return batch.add(line, _with_metadata(row))


def _is_json(cell: str) -> bool:
    """Whether there is JSON in the cell; an empty one holds nothing."""
    if not cell.strip():
        return False
    try:
        msgspec.json.decode(cell.encode())
    except (msgspec.DecodeError, RecursionError):
        loads(cell)
    return True


def _with_metadata(row: dict[str, Any]) -> dict[str, Any]:
    """The row as it is; without metadata of its own, the row itself is the metadata."""
    if row.get("metadata") is None:
        known = {"response", "target", "id", "error", "metadata", *_JSON_CELLS}
        row = {**row, "metadata": {k: v for k, v in row.items() if k not in known}}
    return row


def parquet_blocks(source: Source) -> Iterator[Block]:
    """A Parquet file's rows; a row's line is its number."""
    if source.path == "-":
        raise DataError("Parquet cannot be read from standard input; name a file", file=source.name)
    import pyarrow as pa
    import pyarrow.parquet as pq

    batch, line = _Batch(source.name), 0
    with open(source.path, "rb") as raw:
        for _ in source.chunks(raw):
            pass
    try:
        with pq.ParquetFile(source.path) as table:
            batches = table.iter_batches(batch_size=1024, use_threads=False)
            for row in chain.from_iterable(rows.to_pylist() for rows in batches):
                line += 1
                batch.add(line, _with_metadata(row))
                yield from batch.take(least=BLOCK_BYTES)
    except (pa.ArrowException, OSError) as wrong:
        raise DataError(f"not Parquet: {wrong}", file=source.name) from None
    yield from batch.take(least=0)


class _Chunks(io.RawIOBase):
    """An iterator of bytes as a stream."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks, self._left = chunks, b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._left = self._left or next(self._chunks, b"")
        size = min(len(buffer), len(self._left))
        buffer[:size] = self._left[:size]
        self._left = self._left[size:]
        return size
