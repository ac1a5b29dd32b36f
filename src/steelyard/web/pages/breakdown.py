"""A score by its dimensions, each in its own colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from steelyard.report.charts.axis import cell, drawing, tick_words
from steelyard.report.markup import Markup, percent, tag
from steelyard.report.palette import colours
from steelyard.spec.model import Dimension
from steelyard.web.pages.drawing import THRESHOLDS
from steelyard.web.pages.words import points

_FULL = 1000
_BAR, _AXIS, _HEIGHT = 40, 48, 68


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """A dimension as it is drawn. ``fill`` names its colour; two of one colour differ by their pattern."""

    name: str
    label: str
    description: str
    weight: float
    fill: str
    score: float | None = None
    weighted: float | None = None
    reason: str = ""

    @property
    def bar(self) -> Markup:
        """Its own points, on a track that is all that it could have."""
        track = tag("rect", x="0%", y=2, width="100%", height=12, rx=3, class_="track")
        share = percent(min(max((self.score or 0) / _FULL, 0), 1))
        return cell(
            [track, tag("rect", x="0%", y=2, width=share, height=12, rx=3, class_=self.fill)],
            height=16,
        )

    @property
    def swatch(self) -> Markup:
        """A small square of its colour."""
        return tag(
            "svg",
            tag("rect", width="100%", height="100%", class_=self.fill),
            class_="swatch",
            width=14,
            height=14,
            aria_hidden="true",
            focusable="false",
        )


def dimensions(of: Sequence[Dimension], told: Mapping[str, Any] | None = None) -> list[Shown]:
    """The dimensions of a challenge and, where a match has ended, the points that each of them gave."""
    scored = (told or {}).get("score_breakdown") or {}
    reasons = (told or {}).get("reasons") or {}
    seen: list[str] = []
    made = []
    for one in of:
        got = scored.get(one.name) or {}
        made.append(
            Shown(
                name=one.name,
                label=one.label or one.name,
                description=one.description,
                weight=float(one.weight),
                fill=_fill(one.color, seen),
                score=got.get("score"),
                weighted=got.get("weighted"),
                reason=reasons.get(one.name, ""),
            )
        )
    return made


def _fill(colour: str, seen: list[str]) -> str:
    known = colour if colour in colours() else "plain"
    seen.append(known)
    return f"dim-{known}" + (" again" if seen.count(known) > 1 else "")


def weights_bar(shown: Sequence[Shown]) -> Markup:
    """The weights side by side."""
    return cell(_segments([(one, one.weight) for one in shown], 18), height=18)


def score_bar(shown: Sequence[Shown], score: int) -> Markup:
    """What each dimension added to the total, on an axis with the bounds of draw and win."""
    inside = [tag("rect", x="0%", y=12, width="100%", height=_BAR - 12, class_="track")]
    parts = [(one, (one.weighted or 0) / _FULL) for one in shown]
    inside += _segments(parts, _BAR - 12, top=12)
    if not any(share for _, share in parts) and score:  # the parts are not told
        inside.append(
            tag(
                "rect",
                x="0%",
                y=12,
                width=percent(score / _FULL),
                height=_BAR - 12,
                class_="dim-plain",
            )
        )
    for bound in THRESHOLDS:
        inside.append(
            tag(
                "line",
                x1=percent(bound / _FULL),
                x2=percent(bound / _FULL),
                y1=4,
                y2=_AXIS,
                class_="mean",
            )
        )
    words = [
        (0.0, "0"),
        *zip((at / _FULL for at in THRESHOLDS), ("draw 400", "win 700"), strict=True),
        (1.0, "1,000"),
    ]
    inside.append(tick_words(words, _HEIGHT - 6))
    about = "; ".join(
        f"{one.label}: {points(one.weighted)}" for one in shown if one.weighted is not None
    )
    return drawing(
        inside,
        height=_HEIGHT,
        title=f"The score of {score}, by dimension",
        about=about,
        name="score-bar",
    )


def _segments(parts: Sequence[tuple[Shown, float]], height: float, top: float = 0) -> list[Markup]:
    at, made = 0.0, []
    for one, share in parts:
        if share > 0:
            word = tag("title", one.label)
            made.append(
                tag(
                    "rect",
                    word,
                    x=percent(at),
                    y=top,
                    width=percent(share),
                    height=height,
                    class_=f"part {one.fill}",
                )
            )
        at += share
    return made
