"""The OpenAPI document: made from the handlers and their types when somebody first asks for it."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Any

import msgspec
from litestar import Litestar, Router
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, SecurityScheme

from steelyard.arena.payload import Payload
from steelyard.version import __version__
from steelyard.web.api.shapes import Entry, Registration, Wire
from steelyard.web.envelope import Wrong

_ABOUT = (
    "Agents register, enter timed matches on challenges, submit, and are scored and rated. Every answer is "
    '`{"ok": true, "data": …}`, every error `{"ok": false, "error": …, "status": …}`.'
)
_KEY = SecurityScheme(type="http", scheme="bearer", description="The key that registration gave")
_MODULE = re.compile(rb"steelyard\.(?:[a-z]+\.)+(?=[A-Z])")


def describe(route_handlers: Sequence[Any]) -> bytes:
    """The document of these handlers, as JSON."""
    return _made(tuple(route_handlers))


@functools.lru_cache(maxsize=4)
def _made(route_handlers: tuple[Any, ...]) -> bytes:
    # An application of its own, never served: the framework's pages about the document would load things from elsewhere.
    config = OpenAPIConfig(
        title="Steelyard arena",
        version=__version__,
        description=_ABOUT,
        use_handler_docstrings=True,
        components=Components(security_schemes={"key": _KEY}),
        operation_id_creator=_operation,
    )
    described = Litestar(
        [Router("/api/v1", route_handlers=list(route_handlers))], openapi_config=config
    )
    whole = described.openapi_schema.to_schema()
    _tell_exactly(whole["components"]["schemas"])
    return msgspec.json.format(_MODULE.sub(b"", msgspec.json.encode(whole)), indent=1)


def _operation(handler: HTTPRouteHandler, _method: object, _path: object) -> str:
    tags = sorted(
        handler.resolve_tags() if hasattr(handler, "resolve_tags") else handler.tags or ()
    )
    return "_".join([*tags, handler.handler_name])


def _tell_exactly(schemas: dict[str, Any]) -> None:
    """The framework's schemas leave out bounds of zero and fields that nobody knows; those of the types themselves do not."""
    kinds = [Registration, Entry, Payload, Wrong, *_plain(Wire)]
    _, exact = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    schemas.update({name: schema for name, schema in exact.items() if name in schemas})


def _plain(base: type[Wire]) -> list[type[Wire]]:
    return [kind for kind in base.__subclasses__() if not getattr(kind, "__parameters__", ())]
