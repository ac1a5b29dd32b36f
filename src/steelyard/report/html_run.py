"""The results of a run as one HTML page that opens offline."""

from __future__ import annotations

import html
import importlib.resources
from collections.abc import Mapping
from string import Template
from typing import Any

from steelyard.report.run_sections import Section, sections
from steelyard.report.terminal import printable


def run_html(results: Mapping[str, Any], failures: Mapping[str, Any]) -> str:
    """The whole page; it loads nothing, runs nothing, and has no time and no machine in it."""
    template = importlib.resources.files("steelyard") / "data" / "report" / "run.html"
    body = [_section(section) for section in sections(results, failures)]
    if results.get("changes"):
        items = "\n".join(f"<li>{_text(change)}</li>" for change in results["changes"])
        body.append(f"<h2>changed on the way</h2>\n<ul>\n{items}\n</ul>")
    return Template(template.read_text(encoding="utf-8")).substitute(
        title=_text(f"{results['benchmark']}: {results['model']}"),
        body="\n".join(body),
        signature=_text(str(results["signature"])),
    )


def _section(section: Section) -> str:
    title = f"<h2>{_text(section.title)}</h2>\n" if section.title else ""
    numbers = [number for _, number in section.columns]
    head = "".join(_cell("th", name, number) for name, number in section.columns)
    named = any(name for name, _ in section.columns)
    rows = "\n".join(
        f"<tr>{''.join(_cell('td', cell, number) for cell, number in zip(row, numbers, strict=True))}</tr>"
        for row in section.rows
    )
    top = f"<thead><tr>{head}</tr></thead>\n" if named else ""
    return f'{title}<div class="scroll"><table>\n{top}<tbody>\n{rows}\n</tbody>\n</table></div>'


def _cell(tag: str, text: str, number: bool) -> str:
    kind = ' class="number"' if number else ""
    return f"<{tag}{kind}>{_text(text)}</{tag}>"


def _text(text: str) -> str:
    return html.escape(printable(text))
