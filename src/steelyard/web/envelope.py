"""What every answer of the API looks like, right or wrong."""

from __future__ import annotations

import logging
from typing import Any, Generic, Literal, TypeVar

import msgspec
from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException, ValidationException

from steelyard.errors import DataError, EngineError, RuleError, SpecError

T = TypeVar("T")
_LOG = logging.getLogger("steelyard.arena")


class Ok(msgspec.Struct, Generic[T], frozen=True, kw_only=True):
    """An answer."""

    ok: Literal[True] = True
    data: T


class Wrong(msgspec.Struct, frozen=True, kw_only=True):
    """An error: what is wrong, and the HTTP status."""

    ok: Literal[False] = False
    error: str
    status: int


def refused(status: int, error: str, headers: dict[str, str] | None = None) -> Response[Wrong]:
    """An error as a response."""
    return Response(
        Wrong(error=error, status=status), status_code=status, media_type=MediaType.JSON, headers=headers
    )


def on_rule(_: Request[Any, Any, Any], wrong: RuleError) -> Response[Wrong]:
    """The agent did what the rules do not allow."""
    headers = {"WWW-Authenticate": "Bearer"} if wrong.status == 401 else None
    return refused(wrong.status, wrong.message, headers)


def on_input(_: Request[Any, Any, Any], wrong: SpecError | DataError) -> Response[Wrong]:
    """What was handed in cannot be read."""
    return refused(422, str(wrong))


def on_engine(_: Request[Any, Any, Any], failed: EngineError) -> Response[Wrong]:
    """Something of ours is out of order; nothing was scored."""
    _LOG.error("engine: %s", failed)
    return refused(
        503, "the arena cannot do this now; nothing was lost, try again later", {"Retry-After": "5"}
    )


def on_http(_: Request[Any, Any, Any], wrong: HTTPException) -> Response[Wrong]:
    """What the framework refused before a handler saw it."""
    status, text = wrong.status_code, wrong.detail or "refused"
    if isinstance(wrong, ValidationException):
        told = [
            f"{one.get('key', '')}: {one.get('message', '')}"
            for one in wrong.extra or ()
            if isinstance(one, dict)
        ]
        status, text = 422, "; ".join(told) or text
    return refused(status, text, dict(wrong.headers) if wrong.headers else None)


def on_bug(request: Request[Any, Any, Any], wrong: Exception) -> Response[Wrong]:
    """A bug: told in the log, with nothing of it in the answer."""
    _LOG.error("bug at %s", request.scope["path"], exc_info=wrong)
    return refused(500, "something went wrong here; it is in the server's log")


HANDLERS: dict[Any, Any] = {
    RuleError: on_rule,
    SpecError: on_input,
    DataError: on_input,
    EngineError: on_engine,
    HTTPException: on_http,
    Exception: on_bug,
}
