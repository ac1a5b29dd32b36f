"""What became of the samples, as one bar: right, wrong, pending, unscored."""

from __future__ import annotations

from collections.abc import Mapping

from steelyard.report.charts.axis import cell
from steelyard.report.markup import Markup, joined, percent, tag

# The glyphs are those of the table of samples: a shape for each, beside its colour and its pattern.
OUTCOMES = {"right": "✓", "wrong": "✕", "pending": "◔", "unscored": "○"}


def outcome_bar(
    counts: Mapping[str, int], *, kinds: Mapping[str, str] = OUTCOMES, height: float = 26
) -> Markup:
    """The parts of the whole, side by side, and a key that has their numbers."""
    total = sum(counts.values())
    at, inside, key = 0.0, [], []
    for name, glyph in kinds.items():
        count = counts.get(name, 0)
        if not count or not total:
            continue
        inside.append(
            tag(
                "rect",
                x=percent(at),
                y=0,
                width=percent(count / total),
                height=height,
                class_=_fill(name),
            )
        )
        at += count / total
        key.append(_key(name, glyph, count, total))
    bar = cell(inside, height=height)
    return tag("div", bar, tag("ul", *key, class_="key"), class_="outcomes")


def _key(name: str, glyph: str, count: int, total: int) -> Markup:
    swatch = tag(
        "svg",
        tag("rect", width="100%", height="100%", class_=_fill(name)),
        class_="swatch",
        aria_hidden="true",
        focusable="false",
        width=14,
        height=14,
    )
    words = joined(
        [tag("b", f"{count:,}"), f" {name} ", tag("span", f"{count / total:.1%}", class_="quiet")]
    )
    return tag(
        "li", swatch, tag("span", glyph, class_=f"glyph {_slug(name)}", aria_hidden="true"), words
    )


def _fill(name: str) -> str:
    return f"fill-{_slug(name)}"


def _slug(name: str) -> str:
    return name.replace(" ", "-")
