"""Files that are whole or not there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import msgspec

from steelyard.errors import DataError, StoreError
from steelyard.foreign import repeated_key

# The files of a run.
ATTEMPTS, SCORES, TIMINGS, JUDGE = "attempts.jsonl", "scores.jsonl", "timings.jsonl", "judge.jsonl"
RESULTS, FAILURES = "results.json", "failure_analysis.json"
REPORT_MARKDOWN, REPORT_HTML = "report.md", "report.html"


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A file to write; it takes its place when everything is on the disk, and leaves nothing where that fails."""
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        os.replace(part, path)
    except OSError as failed:
        raise StoreError(f"{path}: cannot be written: {failed.strerror or failed}") from None
    finally:
        part.unlink(missing_ok=True)


def write_json(path: Path, value: Any) -> None:
    """The value as indented JSON."""
    encoded = msgspec.json.Encoder(enc_hook=str, decimal_format="number").encode(value)
    with replacing(path) as out:
        out.write(msgspec.json.format(encoded, indent=2) + b"\n")


class _Formatted(msgspec.Struct):
    """All that is read of a file before anything else is: a newer one may have another form throughout."""

    format: int = 1


def refuse_newer(data: bytes, known: int, path: Path) -> None:
    """A DataError, in one line, where the file was written by a version that came after this one."""
    if (found := msgspec.json.decode(data, type=_Formatted).format) > known:
        raise DataError(
            f"has the format {found}; this version of steelyard reads up to {known}", file=str(path)
        )


def refuse_repeated(data: bytes, path: Path) -> None:
    """Refuse a file in which an object has a key twice."""
    if (key := repeated_key(data)) is not None:
        raise DataError(f"the key {key!r} is given twice", file=str(path))


def read_json(path: Path) -> Any:
    """The value of a file that an earlier run wrote."""
    try:
        data = path.read_bytes()
        found = msgspec.json.decode(data)
    except FileNotFoundError:
        raise DataError("there is no such file", file=str(path)) from None
    except OSError as failed:
        raise DataError(f"cannot be read: {failed.strerror or failed}", file=str(path)) from None
    except (ValueError, RecursionError) as wrong:
        raise DataError(f"not JSON: {wrong}", file=str(path)) from None
    refuse_repeated(data, path)
    return found
