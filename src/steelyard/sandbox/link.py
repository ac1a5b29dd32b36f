"""One end of the frames between the grader and a box: both directions at once, without ever blocking in one."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Iterator

from steelyard.errors import SandboxError
from steelyard.sandbox.inside.frames import HEAD, LONGEST

_CHUNK = 1 << 18


class Link:
    """Two descriptors, one to read from and one to write to, which may be the same socket."""

    def __init__(self, reader: int, writer: int) -> None:
        self._reader, self._writer = reader, writer
        for number in {reader, writer}:
            os.set_blocking(number, False)
        self._in = bytearray()
        self._out = bytearray()
        self._kept: list[tuple[bytes, bytes]] = []
        self.ended = False

    def raw(self, data: bytes) -> None:
        """Bytes to be sent as they are, when the other side takes them."""
        self._out += data
        self._write()

    def send(self, kind: bytes, content: bytes = b"") -> None:
        """One frame to the box."""
        self.raw(HEAD.pack(kind, len(content)) + content)

    def put_back(self, kind: bytes, content: bytes) -> None:
        """A frame that is meant for whoever reads next."""
        self._kept.append((kind, content))

    def frames(self, until: float) -> Iterator[tuple[bytes, bytes]]:
        """The frames that have come, after a wait for the first until that moment of the monotonic clock.

        What is there already is taken however late it is.
        """
        kept, self._kept = self._kept, []
        found, left = kept + list(self._complete()), 1.0
        while not found and not self.ended and left > 0:
            left = until - time.monotonic()
            self._wait(max(left, 0.0))
            found = list(self._complete())
        yield from found

    def _complete(self) -> Iterator[tuple[bytes, bytes]]:
        start = 0
        while len(self._in) - start >= HEAD.size:
            kind, size = HEAD.unpack_from(self._in, start)
            if size > LONGEST:
                raise SandboxError("the box sent something that is no frame")
            if len(self._in) - start < HEAD.size + size:
                break
            yield kind, bytes(self._in[start + HEAD.size : start + HEAD.size + size])
            start += HEAD.size + size
        del self._in[:start]

    def _wait(self, seconds: float) -> None:
        poller = select.poll()
        poller.register(self._reader, select.POLLIN)
        if self._out:
            poller.register(
                self._writer,
                select.POLLOUT | (select.POLLIN if self._reader == self._writer else 0),
            )
        for number, event in poller.poll(seconds * 1000):
            if number == self._writer and event & select.POLLOUT:
                self._write()
            if number == self._reader and event & ~select.POLLOUT:
                self._read()

    def _read(self) -> None:
        try:
            data = os.read(self._reader, _CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        self.ended = self.ended or not data
        self._in += data

    def _write(self) -> None:
        try:
            while self._out:
                del self._out[: os.write(self._writer, self._out[:_CHUNK])]
        except BlockingIOError:
            return
        except OSError:
            self._out.clear()  # nobody listens any more; what was said before is still to be read, and then its end
