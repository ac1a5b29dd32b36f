"""The log: one JSON object a line, for machines, and nothing in it that opens a door."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import re
import sys
import time
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

LOGGER: Final = logging.getLogger("steelyard.arena")
_KEY = re.compile(r"sy_[A-Za-z0-9_-]{8,}")
_LONGEST = 4000
_WHOLE = 4096  # bytes that reach a pipe in one piece, whoever else writes to it
_ENCODER = msgspec.json.Encoder()


class Lines(logging.Formatter):
    """A record as a line of JSON; whatever looks like a key is struck out."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        told: dict[str, Any] = {
            "at": _moment(record.created), "level": record.levelname.lower(), "process": record.process,
            "message": struck(record.getMessage()),
        }  # fmt: skip
        if record.exc_info:
            told["trace"] = struck(self.formatException(record.exc_info))[-_LONGEST:]
        return _ENCODER.encode(told).decode()


class Asked(msgspec.Struct, kw_only=True):
    """The line about a request: neither its headers nor its query are in it."""

    at: str = ""
    level: str = "info"
    process: int = 0
    message: str = "request"
    request: str
    method: str
    path: str
    status: int
    ms: float
    address: str


class RequestLog:
    """Writes a line for every request. Those that end in one turn of the loop are written together: each by itself would
    take longer than the rest of what is done for it."""

    def __init__(self) -> None:
        self._waiting: list[bytes] = []
        self._process = os.getpid()

    def note(self, asked: Asked) -> None:
        """Have the line written before the loop waits again."""
        asked.at, asked.process = _moment(time.time()), self._process
        asked.method, asked.path = _seen(asked.method, 40), _seen(asked.path, 300)
        asked.address = _seen(asked.address, 100)
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._write)
        self._waiting.append(_ENCODER.encode(asked))

    def _write(self) -> None:
        lines, self._waiting = self._waiting, []
        with contextlib.suppress(OSError, ValueError):  # nobody reads it any more: the service goes on
            for piece in _pieces(lines):
                sys.stderr.write(piece.decode())
                sys.stderr.flush()


def _pieces(lines: list[bytes]) -> list[bytes]:
    """The lines in as few pieces as can be, each short enough to stay whole."""
    pieces: list[bytearray] = [bytearray()]
    for line in lines:
        if pieces[-1] and len(pieces[-1]) + len(line) >= _WHOLE:
            pieces.append(bytearray())
        pieces[-1] += line
        pieces[-1] += b"\n"
    return [bytes(piece) for piece in pieces]


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def struck(text: str) -> str:
    """The text without keys.

    >>> struck("Bearer sy_abcdefghijklmnop at /x")
    'Bearer sy_… at /x'
    """
    return _KEY.sub("sy_…", text[:_LONGEST]) if "sy_" in text else text[:_LONGEST]


def _seen(text: str, most: int) -> str:
    """So much of the text, without keys and without characters that a terminal or a reader of lines would heed."""
    kept = struck(text)[:most]
    return kept if kept.isprintable() else kept.encode("unicode_escape").decode()


def start_logging() -> None:
    """Let this process write its log to the standard error stream."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines())
    LOGGER.handlers[:] = [handler]
    LOGGER.setLevel(logging.INFO)
    LOGGER.propagate = False
