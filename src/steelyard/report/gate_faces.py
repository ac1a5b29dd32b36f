"""What a gate said: for the terminal, as Markdown and as CSV."""

from __future__ import annotations

from typing import TextIO

import msgspec

from steelyard.report.cells import csv_text
from steelyard.report.run_markdown import markdown_text, table_markdown
from steelyard.report.run_sections import Section
from steelyard.report.terminal import DASH, printable, printing, table
from steelyard.runs.gate import Decided, Gated, Verdict

_COLUMNS = [*(name for name in Decided.__struct_fields__ if name != "reason"), "reason"]
_COLOURS = {
    Verdict.GO: "bold green",
    Verdict.NO_GO: "bold red",
    Verdict.INCONCLUSIVE: "bold yellow",
}


def show_gate(gated: Gated, *, file: TextIO) -> None:
    """Print the verdict, the table, and the reason for each row."""
    with printing(file) as out:
        out.print(
            f"{gated.verdict}  {printable(gated.reason)}",
            style=_COLOURS[gated.verdict],
            soft_wrap=True,
        )
        section = gate_section(gated)
        if section.rows:
            out.print()
            out.print(table(section.columns, section.rows))
            out.print()
        for one in every(gated):
            out.print(printable(f"{one.name}: {one.reason}"), soft_wrap=True)
            for change in one.allowed:
                out.print(
                    printable(f"{one.name}: allowed to differ: {change}"),
                    style="yellow",
                    soft_wrap=True,
                )
        for note in gated.notes:
            out.print(printable(note), style="yellow", soft_wrap=True)


def gate_markdown(gated: Gated) -> str:
    """The verdict, the table, and the reason for each row; the same runs give the same text."""
    parts = [f"# {gated.verdict}", markdown_text(gated.reason)]
    section = gate_section(gated)
    if section.rows:
        parts.append(table_markdown(section))
    lines = [f"{one.name}: {one.reason}" for one in every(gated)]
    lines += [
        f"{one.name}: allowed to differ: {change}" for one in every(gated) for change in one.allowed
    ]
    parts.append("\n".join(f"- {markdown_text(line)}" for line in [*lines, *gated.notes]))
    return "\n\n".join(part for part in parts if part) + "\n"


def gate_csv(gated: Gated) -> str:
    """A row for each benchmark, for the mean over them, and for the verdict on all of it, which is the last."""
    rows = [
        msgspec.structs.asdict(one) | {"allowed": "; ".join(one.allowed)} for one in every(gated)
    ]
    return csv_text(
        _COLUMNS, [*rows, {"name": "gate", "verdict": str(gated.verdict), "reason": gated.reason}]
    )


def every(gated: Gated) -> list[Decided]:
    """The benchmarks, and all of them together."""
    return [*gated.benchmarks, *([gated.overall] if gated.overall else [])]


def gate_section(gated: Gated) -> Section:
    """The table: a bound is one-sided, at the confidence of the rule."""
    rows = [
        (
            one.name,
            str(one.verdict),
            _sign(one.difference),
            _sign(one.lower),
            _sign(one.upper),
            f"{-one.margin:+.4g}",
            f"{one.confidence * 100:.10g}%",
            f"{one.pairs:,} / {one.asked:,}",
        )
        for one in every(gated)
    ]
    columns = (
        ("benchmark", False),
        ("verdict", False),
        ("difference", True),
        ("lower", True),
        ("upper", True),
        ("margin", True),
        ("confidence", True),
        ("paired / asked", True),
    )
    return Section("", columns, rows)


def _sign(value: float | None) -> str:
    return DASH if value is None else f"{value:+.4f}"
