"""A way to a server that loses answers: the request arrives, and what comes back does not."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from servers import Server


class Relay(ThreadingHTTPServer):
    """Passes requests on; of those whose path ends so, the first few get no answer."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, server: Server, path: str, times: int) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.to, self.path, self.left = server, path, times
        self.passed: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: Relay

    def do_GET(self) -> None:
        self._pass()

    def do_POST(self) -> None:
        self._pass()

    def _pass(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.passed.append(self.path)
        far = http.client.HTTPConnection(self.server.to.host, self.server.to.port, timeout=30)
        far.request(self.command, self.path, body=body or None, headers=dict(self.headers))
        got = far.getresponse()
        content = got.read()
        far.close()
        if self.path.endswith(self.server.path) and self.server.left > 0:
            self.server.left -= 1
            return  # the connection ends without a word
        self.send_response(got.status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args: object) -> None:
        pass


@contextmanager
def losing(server: Server, path: str, times: int) -> Iterator[Relay]:
    """Such a way, while the context lasts."""
    with Relay(server, path, times) as relay:
        thread = threading.Thread(target=relay.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield relay
        finally:
            relay.shutdown()
            thread.join()
