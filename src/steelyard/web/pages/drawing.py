"""Charts on the scales of the arena: ratings, and points with the bounds of draw and win."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from steelyard.arena.analytics import Analytics, Tried
from steelyard.metrics.ability import CENTRE, Rated
from steelyard.report.charts.axis import UNIT_TICKS, cell, drawing, tick_words, ticks, told
from steelyard.report.charts.curve import Line, curves
from steelyard.report.charts.whiskers import whisker
from steelyard.report.markup import Markup, percent, tag
from steelyard.spec.result import SOLO_DRAW_THRESHOLD, SOLO_WIN_THRESHOLD, score_to_result

_STEPS = (10, 25, 50, 75, 100, 150, 200, 250, 300, 400, 500, 1000, 2000, 5000, 10_000)
_TOP, _BASE, _HEIGHT = 16, 166, 190
_FULL = 1000
_MOST_DOTS, _MOST_TRIES = 40, 10
MOST_POINTS: Final = 160
THRESHOLDS: Final = (SOLO_DRAW_THRESHOLD, SOLO_WIN_THRESHOLD)


class Scale(NamedTuple):
    """An axis of ratings whose quarters are round numbers."""

    lower: float
    upper: float

    def share(self, rating: float) -> float:
        """Where a rating is along the axis; what lies beyond an end is put there."""
        return min(max((rating - self.lower) / (self.upper - self.lower), 0.0), 1.0)

    def words(self) -> list[tuple[float, str]]:
        """The numbers at the quarters."""
        return [(at, told(self.lower + at * (self.upper - self.lower))) for at in UNIT_TICKS]


def scale(ratings: Iterable[float]) -> Scale:
    """The axis that shows all of them.

    >>> scale([812.0, 1130.5])
    Scale(lower=800, upper=1200)
    """
    known = [*ratings] or [CENTRE - 100, CENTRE + 100]
    lowest, highest = min(known), max(known)
    for step in _STEPS:
        lower = math.floor(lowest / step) * step
        if lower + 4 * step >= highest:
            return Scale(lower, lower + 4 * step)
    return Scale(lowest, highest)


def ability_row(found: Rated, on: Scale) -> Markup:
    """An ability with its interval in the row of a table; the dashed line is the average."""
    middle = on.share(CENTRE) if on.lower <= CENTRE <= on.upper else None
    shares = {
        "value": on.share(found.value),
        "ci_lower": on.share(found.lower),
        "ci_upper": on.share(found.upper),
    }
    return whisker(shares, mean=middle)


def ability_axis(on: Scale) -> Markup:
    """The axis over a column of abilities."""
    return cell([tick_words(on.words(), 12)], height=16)


class Rating(NamedTuple):
    """A rating after a match."""

    number: int
    after: int
    result: str


def rating_chart(events: Sequence[Rating], start: int) -> Markup:
    """The rating from match to match."""
    line = [Rating(0, start, "start"), *events]
    on, last = scale(one.after for one in line), line[-1].number or 1
    places = [(0.08 + 0.82 * one.number / last, _y(on.share(one.after)), one) for one in line]
    inside = _levels(on)
    for (left, high, _), (right, low, _) in itertools.pairwise(places):
        inside.append(
            tag("line", x1=percent(left), x2=percent(right), y1=high, y2=low, class_="curve")
        )
    if len(line) <= _MOST_DOTS:
        inside += [_dot(x, y, one) for x, y, one in places]
    end = places[-1]
    inside.append(
        tag("text", f"{end[2].after:,}", x=percent(end[0]), y=end[1], dx=11, dy=4, class_="label")
    )
    steps = [one for one in ticks(last) if one <= last]
    inside.append(tick_words([(0.08 + 0.82 * at / last, told(at)) for at in steps], _HEIGHT - 6))
    about = f"From {start:,} to {end[2].after:,} over {last:,} match{'' if last == 1 else 'es'}."
    return drawing(
        inside, height=_HEIGHT, title="Rating after each match", about=about, name="rating-chart"
    )


def _levels(on: Scale) -> list[Markup]:
    made = []
    for at, word in on.words():
        y = _y(at)
        made.append(
            tag("line", x1="0%", x2="100%", y1=y, y2=y, class_="axis" if at == 0 else "grid")
        )
        made.append(tag("text", word, x="0%", y=y - 4, class_="tick"))
    return made


def _dot(x: float, y: float, one: Rating) -> Markup:
    word = (
        f"match {one.number}: {one.result}, {one.after:,}"
        if one.number
        else f"start: {one.after:,}"
    )
    return tag("circle", tag("title", word), cx=percent(x), cy=y, r=4.5, class_=f"dot {one.result}")


def _y(share: float) -> float:
    return round(_BASE - share * (_BASE - _TOP), 1)


def score_chart(counts: Sequence[int], mean: float | None) -> Markup:
    """How many matches came to how many points; a bar has the colour and pattern of its result."""
    levels = ticks(max([*counts, 1]), most=4)
    top, width = levels[-1], 1 / len(counts)
    inside = []
    for level in levels:
        y = _y(level / top)
        inside.append(
            tag("line", x1="0%", x2="100%", y1=y, y2=y, class_="axis" if level == 0 else "grid")
        )
        if level:
            inside.append(tag("text", told(level), x="0%", y=y - 4, class_="tick"))
    for place, count in enumerate(counts):
        lower = round(place * width * _FULL)
        upper = lower + round(width * _FULL) - (place < len(counts) - 1)
        word = tag("title", f"{lower} to {upper} points: {count:,}")
        y = min(_y(count / top), _BASE - 1.5)
        if count:
            inside.append(
                tag(
                    "rect",
                    word,
                    x=percent(_along((place + 0.06) * width)),
                    y=y,
                    width=percent(_along(width * 0.88) - _along(0)),
                    height=round(_BASE - y, 1),
                    class_=f"fill-{score_to_result(lower)}",
                )
            )
    if mean is not None:
        inside += _mean(mean)
    inside.append(
        tick_words(
            [(_along(at / _FULL), told(at)) for at in (0, 200, *THRESHOLDS, _FULL)], _HEIGHT - 6
        )
    )
    about = f"{sum(counts):,} finished matches; " + "; ".join(
        f"{round(place * width * _FULL)} points and more: {count}"
        for place, count in enumerate(counts)
        if count
    )
    return drawing(
        inside, height=_HEIGHT, title="Matches by score", about=about, name="score-chart"
    )


def _along(share: float) -> float:
    """Where a share of the points is along the axis: the numbers of the other axis stand before the first bar."""
    return 0.06 + 0.94 * share


def _mean(mean: float) -> list[Markup]:
    x, hold = percent(_along(mean / _FULL)), "end" if mean > _FULL / 2 else "start"
    word = tag(
        "text",
        f"mean {mean:.0f}",
        x=x,
        y=_TOP - 4,
        dx=-5 if hold == "end" else 5,
        text_anchor=hold,
        class_="label",
    )
    return [tag("line", x1=x, x2=x, y1=_TOP - 12, y2=_BASE, class_="mean"), word]


def tries_chart(numbers: Analytics) -> Markup | None:
    """How often the first attempt won, the second, and so on; and how often all of the first so many."""
    lines = [
        _line("won at attempt", numbers.learning_curve[:_MOST_TRIES]),
        _line("won all up to attempt", numbers.pass_hat_k),
    ]
    if len(numbers.learning_curve) < 2:
        return None
    return curves(
        [line for line in lines if line.points],
        name="tries-chart",
        title="Wins by attempt",
        doubling=False,
    )


def _line(name: str, found: Sequence[Tried]) -> Line:
    return Line(
        name,
        [
            (one.attempts, {"value": one.value, "ci_lower": one.lower, "ci_upper": one.upper})
            for one in found
        ],
    )
