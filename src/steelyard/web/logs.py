"""The log: one JSON object a line, for machines, and nothing in it that opens a door."""

from __future__ import annotations

import logging
import os
import re
import time
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from steelyard.web.lines import Writer

LOGGER: Final = logging.getLogger("steelyard.arena")
_KEY = re.compile(r"sy_[A-Za-z0-9_-]{8,}")
_LONGEST = 4000
_ENCODER = msgspec.json.Encoder()


def left_out(count: int) -> bytes:
    """The line that stands where so many are missing."""
    message = f"{count} lines of the log are left out here: nobody read it"
    return _ENCODER.encode(
        {"at": _moment(time.time()), "level": "warning", "process": os.getpid(), "message": message}
    )


WRITER: Final = Writer(left_out)  # one a process: lines of all kinds keep their order


class Lines(logging.Formatter):
    """A record as a line of JSON; whatever looks like a key is struck out."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        told: dict[str, Any] = {
            "at": _moment(record.created),
            "level": record.levelname.lower(),
            "process": record.process,
            "message": struck(record.getMessage()),
        }
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
    """Writes a line for every request."""

    def __init__(self) -> None:
        self._process = os.getpid()

    def note(self, asked: Asked) -> None:
        """Have the line written soon."""
        asked.at, asked.process = _moment(time.time()), self._process
        asked.method, asked.path = _seen(asked.method, 40), _seen(asked.path, 300)
        asked.address = _seen(asked.address, 100)
        WRITER.put(_ENCODER.encode(asked))


class _Handing(logging.Handler):
    """Hands records to the thread that writes."""

    def emit(self, record: logging.LogRecord) -> None:
        """Hand this one over."""
        WRITER.put(self.format(record).encode())


def _moment(seconds: float) -> str:
    return (
        datetime.fromtimestamp(seconds, UTC)
        .isoformat(timespec="milliseconds")
        .replace("+00:00", "Z")
    )


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
    handler = _Handing()
    handler.setFormatter(Lines())
    LOGGER.handlers[:] = [handler]
    LOGGER.setLevel(logging.INFO)
    LOGGER.propagate = False
