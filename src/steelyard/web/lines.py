"""A thread that writes the log: whoever should read it may have stopped reading, and the service goes on all the same."""

from __future__ import annotations

import os
import select
import sys
import threading
import time
from collections.abc import Callable

_WHOLE = 4096  # bytes that reach a pipe in one piece, whoever else writes to it
_PAUSE = 0.01  # seconds; what comes meanwhile is written together, and the loop is seldom disturbed


class Writer:
    """Writes lines to the standard error stream, in their order. It holds so many bytes; lines that come when it is full are
    counted, and `told` is the line that says how many when it goes on."""

    def __init__(self, told: Callable[[int], bytes], most: int = 1 << 20) -> None:
        self._told, self._most = told, most
        self._lines: list[bytes] = []
        self._held = 0  # bytes that wait or are just being written
        self._left_out = 0
        self._broken = False  # the stream took nothing more; it is tried again with the next line
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def put(self, line: bytes) -> None:
        """Have the line written soon; this never waits for whoever reads."""
        with self._changed:
            if self._held + len(line) > self._most:
                self._left_out += 1
                return
            self._held += len(line)
            self._lines.append(line)
            self._broken = False
            if len(self._lines) == 1:
                self._changed.notify_all()
            if self._thread is None or not self._thread.is_alive():  # a fork takes no threads along
                self._thread = threading.Thread(target=self._run, name="steelyard-log", daemon=True)
                self._thread.start()

    def flush(self, seconds: float) -> bool:
        """Wait until all is written, for so long at most; whether it is."""
        with self._changed:
            return self._changed.wait_for(
                lambda: not self._held and (self._broken or not self._left_out), seconds
            ) and (not self._left_out)

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._lines or (self._left_out and not self._broken))
                lines, self._lines = self._lines, []
                if self._left_out:
                    lines.append(self._told(self._left_out))
                    self._held += len(lines[-1])
                    self._left_out = 0
            lost = _write_all(lines)
            with self._changed:
                self._held -= sum(map(len, lines))
                self._left_out += lost
                self._broken = lost > 0
                self._changed.notify_all()
            time.sleep(_PAUSE)


def _write_all(lines: list[bytes]) -> int:
    """How many of the lines were not written, because the stream takes nothing more: the service goes on."""
    pieces = _pieces(lines)
    for done, piece in enumerate(pieces):
        try:
            _write(piece)
        except (OSError, ValueError):
            return sum(rest.count(b"\n") for rest in pieces[done:])
    return 0


def _write(piece: bytes) -> None:
    """Past the stream's own buffer: a thread that waits inside of it would keep the process from ending."""
    if sys.stderr is None:
        return  # the service was started without one
    try:
        number = sys.stderr.fileno()
    except (OSError, ValueError, AttributeError):  # it is no file
        sys.stderr.write(piece.decode())
        return
    rest = memoryview(piece)
    while rest:
        try:
            rest = rest[os.write(number, rest) :]
        except BlockingIOError:
            select.select([], [number], [])


def _pieces(lines: list[bytes]) -> list[bytes]:
    """The lines in as few pieces as can be, each short enough to stay whole."""
    pieces: list[bytearray] = [bytearray()]
    for line in lines:
        if pieces[-1] and len(pieces[-1]) + len(line) >= _WHOLE:
            pieces.append(bytearray())
        pieces[-1] += line
        pieces[-1] += b"\n"
    return [bytes(piece) for piece in pieces]
