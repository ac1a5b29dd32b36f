"""Zstandard, unpacked: what follows the last frame and is none takes no row of it along."""

from __future__ import annotations

from typing import Any

_FRAME = 0xFD2FB528
_SKIPPED = 0x184D2A50  # and the next fifteen: frames that hold something else
_NO_FRAME = "what follows the data is no zstd"


class Unpacked:
    """A packed stream as it was; whatever is wrong with it is an OSError, after all that could be read."""

    def __init__(self, raw: Any) -> None:
        import pyarrow as pa

        self._frames = _Frames(raw)
        self._stream = pa.CompressedInputStream(pa.PythonFile(self._frames, mode="r"), "zstd")

    def read(self, size: int) -> bytes:
        """The next bytes, at most so many; none at the end."""
        found: bytes = self._stream.read(size)
        if not found and self._frames.strange:
            raise OSError(_NO_FRAME)
        return found


class _Frames:
    """A file up to the end of its last frame: the decompressor would lose what it has where it meets something else."""

    closed = False

    def __init__(self, raw: Any) -> None:
        self._raw, self._ready = raw, bytearray()
        self._left = 0  # of what need not be looked at
        self._inside = self._checked = self._last = False
        self.strange = False

    def read(self, size: int) -> bytes:
        """The next bytes, at most so many."""
        while len(self._ready) < size and self._more(size):
            pass
        found = bytes(self._ready[:size])
        del self._ready[:size]
        return found

    def close(self) -> None:
        """Whoever opened the file closes it."""

    def _more(self, size: int) -> bool:
        """Take in the next piece, if there is one."""
        if self._left:
            piece = self._take(min(size, self._left))
            self._left -= len(piece)
            return bool(piece)
        if self._inside:
            return self._block()
        return self._frame()

    def _take(self, size: int) -> bytes:
        piece: bytes = self._raw.read(size)
        self._ready += piece
        return piece

    def _frame(self) -> bool:
        """The beginning of a frame; anything else is left alone, and so is all that follows it."""
        magic = self._raw.read(4)
        number = int.from_bytes(magic, "little")
        if number == _FRAME:
            self._ready += magic
            return self._header()
        if len(magic) == 4 and _SKIPPED <= number < _SKIPPED + 16:
            self._ready += magic
            self._left = int.from_bytes(self._take(4), "little")
            return True
        self.strange = self.strange or bool(magic)
        return False

    def _header(self) -> bool:
        """What a frame says of itself: a byte tells which fields follow."""
        told = self._take(1)
        if not told:
            return False
        single, content = told[0] >> 5 & 1, told[0] >> 6
        self._inside, self._last, self._checked = True, False, bool(told[0] & 4)
        self._left = (1 - single) + (0, 1, 2, 4)[told[0] & 3] + (single, 2, 4, 8)[content]
        return True

    def _block(self) -> bool:
        if self._last:
            self._inside = False
            self._left = 4 if self._checked else 0
            return True
        head = self._take(3)
        number = int.from_bytes(head, "little")
        self._last = bool(number & 1)
        self._left = 1 if number >> 1 & 3 == 1 else number >> 3  # of a repeated byte there is one
        return len(head) == 3
