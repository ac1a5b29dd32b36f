"""The rows of a dataset: read once, kept out of memory, and found again by their place."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, overload

import msgspec

from steelyard.errors import DataError
from steelyard.spill import Scratch

# Rows that are read together; whoever asks for one will ask for its neighbours next.
BLOCK = 64
# Below this many bytes no file is made for them.
SMALL = 1024 * 1024

_hashed = msgspec.json.Encoder(order="deterministic")
# Not sorted: the order of columns is part of what a prompt shows.
_kept = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(list[tuple[int, dict[str, Any], dict[str, str]]])


class Row(NamedTuple):
    """One row: where it stands, its columns, and the fractions among them as they are written."""

    place: int
    columns: dict[str, Any]
    written: Mapping[str, str] = {}


class Rows(Sequence[Row]):
    """Rows in a file of their own, which has no name and goes with them; a few bytes of each stay in memory.

    >>> rows = Rows([Row(1, {"q": "a"}), Row(2, {"q": "b"})])
    >>> len(rows), rows[1].columns, [row.place for row in rows]
    (2, {'q': 'b'}, [1, 2])
    """

    def __init__(self, rows: Iterable[Row]) -> None:
        self._ends = array("q", [0])
        self._count = 0
        self._held = bytearray()  # while they are few
        self._scratch: Scratch | None = None
        digest = hashlib.sha256()
        block: list[Row] = []
        for row in rows:
            digest.update(_hash_line(row))
            block.append(row)
            if len(block) == BLOCK:
                self._keep(block)
                block = []
        self._keep(block)
        self.hash = digest.hexdigest()

    def _keep(self, block: list[Row]) -> None:
        if not block:
            return
        data = _kept.encode(block)
        if self._scratch is not None:
            self._scratch.put(data)
        else:
            self._held += data
        if len(self._held) > SMALL:
            self._scratch = Scratch()
            self._scratch.put(bytes(self._held))
            self._held.clear()
        self._ends.append(self._ends[-1] + len(data))
        self._count += len(block)

    @property
    def blocks(self) -> int:
        """How many blocks there are."""
        return len(self._ends) - 1

    def size(self, block: int) -> int:
        """How many bytes a block has."""
        return self._ends[block + 1] - self._ends[block]

    def block(self, block: int) -> list[Row]:
        """The rows of a block: ``BLOCK`` of them, fewer in the last one."""
        start, size = self._ends[block], self.size(block)
        data = (
            self._held[start : start + size]
            if self._scratch is None
            else self._scratch.get(start, size)
        )
        return [Row(*entry) for entry in _decoder.decode(data)]

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Row]:
        for block in range(self.blocks):
            yield from self.block(block)

    @overload
    def __getitem__(self, at: int) -> Row: ...
    @overload
    def __getitem__(self, at: slice) -> list[Row]: ...
    def __getitem__(self, at: int | slice) -> Row | list[Row]:
        if isinstance(at, slice):
            return [self[place] for place in range(*at.indices(self._count))]
        block, inside = divmod(range(self._count)[at], BLOCK)
        return self.block(block)[inside]


def _hash_line(row: Row) -> bytes:
    try:
        return _hashed.encode([row.columns, row.written]) + b"\n"
    except (UnicodeEncodeError, TypeError) as wrong:
        raise DataError(f"row {row.place} cannot be written as JSON: {wrong}") from None
