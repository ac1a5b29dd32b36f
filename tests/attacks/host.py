"""What whoever runs the grader has, and no program may find: a variable, a file, services that listen."""

from __future__ import annotations

import contextlib
import os
import socket
import tempfile
from collections.abc import Iterator

PORT = 47811  # the programs of the corpus know it
VARIABLE = "STEELYARD_CANARY"


@contextlib.contextmanager
def canaries() -> Iterator[None]:
    """While this is open, they are there to be found."""
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(
            tempfile.NamedTemporaryFile("w", prefix="steelyard-canary-", dir="/tmp")
        )
        file.write("CANARY\n")
        file.flush()
        os.chmod(file.name, 0o644)
        stack.enter_context(_service())
        stack.enter_context(_local_service())
        os.environ[VARIABLE] = "1"
        stack.callback(os.environ.pop, VARIABLE, None)
        yield


def _service() -> socket.socket:
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    with contextlib.suppress(
        OSError
    ):  # another user's test run listens there, which will do as well
        line.bind(("127.0.0.1", PORT))
        line.listen(100)
    return line


def _local_service() -> socket.socket:
    line = socket.socket(socket.AF_UNIX)
    with contextlib.suppress(OSError):  # as above
        line.bind("\0steelyard-canary")
        line.listen(100)
    return line
