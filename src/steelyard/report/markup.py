"""HTML and SVG, put together from pieces of which none can break out of its place."""

from __future__ import annotations

import html
from collections.abc import Iterable

from steelyard.report.terminal import DASH, printable

_VOID = {"meta", "input", "br", "rect", "line", "circle", "path"}


class Markup(str):
    """Text that is markup already; every other string is escaped when it is put into a tag."""

    __slots__ = ()


def text(value: object) -> Markup:
    """The value as text that stays text.

    >>> text("a < b")
    'a &lt; b'
    """
    return value if isinstance(value, Markup) else Markup(html.escape(printable(str(value))))


def tag(name: str, /, *inside: object, **attributes: object) -> Markup:
    """An element. ``class_`` is the attribute class, ``aria_label`` is aria-label; None and False leave one out.

    >>> tag("p", "1 < 2", class_="note")
    '<p class="note">1 &lt; 2</p>'
    """
    told = "".join(
        _attribute(key, value)
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in _VOID and not inside:
        return Markup(f"<{name}{told}>" if name in {"meta", "input", "br"} else f"<{name}{told}/>")
    return Markup(f"<{name}{told}>{''.join(text(one) for one in inside)}</{name}>")


def _attribute(key: str, value: object) -> str:
    name = key.rstrip("_").replace("_", "-") if key != "viewBox" else key
    return f" {name}" if value is True else f' {name}="{html.escape(printable(str(value)))}"'


def joined(pieces: Iterable[object], between: str = "") -> Markup:
    """Pieces side by side."""
    return Markup(between.join(text(one) for one in pieces))


def percent(share: float) -> str:
    """A place along an axis from 0 to 1, as SVG wants it.

    >>> percent(0.12345), percent(1)
    ('12.35%', '100%')
    """
    return f"{share * 100:.2f}".rstrip("0").rstrip(".") + "%"


def short(value: float | None) -> str:
    """A score in the page: three digits, an en dash for none.

    >>> short(0.66667), short(None)
    ('0.667', '–')
    """
    return DASH if value is None else f"{value:.3f}"


def span_of(found: object) -> str:
    """An interval in words, from anything that has ``ci_lower`` and ``ci_upper``; an en dash where there is none."""
    lower, upper = (
        (found.get("ci_lower"), found.get("ci_upper")) if isinstance(found, dict) else (None, None)
    )
    return DASH if lower is None or upper is None else f"{lower:.3f} – {upper:.3f}"
