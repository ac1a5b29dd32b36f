"""Style, script and icon. An address has the digest of its content in it, so a browser may keep it for ever."""

from __future__ import annotations

import functools
import hashlib
import importlib.resources
from typing import Final, NamedTuple

from litestar import Response, get
from litestar.params import FromPath

from steelyard.errors import RuleError
from steelyard.report.palette import colours

_DATA = importlib.resources.files("steelyard") / "data"
# The tokens and charts look as they do in the report of a run.
_PARTS: Final = {
    "arena.css": (("report/style.css", "pages/arena.css"), "text/css"),
    "arena.js": (("report/js/theme.js", "pages/live.js", "pages/start.js"), "text/javascript"),
    "icon.svg": (("pages/icon.svg",), "image/svg+xml"),
}


class Asset(NamedTuple):
    """A file as it is sent."""

    address: str
    content: bytes
    media_type: str


@functools.cache
def _asset(name: str) -> Asset:
    parts, kind = _PARTS[name]
    texts = [(_DATA / part).read_text(encoding="utf-8") for part in parts]
    if name.endswith(".css"):
        own = "".join(f"--{colour}:{value};" for colour, value in colours().items())
        texts.insert(0, f":root{{{own}}}")
    if name.endswith(".js"):
        texts = ['"use strict";', "(() => {", *texts, "})();"]
    content = "\n".join(texts).encode()
    stem, _, ending = name.rpartition(".")
    digest = hashlib.sha256(content).hexdigest()[:16]
    return Asset(f"/assets/{stem}.{digest}.{ending}", content, f"{kind}; charset=utf-8")


def address_of(name: str) -> str:
    """Where the file is found."""
    return _asset(name).address


@get("/assets/{name:str}", include_in_schema=False, sync_to_thread=False)
def asset(name: FromPath[str]) -> Response[bytes]:
    """The file of that address."""
    for known in _PARTS:
        found = _asset(known)
        if found.address == f"/assets/{name}":
            kept = {"Cache-Control": "public, max-age=31536000, immutable"}
            return Response(found.content, media_type=found.media_type, headers=kept)
    raise RuleError("there is no such file", status=404)
