"""The results of a run for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TextIO

from steelyard.report.run_sections import sections
from steelyard.report.terminal import printable, printing, table


def show_run(
    results: Mapping[str, Any],
    failures: Mapping[str, Any],
    *,
    file: TextIO,
    notes: Iterable[str] = (),
) -> None:
    """Print the tables, then the signature and what else is to be said."""
    with printing(file) as out:
        for section in sections(results, failures):
            if section.title:
                out.print()
                out.print(section.title, style="bold")
            rows = [tuple(_clipped(cell) for cell in row) for row in section.rows]
            out.print(table(section.columns, rows))
        out.print()
        for change in results.get("changes", ()):
            out.print(f"changed on the way: {printable(change)}", style="yellow", soft_wrap=True)
        out.print(f"signature  {printable(results['signature'])}", style="dim", soft_wrap=True)
        for note in notes:
            out.print(printable(note), soft_wrap=True)


def _clipped(cell: str, longest: int = 90) -> str:
    return cell if len(cell) <= longest else f"{cell[: longest - 1]}…"
