"""Replies that were recorded: a model that is asked nothing and costs nothing."""

from __future__ import annotations

import asyncio
import hashlib
import re
import weakref
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec

from steelyard.errors import DataError, ModelError
from steelyard.foreign import repeated_key
from steelyard.models.line_index import LineIndex
from steelyard.models.types import MOST_TOKENS, Reply, Request

Count = Annotated[int, msgspec.Meta(ge=0, le=MOST_TOKENS)]


class _Row(msgspec.Struct):
    id: str | int | None = None
    request: str | None = None
    repeat: int | None = None
    text: str | None = None
    response: str | None = None
    reasoning: str = ""
    finish: str = ""
    input_tokens: Count | None = None
    output_tokens: Count | None = None


_decoder = msgspec.json.Decoder(_Row, strict=False)
# Any escape, so that a backslash that is itself escaped begins none: a pair of surrogates, a lone half of one, or another.
_ESCAPE = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\."
)
_encoder = msgspec.json.Encoder(order="deterministic", enc_hook=str, decimal_format="number")


def request_key(request: Request) -> str:
    """The hash of what is asked: the messages and the parameters, and nothing else.

    >>> from steelyard.models.types import Message
    >>> request_key(Request(messages=(Message("user", "2 + 2?"),)))
    '13afbb014d98e78f'
    """
    return hashlib.sha256(_encoder.encode([request.messages, request.parameters])).hexdigest()[:16]


class RecordedModel:
    """Replies from a JSONL file, one a line: ``id`` or ``request``, ``text``, and ``reasoning``, ``finish`` and token
    counts where they are known.

    A reply is found by the request's ``id``, or by ``request``, its ``request_key``. Lines that share one are its
    repeats, in their order, unless they say ``repeat`` (from 0). ``response`` is read as ``text``, and half a surrogate
    pair, which is no character, as U+FFFD. What is not in the file is a ModelError. The whole file is checked at the beginning,
    and no line of it is kept in memory.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._file = path.open("rb")
        except OSError as failed:
            raise DataError(f"cannot be read: {failed.strerror}", file=str(path)) from None
        weakref.finalize(self, self._file.close)
        digest, offset = hashlib.sha256(), 0
        self._index = LineIndex()
        for line, data in enumerate(self._file, 1):
            digest.update(data)
            if data.strip():
                row = self._row(data, line)
                if (key := repeated_key(data)) is not None:
                    why = f"the key {key!r} is given twice"
                    raise DataError(why, file=str(path), line=line)
                _reply(row, str(path), line)
                self._index.add(hash(self._named(row, line)), offset, line)
            offset += len(data)
        self._hash = digest.hexdigest()
        self._index.sort()
        self._refuse_doubles()

    def __repr__(self) -> str:
        return f"RecordedModel({str(self._path)!r})"

    @property
    def identity(self) -> Mapping[str, Any]:
        """The file, by its content."""
        return {"kind": "recorded", "name": self._path.name, "sha256": self._hash}

    async def ask(self, request: Request) -> Reply:
        """The reply that was recorded."""
        await asyncio.sleep(0)  # nothing here waits, and others should have their turn
        found = self._find(("id", request.id), request.repeat) if request.id else None
        if found is None:
            found = self._find(("request", request_key(request)), request.repeat)
        if found is not None:
            return found
        # Without the sample's name, which its row has: so that a thousand of them are one reason.
        raise ModelError(f"{self._path.name} has no reply to this sample", kind="missing")

    async def close(self) -> None:
        """The file is closed when nobody has this any more: a model may be asked again."""

    def _row(self, data: bytes, line: int) -> _Row:
        try:
            try:
                return _decoder.decode(data)
            except ValueError:
                if (mended := _ESCAPE.sub(_whole, data)) == data:
                    raise
                return _decoder.decode(mended)
        except (ValueError, RecursionError) as wrong:
            raise DataError(
                f"no recorded reply: {wrong}", file=str(self._path), line=line
            ) from None

    def _named(self, row: _Row, line: int) -> tuple[str, str]:
        if row.id is not None:
            return "id", str(row.id)
        if row.request is not None:
            return "request", row.request
        raise DataError(
            "neither 'id' nor 'request' says what this replies to", file=str(self._path), line=line
        )

    def _find(self, name: tuple[str, str], repeat: int) -> Reply | None:
        for place, row, line in self._repeats(hash(name)):
            if place == repeat and self._named(row, line) == name:
                return _reply(row, str(self._path), line)
        return None

    def _repeats(self, hashed: int) -> Iterator[tuple[int, _Row, int]]:
        """The rows that share a name, or only its hash, with the repeat that each one is."""
        following: dict[tuple[str, str], int] = {}
        for offset, line in self._index.of(hashed):
            self._file.seek(offset)
            row = self._row(self._file.readline(), line)
            name = self._named(row, line)
            place = following.get(name, 0) if row.repeat is None else row.repeat
            following[name] = place + 1
            yield place, row, line

    def _refuse_doubles(self) -> None:
        for hashed in self._index.shared():
            seen: dict[tuple[object, ...], int] = {}
            for place, row, line in self._repeats(hashed):
                key = (*self._named(row, line), place)
                if key in seen:
                    told = f"{key[1]!r}, repeat {place}, is on line {seen[key]} too"
                    raise DataError(told, file=str(self._path), line=line)
                seen[key] = line


def _whole(escape: re.Match[bytes]) -> bytes:
    """U+FFFD for an escape of half a surrogate pair, else the escape itself."""
    found = escape[0]
    return rb"\ufffd" if len(found) == 6 and found.startswith(b"\\u") else found


def _reply(row: _Row, file: str, line: int) -> Reply:
    text = row.text if row.text is not None else row.response
    if text is None:
        raise DataError("there is no 'text'", file=file, line=line)
    return Reply(
        text=text,
        reasoning=row.reasoning,
        finish=row.finish,
        served_by="recorded",
        input_tokens=row.input_tokens,
        output_tokens=row.output_tokens,
    )
