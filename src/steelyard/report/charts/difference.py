"""Differences on an axis with 0 in its middle: a mark and a whisker, and a band of what cannot be told apart."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from steelyard.metrics import Interval
from steelyard.report.charts.axis import cell, drawing, tick_words, ticks
from steelyard.report.markup import Markup, percent, tag

_ROW, _MIDDLE, _BASE, _HEIGHT = 26, 26, 50, 72
_LEAST = 0.01
# A shape says which way a difference goes, where it can be told at all.
MARKS = {
    "better": "M0,-6.5l6.5,11h-13z",
    "worse": "M0,6.5l6.5,-11h-13z",
    "same": "M-5,0a5,5 0 1,0 10,0a5,5 0 1,0 -10,0z",
}


class Scale(NamedTuple):
    """An axis from ``-reach`` to ``reach``."""

    reach: float
    ticks: tuple[float, ...]

    def place(self, value: float) -> float:
        """Where a difference is along the axis, from 0 to 1; what lies beyond an end is put there."""
        return min(max((value + self.reach) / (2 * self.reach), 0.0), 1.0)


def scale(differences: Iterable[float | None]) -> Scale:
    """The axis that shows all of them.

    >>> scale([0.012, -0.034, None]).ticks
    (-0.02, 0.0, 0.02)
    """
    highest = max((abs(one) for one in differences if one is not None), default=0.0)
    reach = min(max(highest, _LEAST) * 1.08, 1.0)
    right = [float(one) for one in ticks(reach, most=3) if one <= reach]
    return Scale(reach, tuple(sorted({*(-one for one in right[1:]), *right})))


def points(value: float | None, digits: int = 1) -> str:
    """A difference in points, hundredths of the score, with its sign.

    >>> points(0.013), points(-0.105), points(0.0), points(None)
    ('+1.3', '−10.5', '0.0', '–')
    """
    if value is None:
        return "–"
    shown = f"{abs(value) * 100:.{digits}f}"
    return shown if not float(shown) else f"{'−' if value < 0 else '+'}{shown}"


def points_interval(found: Interval | None, digits: int = 1) -> str:
    """The bounds of a difference, in points."""
    if found is None or found.lower is None or found.upper is None:
        return "–"
    return f"{points(found.lower, digits)} to {points(found.upper, digits)}"


def difference_row(
    found: Interval | None, on: Scale, *, way: str = "same", least: float | None = None
) -> Markup:
    """One difference in the row of a table whose numbers stand beside it."""
    inside = [_line(on.place(at), 0, _ROW, "axis" if at == 0 else "grid") for at in on.ticks]
    if least is not None:
        inside.insert(0, _band(on, -least, least, (1, _ROW - 2), "bounds"))
    if found is not None:
        inside += _marked(found, on, _ROW / 2, way)
    return cell(inside, height=_ROW)


def difference_axis(on: Scale) -> Markup:
    """The axis over a column of differences; both ends and the middle have a word."""
    return cell(
        [tick_words([(on.place(at), _tick(at)) for at in (on.ticks[0], 0.0, on.ticks[-1])], 12)],
        height=16,
    )


def difference_chart(
    found: Interval | None, on: Scale, *, way: str, least: float | None, about: str
) -> Markup:
    """The headline of a comparison, drawn large."""
    inside = []
    if least is not None:
        inside.append(_band(on, -least, least, (_MIDDLE - 20, _BASE - _MIDDLE + 20), "bounds"))
    inside.append(tag("line", x1="0%", x2="100%", y1=_BASE, y2=_BASE, class_="axis"))
    inside += [_line(on.place(at), _BASE, _BASE + 5, "axis") for at in on.ticks]
    inside.append(_line(on.place(0.0), _MIDDLE - 22, _BASE, "axis"))
    if found is not None:
        if found.lower is not None and found.upper is not None:
            inside.append(_band(on, found.lower, found.upper, (_MIDDLE - 7, 14), f"interval {way}"))
            inside += [
                _line(on.place(at), _MIDDLE - 10, _MIDDLE + 10, f"cap {way}")
                for at in (found.lower, found.upper)
            ]
        inside.append(_mark(on.place(found.value), _MIDDLE, way))
    inside.append(tick_words([(on.place(at), _tick(at)) for at in on.ticks], _HEIGHT - 4))
    return drawing(
        inside,
        height=_HEIGHT,
        title="Difference with its interval",
        about=about,
        name="difference-chart",
    )


def _marked(found: Interval, on: Scale, middle: float, way: str) -> list[Markup]:
    if found.lower is None or found.upper is None:
        return [tag("circle", cx=percent(on.place(found.value)), cy=middle, r=4, class_="ring")]
    lower, upper = on.place(found.lower), on.place(found.upper)
    whisker = tag(
        "line", x1=percent(lower), x2=percent(upper), y1=middle, y2=middle, class_=f"whisker {way}"
    )
    caps = [_line(at, middle - 5, middle + 5, f"whisker {way}") for at in (lower, upper)]
    return [whisker, *caps, _mark(on.place(found.value), middle, way)]


def _mark(share: float, y: float, way: str) -> Markup:
    return tag(
        "svg", tag("path", d=MARKS[way], class_=f"dot {way}"), x=percent(share), y=y, class_="chart"
    )


def _line(share: float, top: float, bottom: float, kind: str) -> Markup:
    return tag("line", x1=percent(share), x2=percent(share), y1=top, y2=bottom, class_=kind)


def _band(on: Scale, lower: float, upper: float, rows: tuple[float, float], kind: str) -> Markup:
    left, right = on.place(lower), on.place(upper)
    return tag(
        "rect",
        x=percent(left),
        width=percent(max(right - left, 0.002)),
        y=rows[0],
        height=rows[1],
        class_=kind,
    )


def _tick(value: float) -> str:
    return f"{'+' if value > 0 else '−' if value < 0 else ''}{abs(round(value * 100, 4)):g}"
