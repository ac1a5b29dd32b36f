"""The straight way of a submission, past what the framework does for handlers of any kind.

The route is one of the router's, and errors are answered as everywhere. But reading parameters by their types, and finding
the right response for a value, takes longer than scoring most submissions; and here it is known what comes and what goes.
"""

from __future__ import annotations

from typing import Any

import msgspec
from litestar.types import ASGIApp, Receive, Scope, Send

from steelyard.arena.agents import is_key
from steelyard.arena.match import State
from steelyard.arena.payload import Payload
from steelyard.arena.service import Arena
from steelyard.errors import RuleError
from steelyard.web.access import Rates, key_in
from steelyard.web.api.shapes import Outcome
from steelyard.web.envelope import Ok
from steelyard.web.strict import read_strictly

_MOST = 65_536  # bytes of a body that goes this way
_DIGITS = len(str(_MOST))
_ENCODER = msgspec.json.Encoder()
_JSON = (b"content-type", b"application/json")


def straight(app: ASGIApp) -> ASGIApp:
    """Answers submissions that say how long they are and are not long; `app`, the framework's way, has the others."""

    async def submit(scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(
            reversed(list(scope["headers"]))
        )  # of a header that comes twice, the first one
        length = headers.get(b"content-length", b"")
        if not (length.isdigit() and len(length) <= _DIGITS and 0 < int(length) <= _MOST):
            await app(scope, receive, send)
            return
        body = await _read(receive)
        key = is_key(
            key_in(headers.get(b"authorization", b"").decode("latin-1"))
        )  # before anybody looks into the body
        payload = read_strictly(body, Payload)
        state: Any = scope["litestar_app"].state
        told = await submitted(
            state.arena, state.rates, key, scope["path_params"]["match_id"], body, payload
        )
        answer = _ENCODER.encode(told.envelope)
        await send(
            {
                "type": "http.response.start",
                "status": told.status,
                "headers": [_JSON, (b"content-length", b"%d" % len(answer))],
            }
        )
        await send({"type": "http.response.body", "body": answer, "more_body": False})

    return submit


class Told(msgspec.Struct, frozen=True):
    """What is answered to a submission."""

    status: int
    envelope: Ok[Outcome]


async def submitted(
    arena: Arena, rates: Rates, key: str, match_id: str, body: bytes, payload: Payload
) -> Told:
    """Scored, rated and settled; or safe, with its evaluation going on."""
    told = await arena.submit_with(key, match_id, body, rates.ask, payload)
    status = 202 if told["state"] == State.EVALUATING else 200
    return Told(status, Ok(data=msgspec.convert(told, Outcome)))


async def _read(receive: Receive) -> bytes:
    body = b""
    while True:
        message: Any = await receive()
        if message["type"] == "http.disconnect":
            raise RuleError("the body ended before its length", status=400)
        body += bytes(message.get("body", b""))
        if not message.get("more_body", False):
            return body
