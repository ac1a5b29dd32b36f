"""What the tests of races stand on: two processes that answer on one store."""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Iterator

import pytest

from arenas import store_url
from servers import Server, asked, serving

__all__ = ["store_url"]
FREELY = ("--workers", 2, "--address-rate", 0, "--key-rate", 0, "--register-rate", 0)


@pytest.fixture
def server(store_url: str) -> Iterator[Server]:
    """`steelyard serve` with two workers, which gives up on a dead evaluator after two seconds."""
    with serving(store_url, *FREELY, "--sweep-seconds", 0.3, "--lease-seconds", 2) as running:
        wait_for_both(running)
        yield running


def wait_for_both(server: Server) -> None:
    """Until each of the two has answered somebody: the first one answers before the second is up."""
    until = time.monotonic() + 60
    while len(asked(server, "/health")) < 2:
        assert time.monotonic() < until, "only one process answers"
        with contextlib.ExitStack() as stack:  # held open side by side, so that they are spread
            for _ in range(8):
                line = stack.enter_context(
                    socket.create_connection((server.host, server.port), timeout=10)
                )
                line.sendall(b"GET /health HTTP/1.1\r\nHost: arena\r\n\r\n")
            time.sleep(0.2)
