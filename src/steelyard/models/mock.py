"""A scripted endpoint on loopback, for tests and measurements: it answers, dawdles, refuses and breaks off by plan."""

from __future__ import annotations

import asyncio
import socket
import struct
import threading
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any, cast

import msgspec

from steelyard.models.mock_plan import GARBAGE, Asked, Plan, Rule, Script

HOST = "127.0.0.1"
KEPT = 256
LOGGED = 200_000
PIECES = 10
PHRASES = {status.value: status.phrase for status in HTTPStatus}
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"


class MockServer:
    """The endpoint: ``async with MockServer(plan) as server``, and ``server.url`` is where it is.

    ``calls`` counts requests for completions, ``did`` what was done with them; ``heads`` and ``bodies`` hold the
    latest as they came.
    """

    def __init__(self, plan: Plan | None = None) -> None:
        self.script = Script(plan or Plan())
        self.did: Counter[str] = Counter()
        self.in_flight = self.most_in_flight = 0
        self.heads: deque[bytes] = deque(maxlen=KEPT)
        self.bodies: deque[bytes] = deque(maxlen=KEPT)
        self.requests: deque[tuple[int, int, str, str]] = deque(maxlen=LOGGED)
        self.port = 0
        self._server: asyncio.Server | None = None
        self.connections: set[Connection] = set()

    @property
    def calls(self) -> int:
        """How many completions were asked for."""
        return self.script.requests

    @property
    def url(self) -> str:
        """The address to give as that of a model."""
        return f"http://{HOST}:{self.port}/v1"

    async def start(self, port: int = 0) -> None:
        """Listen, on a free port unless one is named."""
        running = asyncio.get_running_loop()
        self._server = await running.create_server(
            lambda: Connection(self), HOST, port, backlog=1024
        )
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """Listen no more, and leave those who still wait."""
        if self._server is not None:
            self._server.close()
        for connection in list(self.connections):
            connection.abort()

    async def __aenter__(self) -> MockServer:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def note(self, asked: Asked, rule: Rule) -> None:
        """Count what is done with a request."""
        did = str(rule.status) if rule.do == "status" else rule.do
        self.did[did] += 1
        self.requests.append((asked.number, asked.attempt, did, asked.prompt[:80]))
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)

    def log(self) -> dict[str, Any]:
        """What was asked and what was done, as ``/log`` shows it."""
        rows = [
            dict(zip(("number", "try", "did", "prompt"), row, strict=True)) for row in self.requests
        ]
        return {
            "calls": self.calls,
            "prompts": len(self.script.tries),
            "did": dict(self.did),
            "in_flight": self.in_flight,
            "most_in_flight": self.most_in_flight,
            "requests": rows,
        }


class Connection(asyncio.Protocol):
    """One connection: just enough of HTTP/1.1 for clients that send a body with its length."""

    def __init__(self, server: MockServer) -> None:
        self._server, self._held = server, bytearray()
        self._transport: asyncio.Transport | None = None
        self._busy = False
        self._waiting = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # a loop may have a class of its own
        self._server.connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        self._server.connections.discard(self)
        self._done()

    def abort(self) -> None:
        """Break the connection off, so that the other side is reset."""
        if self._transport is not None:
            own = self._transport.get_extra_info("socket")
            own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        self._held += data
        self._read()

    def _read(self) -> None:
        while not self._busy and (end := self._held.find(b"\r\n\r\n")) >= 0:
            head = bytes(self._held[:end])
            length = _length(head)
            if len(self._held) < end + 4 + length:
                return
            body = bytes(self._held[end + 4 : end + 4 + length])
            del self._held[: end + 4 + length]
            self._busy = True
            self._handle(head, body)

    def _handle(self, head: bytes, body: bytes) -> None:
        method, _, rest = head.partition(b" ")
        path = rest.partition(b" ")[0].partition(b"?")[0]
        if method == b"POST" and path.endswith(b"/chat/completions"):
            self._server.heads.append(head)
            self._server.bodies.append(body)
            self._complete(body)
        elif path == b"/log":
            self._send(msgspec.json.encode(self._server.log()))
        elif path.endswith(b"/models"):
            listed = [{"id": self._server.script.plan.model, "object": "model"}]
            self._send(msgspec.json.encode({"object": "list", "data": listed}))
        else:
            self._send(b'{"error": {"message": "there is nothing here"}}', status=404)

    def _complete(self, body: bytes) -> None:
        script = self._server.script
        asked = script.asked(body)
        if asked is None:
            self._send(b'{"error": {"message": "the body is not JSON"}}', status=400)
            return
        rule = script.rule(asked)
        self._server.note(asked, rule)
        self._waiting = True
        if rule.delay > 0:
            asyncio.get_running_loop().call_later(rule.delay, self._act, rule, asked)
        else:
            self._act(rule, asked)

    def _act(self, rule: Rule, asked: Asked) -> None:
        if rule.do == "hang" or self._transport is None:
            return
        if rule.do == "reset":
            self.abort()
        elif rule.do == "status":
            said = {"error": {"message": f"as planned, status {rule.status}", "type": "planned"}}
            self._send(msgspec.json.encode(said), status=rule.status, more=_headers(rule))
        elif rule.do == "garbage":
            self._send(GARBAGE[rule.garbage])
        elif rule.do == "cut":
            whole = self._server.script.answer(rule, asked)
            self._transport.write(HEAD % len(whole) + whole[: len(whole) // 2])
            self._transport.close()
        elif rule.stream > 0:
            whole = self._server.script.answer(rule, asked)
            self._trickle(HEAD % len(whole) + whole, 0, rule.stream / PIECES)
        else:
            self._send(self._server.script.answer(rule, asked))

    def _trickle(self, whole: bytes, piece: int, pause: float) -> None:
        """Send a tenth at a time."""
        size = -(-len(whole) // PIECES)
        if self._transport is None:
            return
        self._transport.write(whole[piece * size : (piece + 1) * size])
        if piece + 1 < PIECES:
            asyncio.get_running_loop().call_later(pause, self._trickle, whole, piece + 1, pause)
        else:
            self._next()

    def _send(self, body: bytes, *, status: int = 200, more: str = "") -> None:
        if self._transport is None:
            return
        if status == 200:
            head = HEAD % len(body)
        else:
            reason = PHRASES.get(status, "Status")
            kind = f"Content-Type: application/json\r\nContent-Length: {len(body)}"
            head = f"HTTP/1.1 {status} {reason}\r\n{kind}\r\n{more}\r\n".encode()
        self._transport.write(head + body)
        self._next()

    def _next(self) -> None:
        self._done()
        self._busy = False
        if self._held:
            asyncio.get_running_loop().call_soon(self._read)

    def _done(self) -> None:
        self._server.in_flight -= self._waiting
        self._waiting = False


def _headers(rule: Rule) -> str:
    """What goes with a refusal."""
    wait = "" if rule.retry_after is None else f"Retry-After: {rule.retry_after:g}\r\n"
    return wait + ("" if rule.location is None else f"Location: {rule.location}\r\n")


def _length(head: bytes) -> int:
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            return int(value)
    return 0


@contextmanager
def serving(plan: Plan | None = None) -> Iterator[MockServer]:
    """The endpoint in a thread of its own, for callers that have no event loop.

    >>> with serving() as server:
    ...     server.url.startswith("http://127.0.0.1:")
    True
    """
    server, ready = MockServer(plan), threading.Event()
    loop = asyncio.new_event_loop()

    def run() -> None:
        asyncio.set_event_loop(loop)
        loop.run_until_complete(server.start())
        ready.set()
        loop.run_forever()

    thread = threading.Thread(target=run, daemon=True, name="mock endpoint")
    thread.start()
    ready.wait(timeout=10)
    try:
        yield server
    finally:
        asyncio.run_coroutine_threadsafe(server.close(), loop).result(timeout=10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(timeout=10)
        loop.close()
