"""Cells of a CSV file that a spreadsheet takes as they are."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

from steelyard.report.terminal import printable

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def cell(value: object) -> object:
    """The value as it is written; text that would be a formula gets an apostrophe, and what is missing is empty.

    >>> cell("=1+1"), cell(True), cell(None), cell(-0.5)
    ("'=1+1", 'true', '', -0.5)
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return value
    return printable(f"'{value}" if value.startswith(_FORMULA) else value)


def csv_text(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> str:
    """A table with its head; a column that a row lacks is empty, and one that nobody asked for is left out."""
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, restval="", extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: cell(value) for key, value in row.items()} for row in rows)
    return out.getvalue()
