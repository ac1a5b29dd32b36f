"""The samples inside a page: blocks of rows, packed, and one block of columns by which they are filtered and sorted."""

from __future__ import annotations

import base64
import zlib
from array import array
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import Any

import msgspec

from steelyard.report.cut import Room, room
from steelyard.report.sample_texts import sample_texts
from steelyard.report.words import Words, common_words
from steelyard.runs.sample_row import SampleRow
from steelyard.spill import Scratch, Tape

BLOCK = 256
LEARNED = 16  # blocks from which the words are learned
PROSE = 400  # bytes of a row; shorter ones are small enough when they are packed as they are
_PIECE = 4096
_LEVEL = 6  # 9 takes half as long again and saves nothing on prose
_encoder = msgspec.json.Encoder(enc_hook=str, decimal_format="number")


class Names:
    """Names by their number; 0 is none."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, name: str | None) -> int:
        """The number of the name, a new one where it was not known."""
        return 0 if name is None else self._numbers.setdefault(name, len(self._numbers) + 1)

    def all(self) -> list[str]:
        """The names in the order of their numbers."""
        return list(self._numbers)


def outcome(row: SampleRow) -> str:
    """What became of a sample: right, wrong, pending or unscored."""
    if row.status != "scored":
        return row.status
    return "right" if row.correct else "wrong"


class Columns:
    """What the table of samples is filtered and sorted by, a column each; some thousand samples of them are in memory."""

    def __init__(self, *, timings: bool) -> None:
        self._timings, self._named = timings, False
        self._scratch = Scratch()
        self._ids = _Column(self._scratch, bytearray())  # as JSON, one after the other
        self._outcomes = _Column(self._scratch, bytearray())
        self._values, self._tokens, self._seconds, self._categories, self._failures = (
            _Column(self._scratch, array(code)) for code in "dqdII"
        )
        self._all = (
            self._ids,
            self._outcomes,
            self._values,
            self._tokens,
            self._seconds,
            self._categories,
            self._failures,
        )
        self._category, self._failure = Names(), Names()

    def add(self, row: SampleRow) -> None:
        """Take in a sample."""
        if len(self._outcomes.held) >= _PIECE:
            for column in self._all:
                column.spill()
        name = "" if row.id == str(row.problem) else row.id
        self._ids.held += b"," + _encoder.encode(name)
        self._named = self._named or bool(name)
        self._outcomes.held += outcome(row)[0].encode()
        self._values.held.append(-1.0 if row.value is None else row.value)
        self._tokens.held.append(-1 if row.output_tokens is None else row.output_tokens)
        if self._timings:
            self._seconds.held.append(-1.0 if row.seconds is None else row.seconds)
        self._categories.held.append(self._category.number(row.category))
        self._failures.held.append(self._failure.number(row.failure))

    def told(self, repeats: int) -> Iterator[bytes]:
        """Everything as one JSON object, a piece after the other, so that it is never there at once; -1 stands for none."""
        yield b'{"repeats":%d,"block":%d,"ids":' % (repeats, BLOCK)
        yield from self._told_ids() if self._named else (b"null",)
        yield b',"outcomes":"'
        yield from self._outcomes
        yield b'","values":'
        yield from _array(self._values, _plain)
        yield b',"tokens":'
        yield from _array(self._tokens, int)
        yield b',"categories":'
        yield from _array(self._categories, int)
        yield b',"category_names":%b,"failures":' % _encoder.encode(self._category.all())
        yield from _array(self._failures, int)
        yield b',"failure_names":' + _encoder.encode(self._failure.all())
        if self._timings:
            yield b',"seconds":'
            yield from _array(self._seconds, _rounded)
        yield b"}"

    def _told_ids(self) -> Iterator[bytes]:
        yield b"["
        for number, piece in enumerate(self._ids):
            yield bytes(piece) if number else bytes(piece[1:])  # no comma before the first
        yield b"]"


class _Column:
    """Values of some type of which the last are ``held`` and the others on the disk."""

    def __init__(self, scratch: Scratch, held: Any) -> None:
        self.held, self._tape = held, Tape(scratch)

    def spill(self) -> None:
        """Bring to the disk what is held."""
        self._tape.put(bytes(self.held))
        del self.held[:]

    def __iter__(self) -> Iterator[Any]:
        """All pieces in their order, each like what is held."""
        for piece in self._tape:
            found = self.held[:0]
            found += piece if isinstance(found, bytearray) else array(found.typecode, piece)
            yield found
        yield self.held


def _array(column: _Column, told: Callable[[Any], Any]) -> Iterator[bytes]:
    """A column as a JSON array, some thousands at a time."""
    yield b"["
    begun = False
    for piece in column:
        encoded = _encoder.encode([told(value) for value in piece])[1:-1]
        yield (b"," if begun and encoded else b"") + encoded
        begun = begun or bool(encoded)
    yield b"]"


def _rounded(value: float) -> float:
    return round(value, 3)


def _plain(value: float) -> float:
    return int(value) if value in {-1.0, 0.0, 1.0} else round(value, 6)


def write_blocks(samples: Iterable[SampleRow], total: int, out: Tape) -> Words:
    """Write the rows of all samples, a script element for each block; the words that they were shortened by."""
    return write_rows(_told(samples, room(total)), out)


def write_rows(told: Iterable[dict[str, Any]], out: Tape) -> Words:
    """The same for rows of any kind."""
    rows = _encoded(told)
    first = Tape(Scratch())  # they are looked at twice, and are too many to be held
    for block in islice(rows, LEARNED):
        first.put(block)
    is_prose = first.size > PROSE * BLOCK * len(first)
    words = Words(common_words(_texts(first)) if is_prose else ())
    for number, text in enumerate(_texts(chain(first, rows))):
        out.put(element(f"rows-{number}", words.shortened(text)))
    return words


def _texts(blocks: Iterable[bytes]) -> Iterator[str]:
    return (block.decode("utf-8") for block in blocks)


def _encoded(told: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    """The blocks as JSON."""
    source = iter(told)
    while held := list(islice(source, BLOCK)):
        yield _encoder.encode(held)


def _told(samples: Iterable[SampleRow], kept: Room) -> Iterator[dict[str, Any]]:
    """What the panel shows of each sample. What was asked is told once a problem, and again in each block."""
    asked: int | None = None
    for place, row in enumerate(samples):
        yield sample_texts(row, kept, asked=place % BLOCK == 0 or row.problem != asked)
        asked = row.problem


def packed(text: str | bytes | Iterator[bytes]) -> Iterator[bytes]:
    """The text, deflated and in base64, in pieces; it may come in pieces itself."""
    made = zlib.compressobj(_LEVEL, zlib.DEFLATED, -15, 9)
    whole = text.encode("utf-8") if isinstance(text, str) else text
    pieces = [whole] if isinstance(whole, bytes) else whole
    held = b""
    for deflated in chain(map(made.compress, pieces), (made.flush() for _ in range(1))):
        held += deflated
        even = len(held) - len(held) % 3  # else there would be signs that tell of an end
        yield base64.b64encode(held[:even])
        held = held[even:]
    yield base64.b64encode(held)


def element(name: str, text: str | bytes) -> bytes:
    """A script element that holds packed text and is never run."""
    return b"".join(elements(name, text))


def elements(name: str, text: str | bytes | Iterator[bytes]) -> Iterator[bytes]:
    """The same in pieces, for what is long."""
    yield b'<script type="text/plain" id="%b">' % name.encode("ascii")
    yield from packed(text)
    yield b"</script>\n"


def as_json(value: Any) -> bytes:
    """Plain data as JSON."""
    return _encoder.encode(value)
