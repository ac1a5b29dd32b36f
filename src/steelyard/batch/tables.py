"""CSV as blocks of JSON lines; columns without a meaning of their own become metadata."""

from __future__ import annotations

import csv
import hashlib
import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from steelyard.batch.block import BLOCK_BYTES, LINE_LIMIT, TOO_LONG, BadLine, Block
from steelyard.batch.csv_lines import csv_reader, why_no_row
from steelyard.batch.full_json import loads
from steelyard.batch.metadata import Metadata, json_columns
from steelyard.batch.source import broken_off
from steelyard.errors import DataError

if TYPE_CHECKING:
    from steelyard.batch.source import Source

ANSWERS = "correct_answers"
_encoder = msgspec.json.Encoder(enc_hook=str, decimal_format="number")
_texts = msgspec.json.Decoder(list[str])
# A cell of a bad row that is longer is not carried along: it names no group.
_LONGEST_KEPT = 64 * 1024

Raw = Callable[[], bytes]  # what stands in the file, if anyone asks


class Batch:
    """Rows on their way into one block."""

    def __init__(self, source: Source, most: int | None = None) -> None:
        self.file, self._most = source.name, most
        self.metadata = Metadata(source.names)
        self._clear()

    def _clear(self) -> None:
        self.rows: list[bytes] = []
        self.lines: list[int] = []
        self.bad: list[BadLine] = []
        self.size = 0

    def add(self, line: int, row: dict[str, Any], known_as: Any, raw: Raw) -> None:
        """Take in a row; one that cannot be written as JSON is a bad line under the id that it is known as."""
        try:
            text = _encoder.encode(self.metadata.merged(row))
        except UnicodeEncodeError:
            return self.refuse(line, "not UTF-8", known_as, raw(), row)
        except (ValueError, TypeError, OverflowError, RecursionError) as wrong:
            return self.refuse(line, f"cannot be read as a row: {wrong}", known_as, raw(), row)
        if len(text) > LINE_LIMIT:
            return self.refuse(line, TOO_LONG, known_as, raw(), row)
        self.rows.append(text)
        self.lines.append(line)
        self.size += len(text)
        return None

    def refuse(
        self,
        line: int,
        message: str,
        known_as: Any,
        raw: bytes,
        cells: dict[str, Any] | None = None,
    ) -> None:
        """Take in a bad line, which is hashed as it stands in the file, with those of its cells that could be read."""
        held = known_as if isinstance(known_as, (str, int, float)) and _is_text(known_as) else None
        short = {name: cell for name, cell in (cells or {}).items() if _is_short(name, cell)}
        rest = _encoder.encode(self.metadata.merged(short)) if short else b""
        self.bad.append(
            BadLine(self.file, line, message, held, hashlib.sha256(raw).hexdigest(), rest)
        )
        self.size += 100 + len(rest)

    def take(self, *, least: int = BLOCK_BYTES) -> Iterator[Block]:
        """A block of what was taken in, if that is more than the least, or as much as anybody wants."""
        if self.size <= least and (
            self._most is None or len(self.lines) + len(self.bad) < self._most
        ):
            return
        numbers = [*self.lines, *(b.line for b in self.bad)]
        data = b"".join(row + b"\n" for row in self.rows)
        span = min(numbers), max(numbers)
        yield Block(self.file, *span, data, tuple(self.lines), tuple(self.bad), self.size)
        self._clear()


def _is_short(name: str, cell: Any) -> bool:
    """Whether a cell of a bad row can be written, and is not long."""
    try:
        return len(_encoder.encode({name: cell})) <= _LONGEST_KEPT
    except (ValueError, TypeError, OverflowError, RecursionError):
        return False


def _is_text(value: str | float) -> bool:
    """Whether it can be written as it is."""
    return (
        value == value.encode(errors="replace").decode()
        if isinstance(value, str)
        else math.isfinite(value)
    )


def check_columns(
    source: Source, header: Sequence[str], needs: Sequence[str], line: int = 1
) -> None:
    """Refuse a table that has a column twice, or none for a field that every row needs."""
    twice = (
        sorted({name for name in header if header.count(name) > 1}) if len(header) < 10_000 else []
    )
    if twice:
        raise DataError(f"the column {twice[0]!r} is there twice", file=source.name, line=line)
    for field in needs if header else ():
        name = source.names.get(field, field)
        if name not in header and name.partition(".")[0] not in header:
            raise DataError(
                f"no column {name!r}: there are {', '.join(map(repr, header[:20]))}{_hint(field, header)}",
                file=source.name,
                line=line,
            )


def _hint(field: str, header: Sequence[str]) -> str:
    if len(header) == 1 and ";" in header[0]:
        return "; cells are separated by commas, not by semicolons"
    if len(header) == 1 and "\t" in header[0]:
        return "; --format tsv reads cells that are separated by tabs"
    return f"; a column of another name is given with --field {field}=NAME"


def csv_blocks(
    source: Source, needs: Sequence[str] = (), most: int | None = None
) -> Iterator[Block]:
    """A CSV file's rows; the first line that is not blank names the columns."""
    batch, after = Batch(source, most), 0
    with source.open() as stream:
        lines: list[str] = []
        reader = csv_reader(source, stream, lines)
        table = _Table(source, _header(source, reader, lines, needs), batch, lines)
        try:
            for first, after, cells in _records(reader, lines):
                yield from table.add(first, after, cells)
        except DataError as broken:
            yield from batch.take(least=0)
            raise broken_off(broken, after) from None
    yield from batch.take(least=0)


def check_header(source: Source, needs: Sequence[str]) -> None:
    """Refuse, before any row is read, a table without a column for each of the fields it ``needs``."""
    lines: list[str] = []
    with source.open() as stream:
        _header(source, csv_reader(source, stream, lines), lines, needs)


def _header(source: Source, reader: Any, lines: list[str], needs: Sequence[str]) -> list[str]:
    try:
        header: list[str] = next(
            (cells for cells in reader if len(cells) > 1 or "".join(cells).strip()), []
        )
    except csv.Error as wrong:
        raise DataError(why_no_row(wrong, lines), file=source.name, line=reader.line_num) from None
    check_columns(source, header, needs, reader.line_num)
    return header


def _records(reader: Any, lines: list[str]) -> Iterator[tuple[int, int, list[str] | csv.Error]]:
    """Each row with its first and its last line; what is wrong with it in place of one that is no CSV."""
    while True:
        lines.clear()
        first = reader.line_num + 1
        found: list[str] | csv.Error
        try:
            found = next(reader)
        except StopIteration:
            return
        except csv.Error as wrong:
            found = wrong
        yield first, reader.line_num, found


class _Table:
    """What the header says of the cells under it, and the rows that they make."""

    def __init__(self, source: Source, header: list[str], batch: Batch, lines: list[str]) -> None:
        self._header, self._batch, self._lines = header, batch, lines
        json = json_columns(source.names)
        self._json = [name for name in header if name in json]
        self._id = source.names.get("id", "id")
        self._answers = ANSWERS if ANSWERS in header else ""

    def add(self, first: int, last: int, cells: list[str] | csv.Error) -> Iterator[Block]:
        """Take in a row that stands on these lines."""
        if isinstance(cells, csv.Error):
            yield from self._refuse(first, last, why_no_row(cells, self._lines, first, last))
        elif cells and len(cells) != len(self._header):
            # Where a cell is missing or one too many, only the first is surely under its own name.
            known_as = cells[0] if self._header[:1] == [self._id] else None
            message = (
                f"{_count(cells)} where the header has {len(self._header)}{_range(first, last)}"
            )
            yield from self._refuse(first, last, message, known_as)
        elif cells:
            self._add(first, dict(zip(self._header, cells, strict=True)))
            yield from self._batch.take()

    def _add(self, line: int, row: dict[str, Any]) -> None:
        known_as = row.get(self._id)
        faults: list[str] = []
        for name in self._json:
            try:
                row[name] = json_cell(row[name])
            except ValueError as wrong:
                faults.append(f"{name}: {wrong}")
                del row[name]
        if self._answers:
            row[ANSWERS] = _several(row[ANSWERS])
        if faults:
            return self._batch.refuse(line, "; ".join(faults), known_as, self._raw(), row)
        return self._batch.add(line, row, known_as, self._raw)

    def _raw(self) -> bytes:
        return "".join(self._lines).rstrip("\r\n").encode(errors="surrogateescape")

    def _refuse(
        self, first: int, last: int, message: str, known_as: str | None = None
    ) -> Iterator[Block]:
        """Each line of a broken row is a bad line: there is no telling how many rows it swallowed."""
        self._batch.refuse(first, message, known_as, self._raw())
        for line in range(first + 1, last + 1):
            self._batch.refuse(line, f"belongs to the broken row of line {first}", None, b"")
            yield from self._batch.take()


def _count(cells: Sequence[str]) -> str:
    return f"{len(cells)} cell{'' if len(cells) == 1 else 's'}"


def _range(first: int, last: int) -> str:
    return f", in a row that runs from line {first} to line {last}" if last > first else ""


def _several(cell: str) -> str | list[str]:
    """The texts of a JSON array of them; else the cell as it is: an array of numbers may be an answer.

    >>> _several('["Paris", "Lutetia"]'), _several("[1, 2]"), _several("[]")
    (['Paris', 'Lutetia'], '[1, 2]', [])
    """
    if cell.lstrip()[:1] != "[":
        return cell
    try:
        return _texts.decode(cell)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return cell


def json_cell(cell: str) -> msgspec.Raw | None:
    """The JSON in a cell, on one line; None for an empty one, and a ValueError for what is no JSON."""
    if not cell.strip():
        return None
    try:
        msgspec.json.decode(cell.encode())
    except (msgspec.DecodeError, RecursionError):
        try:
            loads(cell, literals=True)
        except ValueError as wrong:
            raise ValueError(f"the cell is not JSON: {wrong}") from None
    # Between its values JSON may have ends of lines, and inside its texts it has none.
    return msgspec.Raw(cell.replace("\r", " ").replace("\n", " ").encode())
