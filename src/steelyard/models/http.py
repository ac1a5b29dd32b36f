"""An endpoint that speaks the OpenAI protocol of chat completions, over HTTP."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from steelyard.errors import DataError, ModelError
from steelyard.models.address import chat_address, key_from, proxy_of
from steelyard.models.completion import failure, malformed, read_completion
from steelyard.models.patience import Patience
from steelyard.models.types import Reply, Request

if TYPE_CHECKING:
    import aiohttp

LARGEST_BODY = 16 * 1024 * 1024
LARGEST_ERROR = 64 * 1024
OURS = frozenset({"model", "messages"})


class Timeouts(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds: to connect, until the first piece of a reply and between two, and for a whole call."""

    connect: float = 15.0
    read: float = 300.0
    total: float = 600.0


class HttpModel:
    """A model behind a chat-completions address.

    The address may be given with or without ``/v1`` and ``/chat/completions``. The key is taken from the environment
    variable that ``key_env`` names, sent to that address alone, and shown nowhere. ``parameters`` go into the body of
    every request; those of a request itself come first.
    """

    def __init__(
        self,
        url: str,
        name: str,
        *,
        key_env: str | None = None,
        parameters: Mapping[str, Any] | None = None,
        timeouts: Timeouts | None = None,
        largest_body: int = LARGEST_BODY,
    ) -> None:
        self.address, self.name = chat_address(url), name
        self._key = key_from(key_env)
        self._parameters = dict(parameters or {})
        _check(self._parameters)
        self._timeouts = timeouts or Timeouts()
        self._patience = Patience(self._timeouts.read, self._timeouts.total)
        # No call takes longer, so that whoever waits for one needs no clock of his own up to there.
        self.longest = self._timeouts.total
        self._largest_body = largest_body
        self._proxy = proxy_of(self.address)
        self._session: aiohttp.ClientSession | None = None

    def __repr__(self) -> str:
        return f"HttpModel({self.address!r}, {self.name!r})"

    @property
    def identity(self) -> Mapping[str, Any]:
        """Its address, its name, and what goes with every request."""
        return {
            "kind": "http",
            "name": self.name,
            "address": self.address,
            "parameters": self._parameters,
        }

    async def ask(self, request: Request) -> Reply:
        """The reply to one request."""
        import aiohttp

        body = self._body(request)
        began = time.monotonic()
        try:
            content = await self._post(body, began)
        except TimeoutError as late:
            what = (
                "no connection" if isinstance(late, aiohttp.ConnectionTimeoutError) else "no reply"
            )
            raise ModelError(f"{what} in time from {self.address}", kind="timeout") from None
        except (aiohttp.ClientError, OSError) as failed:
            said = self._key.hide(str(failed) or type(failed).__name__)
            raise ModelError(
                f"the connection to {self.address} failed: {said}", kind="connection"
            ) from None
        return self._read(content, time.monotonic() - began)

    async def close(self) -> None:
        """Close its connections."""
        self._patience.rest()
        if self._session is not None:
            await self._session.close()
            self._session = None

    def _body(self, request: Request) -> bytes:
        if request.parameters:
            _check(request.parameters)
        whole = {
            "model": self.name,
            "messages": request.messages,
            **self._parameters,
            **request.parameters,
        }
        try:
            return msgspec.json.encode(whole)
        except (TypeError, ValueError) as wrong:  # half a surrogate pair in a prompt, for one
            raise ModelError(
                f"the request cannot be written as JSON: {wrong}", kind="bad_request"
            ) from None

    async def _post(self, body: bytes, began: float) -> bytes:
        """The body of an answer with status 200; a TimeoutError where that took too long."""
        async with asyncio.timeout(None) as call:
            self._patience.begins(call, began)
            try:
                return await self._answer(body, call)
            finally:
                self._patience.ends(call)

    async def _answer(self, body: bytes, call: asyncio.Timeout) -> bytes:
        session = self._session or self._open()
        async with session.post(
            self.address, data=body, allow_redirects=False, proxy=self._proxy
        ) as answer:
            if answer.status == 200:
                return await self._read_up_to(answer, self._largest_body + 1, call)
            said = self._key.hide_in(await self._read_up_to(answer, LARGEST_ERROR, call))
            raise self._hidden(failure(answer.status, answer.headers, said, now=time.time()))

    async def _read_up_to(
        self, answer: aiohttp.ClientResponse, most: int, call: asyncio.Timeout
    ) -> bytes:
        """The body, or as much of it as may be taken."""
        pieces: list[bytes] = []
        taken = 0
        self._patience.hears(call)
        while taken < most and (piece := await answer.content.readany()):
            pieces.append(piece)
            taken += len(piece)
            self._patience.hears(call)
        if taken >= most:
            answer.close()  # the rest is not waited for
        return b"".join(pieces)

    def _read(self, content: bytes, seconds: float) -> Reply:
        if len(content) > self._largest_body:
            raise malformed(f"the reply has more than {self._largest_body:,} bytes")
        if not self._key:
            return read_completion(content, seconds)
        try:
            return self._without_key(read_completion(self._key.hide_in(content), seconds))
        except ModelError as wrong:
            raise self._hidden(wrong) from None

    def _open(self) -> aiohttp.ClientSession:
        import aiohttp

        self._session = aiohttp.ClientSession(
            # How many calls are in flight is the pacer's to say.
            connector=aiohttp.TCPConnector(limit=0, ttl_dns_cache=300),
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=self._timeouts.connect),
            headers={
                "Content-Type": "application/json",
                "Accept": "application/json",
                **self._key.header(),
            },
            cookie_jar=aiohttp.DummyCookieJar(),
        )
        return self._session

    def _hidden(self, failed: ModelError) -> ModelError:
        return ModelError(
            self._key.hide(failed.message),
            kind=failed.kind,
            status=failed.status,
            retry_after=failed.retry_after,
        )

    def _without_key(self, reply: Reply) -> Reply:
        """A server that shows the key again must not bring it into a file."""
        hide = self._key.hide
        told = {name: getattr(reply, name) for name in ("text", "reasoning", "finish", "served_by")}
        hidden = {name: hide(value) for name, value in told.items()}
        return reply if hidden == told else msgspec.structs.replace(reply, **hidden)


def _check(parameters: Mapping[str, Any]) -> None:
    """Parameters that would change what a reply is."""
    for name in OURS & parameters.keys():
        raise DataError(f"{name!r} is no parameter: it is said elsewhere")
    if parameters.get("stream"):
        raise DataError("'stream' cannot be asked for: replies are read whole")
    if parameters.get("n", 1) != 1:
        raise DataError("'n' cannot be asked for: a repeat is a request of its own")
