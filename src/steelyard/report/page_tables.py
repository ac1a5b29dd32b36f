"""Tables of a report whose middle column is a drawing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from steelyard.report.charts.whiskers import whisker, whisker_axis
from steelyard.report.markup import Markup, short, span_of, tag

LONGEST_NAME = 80


def card(title: str, *inside: object, wide: bool = False, note: str = "") -> Markup:
    """A section with its title."""
    told = tag("p", note, class_="note") if note else ""
    return tag("section", tag("h2", title), told, *inside, class_="card wide" if wide else "card")


def whisker_table(
    what: str,
    rows: Iterable[tuple[str, Mapping[str, Any]]],
    *,
    value: str = "score",
    count: str = "",
    mean: float | None = None,
) -> Markup:
    """Names, values with their intervals drawn and told, and how many samples each is made of."""
    head = [
        tag("th", what, scope="col"),
        tag("td", whisker_axis(), class_="plot"),
        tag("th", value, scope="col", class_="num"),
        tag("th", "95% interval", scope="col", class_="num sure"),
    ]
    if count:
        head.append(tag("th", count, scope="col", class_="num"))
    body = [_row(name, found, mean=mean, counted=bool(count)) for name, found in rows]
    return tag("table", tag("thead", tag("tr", *head)), tag("tbody", *body), class_="plotted")


def _row(name: str, found: Mapping[str, Any], *, mean: float | None, counted: bool) -> Markup:
    cells = [
        row_name(name),
        tag("td", whisker(found, mean=mean), class_="plot"),
        tag("td", short(found.get("value")), class_="num"),
        tag("td", span_of(dict(found)), class_="num sure"),
    ]
    if counted:
        cells.append(tag("td", told_count(found), class_="num"))
    return tag("tr", *cells)


def row_name(name: str) -> Markup:
    """The head of a row; a very long name is cut, and the panel of a sample has it whole.

    >>> row_name("law")
    '<th scope="row">law</th>'
    """
    return tag(
        "th", name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…", scope="row"
    )


def told_count(found: Mapping[str, Any]) -> str:
    """How many, and of how many where that differs.

    >>> told_count({"scored": 3, "total": 4}), told_count({"problems": 1200, "total": 1200})
    ('3 / 4', '1,200')
    """
    scored, total = found.get("scored", found.get("problems", 0)), found.get("total", 0)
    return f"{scored:,}" if scored == total else f"{scored:,} / {total:,}"


def plain_table(columns: Sequence[tuple[str, bool]], rows: Iterable[Sequence[object]]) -> Markup:
    """A table of words and numbers; a column's flag says whether it holds numbers."""
    kinds = [("num" if number else None) for _, number in columns]
    head = tag(
        "tr",
        *(
            tag("th", name, scope="col", class_=kind)
            for (name, _), kind in zip(columns, kinds, strict=True)
        ),
    )
    body = [
        tag("tr", *(tag("td", cell, class_=kind) for cell, kind in zip(row, kinds, strict=True)))
        for row in rows
    ]
    table = tag("table", tag("thead", head), tag("tbody", *body))
    # What scrolls needs the focus, or the keyboard cannot reach its right end.
    return tag("div", table, class_="scroll", tabindex=0, role="group", aria_label="Table")


def as_table(table: Markup) -> Markup:
    """The numbers of a chart, folded away until somebody asks for them."""
    return tag("details", tag("summary", "as a table"), table, class_="numbers")
