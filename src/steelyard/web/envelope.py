"""What every answer of the API looks like, right or wrong."""

from __future__ import annotations

import math
from typing import Any, Generic, Literal, TypeVar

import msgspec
from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException, ValidationException

from steelyard.errors import DataError, EngineError, RuleError, SpecError
from steelyard.web.limits import TooManyError
from steelyard.web.logs import LOGGER

T = TypeVar("T")


# Whoever is cut off in the middle of a body would have the rest of it read as the next request.
_HEADERS = {
    401: {"WWW-Authenticate": "Bearer"},
    408: {"Connection": "close"},
    413: {"Connection": "close"},
}


class Ok(msgspec.Struct, Generic[T], frozen=True, kw_only=True):
    """An answer."""

    ok: Literal[True] = True
    data: T


class Wrong(msgspec.Struct, frozen=True, kw_only=True):
    """An error: what is wrong, and the HTTP status."""

    ok: Literal[False] = False
    error: str
    status: int


_PLAINLY = {
    404: "there is no such address",
    405: "this cannot be done at this address",
    413: "the body is too large",
}


def refused(status: int, error: str, headers: dict[str, str] | None = None) -> Response[Wrong]:
    """An error as a response."""
    return Response(
        Wrong(error=error, status=status),
        status_code=status,
        media_type=MediaType.JSON,
        headers=headers,
    )


def on_rule(_: Request[Any, Any, Any], wrong: RuleError) -> Response[Wrong]:
    """The agent did what the rules do not allow."""
    return refused(wrong.status, wrong.message, _HEADERS.get(wrong.status))


def on_too_many(_: Request[Any, Any, Any], wrong: TooManyError) -> Response[Wrong]:
    """Somebody asks too often."""
    return refused(wrong.status, wrong.message, {"Retry-After": str(math.ceil(wrong.wait))})


def on_engine(
    _: Request[Any, Any, Any], failed: EngineError | SpecError | DataError
) -> Response[Wrong]:
    """Something of ours is out of order, or a challenge is: nothing was scored, and the agent did nothing wrong."""
    LOGGER.error("%s: %s", type(failed).__name__, failed)
    return refused(
        503, "the arena cannot do this now; nothing was lost, try again later", {"Retry-After": "5"}
    )


def on_http(_: Request[Any, Any, Any], wrong: HTTPException) -> Response[Wrong]:
    """What the framework refused before a handler saw it."""
    status, text = wrong.status_code, _PLAINLY.get(wrong.status_code) or wrong.detail or "refused"
    if isinstance(wrong, ValidationException):
        told = [
            f"{one.get('key', '')}: {one.get('message', '')}"
            for one in wrong.extra or ()
            if isinstance(one, dict)
        ]
        status, text = 422, "; ".join(told) or text
    return refused(status, text, dict(wrong.headers) if wrong.headers else _HEADERS.get(status))


def on_bug(request: Request[Any, Any, Any], wrong: Exception) -> Response[Wrong]:
    """A bug: told in the log, with nothing of it in the answer."""
    LOGGER.error("bug at %s", request.scope["path"], exc_info=wrong)
    return refused(500, "something went wrong here; it is in the server's log")


HANDLERS: dict[Any, Any] = {
    RuleError: on_rule,
    TooManyError: on_too_many,
    SpecError: on_engine,
    DataError: on_engine,
    EngineError: on_engine,
    HTTPException: on_http,
    Exception: on_bug,
}
