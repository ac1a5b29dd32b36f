"""The log: one JSON object a line, for machines, and nothing in it that opens a door."""

from __future__ import annotations

import logging
import re
import sys
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

LOGGER: Final = logging.getLogger("steelyard.arena")
FIELDS: Final = "fields"
_KEY = re.compile(r"sy_[A-Za-z0-9_-]{8,}")
_LONGEST = 4000
_ENCODER = msgspec.json.Encoder()


class Lines(logging.Formatter):
    """A record as a line of JSON; whatever looks like a key is struck out."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        told: dict[str, Any] = {
            "at": at.replace("+00:00", "Z"), "level": record.levelname.lower(), "process": record.process,
            "message": struck(record.getMessage()),
        }  # fmt: skip
        for name, value in getattr(record, FIELDS, {}).items():
            told[name] = struck(value) if isinstance(value, str) else value
        if record.exc_info:
            told["trace"] = struck(self.formatException(record.exc_info))[-_LONGEST:]
        return _ENCODER.encode(told).decode()


def struck(text: str) -> str:
    """The text without keys.

    >>> struck("Bearer sy_abcdefghijklmnop at /x")
    'Bearer sy_… at /x'
    """
    return _KEY.sub("sy_…", text[:_LONGEST])


def start_logging() -> None:
    """Let this process write its log to the standard error stream."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines())
    LOGGER.handlers[:] = [handler]
    LOGGER.setLevel(logging.INFO)
    LOGGER.propagate = False
