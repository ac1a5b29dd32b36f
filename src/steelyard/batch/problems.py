"""Rows that share an id are attempts at one problem, and no independent evidence: what an interval has to know of them."""

from __future__ import annotations

import hashlib
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import repeat
from types import NoneType
from typing import Any, NamedTuple

from steelyard.metrics.clusters import Clusters
from steelyard.score import Score
from steelyard.spill import Piles, Scratch, Tape

# Ids are known by numbers of 61 bits: Python's hash of an integer is its rest by the prime 2**61 - 1, in every process alike.
_MASK = 2**61 - 1
_SPREAD, _APART = 0x1B03738712FAD5C9, 0x0F58A1E2C9D47B33
# In a longer text bytes that stand 61 places apart would count alike.
_LONGEST = 60
_TOP = 55
_PILES = 64
# Numbers of a pile, and records of rows, that stay in memory.
_PILED, _HELD = 2048, 16_384
# Numbers that are looked at together.
_AT_ONCE = 65_536
_ZERO_ONE = frozenset((0.0, 1.0))
Alone = Counter[tuple[str | None, float]]
_Sizes = dict[int, tuple[int, int | Fraction, int | Fraction]]


class Attempts(NamedTuple):
    """The scored rows of a block: those with an id as arrays, and how often each value stands in a row without one.

    ``ordered`` are the numbers of the ids, sorted; ``numbers``, ``values`` and ``groups`` go row by row, and a group is a place
    among the ``names``. Where there are none, all rows are of one.
    """

    ordered: bytes
    numbers: bytes
    values: bytes
    names: list[str]
    groups: bytes
    alone: Alone


def attempts_of(
    rows: Sequence[Any], scores: Sequence[Score], names: Sequence[str] | None
) -> Attempts:
    """What a block tells of problems; ``names`` are the groups of its rows, if there are any."""
    ids = [row.id for row in rows]
    values: list[Any] = [score.value for score in scores]
    kinds = set(map(type, ids))
    alone: Alone = Counter()
    if kinds == {NoneType}:
        alone = (
            _counted(zip(names, values, strict=True))
            if names
            else Counter(
                {
                    (None, value): count
                    for value, count in Counter(values).items()
                    if value is not None
                }
            )
        )
        return Attempts(b"", b"", b"", [], b"", alone)
    if NoneType in kinds or None in values:
        every = list(zip(ids, names or repeat(None), values, strict=False))
        alone = _counted((name, value) for known_as, name, value in every if known_as is None)
        kept = [row for row in every if row[0] is not None and row[2] is not None]
        ids, values = [row[0] for row in kept], [row[2] for row in kept]
        names = [str(row[1]) for row in kept] if names else None
    numbers = _numbers(ids, kinds)
    known = {name: place for place, name in enumerate(dict.fromkeys(names or ()))}
    return Attempts(
        array("q", sorted(numbers)).tobytes(),
        array("q", numbers).tobytes(),
        array("d", values).tobytes(),
        list(known),
        array("q", [known[name] for name in names or ()]).tobytes(),
        alone,
    )


def _counted(pairs: Iterable[tuple[str | None, float | None]]) -> Alone:
    """How often each value stands in each group."""
    return Counter(
        {
            (name, value): count
            for (name, value), count in Counter(pairs).items()
            if value is not None
        }
    )


def _numbers(ids: list[Any], kinds: set[type]) -> list[int]:
    """The number of each id; those of one kind, as in most files, in a fraction of the time."""
    read = int.from_bytes
    if kinds == {str} and ids and max(map(len, ids)) <= _LONGEST:
        return [hash(read(one.encode(), "little") * _SPREAD) for one in ids]
    if kinds == {int} and min(ids, default=0) >= 0 and max(ids, default=0) <= _MASK:
        return [(one * _APART & _MASK) ^ _SPREAD for one in ids]
    return [_number(one) for one in ids]


def _number(known_as: Any) -> int:
    """The number of an id: of 1 another than of "1"."""
    if isinstance(known_as, float) and known_as.is_integer():
        known_as = int(known_as)
    if type(known_as) is int and 0 <= known_as <= _MASK:
        return (known_as * _APART & _MASK) ^ _SPREAD  # 0 is not the number of an empty text
    text = known_as if isinstance(known_as, str) else f"\0{known_as!r}"
    written = text.encode("utf-8", "replace")
    if len(text) > _LONGEST:
        written = hashlib.sha256(written).digest()
    return hash(int.from_bytes(written, "little") * _SPREAD)


class Problems:
    """The rows of all blocks, on the disk where they are many; what it says depends neither on their order nor on the blocks.

    >>> from types import SimpleNamespace as Row
    >>> problems = Problems()
    >>> for known_as in ("a", "b", "a"):
    ...     problems.add(attempts_of([Row(id=known_as)], [Score(value=1.0, correct=True)], None))
    >>> problems.repeated(), problems.clusters()[None].count
    (True, 2)
    """

    def __init__(self) -> None:
        self._piles = [array("q") for _ in range(_PILES)]
        scratch = Scratch()
        self._tapes = [Tape(scratch) for _ in range(_PILES)]
        self._rows = Tape(Scratch())
        self._numbers, self._groups, self._values = array("q"), array("q"), array("q")
        self._pages: dict[str | None, int] = {None: 0}
        self._alone: Alone = Counter()

    def add(self, found: Attempts, group_of: Callable[[str], str] = str) -> None:
        """Take in the next block; ``group_of`` says in which group a name is counted."""
        for (name, value), count in found.alone.items():
            self._alone[None if name is None else group_of(name), value] += count
        self._sort_in(array("q", found.ordered))
        pages = [self._pages.setdefault(group_of(name), len(self._pages)) for name in found.names]
        self._numbers.frombytes(found.numbers)
        self._values.frombytes(found.values)  # the bits of each, as a whole number
        if pages:
            self._groups.extend(map(pages.__getitem__, array("q", found.groups)))
        else:
            self._groups.frombytes(bytes(len(found.numbers)))
        if len(self._numbers) >= _HELD:
            for column in (self._numbers, self._groups, self._values):
                self._rows.put(column.tobytes())
                del column[:]

    def _sort_in(self, ordered: array[int]) -> None:
        if len(ordered) < 4 * _PILES:
            for number in ordered:
                self._piles[number >> _TOP].append(number)
        else:
            ends = [bisect_left(ordered, place << _TOP) for place in range(_PILES + 1)]
            for pile, start, end in zip(self._piles, ends, ends[1:], strict=False):
                pile.extend(ordered[start:end])
        for pile, tape in zip(self._piles, self._tapes, strict=True):
            if len(pile) >= _PILED:
                tape.put(pile.tobytes())
                del pile[:]

    def repeated(self) -> bool:
        """Whether any id has come twice."""
        return any(map(self._repeats, range(_PILES)))

    def _repeats(self, place: int) -> bool:
        count = self._tapes[place].size // 8 + len(self._piles[place])
        parts = -(-count // _AT_ONCE)
        return any(self._repeats_in(place, part, parts) for part in range(parts))

    def _repeats_in(self, place: int, part: int, parts: int) -> bool:
        """Whether a number of a pile is there twice, among those of one part of it."""
        seen: set[int] = set()
        count = 0
        for piece in (*self._tapes[place], self._piles[place].tobytes()):
            numbers: Sequence[int] = array("q", piece)
            if parts > 1:
                numbers = [number for number in numbers if number % parts == part]
            seen.update(numbers)
            count += len(numbers)
            if len(seen) < count:
                return True
        return False

    def clusters(self) -> dict[str | None, Clusters]:
        """The sums over problems, of all rows under None and of the groups, wherever a problem has several rows."""
        sizes: dict[int, _Sizes] = {}
        binary: dict[int, bool] = {}
        for problem in self._by_problem():
            for page, values in problem.items():
                binary[page] = binary.get(page, True) and _ZERO_ONE.issuperset(values)
                _count(sizes.setdefault(page, {}), len(values), sum(map(_exact, values)))
        for (name, value), count in self._alone.items():
            for page in {0, self._pages.setdefault(name, len(self._pages))}:
                binary[page] = binary.get(page, True) and value in _ZERO_ONE
                _count(sizes.setdefault(page, {}), 1, _exact(value), count)
        return {
            name: Clusters.of_sums(sizes[page], binary=binary[page])
            for name, page in self._pages.items()
            if max(sizes.get(page, {}), default=0) > 1
        }

    def _by_problem(self) -> Iterator[dict[int, list[float]]]:
        """The values of each problem, of all its rows under 0, and by group."""
        piles = Piles(3)
        for numbers, groups, bits in self._records():
            for record in zip(numbers, groups, bits, strict=True):
                piles.add(*record)
        for pile in piles.ordered():
            last: int | None = None
            values = array("d", pile[2::3].tobytes())
            problem: dict[int, list[float]] = {}
            for number, group, value in zip(pile[::3], pile[1::3], values, strict=True):
                if number != last and problem:
                    yield problem
                    problem = {}
                last = number
                problem.setdefault(0, []).append(value)
                if group:
                    problem.setdefault(group, []).append(value)
            if problem:
                yield problem

    def _records(self) -> Iterator[tuple[array[int], array[int], array[int]]]:
        pieces = iter(self._rows)
        for piece in pieces:
            yield array("q", piece), array("q", next(pieces)), array("q", next(pieces))
        yield self._numbers, self._groups, self._values


def _count(sizes: _Sizes, size: int, total: int | Fraction, times: int = 1) -> None:
    many, sums, squares = sizes.get(size, (0, 0, 0))
    sizes[size] = many + times, sums + total * times, squares + total * total * times


def _exact(value: float) -> int | Fraction:
    return int(value) if value in _ZERO_ONE else Fraction(value)
