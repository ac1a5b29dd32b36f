"""The headline: a value on an axis from 0 to 1, with its interval, and what it could still become."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from steelyard.report.charts.axis import drawing, unit_words
from steelyard.report.markup import Markup, percent, short, span_of, tag

_MIDDLE, _BASE, _HEIGHT = 24, 46, 68


def headline_chart(head: Mapping[str, Any]) -> Markup:
    """The value as a dot, its 95% interval as a bar, and a hatched band from the worst to the best that it can become."""
    inside = [tag("line", x1="0%", x2="100%", y1=_BASE, y2=_BASE, class_="axis")]
    inside += [
        tag("line", x1=percent(at), x2=percent(at), y1=_BASE, y2=_BASE + 5, class_="axis")
        for at in (0, 0.25, 0.5, 0.75, 1)
    ]
    about = f"The score is {short(head['value'])}; its 95% interval is {span_of(dict(head))}."
    if head["scored"] != head["total"] and head["worst"] is not None:
        inside.append(_band(head["worst"], head["best"], 30, "bounds"))
        about += f" With all samples scored it would lie between {short(head['worst'])} and {short(head['best'])}."
    if head["ci_lower"] is not None:
        inside.append(_band(head["ci_lower"], head["ci_upper"], 14, "interval"))
        inside += [
            tag(
                "line",
                x1=percent(at),
                x2=percent(at),
                y1=_MIDDLE - 10,
                y2=_MIDDLE + 10,
                class_="cap",
            )
            for at in (head["ci_lower"], head["ci_upper"])
        ]
    if head["value"] is not None:
        inside.append(tag("circle", cx=percent(head["value"]), cy=_MIDDLE, r=7, class_="dot"))
    inside.append(unit_words(_HEIGHT - 4))
    return drawing(
        inside, height=_HEIGHT, title="Score with its interval", about=about, name="headline-chart"
    )


def _band(lower: float, upper: float, height: float, kind: str) -> Markup:
    return tag(
        "rect",
        x=percent(lower),
        width=percent(max(upper - lower, 0.002)),
        y=_MIDDLE - height / 2,
        height=height,
        class_=kind,
    )
