"""What stands before the application: it counts requests, bounds how long a body may take, and dresses every answer."""

from __future__ import annotations

import asyncio
import math
import random
import time
from collections.abc import Iterable
from typing import Any, Final

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from steelyard.errors import RuleError
from steelyard.web.envelope import Wrong
from steelyard.web.limits import Buckets, network_of
from steelyard.web.logs import Asked, RequestLog
from steelyard.web.settings import Settings

ADDRESS: Final = "steelyard.address"
_POLICY = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    b"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Final = (
    (b"content-security-policy", _POLICY),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
_NOT_KEPT: Final = (b"cache-control", b"no-store")
_NAMED_HERE: Final = {b"x-request-id", *(name for name, _ in (*HEADERS, _NOT_KEPT))}


class Guard:
    """The application behind it sees only what came at a bearable rate."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app, self._settings = app, settings
        rate = settings.address_rate
        self._buckets = Buckets(rate=rate, burst=2 * rate, clock=time.monotonic)
        self._log = RequestLog() if settings.log_requests else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One connection; the events of start and end pass through."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        address = _address(scope, trusted=self._settings.trust_proxy)
        network = network_of(address)
        scope["state"] = {**scope.get("state", {}), ADDRESS: network}
        dressed = _Dressed(scope, send)
        try:
            if wait := self._buckets.take(network):
                await _refuse(dressed, 429, "too many requests from this address; slow down", wait)
            elif wrong := _no_request(scope):
                await _refuse(dressed, *wrong)
            else:
                await self._app(
                    _asked(scope), _Timed(receive, self._settings.body_seconds), dressed
                )
        finally:
            if self._log is not None:
                self._log.note(dressed.asked(address))


class _Dressed:
    """Sends an answer with the headers that every answer has, and remembers its status for the log."""

    def __init__(self, scope: Any, send: Send) -> None:
        self._scope, self._send = scope, send
        self._method = scope["method"]
        self._begun, self._status = time.perf_counter(), 0
        self._id = (
            f"{random.getrandbits(64):016x}"  # a name, not a secret: no way to the kernel for it
        )

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._status = message["status"]
            headers = message.get("headers", ())
            message["headers"] = [*headers, *self._missing(headers)]
        elif message["type"] == "http.response.body" and self._method == "HEAD":
            message["body"] = b""
        await self._send(message)

    def _missing(self, headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        wanted = [*HEADERS, (b"x-request-id", self._id.encode())]
        if self._scope["path"].startswith("/api/"):
            wanted.append(_NOT_KEPT)
        there = {name.lower() for name, _ in headers}
        return (
            wanted
            if there.isdisjoint(_NAMED_HERE)
            else [pair for pair in wanted if pair[0] not in there]
        )

    def asked(self, address: str) -> Asked:
        """The request, for the log."""
        took = round((time.perf_counter() - self._begun) * 1000, 3)
        return Asked(
            request=self._id,
            method=self._method,
            path=self._scope["path"],
            status=self._status,
            ms=took,
            address=address,
        )


class _Timed:
    """Hands over the pieces of a body, as long as they come in time."""

    def __init__(self, receive: Receive, seconds: float) -> None:
        self._receive, self._seconds = receive, seconds
        self._until: float | None = None
        self._whole = False

    async def __call__(self) -> Any:
        if self._whole:  # what comes now is the news that the client has left
            return await self._receive()
        now = time.monotonic()
        self._until = self._until or now + self._seconds
        try:
            async with asyncio.timeout(
                self._until - now
            ):  # which, unlike wait_for, needs no task of its own
                message: Any = await self._receive()
        except TimeoutError:
            raise RuleError(
                f"the body did not come within {self._seconds:g} seconds", status=408
            ) from None
        self._whole = not message.get("more_body", False)
        return message


async def _refuse(send: Send, status: int, error: str, wait: float = 0) -> None:
    body = msgspec.json.encode(Wrong(error=error, status=status))
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if wait:
        headers.append((b"retry-after", str(math.ceil(wait)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


def _asked(scope: Any) -> Any:
    """The request as the application is asked: for the head of a page the whole page is made, and its body is not sent."""
    if scope["method"] == "HEAD" and not scope["path"].startswith("/api/"):
        return {**scope, "method": "GET"}
    return scope


def _no_request(scope: Any) -> tuple[int, str] | None:
    """What is wrong with a request whatever it asks for."""
    if not scope[
        "path"
    ].isprintable():  # nothing here has such a name, and not every store can look for it
        return 404, "there is no such address"
    if scope["http_version"] == "1.1" and not any(
        name == b"host" and value for name, value in scope["headers"]
    ):
        return 400, "a request says in its header Host for whom it is"
    return None


def _address(scope: Any, *, trusted: bool) -> str:
    """Where the request comes from. Anybody can write a header, so it counts only behind a proxy that appends to it."""
    if trusted:
        told = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
        if told and (last := str(told[-1], "latin-1").rpartition(",")[2].strip()):
            return last[:64]
    client = scope.get("client")
    return str(client[0]) if client else "?"
