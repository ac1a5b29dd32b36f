"""A value that grows with the number of attempts: points joined by lines, each with its interval."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

from steelyard.report.charts.axis import UNIT_TICKS, drawing, tick_words, told
from steelyard.report.markup import Markup, percent, short, tag

_TOP, _BASE, _HEIGHT = 14, 174, 200
Points = Sequence[tuple[int, Mapping[str, Any]]]


def curve(points: Points, *, name: str, title: str, what: str, doubling: bool = True) -> Markup:
    """Points at whole numbers; with ``doubling`` each doubling takes the same room."""
    inside = []
    for level in UNIT_TICKS:
        y = _y(level)
        inside.append(tag("line", x1="0%", x2="100%", y1=y, y2=y, class_="axis" if level == 0 else "grid"))
        inside.append(tag("text", told(level), x="0%", y=f"{float(y) - 4:.1f}", class_="tick"))
    drawn = [(_place(number, points, doubling), number, found) for number, found in points if found.get("value") is not None]
    for (left, _, first), (right, _, second) in itertools.pairwise(drawn):
        inside.append(tag("line", x1=percent(left), x2=percent(right), y1=_y(first["value"]), y2=_y(second["value"]),
                          class_="curve"))  # fmt: skip
    for place, (at, number, found) in enumerate(drawn):
        after = drawn[place + 1][2]["value"] if place + 1 < len(drawn) else None
        inside += _point(at, found, f"{what}{number}", after)
    inside.append(tick_words([(at, str(number)) for at, number, _ in drawn], _HEIGHT - 8))
    about = "; ".join(f"{what}{number}: {short(found['value'])}" for _, number, found in drawn)
    return drawing(inside, height=_HEIGHT, title=title, about=about, name=name)


def _point(at: float, found: Mapping[str, Any], word: str, after: float | None) -> list[Markup]:
    """A point with its number, which stands where the line to the next point is not."""
    made, x, last = [], percent(at), after is None
    rising = after is not None and after > found["value"]
    if found.get("ci_lower") is not None:
        low, high = _y(found["ci_lower"]), _y(found["ci_upper"])
        made.append(tag("line", x1=x, x2=x, y1=low, y2=high, class_="whisker"))
    made.append(tag("circle", tag("title", f"{word}: {short(found['value'])}"), cx=x, cy=_y(found["value"]), r=5, class_="dot"))
    label = tag("text", short(found["value"]), x=x, y=_y(found["value"]), dx=-9 if last else 9, dy=18 if rising else -8,
                text_anchor="end" if last else "start", class_="label")  # fmt: skip
    return [*made, label]


def _place(number: int, points: Points, doubling: bool) -> float:
    first, last = points[0][0], points[-1][0]
    if first == last:
        return 0.5
    share = math.log2(number / first) / math.log2(last / first) if doubling else (number - first) / (last - first)
    return 0.08 + 0.86 * share


def _y(value: float) -> str:
    return f"{_BASE - value * (_BASE - _TOP):.1f}"
