"""A comparison for the terminal, as Markdown and as CSV."""

from __future__ import annotations

from typing import TextIO

from steelyard.report.cells import csv_text
from steelyard.report.compare_sections import flip_section, remarks, sections, sentences
from steelyard.report.run_markdown import markdown_text, table_markdown
from steelyard.report.run_sections import Section
from steelyard.report.terminal import printable, printing, table
from steelyard.runs.compared import COLUMNS, Comparison


def show_comparison(comparison: Comparison, *, file: TextIO, flips: int) -> None:
    """Print what each result says, then the tables and the flips."""
    with printing(file) as out:
        for sentence in sentences(comparison):
            out.print(printable(sentence), style="bold", soft_wrap=True)
        for section in sections(comparison):
            out.print()
            if section.title:
                out.print(printable(section.title), style="bold")
            out.print(table(section.columns, section.rows))
        for place, one in enumerate(comparison.results):
            found = list(comparison.flips(place, limit=flips)) if flips else []
            if not found:
                continue
            section = flip_section(one, found)
            out.print()
            out.print(printable(section.title), style="bold")
            for row in section.rows:
                _show_flip([name for name, _ in section.columns], row, out)
        for remark in remarks(comparison):
            out.print(printable(remark), style="yellow", soft_wrap=True)


def _show_flip(names: list[str], row: tuple[str, ...], out: object) -> None:
    """One flip below the other: two answers do not fit side by side on a narrow terminal."""
    say = out.print  # type: ignore[attr-defined]
    say(f"  {row[0]}  {printable(row[1])}")
    for name, cell in zip(names[2:], row[2:], strict=True):
        say(f"    {printable(name)}: {printable(cell)}", soft_wrap=True)


def comparison_markdown(comparison: Comparison, *, flips: int) -> str:
    """The whole comparison; the same runs give the same text."""
    parts = ["# Comparison", "\n".join(f"- {markdown_text(one)}" for one in sentences(comparison))]
    parts += [table_markdown(_escaped(section)) for section in sections(comparison)]
    for place, one in enumerate(comparison.results):
        found = list(comparison.flips(place, limit=flips)) if flips else []
        if found:
            parts.append(table_markdown(_escaped(flip_section(one, found))))
    told = remarks(comparison)
    if told:
        parts.append("\n".join(f"- {markdown_text(one)}" for one in told))
    parts += [
        f"Signatures: {markdown_text(one.base.signature)} and {markdown_text(one.candidate.signature)}"
        for one in comparison.results
    ]
    return "\n\n".join(parts) + "\n"


def _escaped(section: Section) -> Section:
    """Models and benchmarks give titles and columns their names, and those stay text too."""
    columns = tuple((markdown_text(name), is_number) for name, is_number in section.columns)
    return section._replace(title=markdown_text(section.title), columns=columns)


def comparison_csv(comparison: Comparison) -> str:
    """One row a pair of samples; an empty cell where there is no value."""
    return csv_text(list(COLUMNS), comparison.frame_rows())
