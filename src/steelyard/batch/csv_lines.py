"""The lines of a table, as a reader of CSV takes them: as they come, and none that is too long."""

from __future__ import annotations

import csv
import functools
import hashlib
import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from steelyard.batch.block import BLOCK_BYTES, LINE_LIMIT, TOO_LONG

if TYPE_CHECKING:
    from steelyard.batch.source import Source

_PORTION = 1024 * 1024
_NO_ROW = '"""x"y\n'  # what a reader refuses, be it inside quotes or not


class _Hash(str):
    """Stands for a line that is too long."""

    __slots__ = ()


def csv_reader(source: Source, stream: BinaryIO, lines: list[str]) -> Any:
    """A reader of rows that notes the lines that it takes."""
    csv.field_size_limit(LINE_LIMIT)
    # Bytes that are no UTF-8 pass as lone surrogates, which the encoder then refuses row by row.
    raw = cast(
        Any,
        io.BufferedReader(_Chunks(source.text_chunks(source.as_they_come(stream))), BLOCK_BYTES),
    )
    text = io.TextIOWrapper(raw, encoding="utf-8-sig", errors="surrogateescape", newline="")
    return csv.reader(
        _noted(text, lines), delimiter="\t" if source.kind == "tsv" else ",", strict=True
    )


def _noted(text: io.TextIOBase, lines: list[str]) -> Iterator[str]:
    """Each line, noted; one that is too long never reaches the reader, which would hold it several times over."""
    for line in iter(functools.partial(text.readline, LINE_LIMIT + 1), ""):
        if len(line) > LINE_LIMIT:
            lines.append(_hashed(line, text))
            yield _NO_ROW
        else:
            lines.append(line)
            yield line


def _hashed(begun: str, text: io.TextIOBase) -> _Hash:
    """The hash of a line that is read to its end, and not kept."""
    found = hashlib.sha256()
    for at in range(0, len(begun), _PORTION):
        found.update(begun[at : at + _PORTION].encode(errors="surrogateescape"))
    while not begun.endswith(("\n", "\r")) and (begun := text.readline(_PORTION)):
        found.update(begun.encode(errors="surrogateescape"))
    return _Hash(found.hexdigest())


def why_no_row(wrong: csv.Error, lines: list[str], first: int = 0, last: int = 0) -> str:
    """What is wrong with a row of these lines, from the first to the last.

    >>> why_no_row(csv.Error("unexpected end of data"), [], 3, 6)
    'not CSV: a quote opened on line 3 runs to line 6, the end of the file'
    """
    if lines and type(lines[-1]) is _Hash:
        return TOO_LONG
    if "end of data" in str(wrong) and last:
        return f"not CSV: a quote opened on line {first} runs to line {last}, the end of the file"
    if last == first:
        return f"not CSV: {wrong}"
    return f"not CSV: a quote opened on line {first} runs to line {last}: {wrong}"


class _Chunks(io.RawIOBase):
    """An iterator of bytes as a stream."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks, self._left = chunks, b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._left and (more := next(self._chunks, None)) is not None:
            self._left = more  # an empty piece says that nothing has come yet
        size = min(len(buffer), len(self._left))
        buffer[:size] = self._left[:size]
        self._left = self._left[size:]
        return size
