"""The journal of a run: one line for everything that happened, appended as it happens, in order of completion.

A line that has been appended survives the end of the process, and once it is synced the end of the machine. The last
field of a line is ``chain``, a digest of the line and of the digest before it: the first 32 digits of the SHA-256 of
that digest (nothing for the first line) and of the line up to ``,"chain"``. Journals of versions before the chain have
lines without it; where such a run is resumed, the first new digest covers them too.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from steelyard.errors import DataError, StoreError
from steelyard.runs.lines import Line, decoder

NAME = "journal.jsonl"
# As much is read for a line at first; most have fewer bytes.
LINE = 4096
# As much by a reader, and what it has read stays in memory.
WINDOW = 64 * 1024
_DIGITS = 32
# The digest at the end of a line, also where an editor put spaces around it.
_CHAIN = re.compile(rb',\s*"chain":\s*"([0-9a-f]{%d})"\s*\}\s*\Z' % _DIGITS)
_TAIL = 96  # bytes at the end of a line that are searched for it
BROKEN = (
    "the chain is broken: this line was edited, or lines before it were removed, doubled or moved"
)
REMEDY = "restore the file; `steelyard verify` shows which numbers still hold"


class JournalEnd(msgspec.Struct, frozen=True):
    """The last line of a journal when its run stopped in order: its number and its digest."""

    lines: int
    digest: str


class Break(msgspec.Struct, frozen=True):
    """A line at which the chain of a journal is broken, and how."""

    line: int
    why: str


class JournalState(msgspec.Struct, frozen=True, kw_only=True):
    """What a journal was found to be: its length in bytes and lines, and the state of its chain.

    ``chained_from`` is the first line with a digest, 0 if there is none. ``later`` counts the lines after the last
    orderly stop, and ``torn`` says that an incomplete end was ignored.
    """

    size: int
    last: JournalEnd
    chained_from: int = 0
    later: int = 0
    torn: bool = False

    @property
    def notes(self) -> list[str]:
        """What a reader should know of the journal, a sentence each; nothing for one that is chained and complete."""
        found = []
        if self.last.lines and not self.chained_from:
            found.append("it is not chained, so edits of it cannot be noticed")
        elif self.chained_from > 1:
            found.append(f"it is chained from line {self.chained_from} on")
        if self.chained_from and self.later == self.last.lines:
            found.append("the run never stopped in order")
        elif self.chained_from and self.later:
            found.append(f"lines written after the run last stopped in order: {self.later:,}")
        if self.torn:
            found.append("its last line is incomplete and does not count")
        return found


class Journal:
    """A file of lines that only grows; a line is whole or it is not there."""

    def __init__(self, path: Path, handle: int, state: JournalState) -> None:
        self.path, self.state, self._handle = path, state, handle
        self._end = self._synced = state.size
        self._lines, self._digest = state.last.lines, state.last.digest.encode()
        self._torn = False

    @classmethod
    def open(
        cls, path: Path, take: Callable[[Line, int], None], end: JournalEnd | None = None
    ) -> Journal:
        """The journal, once ``take`` was given every line that it holds with the line's place.

        A last line without an end, which is what a sudden death leaves, is cut off. A whole line
        that cannot be read is a DataError; so is a broken chain, or one that does not come to the
        ``end`` that run.json names.
        """
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError as failed:
            raise StoreError(f"{path}: cannot be opened: {failed.strerror or failed}") from None
        try:
            state = replay(path, take, end)
            os.ftruncate(handle, state.size)
        except OSError as failed:
            os.close(handle)
            raise StoreError(f"{path}: cannot be read: {failed.strerror or failed}") from None
        except DataError:
            os.close(handle)
            raise
        return cls(path, handle, state)

    @classmethod
    def reading(
        cls,
        path: Path,
        take: Callable[[Line, int], None],
        end: JournalEnd | None = None,
        *,
        breaks: list[Break] | None = None,
    ) -> Journal:
        """The journal of a run that is only looked at: nothing is mended, and nothing can be appended.

        With ``breaks`` a broken chain is no error: the breaks are added to the list, and lines that cannot be read are
        left out.
        """
        try:
            handle = os.open(path, os.O_RDONLY)
        except OSError as failed:
            raise DataError(
                f"cannot be opened: {failed.strerror or failed}", file=str(path)
            ) from None
        try:
            state = replay(path, take, end, breaks=breaks)
        except DataError:
            os.close(handle)
            raise
        return cls(path, handle, state)

    @property
    def last(self) -> JournalEnd:
        """The last line that was appended, as run.json names it."""
        return JournalEnd(self._lines, self._digest.decode())

    def append(self, lines: Iterable[bytes]) -> list[int]:
        """Chain the encoded lines and write them at once; where each begins. If that fails, none of them stays."""
        start, places, digest = self._end, list[int](), self._digest
        if self._torn:
            raise StoreError(f"{self.path}: cannot be written: it ends with half a line")
        chained, at = list[bytes](), start
        for line in lines:
            digest = _linked(digest, line[:-2])
            chained.append(b'%b,"chain":"%b"}\n' % (line[:-2], digest))
            places.append(at)
            at += len(chained[-1])
        data = b"".join(chained)
        try:
            written = os.write(self._handle, data)
            while written < len(data):
                written += os.write(self._handle, data[written:])
        except OSError as failed:
            self._cut(start)
            raise StoreError(
                f"{self.path}: cannot be written: {failed.strerror or failed}"
            ) from None
        self._end, self._digest = at, digest
        self._lines += len(places)
        return places

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


def replay(
    path: Path,
    take: Callable[[Line, int], None],
    end: JournalEnd | None = None,
    *,
    breaks: list[Break] | None = None,
) -> JournalState:
    """Give every whole line with its place to ``take``, and follow the chain.

    A broken chain is a DataError that names the line; with ``breaks`` it is added to that list instead.
    """
    at, size, unreadable, torn = 0, 0, list[int](), False
    chain = _Chain(path, end, breaks)
    with path.open("rb") as lines:
        for number, raw in enumerate(lines, 1):
            start, at = at, at + len(raw)
            # A sudden death leaves half a line, and no end of a line.
            torn = not raw.endswith(b"\n")
            found = None if torn else _decoded(raw)
            if found is not None:
                chain.follow(raw, unreadable)
                take(found, start)
                size, unreadable = at, []
            elif not torn:
                unreadable.append(number)
    return chain.finish(size, unreadable, torn=torn)


def check_journal(folder: Path, end: JournalEnd | None) -> JournalState | None:
    """Follow the chain of a run's journal; None for a run of an earlier version that has no journal."""
    path = folder / NAME
    if not path.exists():
        if end is None:
            return None
        raise DataError(
            f"there is no such file, and run.json names its line {end.lines}", file=str(path)
        )
    return replay(path, lambda line, at: None, end)


class _Chain:
    """Follows the chain of a journal line by line."""

    def __init__(self, path: Path, end: JournalEnd | None, breaks: list[Break] | None) -> None:
        self._path, self._end, self._breaks = path, end, breaks
        self._lines, self._digest, self._first = 0, b"", 0
        self._reached = 0  # the line at which run.json says that the run stopped
        self._lost = False

    def follow(self, raw: bytes, unreadable: list[int]) -> None:
        """Take the next whole line, and the numbers of the lines before it that cannot be read."""
        if unreadable:
            self._skip(unreadable)
        self._lines += 1
        found = _CHAIN.search(raw, max(0, len(raw) - _TAIL))
        expected = _linked(self._digest, raw[: found.start()] if found else raw[:-2])
        self._digest = found[1] if found else expected
        self._first = self._first or (self._lines if found else 0)
        if self._first and self._digest != expected and not self._lost:
            self._break(self._lines, BROKEN)
        elif self._first and not found:
            self._break(self._lines, "the chain is broken: this line has no digest")
        self._lost = False
        if self._end is not None and self._digest.decode() == self._end.digest:
            self._reached = self._lines

    def _skip(self, numbers: list[int]) -> None:
        self._break(numbers[0], "is damaged: the line cannot be read")
        self._lines += len(numbers)
        self._lost = True

    def finish(self, size: int, unreadable: list[int], *, torn: bool) -> JournalState:
        """The state after the last line; ``unreadable`` are the numbers of lines at the end."""
        if unreadable:
            self._skip(unreadable)
        if self._end is not None and self._end.lines != self._reached:
            self._break(
                min(self._lines, self._end.lines) or 1,
                f"the chain does not come to line {self._end.lines}, where the run last stopped:"
                " lines were edited or are missing",
            )
        return JournalState(
            size=size,
            last=JournalEnd(self._lines, self._digest.decode()),
            chained_from=self._first,
            later=self._lines - self._reached,
            torn=torn,
        )

    def _break(self, line: int, why: str) -> None:
        if self._breaks is None:
            raise DataError(f"{why}; {REMEDY}", file=str(self._path), line=line)
        self._breaks.append(Break(line, why))


def _linked(digest: bytes, body: bytes) -> bytes:
    """The digest of a line, given the one before it and the line up to its own digest."""
    return hashlib.sha256(digest + body).hexdigest()[:_DIGITS].encode()


def _decoded(raw: bytes) -> Line | None:
    """The line, or None if it cannot be read."""
    try:
        return decoder.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
