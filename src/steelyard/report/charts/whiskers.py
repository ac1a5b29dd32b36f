"""Values with their intervals, one to a row of a table: a dot and a whisker on an axis from 0 to 1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from steelyard.report.charts.axis import UNIT_TICKS, cell, tick_words, told
from steelyard.report.markup import Markup, percent, tag

_HEIGHT = 26


def whisker(found: Mapping[str, Any], *, shape: str = "dot", mean: float | None = None) -> Markup:
    """One value; a dashed line shows the mean of all, where one is given."""
    middle = _HEIGHT / 2
    inside = [
        tag("line", x1=percent(at), x2=percent(at), y1=0, y2=_HEIGHT, class_="grid")
        for at in UNIT_TICKS
    ]
    if mean is not None:
        inside.append(
            tag("line", x1=percent(mean), x2=percent(mean), y1=0, y2=_HEIGHT, class_="mean")
        )
    lower, upper, value = found.get("ci_lower"), found.get("ci_upper"), found.get("value")
    if lower is not None and upper is not None and lower <= 1 and upper >= 0:
        ends = max(lower, 0.0), min(upper, 1.0)
        inside.append(
            tag(
                "line",
                x1=percent(ends[0]),
                x2=percent(ends[1]),
                y1=middle,
                y2=middle,
                class_="whisker",
            )
        )
        inside += [
            tag(
                "line",
                x1=percent(at),
                x2=percent(at),
                y1=middle - 5,
                y2=middle + 5,
                class_="whisker",
            )
            for at in (lower, upper)
            if 0 <= at <= 1
        ]
    if value is not None:
        inside.append(_point(value, *(("ring", 4) if lower is None else (shape, 5))))
    return cell(inside, height=_HEIGHT)


def _point(value: float, kind: str, size: int) -> Markup:
    """The value; an arrow at the edge that it lies beyond, as a kappa below 0 does, for a dot there would be another value."""
    if 0 <= value <= 1:
        return tag("circle", cx=percent(value), cy=_HEIGHT / 2, r=size, class_=kind)
    below = value < 0
    return tag(
        "text",
        "◂" if below else "▸",
        x=percent(0 if below else 1),
        y=_HEIGHT / 2 + 4,
        class_="label",
        text_anchor="start" if below else "end",
    )


def whisker_axis() -> Markup:
    """The axis that stands over a column of whiskers."""
    return cell([tick_words([(at, told(at)) for at in UNIT_TICKS], 12)], height=16)
