"""The results of a run as Markdown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from steelyard.report.run_sections import Section, sections
from steelyard.report.terminal import printable

# Whatever stands in a response must stay text: no table cell, link, image, heading or HTML comes of it.
_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+!|<>~&$-])")


def run_markdown(results: Mapping[str, Any], failures: Mapping[str, Any]) -> str:
    """The whole report; it has no time and no machine in it, so that the same run gives the same text."""
    title = f"# {markdown_text(str(results['benchmark']))}: {markdown_text(str(results['model']))}"
    parts = [title, *(table_markdown(section) for section in sections(results, failures))]
    if results.get("changes"):
        parts.append(
            "\n".join(
                [
                    "## changed on the way",
                    "",
                    *(f"- {markdown_text(one)}" for one in results["changes"]),
                ]
            )
        )
    parts.append(f"Signature: {markdown_text(str(results['signature']))}")
    return "\n\n".join(parts) + "\n"


def table_markdown(section: Section) -> str:
    """A titled table."""
    head = " | ".join(name or " " for name, _ in section.columns)
    rule = " | ".join("---:" if number else "---" for _, number in section.columns)
    lines = [f"| {head} |", f"| {rule} |"]
    lines += [f"| {' | '.join(markdown_text(cell) for cell in row)} |" for row in section.rows]
    return "\n".join([*([f"## {section.title}", ""] if section.title else []), *lines])


def markdown_text(cell: str) -> str:
    """The cell as text.

    >>> markdown_text("a|b <i>")
    'a\\\\|b \\\\<i\\\\>'
    """
    return _SPECIAL.sub(r"\\\1", printable(" ".join(cell.split())))
