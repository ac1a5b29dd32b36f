"""Ports of this machine."""

from __future__ import annotations

import socket

from steelyard.errors import DataError


def require_free(port: int) -> None:
    """Nothing, or a DataError where somebody listens on the port already; port 0 is any."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as failed:
            raise DataError(f"port {port} cannot be had: {failed.strerror}") from None
