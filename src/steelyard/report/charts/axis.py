"""Scales, ticks, and the frame that every chart has."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from steelyard.report.markup import Markup, joined, percent, tag

UNIT_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


def ticks(highest: float, most: int = 5) -> list[float]:
    """Round numbers from 0 to at least ``highest``, at most ``most`` steps.

    >>> ticks(7), ticks(0.9), ticks(1234)
    ([0, 2, 4, 6, 8], [0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [0, 500, 1000, 1500])
    """
    if highest < 1e-9:  # nothing that could be told apart from 0
        return [0, 1]
    rough = highest / most
    size = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * size for factor in (1, 2, 5, 10) if factor * size >= rough * (1 - 1e-9))
    count = math.ceil(highest / step - 1e-9)
    found = [round(number * step, 10) for number in range(count + 1)]
    return [int(one) for one in found] if step >= 1 else found


def told(value: float) -> str:
    """A tick's number.

    >>> told(0.25), told(1500), told(2_000_000)
    ('0.25', '1,500', '2M')
    """
    if value and value % 1_000_000 == 0:
        return f"{value / 1_000_000:g}M"
    return f"{value:,.0f}" if value >= 100 else f"{value:g}"


def anchor(share: float) -> str:
    """How a word at that place is held, so that the first and the last stay inside the frame."""
    if share < 0.02:
        return "start"
    return "end" if share > 0.98 else "middle"


def unit_grid(height: float) -> Markup:
    """Light lines at the quarters of an axis from 0 to 1."""
    return joined(
        tag("line", x1=percent(at), x2=percent(at), y1=0, y2=height, class_="grid")
        for at in UNIT_TICKS
    )


def tick_words(places: Iterable[tuple[float, str]], y: float) -> Markup:
    """The numbers under an axis."""
    return joined(
        tag("text", word, x=percent(at), y=y, text_anchor=anchor(at), class_="tick")
        for at, word in places
    )


def unit_words(y: float) -> Markup:
    """The numbers under an axis from 0 to 1."""
    return tick_words([(at, told(at)) for at in UNIT_TICKS], y)


def drawing(
    inside: Sequence[Markup], *, height: float, title: str, about: str = "", name: str
) -> Markup:
    """A whole chart with its name and a description for those who do not see it."""
    labels = f"{name}-title {name}-about" if about else f"{name}-title"
    words = [tag("title", title, id=f"{name}-title")]
    if about:
        words.append(tag("desc", about, id=f"{name}-about"))
    return tag(
        "svg",
        *words,
        *inside,
        role="img",
        width="100%",
        height=f"{height:g}",
        class_="chart",
        aria_labelledby=labels,
    )


def cell(inside: Iterable[Markup], *, height: float) -> Markup:
    """A drawing in a table's row whose numbers stand beside it: nothing to be read aloud twice."""
    return tag(
        "svg",
        *inside,
        width="100%",
        height=f"{height:g}",
        class_="chart",
        aria_hidden="true",
        focusable="false",
    )
