"""How often what was seen: counts over equal steps, with both axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from steelyard.report.charts.axis import drawing, tick_words, ticks, told
from steelyard.report.markup import Markup, percent, tag

_TOP, _BASE, _HEIGHT = 16, 136, 160
# What a digit of the counts takes of the width of the narrowest chart, on a phone, and the air beside them.
_DIGIT, _AIR = 0.022, 0.015


class Bins(NamedTuple):
    """Counts over equal steps from ``lower`` to ``upper``; ``over`` is how many lie above, and are not drawn."""

    lower: float
    upper: float
    counts: Sequence[int]
    over: int = 0


class Marked(NamedTuple):
    """A value that is pointed out in a histogram."""

    value: float
    word: str


def histogram(
    bins: Bins,
    *,
    name: str,
    title: str,
    unit: str,
    kind: str = "data",
    marks: Sequence[Marked] = (),
) -> Markup:
    """The bars with their axes; each bar says its count when it is pointed at."""
    levels = ticks(max([*bins.counts, 1]), most=4)
    top = levels[-1]
    inside = []
    for level in levels:
        y = _BASE - (level / top) * (_BASE - _TOP)
        inside.append(
            tag(
                "line",
                x1="0%",
                x2="100%",
                y1=f"{y:.1f}",
                y2=f"{y:.1f}",
                class_="axis" if level == 0 else "grid",
            )
        )
        if level:
            inside.append(tag("text", told(level), x="0%", y=f"{y - 4:.1f}", class_="tick"))
    gutter = max(len(told(level)) for level in levels) * _DIGIT + _AIR
    inside += _bars(bins, top, kind, gutter)
    for mark in marks:
        inside += _mark(bins, mark, gutter)
    inside.append(
        tick_words([(_beside(gutter, at), word) for at, word in _places(bins)], _HEIGHT - 8)
    )
    reach = f"from {told(bins.lower)} to {told(bins.upper)} {unit}".strip()
    about = f"{sum(bins.counts):,} values in {len(bins.counts)} steps {reach}."
    return drawing(inside, height=_HEIGHT, title=title, about=about, name=name)


def _beside(gutter: float, share: float) -> float:
    """A place on the axis of the bars, which begins where the counts at the left end: no bar may hide them."""
    return gutter + share * (1 - gutter)


def _bars(bins: Bins, top: float, kind: str, gutter: float) -> list[Markup]:
    width, found = 1 / len(bins.counts), []
    step = (bins.upper - bins.lower) / len(bins.counts)
    for number, count in enumerate(bins.counts):
        if not count:
            continue
        high = max(count / top * (_BASE - _TOP), 1.5)
        lower = bins.lower + number * step
        word = tag("title", f"{told(round(lower, 4))} to {told(round(lower + step, 4))}: {count:,}")
        found.append(
            tag(
                "rect",
                word,
                x=percent(_beside(gutter, (number + 0.06) * width)),
                width=percent(width * 0.88 * (1 - gutter)),
                y=f"{_BASE - high:.1f}",
                height=f"{high:.1f}",
                class_=f"fill-{kind}",
            )
        )
    return found


def _mark(bins: Bins, mark: Marked, gutter: float) -> list[Markup]:
    share = (mark.value - bins.lower) / (bins.upper - bins.lower)
    if not 0 <= share <= 1:
        return []
    hold = "end" if share > 0.6 else "start"
    share = _beside(gutter, share)
    word = tag(
        "text",
        mark.word,
        x=percent(share),
        y=_TOP - 4,
        dx=-5 if hold == "end" else 5,
        text_anchor=hold,
        class_="label",
    )
    return [
        tag("line", x1=percent(share), x2=percent(share), y1=_TOP - 12, y2=_BASE, class_="mean"),
        word,
    ]


def _places(bins: Bins) -> list[tuple[float, str]]:
    if (bins.lower, bins.upper) == (0.0, 1.0):
        return [(at, told(at)) for at in (0.0, 0.25, 0.5, 0.75, 1.0)]
    return [(at / bins.upper, told(at)) for at in ticks(bins.upper) if at <= bins.upper]
