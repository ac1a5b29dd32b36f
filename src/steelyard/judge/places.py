"""Where the calls in a file of replies stand, by their keys; they are noted on the disk, so that many take no memory."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import weakref
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from steelyard.errors import StoreError

# In KiB. What does not fit goes to a file that has no name and ends with the connection.
CACHE = 512
_TABLES = (
    f"pragma cache_size = -{CACHE}",
    "pragma journal_mode = off",
    "create table places (number integer primary key, key text unique, start integer, length integer)",
    "create table wanted (number integer primary key, key text unique)",
    # Never committed: nobody but us will read it.
    "begin",
)
_WANTED = (
    "select places.key, start, length from wanted join places using (key) order by wanted.number"
)
_OTHERS = (
    "select key, start, length from places where key not in (select key from wanted) order by key"
)


class Place(NamedTuple):
    """Where the line of a call begins, and how long it is."""

    start: int
    length: int


class Places:
    """A mapping of keys to places, in the order in which they were added; the first place of a key is the one that counts.

    >>> places = Places()
    >>> places.add("b", 0, 5), places.add("a", 5, 7), places.add("b", 12, 1)
    (True, True, False)
    >>> len(places), "a" in places, places.get("b"), places.get("c"), list(places)
    (2, True, Place(start=0, length=5), None, ['b', 'a'])
    """

    def __init__(self) -> None:
        self._count = 0
        with _told():
            self._noted = sqlite3.connect("", isolation_level=None, check_same_thread=False)
            self._end = weakref.finalize(
                self, self._noted.close
            )  # whoever forgets them has let go of them
            for command in _TABLES:
                self._noted.execute(command)

    def __len__(self) -> int:
        return self._count

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and self.get(key) is not None

    def __iter__(self) -> Iterator[str]:
        with _told():
            yield from (
                key for (key,) in self._noted.execute("select key from places order by number")
            )

    def add(self, key: str, start: int, length: int) -> bool:
        """Note the place of a key; False where the key has one already."""
        with _told():
            command = "insert or ignore into places (key, start, length) values (?, ?, ?)"
            added = self._noted.execute(command, (key, start, length)).rowcount > 0
        self._count += added
        return added

    def get(self, key: str) -> Place | None:
        """The place of a key; None where it has none."""
        with _told():
            found = self._noted.execute(
                "select start, length from places where key = ?", (key,)
            ).fetchone()
        return None if found is None else Place(*found)

    def ordered(self, order: Iterable[str]) -> tuple[int, Iterator[tuple[str, Place]]]:
        """All keys with their places, those of ``order`` first and the others by name; and how many ``order`` has of them.

        >>> places = Places()
        >>> for number, key in enumerate("cab"):
        ...     _ = places.add(key, number, 1)
        >>> many, found = places.ordered(["b", "x", "b"])
        >>> many, [key for key, _ in found]
        (1, ['b', 'a', 'c'])
        """
        with _told():
            self._noted.execute("delete from wanted")
            self._noted.executemany(
                "insert or ignore into wanted (key) values (?)", ((key,) for key in order)
            )
            (many,) = self._noted.execute(
                "select count(*) from wanted join places using (key)"
            ).fetchone()
        return many, self._ordered()

    def _ordered(self) -> Iterator[tuple[str, Place]]:
        with _told():
            for command in (_WANTED, _OTHERS):
                yield from (
                    (key, Place(start, length))
                    for key, start, length in self._noted.execute(command)
                )

    def close(self) -> None:
        """Let go of them."""
        self._end()


@contextlib.contextmanager
def _told() -> Iterator[None]:
    """Only the place for temporary files can fail here."""
    try:
        yield
    except sqlite3.Error as failed:
        raise StoreError(
            f"the places of the judge's replies cannot be noted in {_folder()}: {failed}"
        ) from None


def _folder() -> str:
    """Where SQLite puts what has no name, by its own rules."""
    named = os.environ.get("SQLITE_TMPDIR") or os.environ.get("TMPDIR") or "/var/tmp"
    return f"the temporary folder {named} (TMPDIR names another)"
