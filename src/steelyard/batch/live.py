"""Rows that come slowly through a pipe: what has come is given on after a moment, and does not wait for a whole block."""

from __future__ import annotations

import io
import os
import select
import stat
import time
from collections.abc import Iterator
from typing import TypeGuard

from steelyard.batch.block import BLOCK_BYTES

# So long the first bytes of a piece may wait for more.
WAIT_SECONDS = 0.5
_FIRST_TICK = 0.05


def is_live(stream: object) -> TypeGuard[io.BufferedReader]:
    """Whether it is a pipe, a socket or a terminal, whose bytes come when they please, and can be waited for.

    >>> is_live(io.BytesIO())
    False
    """
    if not isinstance(stream, io.BufferedReader) or os.name != "posix":
        return False
    try:
        number = stream.fileno()
        mode = os.fstat(number).st_mode
        return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or os.isatty(number)
    except OSError:
        return False


def live_chunks(stream: io.BufferedReader) -> Iterator[bytes]:
    """What comes, in pieces of a block or of what comes in a moment; while nothing does, nothing, again and again.

    So whoever asks is never kept for longer than a moment, and can look after other things.
    """
    # What somebody has peeked at stands in the buffer, where no system call can see it; later reads leave nothing there.
    held = stream.read1(BLOCK_BYTES)
    ended, pause = not held, _FIRST_TICK
    while not ended:
        pieces, ended = _gathered(stream, held, WAIT_SECONDS if held else pause)
        pause = _FIRST_TICK if pieces else min(2 * pause, WAIT_SECONDS)
        yield pieces
        held = b""


def _gathered(stream: io.BufferedReader, first: bytes, seconds: float) -> tuple[bytes, bool]:
    """What comes in so many seconds, or as much later as it began to come, and whether that was the end."""
    held, size = [first], len(first)
    deadline = time.monotonic() + seconds
    while (
        size < BLOCK_BYTES
        and select.select([stream], [], [], max(0.0, deadline - time.monotonic()))[0]
    ):
        more = stream.read1(BLOCK_BYTES)
        if not more:
            return b"".join(held), True
        if not size:
            deadline = time.monotonic() + WAIT_SECONDS
        held.append(more)
        size += len(more)
    return b"".join(held), False
