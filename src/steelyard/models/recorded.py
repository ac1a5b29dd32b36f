"""Replies that were recorded: a model that is asked nothing and costs nothing."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from steelyard.errors import DataError, ModelError
from steelyard.models.types import Reply, Request


class _Row(msgspec.Struct):
    id: str | int | None = None
    request: str | None = None
    repeat: int | None = None
    text: str | None = None
    response: str | None = None
    reasoning: str = ""
    finish: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None


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
    repeats, in their order, unless they say ``repeat`` (from 0). ``response`` is read as ``text``. What is not in the
    file is a ModelError.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            content = path.read_bytes()
        except OSError as failed:
            raise DataError(f"cannot be read: {failed.strerror}", file=str(path)) from None
        self._hash = hashlib.sha256(content).hexdigest()
        self._replies = dict(_replies(content, str(path)))

    def __repr__(self) -> str:
        return f"RecordedModel({str(self._path)!r})"

    @property
    def identity(self) -> Mapping[str, Any]:
        """The file, by its content."""
        return {"kind": "recorded", "name": self._path.name, "sha256": self._hash}

    async def ask(self, request: Request) -> Reply:
        """The reply that was recorded."""
        await asyncio.sleep(0)  # nothing here waits, and others should have their turn
        for key in (("id", request.id, request.repeat), ("request", request_key(request), request.repeat)):
            if key[1] and key in self._replies:
                return self._replies[key]
        what = f"{request.id!r}" if request.id else f"the request {request_key(request)}"
        raise ModelError(f"{self._path.name} has no reply to {what}, repeat {request.repeat}", kind="missing")

    async def close(self) -> None:
        """Nothing is held open."""


def _replies(content: bytes, file: str) -> Iterator[tuple[tuple[str, str, int], Reply]]:
    decoder = msgspec.json.Decoder(_Row, strict=False)
    seen: dict[tuple[str, str, int], int] = {}
    following: dict[tuple[str, str], int] = {}
    for line, data in enumerate(content.splitlines(), 1):
        if not data.strip():
            continue
        try:
            row = decoder.decode(data)
        except (ValueError, RecursionError) as wrong:
            raise DataError(f"no recorded reply: {wrong}", file=file, line=line) from None
        named = _named(row, file, line)
        place = following.get(named, 0) if row.repeat is None else row.repeat
        following[named] = place + 1
        key = (*named, place)
        if key in seen:
            raise DataError(f"{named[1]!r}, repeat {place}, is on line {seen[key]} too", file=file, line=line)
        seen[key] = line
        yield key, _reply(row, file, line)


def _named(row: _Row, file: str, line: int) -> tuple[str, str]:
    if row.id is not None:
        return "id", str(row.id)
    if row.request is not None:
        return "request", row.request
    raise DataError("neither 'id' nor 'request' says what this replies to", file=file, line=line)


def _reply(row: _Row, file: str, line: int) -> Reply:
    text = row.text if row.text is not None else row.response
    if text is None:
        raise DataError("there is no 'text'", file=file, line=line)
    return Reply(
        text=text, reasoning=row.reasoning, finish=row.finish, served_by="recorded",
        input_tokens=row.input_tokens, output_tokens=row.output_tokens,
    )  # fmt: skip
