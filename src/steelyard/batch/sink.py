"""Where scored lines go: JSON Lines, plain or packed, Parquet, standard output, or nowhere."""

from __future__ import annotations

import contextlib
import errno
import gzip
import io
import os
import stat
import sys
from collections.abc import Iterable
from typing import Any, Protocol

import msgspec

from steelyard.batch.score_block import ScoredRow
from steelyard.errors import DataError, StoreError, printable

# Lines of a Parquet file's row groups. By these alone they are divided, so that the same lines give the same file.
_GROUP_BYTES = 1024 * 1024
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
_NEVER_PACKED = (".csv", ".tsv", ".json", ".parquet", ".pq")


class Sink(Protocol):
    """Takes whole lines, in order."""

    def write(self, data: bytes) -> None:
        """Take some lines."""

    def close(self) -> None:
        """Make sure that all lines are kept."""


def open_sink(path: str | None, inputs: Iterable[str] = ()) -> Sink:
    """The sink that a path's name asks for; an input is never written over.

    >>> open_sink(None).write(b"{}")
    """
    if path is None:
        return _Nowhere()
    _refuse_input(path, inputs)
    if path == "-":
        return _Stream(sys.stdout.buffer, "<stdout>")
    name = path.lower()
    device = os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)
    if not device and not name.endswith((".jsonl", ".ndjson", ".parquet", ".pq", ".gz", ".zst")):
        raise DataError("an output is named .jsonl, .jsonl.gz, .jsonl.zst or .parquet", file=path)
    if name.removesuffix(".gz").removesuffix(".zst") != name and name.rpartition(".")[0].endswith(
        _NEVER_PACKED
    ):
        raise DataError("only JSON Lines can be packed", file=path)
    try:
        return _open(path, name)
    except OSError as failed:
        if failed.errno in _NO_ROOM:  # a Parquet file is written to when it is opened
            raise _unwritten(path, failed) from None
        raise DataError(f"cannot be written: {failed.strerror or failed}", file=path) from None


def _unwritten(name: str, failed: OSError) -> StoreError:
    told = os.strerror(failed.errno) if failed.errno else str(failed)
    return StoreError(f"{printable(name)}: cannot be written: {told}")


def _open(path: str, name: str) -> Sink:
    if name.endswith((".parquet", ".pq")):
        return _Parquet(path)
    if name.endswith(".gz"):
        # Without a time or a name in its header, the same lines give the same file.
        raw = open(path, "wb")  # noqa: SIM115
        return _Stream(gzip.GzipFile("", "wb", compresslevel=4, fileobj=raw, mtime=0), path, raw)
    if name.endswith(".zst"):
        import pyarrow as pa

        return _Stream(pa.CompressedOutputStream(path, "zstd"), path)
    return _Stream(open(path, "wb", buffering=0), path)


def _refuse_input(path: str, inputs: Iterable[str]) -> None:
    """Compare what the names stand for, not the names: a link, a redirection and a path may be one file."""
    output = _identity(path, standard=1)
    if output is not None and output in {_identity(name, standard=0) for name in inputs}:
        raise DataError(
            "this is an input; it is never written over", file="<stdout>" if path == "-" else path
        )


def _identity(path: str, *, standard: int) -> tuple[int, int] | None:
    """What makes a regular file the same one; None for what cannot be written over."""
    try:
        found = os.fstat(standard) if path == "-" else os.stat(path)
    except (OSError, ValueError):
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None


class _Nowhere:
    def write(self, data: bytes) -> None:
        """Only the summary is wanted."""

    def close(self) -> None:
        """Nothing is open."""


class _Stream:
    def __init__(self, stream: Any, name: str, raw: Any = None) -> None:
        self._stream, self._name, self._raw = stream, name, raw

    def write(self, data: bytes) -> None:
        left = memoryview(data)
        try:
            while left:
                left = left[self._stream.write(left) or len(left) :]
            if self._name == "<stdout>":
                self._stream.flush()  # whoever reads a pipe wants what is there
        except BrokenPipeError:
            raise
        except OSError as failed:
            self._cut(data[: len(data) - len(left)])
            raise _unwritten(self._name, failed) from None

    def _cut(self, written: bytes) -> None:
        """Take back what was written of a line; what is packed, or is no file, has no lines that could be cut."""
        if isinstance(self._stream, io.FileIO):
            with contextlib.suppress(OSError):
                self._stream.truncate(self._stream.tell() - len(written) + written.rfind(b"\n") + 1)

    def close(self) -> None:
        try:
            if self._name == "<stdout>":
                self._stream.flush()
                return
            self._stream.close()
            if self._raw is not None:
                self._raw.close()
        except BrokenPipeError:
            raise
        except OSError as failed:
            raise _unwritten(self._name, failed) from None


class _Parquet:
    """Columns as the lines have them; what may hold anything (extracted, detail, parts) is JSON text."""

    def __init__(self, path: str) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        self._name = path
        self._schema = pa.schema(
            [
                ("id", pa.string()),
                ("line", pa.int64()),
                ("file", pa.string()),
                ("value", pa.float64()),
                ("correct", pa.bool_()),
                ("extracted", pa.string()),
                ("span", pa.list_(pa.int64())),
                ("reason", pa.string()),
                ("parts", pa.string()),
                ("detail", pa.string()),
                ("pending", pa.bool_()),
            ]
        )
        self._writer = pq.ParquetWriter(path, self._schema, compression="zstd")
        self._decoder = msgspec.json.Decoder(_Line)
        self._held = bytearray()
        self._failed: StoreError | None = None

    def write(self, data: bytes) -> None:
        self._held += data
        while len(self._held) >= _GROUP_BYTES:
            cut = self._held.find(b"\n", _GROUP_BYTES - 1) + 1
            self._write_group(bytes(self._held[:cut]))
            del self._held[:cut]

    def _write_group(self, data: bytes) -> None:
        import pyarrow as pa

        rows = [_columns(line) for line in self._decoder.decode_lines(data)]
        try:
            self._writer.write_table(pa.Table.from_pylist(rows, schema=self._schema))
        except OSError as failed:
            self._failed = _unwritten(self._name, failed)
            raise self._failed from None

    def close(self) -> None:
        if self._failed is not None:
            self._let_go()
            raise self._failed
        try:
            if self._held:
                self._write_group(bytes(self._held))
                self._held.clear()
            self._writer.close()
        except OSError as failed:
            raise _unwritten(self._name, failed) from None

    def _let_go(self) -> None:
        """Close what a failed write left, which is no Parquet any more, so that the reason for it is the one that is told."""
        import pyarrow as pa

        self._held.clear()
        with contextlib.suppress(OSError, pa.ArrowException):
            self._writer.close()


class _Line(ScoredRow):
    """A scored line whose open parts stay JSON."""

    id: msgspec.Raw
    extracted: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    parts: msgspec.Raw = msgspec.Raw(b"[]")  # type: ignore[assignment]
    detail: msgspec.Raw = msgspec.Raw(b"{}")  # type: ignore[assignment]


def _columns(line: _Line) -> dict[str, Any]:
    return {
        "id": _id(bytes(line.id)),
        "line": line.line,
        "file": line.file or None,
        "value": line.value,
        "correct": line.correct,
        "extracted": _text(line.extracted),
        "span": list(line.span) if line.span else None,
        "reason": line.reason,
        "parts": bytes(line.parts).decode(),
        "detail": bytes(line.detail).decode(),
        "pending": line.pending,
    }


def _id(written: bytes) -> str:
    """A text as it is, a number as it is written: not every one can be held."""
    return msgspec.json.decode(written, type=str) if written[:1] == b'"' else written.decode()


def _text(extracted: Any) -> str | None:
    """Text as it is, anything else as JSON, nothing as null."""
    if extracted is msgspec.UNSET:
        return None
    found = msgspec.json.decode(extracted)
    return found if isinstance(found, str) or found is None else bytes(extracted).decode()
