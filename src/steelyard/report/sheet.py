"""A page from its template: style and script are inside it, and its policy lets in nothing else."""

from __future__ import annotations

import base64
import functools
import hashlib
import importlib.resources
from collections.abc import Mapping
from string import Template

import msgspec

from steelyard.report.markup import Markup
from steelyard.report.palette import colours

_HERE = importlib.resources.files("steelyard") / "data" / "report"
_SAMPLES = (
    "unpack",
    "store",
    "search",
    "state",
    "texts",
    "parts",
    "table",
    "panel",
    "theme",
    "page",
)


class Kind(msgspec.Struct, frozen=True):
    """A kind of page: the template of its body, its scripts and styles, and where its forms may lead."""

    template: str
    scripts: tuple[str, ...]
    styles: tuple[str, ...]
    forms: str = "'none'"


# What is particular to a kind comes first: the others are put together from it.
RUN = Kind("run.html", ("run_kind", *_SAMPLES), ("style", "samples"))
COMPARISON = Kind("compare.html", ("compare_kind", *_SAMPLES), ("style", "samples", "compare"))
INDEX = Kind("index.html", ("theme", "index"), ("style", "index"), "'self'")
MESSAGE = Kind("message.html", ("theme", "index"), ("style",))
KINDS = (RUN, COMPARISON, INDEX, MESSAGE)


def filled(kind: Kind, parts: Mapping[str, Markup]) -> str:
    """The page of that kind with these parts in it."""
    shared = {
        "policy": policy(kind),
        "style": _style(kind),
        "script": _script(kind),
        "patterns": _read("patterns.svg"),
    }
    # The body goes in before anything is filled in: what a run says may look like a place to be filled.
    return Template(_read("page.html").replace("<!--body-->\n", _read(kind.template))).substitute(
        shared, **parts
    )


@functools.cache
def policy(kind: Kind) -> str:
    """What the browser lets the page do: run its own script, show its own style, and nothing else."""
    style, script = _hash(_style(kind)), _hash(_script(kind))
    return f"default-src 'none'; style-src {style}; script-src {script}; base-uri 'none'; form-action {kind.forms}"


def _style(kind: Kind) -> str:
    own = "".join(f"--{name}:{value};" for name, value in colours().items())
    return f":root{{{own}}}\n{''.join(_read(f'{name}.css') for name in kind.styles)}"


def _script(kind: Kind) -> str:
    return "\n".join(
        ['"use strict";', "(() => {", *(_read(f"js/{name}.js") for name in kind.scripts), "})();"]
    )


def _hash(content: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"


@functools.cache
def _read(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")
