"""A page from its template: whatever goes into it is text, unless we drew it."""

from __future__ import annotations

import functools
import importlib.resources
from collections.abc import Mapping
from typing import Any

import markupsafe
from jinja2 import Environment, FunctionLoader, StrictUndefined
from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException, NotFoundException

from steelyard.arena.trajectory import MEANING
from steelyard.report import markup
from steelyard.report.terminal import printable
from steelyard.web.envelope import HANDLERS, Wrong
from steelyard.web.pages import words
from steelyard.web.pages.assets import address_of

_HERE = importlib.resources.files("steelyard") / "data"
_PATTERNS = "report/patterns.svg"


def page(
    template: str, *, status: int = 200, headers: Mapping[str, str] | None = None, **parts: Any
) -> Response[str]:
    """The page; it is asked for again each time, because the next match may change it."""
    made = environment().get_template(template).render(parts)
    told = {"Cache-Control": "no-cache", **(headers or {})}
    return Response(made, status_code=status, media_type=MediaType.HTML, headers=told)


@functools.cache
def environment() -> Environment:
    """The templates, with the words and addresses that all of them use."""
    made = Environment(
        autoescape=True,
        loader=FunctionLoader(_source),
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        day=words.day,
        minute=words.minute,
        moment=words.moment,
        span=words.span,
        signed=words.signed,
        thousands=words.thousands,
        points=words.points,
        sentence=words.sentence,
    )
    patterns = markupsafe.Markup((_HERE / _PATTERNS).read_text(encoding="utf-8"))
    made.globals.update(patterns=patterns, asset=address_of, glyphs=words.GLYPHS, meaning=MEANING)
    return made


def _source(name: str) -> str:
    return (_HERE / "pages" / name).read_text(encoding="utf-8")


def _shown(value: object) -> object:
    """What was drawn stays as it is; of all else, what a browser would obey in silence becomes visible."""
    if isinstance(value, markup.Markup):
        return markupsafe.Markup(value)
    if value is None or isinstance(value, markupsafe.Markup):
        return value if value is not None else ""
    return printable(str(value))


def _told(handler: Any) -> Any:
    """The same answer as the API's, for people."""

    def tell(request: Request[Any, Any, Any], wrong: Exception) -> Response[str]:
        said: Response[Wrong] = handler(request, wrong)
        title = "Not found" if said.status_code == 404 else "This did not work"
        return page(
            "message.html",
            status=said.status_code or 500,
            headers=dict(said.headers),
            title=title,
            message=said.content.error,
        )

    return tell


# A page that cannot be shown says why on a page.
PAGE_HANDLERS: dict[Any, Any] = {kind: _told(handler) for kind, handler in HANDLERS.items()}


def on_missing(request: Request[Any, Any, Any], wrong: NotFoundException) -> Response[Any]:
    """An address that nothing has: a browser is shown a page, a program is told in JSON."""
    people = "text/html" in request.headers.get("accept", "") and not request.scope[
        "path"
    ].startswith("/api/")
    found: Response[Any] = (PAGE_HANDLERS if people else HANDLERS)[HTTPException](request, wrong)
    return found
