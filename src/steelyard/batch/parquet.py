"""Parquet as blocks of JSON lines: some rows at a time, whatever the size of the file."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from steelyard.batch.block import BLOCK_BYTES, Block
from steelyard.batch.metadata import json_columns
from steelyard.batch.source import broken_off
from steelyard.batch.tables import Batch, check_columns, json_cell
from steelyard.errors import DataError

if TYPE_CHECKING:
    from steelyard.batch.source import Source

Change = Callable[[Any], Any]

_MOST_ROWS = 1024
# What a column is read by, so that a row group of any size is never held whole.
_BUFFER = 1024 * 1024
# In these a NaN says something, and is told; in others it is how tables say that there is nothing.
_TOLD = ("response", "target", "submission", "truth", "time_used", "trajectory")
_LITERALS = {math.inf: b"Infinity", -math.inf: b"-Infinity"}


def parquet_blocks(source: Source, needs: Sequence[str] = ()) -> Iterator[Block]:
    """A Parquet file's rows; a row's line is its number."""
    if source.path == "-":
        raise DataError("Parquet cannot be read from standard input; name a file", file=source.name)
    import pyarrow as pa

    batch, line = Batch(source), 0
    try:
        for line, (row, changes) in enumerate(_rows(source, needs), start=1):
            _add(batch, line, row, changes, source.names.get("id", "id"))
            yield from batch.take()
    except (pa.ArrowException, OSError) as wrong:
        yield from batch.take(least=0)
        raise broken_off(_unreadable(source, wrong, begun=line > 0), line, "row") from None
    yield from batch.take(least=0)


def check_schema(source: Source, needs: Sequence[str]) -> None:
    """Refuse, before any row is read, a file without a column for each of the fields it ``needs``."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(source.path) as table:
            check_columns(source, table.schema_arrow.names, needs)
    except (pa.ArrowException, OSError) as wrong:
        raise _unreadable(source, wrong, begun=False) from None


def _unreadable(source: Source, wrong: Exception, *, begun: bool) -> DataError:
    return DataError(
        f"{'damaged' if begun else 'not'} Parquet: {' '.join(str(wrong).split())}", file=source.name
    )


def _rows(
    source: Source, needs: Sequence[str]
) -> Iterator[tuple[dict[str, Any], dict[str, Change]]]:
    """Each row, with what has to be done to its values."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(source.path, pre_buffer=False, buffer_size=_BUFFER) as table:
        check_columns(source, table.schema_arrow.names, needs)
        changes = _changes(source, table.schema_arrow, needs)
        size = _batch_size(table.metadata)
        # Group by group: what is damaged takes no rows of the group before it along.
        for group in range(table.num_row_groups):
            for rows in table.iter_batches(batch_size=size, row_groups=[group], use_threads=False):
                yield from ((row, changes) for row in rows.to_pylist())


def _batch_size(known: Any) -> int:
    """So many rows that they are a few blocks in memory, by what the file says of its own size."""
    groups = [known.row_group(place) for place in range(known.num_row_groups)]
    widest = max((group.total_byte_size / max(1, group.num_rows) for group in groups), default=0)
    return max(1, min(_MOST_ROWS, int(4 * BLOCK_BYTES / max(1, widest))))


def _add(
    batch: Batch, line: int, row: dict[str, Any], changes: dict[str, Change], id_name: str
) -> None:
    faults, stands = list[str](), b""
    for name, change in changes.items():
        try:
            row[name] = change(row[name])
        except ValueError as wrong:
            stands = stands or _told(row)
            del row[name]
            if batch.metadata.needs(name):
                faults.append(
                    f"{name}: {'bytes that are not UTF-8' if isinstance(wrong, UnicodeDecodeError) else wrong}"
                )
    if faults:
        return batch.refuse(line, "; ".join(faults), row.get(id_name), stands, row)
    return batch.add(line, row, row.get(id_name), lambda: _told(row))


def _told(row: dict[str, Any]) -> bytes:
    return repr(row).encode(errors="replace")


def _changes(source: Source, schema: Any, needs: Sequence[str]) -> dict[str, Change]:
    """What has to be done to the values of each column, where anything has."""
    told = {source.names.get(name, name).partition(".")[0] for name in _TOLD}
    json = (
        json_columns(source.names)
        if "submission" in needs
        else {source.names.get("metadata", "metadata")}
        if needs
        else set()
    )
    found = (
        (
            column.name,
            _as_json
            if column.name in json and _is_text(column.type)
            else _change(column.type, column.name in told),
        )
        for column in schema
    )
    return {name: change for name, change in found if change is not None}


def _is_text(kind: Any) -> bool:
    """Whether a column holds text, or bytes, which are some."""
    import pyarrow as pa

    if isinstance(kind, pa.BaseExtensionType):
        return _is_text(kind.storage_type)
    if pa.types.is_dictionary(kind):
        return _is_text(kind.value_type)
    return not pa.types.is_nested(kind) and ("string" in str(kind) or "binary" in str(kind))


def _as_json(value: str | bytes | None) -> msgspec.Raw | None:
    return (
        None if value is None else json_cell(value.decode() if isinstance(value, bytes) else value)
    )


def _change(kind: Any, told: bool) -> Change | None:
    import pyarrow as pa

    if pa.types.is_float16(kind) or pa.types.is_float32(kind) or pa.types.is_float64(kind):
        return _of_numbers(kind.bit_width, told)
    if pa.types.is_struct(kind):
        return _of_object({field.name: _change(field.type, told) for field in kind})
    if pa.types.is_dictionary(kind):
        return _change(kind.value_type, told)
    if pa.types.is_map(kind):
        return _of_map(_change(kind.key_type, told), _change(kind.item_type, told))
    if hasattr(kind, "value_type"):  # every kind of list
        return _of_array(_change(kind.value_type, told))
    return _as_text if "binary" in str(kind) else None


def _as_text(value: bytes | None) -> str | None:
    return None if value is None else value.decode()


def _of_numbers(bits: int, told: bool) -> Change | None:
    """Short floats as the decimals that they stand for, and what is no number as it is written."""
    if bits == 64 and not told:
        return None

    def change(value: float | None) -> Any:
        if value is None:
            return None
        if not math.isfinite(value):
            return msgspec.Raw(_LITERALS.get(value, b"NaN")) if told else None
        return value if bits == 64 else shortest(value, bits)

    return change


def shortest(value: float, bits: int) -> float:
    """The decimal with the fewest digits that is this number among those of so many bits; whole ones stay exact.

    >>> shortest(0.10000000149011612, 32), shortest(0.0999755859375, 16), shortest(16777217.0, 32)
    (0.1, 0.1, 16777217.0)
    """
    if value.is_integer():
        return value
    form, digits = ("f", range(1, 10)) if bits == 32 else ("e", range(1, 6))
    for count in digits:
        near = float(f"{value:.{count}g}")
        if struct.unpack(form, struct.pack(form, near))[0] == value:
            return near
    return value


def _of_array(change: Change | None) -> Change | None:
    if change is None:
        return None
    return lambda values: None if values is None else [change(value) for value in values]


def _of_map(of_key: Change | None, of_value: Change | None) -> Change:
    """A map as an object; a key that is no text as the text that is printed for it."""

    def change(pairs: list[tuple[Any, Any]] | None) -> dict[str, Any] | None:
        if pairs is None:
            return None
        made: dict[str, Any] = {}
        for key, value in pairs:
            name = str(of_key(key) if of_key else key)
            if name in made:
                raise ValueError(f"the key {name!r} is given twice")
            made[name] = of_value(value) if of_value else value
        return made

    return change


def _of_object(changes: dict[str, Change | None]) -> Change | None:
    wanted = {name: change for name, change in changes.items() if change is not None}
    if not wanted:
        return None

    def change(value: dict[str, Any] | None) -> dict[str, Any] | None:
        return (
            None
            if value is None
            else {**value, **{name: one(value[name]) for name, one in wanted.items()}}
        )

    return change
