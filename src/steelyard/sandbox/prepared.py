"""A process with an interpreter in it that waits for a job, and the link to it; every backend has one of these."""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from steelyard.errors import SandboxError
from steelyard.sandbox.link import Link

_COMPLAINT = 4000  # bytes of what a command that does not start says


class Prepared:
    """The command runs from the start; it is ready once `wait` has returned, and gone once `close` has."""

    def __init__(self, command: Sequence[str], greeting: bytes, **options: Any) -> None:
        self._lock = threading.Lock()
        with contextlib.ExitStack() as undo:
            self._errors = undo.enter_context(tempfile.TemporaryFile())
            ours, theirs = socket.socketpair()
            undo.callback(ours.close)
            with theirs:
                self.process = subprocess.Popen(
                    command,
                    stdin=theirs.fileno(),
                    stdout=theirs.fileno(),
                    stderr=self._errors,
                    **options,
                )
            undo.callback(self._end)
            self.link = Link(ours.fileno(), ours.fileno())
            self.link.raw(greeting)
            self._undo = undo.pop_all()

    def wait(self, seconds: float, explain: Callable[[str], str]) -> str:
        """The version of the Python that is ready; else a SandboxError with the explanation of what the command said."""
        until = time.monotonic() + seconds
        while time.monotonic() < until and not self.link.ended:
            for kind, content in self.link.frames(until):
                if kind == b"H":
                    return str(json.loads(content)["python"])
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(1)
        self._errors.seek(0)
        raise SandboxError(explain(self._errors.read(_COMPLAINT).decode("utf-8", "replace")))

    @property
    def alive(self) -> bool:
        """Whether a job can be given to it."""
        return self.process.poll() is None and not self.link.ended

    def close(self) -> None:
        """Nothing of it is left; may be called again."""
        with self._lock:
            self._undo.close()

    def _end(self) -> None:
        self.link.ended = True
        self.process.kill()
        self.process.wait()
