"""Rows of numbers that a notebook shows as a table."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import msgspec

from steelyard.metrics.intervals import Interval

T = TypeVar("T", bound=msgspec.Struct)
MOST_ROWS = 50


class Table(list[T]):
    """A list of rows; in a notebook it is a table."""

    def _repr_html_(self) -> str:
        if not self:
            return "<p>no rows</p>"
        names = [name for name in self[0].__struct_fields__ if name not in {"interval", "keys"}]
        has_interval = "interval" in self[0].__struct_fields__
        columns = [*names, *(["mean", "95% interval"] if has_interval else [])]
        rows = [
            [*(getattr(row, name) for name in names), *(_bounds(row) if has_interval else [])]
            for row in self
        ]
        return html_table(columns, rows)


def _bounds(row: Any) -> list[str]:
    found: Interval | None = row.interval
    return (
        ["–", "–"]
        if found is None
        else [f"{found.value:.4f}", f"[{found.ci_lower:.4f}, {found.ci_upper:.4f}]"]
    )


def html_table(columns: Sequence[str], rows: Iterable[Sequence[Any]], caption: str = "") -> str:
    """A small table as HTML; whatever stands in it stays text, and what is too long is cut.

    >>> html_table(["name"], [["<b>"]])
    '<table><thead><tr><th>name</th></tr></thead><tbody><tr><td>&lt;b&gt;</td></tr></tbody></table>'
    """
    every = list(rows)
    head = "".join(f"<th>{_cell(name)}</th>" for name in columns)
    body = "".join(
        f"<tr>{''.join(f'<td>{_cell(cell)}</td>' for cell in row)}</tr>"
        for row in every[:MOST_ROWS]
    )
    more = f"<p>… and {len(every) - MOST_ROWS:,} more</p>" if len(every) > MOST_ROWS else ""
    title = f"<caption>{_cell(caption)}</caption>" if caption else ""
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    text = (
        f"{value:.4f}"
        if isinstance(value, float)
        else " / ".join(value)
        if isinstance(value, tuple)
        else str(value)
    )
    return html.escape(text if len(text) <= 200 else text[:199] + "…")
