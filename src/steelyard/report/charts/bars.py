"""A share of the whole as a bar in a table's row."""

from __future__ import annotations

from steelyard.report.charts.axis import cell
from steelyard.report.markup import Markup, percent, tag

_HEIGHT = 18


def share_bar(share: float, *, kind: str = "wrong") -> Markup:
    """A bar on a track that is the whole."""
    track = tag("rect", x="0%", y=3, width="100%", height=_HEIGHT - 6, class_="track")
    full = tag(
        "rect",
        x="0%",
        y=3,
        width=percent(min(max(share, 0.0), 1.0)),
        height=_HEIGHT - 6,
        class_=f"fill-{kind}",
    )
    return cell([track, full], height=_HEIGHT)
