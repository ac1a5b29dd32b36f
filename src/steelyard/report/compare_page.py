"""The page of a comparison: one HTML file that opens anywhere."""

from __future__ import annotations

from html import escape
from importlib import resources
from typing import IO

from steelyard.report.compare_sections import flip_section, remarks, sections, sentences
from steelyard.report.run_sections import Section
from steelyard.report.terminal import printable
from steelyard.runs.compared import Comparison


def write_comparison_page(comparison: Comparison, out: IO[bytes], *, flips: int | None = None) -> None:
    """Write the page; whatever stands in an answer stays text."""
    parts = ["<h1>Comparison</h1>", *(f"<p>{_text(one)}</p>" for one in sentences(comparison))]
    parts += [_table(section) for section in sections(comparison)]
    for place, one in enumerate(comparison.results):
        found = list(comparison.flips(place, limit=flips))
        if found:
            parts.append(_table(flip_section(one, found)))
    parts += [f"<p>{_text(one)}</p>" for one in remarks(comparison)]
    page = (resources.files("steelyard") / "data" / "compare_page.html").read_text(encoding="utf-8")
    out.write(page.replace("{{body}}", "\n".join(parts)).encode("utf-8"))


def _table(section: Section) -> str:
    head = "".join(f"<th>{_text(name)}</th>" for name, _ in section.columns)
    rows = "".join(f"<tr>{''.join(f'<td>{_text(cell)}</td>' for cell in row)}</tr>" for row in section.rows)
    return f"<h2>{_text(section.title)}</h2><table><tr>{head}</tr>{rows}</table>"


def _text(value: str) -> str:
    return escape(printable(value))
