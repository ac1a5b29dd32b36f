"""What grows with the samples, kept in files that have no name and end with whoever holds them: memory stays flat."""

from __future__ import annotations

import contextlib
import heapq
import os
import tempfile
import weakref
from array import array
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import IO, Any, Generic, NamedTuple, TypeVar

import msgspec

from steelyard.errors import StoreError

# Numbers of a column that are read and written together, and how many such blocks stay in memory.
_SHIFT, HELD = 10, 8
BLOCK = 1 << _SHIFT
_INSIDE = BLOCK - 1
PILES = 256
# Numbers of a pile that stay in memory.
_PILED = 192
# Numbers that are sorted at once.
_SORTED = 16_384
# Structs that are written together.
_RECORDS = 128

T = TypeVar("T")
# The page cache of a key index, in KiB; the rest is in a file that SQLite deletes on closing.
_CACHE = 512
_TABLES = (
    f"pragma cache_size = -{_CACHE}",
    "pragma journal_mode = off",
    "create table places (number integer primary key, key text unique, start integer, length integer)",
    "create table wanted (number integer primary key, key text unique)",
    # Never committed: no other process reads it.
    "begin",
)
_INSERTED = "select key, start, length from places order by number"
_WANTED = (
    "select places.key, start, length from wanted join places using (key) order by wanted.number"
)
_OTHERS = (
    "select key, start, length from places where key not in (select key from wanted) order by key"
)


class Scratch:
    """A file without a name; there is none before something is put into it.

    >>> scratch = Scratch()
    >>> scratch.put(b"abc"), scratch.put(b"de"), scratch.get(1, 3)
    (0, 3, b'bcd')
    """

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None
        self._end = 0

    def put(self, data: bytes, at: int | None = None) -> int:
        """Where the data now stands: at the end, unless a place is named."""
        start = self._end if at is None else at
        try:
            handle = self._opened().fileno()
            written = os.pwrite(handle, data, start)
            while written < len(data):
                written += os.pwrite(handle, data[written:], start + written)
        except OSError as failed:
            raise _told(failed) from None
        self._end = max(self._end, start + len(data))
        return start

    def get(self, start: int, length: int) -> bytes:
        """What stands there."""
        try:
            return os.pread(self._opened().fileno(), length, start)
        except OSError as failed:
            raise _told(failed) from None

    def _opened(self) -> IO[bytes]:
        if self._file is None:
            self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - lives as long as this
            weakref.finalize(self, self._file.close)
        return self._file


def _told(failed: OSError) -> StoreError:
    return StoreError(
        f"what is known of the samples cannot be kept in {temporary_folder()}: {failed.strerror or failed}"
    )


def temporary_folder() -> str:
    """The folder for what has no name, as it is told where it fails."""
    found = (
        tempfile.tempdir
    )  # not asked for once more: that fails too where no folder takes anything
    return f"the temporary folder{f' {os.fsdecode(found)}' if found else ''} (TMPDIR names another)"


class Column:
    """Numbers by their place, of which the last blocks used are in memory; ``code`` is that of an array.

    >>> column = Column("q", 5000, fill=-1)
    >>> column[4999] = 7
    >>> column[4999], column[0], len(column)
    (7, -1, 5000)
    """

    def __init__(self, code: str, length: int = 0, *, fill: float = 0) -> None:
        self._code, self._empty = code, (array(code, [fill]) * BLOCK).tobytes()
        self._length = length
        self._held: dict[int, array[Any]] = {}
        self._written: set[int] = set()
        self._scratch = Scratch()

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, place: int) -> Any:
        if not 0 <= place < self._length:
            raise IndexError(place)
        block = self._held.get(place >> _SHIFT)
        return (block if block is not None else self._block(place >> _SHIFT))[place & _INSIDE]

    def __setitem__(self, place: int, value: float) -> None:
        if not 0 <= place < self._length:
            raise IndexError(place)
        block = self._held.get(place >> _SHIFT)
        (block if block is not None else self._block(place >> _SHIFT))[place & _INSIDE] = value

    def append(self, value: float) -> None:
        """One more at the end."""
        self._length += 1
        self[self._length - 1] = value

    def blocks(self) -> Iterator[array[Any]]:
        """All numbers in their order, some at a time."""
        for start in range(0, self._length, BLOCK):
            yield self._block(start >> _SHIFT)[: self._length - start]

    def __iter__(self) -> Iterator[Any]:
        for block in self.blocks():
            yield from block

    def _block(self, number: int) -> array[Any]:
        if (found := self._held.get(number)) is not None:
            return found
        if len(self._held) >= HELD:
            oldest = next(iter(self._held))
            self._scratch.put(self._held[oldest].tobytes(), oldest * len(self._empty))
            self._written.add(oldest)
            del self._held[oldest]
        size = len(self._empty)
        block = array(
            self._code,
            self._scratch.get(number * size, size) if number in self._written else self._empty,
        )
        self._held[number] = block
        return block


class Tape:
    """Pieces of bytes that are read again in the order in which they were put there; several tapes may share a file.

    >>> tape = Tape(Scratch())
    >>> tape.put(b"ab")
    >>> tape.put(b"c")
    >>> list(tape)
    [b'ab', b'c']
    """

    def __init__(self, scratch: Scratch) -> None:
        self._scratch, self._places = scratch, array("q")

    def __len__(self) -> int:
        return len(self._places) // 2

    @property
    def size(self) -> int:
        """How many bytes all pieces have."""
        return sum(self._places[1::2])

    def put(self, piece: bytes) -> None:
        """One more piece."""
        self._places.extend((self._scratch.put(piece), len(piece)))

    def __iter__(self) -> Iterator[bytes]:
        for at in range(0, len(self._places), 2):
            yield self._scratch.get(self._places[at], self._places[at + 1])


class Records(Generic[T]):
    """Structs of one kind in the order in which they came; all but the last are on the disk.

    >>> found = Records(int)
    >>> found.add(3)
    >>> len(found), list(found)
    (1, [3])
    """

    def __init__(self, kind: type[T]) -> None:
        self._decoder = msgspec.json.Decoder(list[kind])  # type: ignore[valid-type]
        self._tape, self._last, self._count = Tape(Scratch()), list[T](), 0

    def add(self, found: T) -> None:
        """One more."""
        if len(self._last) >= _RECORDS:
            self._tape.put(msgspec.json.encode(self._last))
            self._last = []
        self._last.append(found)
        self._count += 1

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[T]:
        for piece in self._tape:
            yield from self._decoder.decode(piece)
        yield from self._last


def in_order(values: Iterable[float]) -> Column:
    """The values from the lowest to the highest; some thousand of them are sorted at a time.

    >>> list(in_order([3, 1, 2]))
    [1.0, 2.0, 3.0]
    """
    source, scratch = iter(values), Scratch()
    runs, made = list[Tape](), Column("d")
    while some := sorted(islice(source, _SORTED)):
        runs.append(Tape(scratch))
        for start in range(0, len(some), BLOCK):
            runs[-1].put(array("d", some[start : start + BLOCK]).tobytes())
    for value in heapq.merge(
        *(chain.from_iterable(array("d", piece) for piece in run) for run in runs)
    ):
        made.append(value)
    return made


class Piles:
    """Records of some whole numbers, gathered by the lowest byte of the first one: so that no sorting takes much memory.

    >>> piles = Piles(2)
    >>> for record in ((7, 1), (7 + 256, 2), (7, 3)):
    ...     piles.add(*record)
    >>> [list(pile) for pile in piles.ordered() if pile]
    [[7, 1, 7, 3, 263, 2]]
    """

    def __init__(self, width: int) -> None:
        self._width, self._scratch = width, Scratch()
        self._open = [array("q") for _ in range(PILES)]
        self._closed = [Tape(self._scratch) for _ in range(PILES)]

    def add(self, *record: int) -> None:
        """Take in a record."""
        pile = self._open[record[0] & 255]
        pile.extend(record)
        if len(pile) >= _PILED:
            self._closed[record[0] & 255].put(pile.tobytes())
            del pile[:]

    def ordered(self) -> Iterator[array[int]]:
        """The numbers of one pile after the other, its records sorted by their first number and else as they came."""
        for closed, pile in zip(self._closed, self._open, strict=True):
            found = array("q")
            for piece in closed:
                found.frombytes(piece)
            found.extend(pile)
            yield self._sorted(found)

    def _sorted(self, found: array[int]) -> array[int]:
        if self._width == 1:
            return array("q", sorted(found))
        made = array("q", found)
        order = sorted(range(0, len(found), self._width), key=found.__getitem__)
        for column in range(self._width):
            made[column :: self._width] = array("q", (found[at + column] for at in order))
        return made


class Place(NamedTuple):
    """Where a line of a file begins, and how long it is."""

    start: int
    length: int


class KeyIndex:
    """Places of lines in a file by their keys, in order of insertion; the first place of a key counts.

    >>> index = KeyIndex()
    >>> index.add("b", 0, 5), index.add("a", 5, 7), index.add("b", 12, 1)
    (True, True, False)
    >>> len(index), "a" in index, index.get("b"), index.get("c"), list(index)
    (2, True, Place(start=0, length=5), None, ['b', 'a'])
    """

    def __init__(self) -> None:
        import sqlite3  # most commands need no index

        self._count, self._failure = 0, sqlite3.Error
        with self._errors():
            self._database = sqlite3.connect("", isolation_level=None, check_same_thread=False)
            self._finalizer = weakref.finalize(self, self._database.close)
            for command in _TABLES:
                self._database.execute(command)

    def __len__(self) -> int:
        return self._count

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and self.get(key) is not None

    def __iter__(self) -> Iterator[str]:
        return (key for key, _ in self._select(_INSERTED))

    def places(self) -> Iterator[Place]:
        """Yield the places in order of insertion."""
        return (place for _, place in self._select(_INSERTED))

    def add(self, key: str, start: int, length: int) -> bool:
        """Insert the place of a key; return False if the key has a place already."""
        with self._errors():
            command = "insert or ignore into places (key, start, length) values (?, ?, ?)"
            added = self._database.execute(command, (key, start, length)).rowcount > 0
        self._count += added
        return added

    def get(self, key: str) -> Place | None:
        """Return the place of a key, or None."""
        with self._errors():
            found = self._database.execute(
                "select start, length from places where key = ?", (key,)
            ).fetchone()
        return None if found is None else Place(*found)

    def ordered(self, order: Iterable[str]) -> tuple[int, Iterator[tuple[str, Place]]]:
        """Return how many keys of ``order`` are known, and all places: theirs, then the others by key.

        >>> index = KeyIndex()
        >>> for number, key in enumerate("cab"):
        ...     _ = index.add(key, number, 1)
        >>> known, places = index.ordered(["b", "x", "b"])
        >>> known, [key for key, _ in places]
        (1, ['b', 'a', 'c'])
        """
        with self._errors():
            self._database.execute("delete from wanted")
            self._database.executemany(
                "insert or ignore into wanted (key) values (?)", ((key,) for key in order)
            )
            (known,) = self._database.execute(
                "select count(*) from wanted join places using (key)"
            ).fetchone()
        return known, self._ordered()

    def _ordered(self) -> Iterator[tuple[str, Place]]:
        yield from self._select(_WANTED)
        yield from self._select(_OTHERS)

    def _select(self, command: str) -> Iterator[tuple[str, Place]]:
        with self._errors():
            for key, start, length in self._database.execute(command):
                yield key, Place(start, length)

    def close(self) -> None:
        """Delete the index."""
        self._finalizer()

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        """Turn an error of SQLite into a StoreError; only the temporary folder can cause one."""
        try:
            yield
        except self._failure as failed:
            # SQLite chooses its temporary folder by a rule of its own.
            folder = os.environ.get("SQLITE_TMPDIR") or os.environ.get("TMPDIR") or "/var/tmp"
            raise StoreError(
                f"the index of stored replies cannot be written in the temporary folder {folder}"
                f" (TMPDIR names another): {failed}"
            ) from None
