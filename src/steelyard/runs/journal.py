"""The journal of a run: one line for everything that happened, appended as it happens, in order of completion.

A line that has been appended survives the end of the process, and once it is synced the end of the machine.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import msgspec

from steelyard.errors import DataError, StoreError
from steelyard.runs.lines import Line, decoder

NAME = "journal.jsonl"
# As much is read for a line at first; most have fewer bytes.
LINE = 4096
# As much by a reader, and what it has read stays in memory.
WINDOW = 64 * 1024


class Journal:
    """A file of lines that only grows; a line is whole or it is not there."""

    def __init__(self, path: Path, handle: int, end: int) -> None:
        self.path, self._handle, self._end, self._synced = path, handle, end, end
        self._torn = False

    @classmethod
    def open(cls, path: Path, take: Callable[[Line, int], None]) -> Journal:
        """The journal, once ``take`` was given every line that it holds with the line's place.

        A torn end, which is what a sudden death leaves, is cut off. A line that cannot be read and is followed by one
        that can is damage of another kind, and a DataError.
        """
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError as failed:
            raise StoreError(f"{path}: cannot be opened: {failed.strerror or failed}") from None
        try:
            end = replay(path, take)
            os.ftruncate(handle, end)
        except OSError as failed:
            os.close(handle)
            raise StoreError(f"{path}: cannot be read: {failed.strerror or failed}") from None
        except DataError:
            os.close(handle)
            raise
        return cls(path, handle, end)

    @classmethod
    def reading(cls, path: Path, take: Callable[[Line, int], None]) -> Journal:
        """The journal of a run that is only looked at: nothing is mended, and nothing can be appended."""
        try:
            handle = os.open(path, os.O_RDONLY)
        except OSError as failed:
            raise DataError(
                f"cannot be opened: {failed.strerror or failed}", file=str(path)
            ) from None
        try:
            end = replay(path, take)
        except DataError:
            os.close(handle)
            raise
        return cls(path, handle, end)

    def append(self, data: bytes) -> int:
        """Where the whole lines in ``data`` now begin; where they cannot be kept, nothing of them stays."""
        start = self._end
        if self._torn:
            raise StoreError(f"{self.path}: cannot be written: it ends with half a line")
        try:
            written = os.write(self._handle, data)
            while written < len(data):
                written += os.write(self._handle, data[written:])
        except OSError as failed:
            self._cut(start)
            raise StoreError(
                f"{self.path}: cannot be written: {failed.strerror or failed}"
            ) from None
        self._end += len(data)
        return start

    def _cut(self, end: int) -> None:
        """Half a line would be recognised when the journal is next opened, but not with others behind it."""
        try:
            os.ftruncate(self._handle, end)
        except OSError:
            self._torn = True

    def sync(self) -> None:
        """Everything that was appended before is on the disk."""
        end = self._end
        if end == self._synced:
            return
        try:
            os.fsync(self._handle)
        except OSError as failed:
            raise StoreError(
                f"{self.path}: cannot be written: {failed.strerror or failed}"
            ) from None
        self._synced = end

    def read(self, offset: int) -> Line:
        """The line that begins there."""
        most = LINE
        while True:
            data = os.pread(self._handle, most, offset)
            if (end := data.find(b"\n")) >= 0 or len(data) < most:
                return decoder.decode(data[:end] if end >= 0 else data)
            most *= 8

    def reader(self) -> Callable[[int], Line]:
        """Reads lines of a journal that is complete, about in their order: many are taken from the disk at once."""
        start, held = 0, b""

        def read(offset: int) -> Line:
            nonlocal start, held
            end = held.find(b"\n", offset - start) if offset >= start else -1
            if end < 0:
                start = max(0, offset - WINDOW // 4)  # those before it may be wanted next
                held = os.pread(self._handle, WINDOW, start)
                end = held.find(b"\n", offset - start)
            return (
                decoder.decode(memoryview(held)[offset - start : end])
                if end >= 0
                else self.read(offset)
            )

        return read

    def close(self) -> None:
        """Sync, and let go of the file."""
        try:
            self.sync()
        finally:
            os.close(self._handle)


def replay(path: Path, take: Callable[[Line, int], None]) -> int:
    """Give every whole line with its place to ``take``; where the last whole one ends."""
    end, number, torn = 0, 0, None
    with path.open("rb") as lines:
        for raw in lines:
            number += 1
            found = _whole(raw)
            if found is None:
                torn = torn or number
                continue
            if torn is not None:
                raise DataError(
                    "is damaged: the line cannot be read, but one after it can",
                    file=str(path),
                    line=torn,
                )
            take(found, end)
            end += len(raw)
    return end


def _whole(raw: bytes) -> Line | None:
    if not raw.endswith(b"\n"):
        return None
    try:
        return decoder.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
