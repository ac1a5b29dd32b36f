"""The samples inside a page: blocks of rows, packed, and one block of columns by which they are filtered and sorted."""

from __future__ import annotations

import base64
import zlib
from array import array
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import IO, Any

import msgspec

from steelyard.report.cut import Room, room
from steelyard.report.sample_texts import sample_texts
from steelyard.report.words import Words, common_words
from steelyard.runs.sample_row import SampleRow

BLOCK = 256
LEARNED = 16  # blocks from which the words are learned
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
    """What the table of samples is filtered and sorted by, a column each; a few bytes a sample."""

    def __init__(self, *, timings: bool) -> None:
        self._timings = timings
        self._ids, self._named = bytearray(), False  # as JSON, since a string of its own would take many times as much
        self._outcomes = bytearray()
        self._values, self._tokens, self._seconds = array("d"), array("l"), array("d")
        self._categories, self._failures = array("H"), array("B")
        self._category, self._failure = Names(), Names()

    def add(self, row: SampleRow) -> None:
        """Take in a sample."""
        name = "" if row.id == str(row.problem) else row.id
        self._ids += b"," + _encoder.encode(name)
        self._named = self._named or bool(name)
        self._outcomes += outcome(row)[0].encode()
        self._values.append(-1.0 if row.value is None else row.value)
        self._tokens.append(-1 if row.output_tokens is None else row.output_tokens)
        self._seconds.append(-1.0 if row.seconds is None else row.seconds)
        self._categories.append(min(self._category.number(row.category), 65_535))
        self._failures.append(min(self._failure.number(row.failure), 255))

    def told(self, repeats: int) -> dict[str, Any]:
        """Everything as plain data; -1 stands for none."""
        found: dict[str, Any] = {
            "repeats": repeats, "block": BLOCK, "ids": msgspec.Raw(b"[" + self._ids[1:] + b"]") if self._named else None,
            "outcomes": self._outcomes.decode(), "values": [_plain(value) for value in self._values],
            "tokens": list(self._tokens), "categories": list(self._categories), "category_names": self._category.all(),
            "failures": list(self._failures), "failure_names": self._failure.all(),
        }  # fmt: skip
        if self._timings:
            found["seconds"] = [round(value, 3) for value in self._seconds]
        return found


def _plain(value: float) -> float:
    return int(value) if value in {-1.0, 0.0, 1.0} else round(value, 6)


def write_blocks(samples: Iterable[SampleRow], total: int, out: IO[bytes]) -> Words:
    """Write the rows of all samples, a script element for each block; the words that they were shortened by."""
    return write_rows(_told(samples, room(total)), out)


def write_rows(told: Iterable[dict[str, Any]], out: IO[bytes]) -> Words:
    """The same for rows of any kind."""
    rows = _encoded(told)
    first = list(islice(rows, LEARNED))
    words = Words(common_words(first))
    for number, block in enumerate(_chained(first, rows)):
        out.write(element(f"rows-{number}", words.shortened(block)))
    return words


def _chained(first: list[str], rest: Iterator[str]) -> Iterator[str]:
    while first:
        yield first.pop(0)
    yield from rest


def _encoded(told: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The blocks as JSON."""
    source = iter(told)
    while held := list(islice(source, BLOCK)):
        yield _encoder.encode(held).decode("utf-8")


def _told(samples: Iterable[SampleRow], kept: Room) -> Iterator[dict[str, Any]]:
    """What the panel shows of each sample. What was asked is told once a problem, and again in each block."""
    asked: int | None = None
    for place, row in enumerate(samples):
        yield sample_texts(row, kept, asked=place % BLOCK == 0 or row.problem != asked)
        asked = row.problem


def packed(text: str | bytes) -> bytes:
    """The text, deflated and in base64."""
    made = zlib.compressobj(_LEVEL, zlib.DEFLATED, -15, 9)
    whole = text.encode("utf-8") if isinstance(text, str) else text
    return base64.b64encode(made.compress(whole) + made.flush())


def element(name: str, text: str | bytes) -> bytes:
    """A script element that holds packed text and is never run."""
    return b'<script type="text/plain" id="%b">%b</script>\n' % (name.encode("ascii"), packed(text))


def as_json(value: Any) -> bytes:
    """Plain data as JSON."""
    return _encoder.encode(value)
