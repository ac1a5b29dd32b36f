"""Files of rows: JSONL, JSON, CSV, TSV and Parquet, packed or not."""

from __future__ import annotations

import csv
import functools
import io
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from steelyard.batch import duplicate_keys
from steelyard.batch.block import LINE_LIMIT, BadLine, Block
from steelyard.batch.full_json import RepeatedKeyError
from steelyard.batch.source import Source, whole_lines
from steelyard.bench.datasets import Dataset
from steelyard.bench.rows import BLOCK, Row
from steelyard.errors import DataError
from steelyard.lift import plain

_FORMATS = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
}
_PACKED = (".gz", ".zst")
_UNITS = {"jsonl": "line", "csv": "line", "tsv": "line", "json": "item", "parquet": "row"}
_object = msgspec.json.Decoder(dict[str, Any])
_written = msgspec.json.Decoder(dict[str, msgspec.Raw])


def file_dataset(path: Path) -> Dataset:
    """The rows of a file; a DataError where there is no such file, or its name does not tell its format."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    kind = next((_FORMATS[s] for s in reversed(suffixes) if s not in _PACKED and s in _FORMATS), "")
    if not kind:
        raise DataError(
            f"its name does not tell its format; it ends in {', '.join(_FORMATS)}", file=str(path)
        )
    source = Source(str(path), kind)
    readers = {"jsonl": _json_lines, "json": _json, "csv": _csv, "tsv": _csv, "parquet": _parquet}
    return Dataset(str(path), functools.partial(readers[kind], source), unit=_UNITS[kind])


def _pieces(source: Source) -> Iterator[tuple[int, str]]:
    """The file as text, some whole lines at a time, each piece with the number of its first line."""
    line = 1
    with source.open() as stream:
        for data, too_long in whole_lines(source.chunks(stream)):
            if too_long:
                raise DataError(
                    f"longer than {LINE_LIMIT // 2**20} MiB", file=source.name, line=line
                )
            try:
                text = data.decode("utf-8-sig" if line == 1 else "utf-8")
            except UnicodeDecodeError as wrong:
                line += data.count(b"\n", 0, wrong.start)
                raise DataError("not UTF-8", file=source.name, line=line) from None
            yield line, text
            line += data.count(b"\n")


def _json_lines(source: Source) -> Iterator[Row]:
    for first, piece in _pieces(source):
        lines = enumerate(piece.split("\n"), start=first)
        yield from (_line(source, line, text) for line, text in lines if text.strip())


def _line(source: Source, line: int, text: str) -> Row:
    try:
        return _row(line, text.encode())
    except (msgspec.MsgspecError, RepeatedKeyError, RecursionError) as wrong:
        raise DataError(_told(wrong), file=source.name, line=line) from None


def _json(source: Source) -> Iterator[Row]:
    """The items of an array, or objects one a line."""
    for block in source.blocks():
        if block.bad:
            raise block.bad[0].error()
        numbers = block.lines or itertools.count(block.first)
        for place, text in zip(numbers, block.data.split(b"\n"), strict=False):
            if text.strip():
                yield _item(block, place, text)


def _item(block: Block, place: int, text: bytes) -> Row:
    try:
        text.decode()
        return _row(place, text)
    except UnicodeDecodeError:
        message = "not UTF-8"
    except (msgspec.MsgspecError, RepeatedKeyError, RecursionError) as wrong:
        message = _told(wrong)
    raise BadLine(block.file, place, message, unit=block.unit).error()


def _row(place: int, text: bytes) -> Row:
    """A row; a fraction keeps the digits that were written, 12.50 beside 12.5."""
    columns = _object.decode(text)
    if repeated := duplicate_keys.in_line(text):
        raise RepeatedKeyError(repeated)
    fractions = [name for name, value in columns.items() if isinstance(value, float)]
    if not fractions:
        return Row(place, columns)
    raw = _written.decode(text)
    return Row(place, columns, {name: bytes(raw[name]).decode() for name in fractions})


def _told(wrong: Exception) -> str:
    if isinstance(wrong, msgspec.ValidationError):
        return "a row is a JSON object"
    if isinstance(wrong, RepeatedKeyError):
        return str(wrong)
    return f"not JSON: {str(wrong).removeprefix('JSON is malformed: ')}"


def _csv(source: Source) -> Iterator[Row]:
    csv.field_size_limit(LINE_LIMIT)
    # Lines end as CSV has it, with either sign or both; a piece ends with one.
    lines = (line for _, piece in _pieces(source) for line in io.StringIO(piece, newline=""))
    reader = csv.reader(lines, strict=True, delimiter="\t" if source.kind == "tsv" else ",")
    try:
        header = next(reader, [])
        if twice := sorted({name for name in header if header.count(name) > 1}):
            raise DataError(f"the column {twice[0]!r} is there twice", file=source.name, line=1)
        begin = reader.line_num + 1
        for cells in reader:
            if cells and len(cells) != len(header):
                raise DataError(
                    f"{len(cells)} cells where the header has {len(header)}",
                    file=source.name,
                    line=begin,
                )
            if cells:
                yield Row(begin, dict(zip(header, cells, strict=True)))
            begin = reader.line_num + 1
    except csv.Error as wrong:
        raise DataError(f"not CSV: {wrong}", file=source.name, line=reader.line_num) from None


def _parquet(source: Source) -> Iterator[Row]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(source.path) as file:
            batches = file.iter_batches(batch_size=BLOCK, use_threads=False)
            rows = (row for batch in batches for row in batch.to_pylist())
            yield from (Row(place, plain(row)) for place, row in enumerate(rows, start=1))
    except (pa.ArrowException, OSError) as wrong:
        raise DataError(f"not Parquet: {wrong}", file=source.name) from None
