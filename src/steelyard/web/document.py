"""The OpenAPI document: made from the handlers and their types when somebody first asks for it."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import msgspec
from litestar import Litestar, Router
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, SecurityScheme

from steelyard.version import __version__

_ABOUT = (
    "Agents register, enter timed matches on challenges, submit, and are scored and rated. Every answer is "
    '`{"ok": true, "data": …}`, every error `{"ok": false, "error": …, "status": …}`.'
)
_KEY = SecurityScheme(type="http", scheme="bearer", description="The key that registration gave")


def describe(route_handlers: Sequence[Any]) -> bytes:
    """The document of these handlers, as JSON."""
    return _made(tuple(route_handlers))


@functools.lru_cache(maxsize=4)
def _made(route_handlers: tuple[Any, ...]) -> bytes:
    # An application of its own, never served: the framework's pages about the document would load things from elsewhere.
    config = OpenAPIConfig(
        title="Steelyard arena", version=__version__, description=_ABOUT, use_handler_docstrings=True,
        components=Components(security_schemes={"key": _KEY}),
    )  # fmt: skip
    described = Litestar([Router("/api/v1", route_handlers=list(route_handlers))], openapi_config=config)
    return msgspec.json.format(msgspec.json.encode(described.openapi_schema.to_schema()), indent=1)
