"""Values that change with the number of attempts: points joined by lines, each with its interval; a shape for each line."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from steelyard.report.charts.axis import UNIT_TICKS, drawing, tick_words, told
from steelyard.report.markup import Markup, percent, short, tag

_TOP, _BASE, _HEIGHT = 14, 174, 200
_APART = 15  # between two numbers at the end of lines
_SHAPES = {
    "circle": "M-5,0a5,5 0 1,0 10,0a5,5 0 1,0 -10,0z",
    "square": "M-4.5,-4.5h9v9h-9z",
    "diamond": "M0,-6l6,6l-6,6l-6,-6z",
    "triangle": "M0,-6l6,10h-12z",
}


class Line(NamedTuple):
    """What is joined by one line: its name, and values at whole numbers."""

    name: str
    points: Sequence[tuple[int, Mapping[str, Any]]]


def curves(lines: Sequence[Line], *, name: str, title: str, doubling: bool = True) -> Markup:
    """The lines with their axes and a key; with ``doubling`` each doubling takes the same room."""
    places = _places(sorted({number for line in lines for number, _ in line.points}), doubling)
    inside = []
    for level in UNIT_TICKS:
        y = f"{_y(level):.1f}"
        inside.append(
            tag("line", x1="0%", x2="100%", y1=y, y2=y, class_="axis" if level == 0 else "grid")
        )
        inside.append(tag("text", told(level), x="0%", y=f"{_y(level) - 4:.1f}", class_="tick"))
    ends = _apart([_y(line.points[-1][1]["value"]) for line in lines])
    for number, (line, end) in enumerate(zip(lines, ends, strict=True)):
        inside += _line(line, places, list(_SHAPES)[number % len(_SHAPES)], end)
    inside.append(tick_words([(at, str(number)) for number, at in places.items()], _HEIGHT - 8))
    about = "; ".join(
        f"{line.name} {number}: {short(found['value'])}"
        for line in lines
        for number, found in line.points
    )
    drawn = drawing(inside, height=_HEIGHT, title=title, about=about, name=name)
    return tag("div", _key(lines), drawn) if len(lines) > 1 else drawn


def _line(line: Line, places: Mapping[int, float], shape: str, end: float) -> list[Markup]:
    made = []
    for (left, first), (right, second) in itertools.pairwise(line.points):
        made.append(
            tag(
                "line",
                x1=percent(places[left]),
                x2=percent(places[right]),
                y1=f"{_y(first['value']):.1f}",
                y2=f"{_y(second['value']):.1f}",
                class_=f"curve {shape}",
            )
        )
    for number, found in line.points:
        x = percent(places[number])
        if found.get("ci_lower") is not None:
            low, high = f"{_y(found['ci_lower']):.1f}", f"{_y(found['ci_upper']):.1f}"
            made.append(tag("line", x1=x, x2=x, y1=low, y2=high, class_=f"whisker {shape}"))
        word = tag("title", f"{line.name} {number}: {short(found['value'])}")
        made.append(
            tag(
                "svg",
                tag("path", word, d=_SHAPES[shape], class_=f"dot {shape}"),
                x=x,
                y=f"{_y(found['value']):.1f}",
                class_="chart",
            )
        )
    last, found = line.points[-1]
    made.append(
        tag(
            "text",
            short(found["value"]),
            x=percent(places[last]),
            y=f"{end:.1f}",
            dx=11,
            dy=4,
            class_="label",
        )
    )
    return made


def _key(lines: Sequence[Line]) -> Markup:
    items = []
    for line, shape in zip(lines, _SHAPES, strict=False):
        mark = tag(
            "svg",
            tag("path", d=_SHAPES[shape], class_=f"dot {shape}"),
            viewBox="-8 -8 16 16",
            width=16,
            height=16,
            aria_hidden="true",
            focusable="false",
        )
        items.append(tag("li", mark, line.name))
    return tag("ul", *items, class_="key")


def _places(numbers: Sequence[int], doubling: bool) -> dict[int, float]:
    """Where along the axis each number is; there is room for a word at either end."""
    first, last = numbers[0], numbers[-1]
    if first == last:
        return {first: 0.5}
    whole = math.log2(last / first) if doubling else last - first
    return {
        one: 0.08 + 0.8 * (math.log2(one / first) if doubling else one - first) / whole
        for one in numbers
    }


def _apart(heights: Sequence[float]) -> list[float]:
    """The heights, moved as little as it takes for words there not to touch.

    >>> _apart([50, 48, 100])
    [63, 48, 100]
    """
    found, free = list(heights), -math.inf
    for place in sorted(range(len(found)), key=found.__getitem__):
        found[place] = max(found[place], free)
        free = found[place] + _APART
    return found


def _y(value: float) -> float:
    return _BASE - value * (_BASE - _TOP)
