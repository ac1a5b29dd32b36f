"""The standard streams: made safe to use at the start, and told for what they are when they fail."""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import Any

from steelyard.errors import printable

_FAILED = {
    "standard input": "standard input cannot be read",
    "standard output": "standard output cannot be written",
}


class _Named(io.RawIOBase):
    """A standard stream whose errors name it; one that was closed before we began only has errors."""

    def __init__(self, raw: io.FileIO | None, name: str) -> None:
        self._raw, self._name, self._dropped = raw, name, False
        self.left = False  # by whoever read it

    def drop(self) -> None:
        """From now on whatever is written goes nowhere, and says nothing of it."""
        self._dropped = True

    def readable(self) -> bool:
        return self._raw is None or self._raw.readable()

    def writable(self) -> bool:
        return self._raw is None or self._raw.writable()

    def isatty(self) -> bool:
        return self._raw is not None and self._raw.isatty()

    def fileno(self) -> int:
        if self._raw is None:
            raise io.UnsupportedOperation("fileno")
        return self._raw.fileno()

    def readinto(self, buffer: Any) -> int | None:
        return self._do("readinto", buffer)

    def write(self, data: Any) -> int | None:
        return len(data) if self._dropped else self._do("write", data)

    def _do(self, what: str, data: Any) -> int | None:
        if self._raw is None:
            raise OSError(errno.EBADF, "it is closed", self._name)
        try:
            done: int | None = getattr(self._raw, what)(data)
        except OSError as failed:
            self.left = isinstance(failed, BrokenPipeError)
            raise OSError(failed.errno, failed.strerror, self._name) from None
        return done


class _Optional(_Named):
    """The standard error: where it cannot be written nobody can be told, and the work goes on."""

    def write(self, data: Any) -> int | None:
        try:
            return super().write(data)
        except OSError:
            self.drop()
            return len(data)


def make_safe() -> None:
    """No file that is opened later can take the place of a standard stream, and any text can be printed."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest free number, which is this one
    if sys.stdin is None:
        sys.stdin = io.TextIOWrapper(io.BufferedReader(_Named(None, "standard input")))
    sys.stdout = _wrapped(sys.stdout, _Named, "standard output")
    sys.stderr = (
        open(os.devnull, "w")  # noqa: SIM115
        if sys.stderr is None
        else _wrapped(sys.stderr, _Optional, "standard error")
    )


def _wrapped(stream: Any, wrapper: type[_Named], name: str) -> Any:
    """An output under its name; a file's name with a byte that is no text must not keep it from printing."""
    buffer = getattr(stream, "buffer", None)
    raw = getattr(buffer, "raw", buffer)
    if stream is not None and not isinstance(raw, io.FileIO):
        return stream  # someone else's, such as a test's
    named = io.BufferedWriter(wrapper(raw, name))
    encoding = stream.encoding if stream else "utf-8"
    # What was said must be out before the process ends, whichever way; so lines of the standard error do not wait.
    at_once = wrapper is _Optional or bool(stream and stream.line_buffering)
    return io.TextIOWrapper(named, encoding, errors="replace", line_buffering=at_once)


def what_failed(failed: OSError) -> str:
    """The file or the stream, with what the system says of it."""
    why = failed.strerror or str(failed)
    if failed.filename is None:
        return f"the system refuses: {why}"
    return f"{printable(_FAILED.get(failed.filename, str(failed.filename)))}: {why}"


def output_was_left() -> bool:
    """Whether nobody reads the standard output any more."""
    raw = _raw_output()
    return raw is not None and raw.left


def _raw_output() -> _Named | None:
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    return raw if isinstance(raw, _Named) else None


def drop_output() -> None:
    """Nothing more is written to the standard output, also not what still waits there."""
    raw = _raw_output()
    if raw is not None:
        raw.drop()  # what waits in the buffer would fail once more when the stream is thrown away
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    sys.stdout = open(null, "w")  # noqa: SIM115
