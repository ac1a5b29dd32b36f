"""The frames between a box and the grader: one byte of kind, four of length, then the content.

To the box: J a job, M a message to the worker, Q stop. From the box: H ready, O standard output, E standard error,
B the program is let go, M bytes of the worker's channel, F a collected file, X how the program ended, Z the box is gone.
"""

from __future__ import annotations

import os
import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

HEAD = struct.Struct(">cI")
SIZE = struct.Struct(">I")
LONGEST = 65536  # of the content of one frame that leaves a box


def write_all(number: int, data: bytes) -> None:
    """Everything is written, or OSError is raised."""
    view = memoryview(data)
    while view:
        view = view[os.write(number, view) :]


def read_exactly(number: int, size: int) -> bytes | None:
    """As many bytes as asked for, or None at the end of the stream."""
    parts = []
    while size:
        part = os.read(number, min(size, 1 << 20))
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def send(number: int, kind: bytes, content: bytes = b"") -> None:
    """The content in as many frames as it needs; one without content is sent too."""
    for start in range(0, max(len(content), 1), LONGEST):
        part = content[start : start + LONGEST]
        write_all(number, HEAD.pack(kind, len(part)) + part)


def told(facts: Mapping[str, float | str | None]) -> bytes:
    """Facts as the JSON that the grader reads, written by hand: `json` takes longer to load than all of this.

    >>> told({"exit": None, "signal": 9, "memory": True, "broken": 'no "box"'})
    b'{"exit": null, "signal": 9, "memory": true, "broken": "no \\\\u0022box\\\\u0022"}'
    """
    pairs = [f'"{name}": {_literal(value)}' for name, value in facts.items()]
    return ("{" + ", ".join(pairs) + "}").encode("ascii")


def _literal(value: float | str | None) -> str:
    if isinstance(value, str):
        return '"' + "".join(map(_escaped, value)) + '"'
    return "null" if value is None else str(value).lower()


def _escaped(sign: str) -> str:
    if " " <= sign <= "~" and sign not in '"\\':
        return sign
    return f"\\u{min(ord(sign), 0xFFFD):04x}"  # beyond the first plane it is only known that something was there


def receive(number: int) -> tuple[bytes, bytes] | None:
    """The next frame's kind and content, or None at the end of the stream."""
    head = read_exactly(number, HEAD.size)
    if head is None:
        return None
    kind, size = HEAD.unpack(head)
    content = read_exactly(number, size)
    return None if content is None else (kind, content)


def receive_into(number: int) -> tuple[bytes, bytearray] | None:
    """As `receive`, into memory that can be overwritten and is in no other place."""
    head = read_exactly(number, HEAD.size)
    if head is None:
        return None
    kind, size = HEAD.unpack(head)
    content = bytearray(size)
    view, at = memoryview(content), 0
    while at < size:
        got = os.readv(number, [view[at:]])
        if not got:
            return None
        at += got
    view.release()
    return kind, content


class Channel:
    """The private channel of a worker: whole messages, each with its length before it."""

    def __init__(self, number: int) -> None:
        self._number = number

    def send(self, message: bytes) -> None:
        """One message to the grader."""
        write_all(self._number, SIZE.pack(len(message)) + message)

    def receive(self) -> bytes | None:
        """The grader's next message, or None when it has gone."""
        head = read_exactly(self._number, SIZE.size)
        return None if head is None else read_exactly(self._number, SIZE.unpack(head)[0])
