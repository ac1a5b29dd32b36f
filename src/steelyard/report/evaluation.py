"""The breakdown of one submission for the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TextIO

from steelyard.report.terminal import DASH, bar, printable, printing, table

if TYPE_CHECKING:
    from rich.console import Console

    from steelyard.spec import Evaluation

_STYLES = {"win": "green", "draw": "yellow", "loss": "red"}
_COLUMNS = (
    ("dimension", False),
    ("score", True),
    ("weight", True),
    ("weighted", True),
    ("", False),
    ("reason", False),
)


def show_evaluation(found: Evaluation, *, file: TextIO) -> None:
    """Print each dimension with its points and its reason, the total, the result, and what was told."""
    with printing(file) as out:
        _show(found, out)


def _show(found: Evaluation, out: Console) -> None:
    rows = []
    for part in found.total.parts:
        entry = found.score_breakdown[part.name]
        points = (_points(entry["score"]), f"{entry['weight']:g}", _points(entry["weighted"]))
        rows.append((part.name, *points, bar(part.score.value, 8), part.score.reason))
    out.print(table(_COLUMNS, rows))
    out.print()
    if found.result is None:
        out.print(f"total  {DASH}  no score: {printable(found.total.reason)}", style="yellow")
    else:
        out.print(f"total  {found.score}  {found.result}", style=_STYLES[found.result])
    for title, told in (
        ("warning", found.submission_warnings),
        ("violation", found.constraint_violations),
    ):
        for entry in told:
            out.print(f"{title}: {printable(_told(entry))}", soft_wrap=True)
    if found.harness_warning:
        out.print(f"warning: {printable(found.harness_warning)}", soft_wrap=True)
    if found.sandbox is not None:
        unsafe = found.sandbox.get("unsafe")
        out.print(
            f"sandbox  {sandbox_line(found.sandbox)}",
            style="red" if unsafe else "dim",
            soft_wrap=True,
        )
    out.print(f"signature  {found.signature}", style="dim", soft_wrap=True)


def sandbox_line(described: Mapping[str, Any]) -> str:
    """What held the programs, in a few words.

    >>> sandbox_line({"backend": "none", "unsafe": True})
    'none: the programs ran with all rights of whoever ran them'
    """
    name = printable(str(described.get("backend")))
    return (
        f"{name}: the programs ran with all rights of whoever ran them"
        if described.get("unsafe")
        else name
    )


def _points(value: float | None) -> str:
    return DASH if value is None else f"{value:.2f}".rstrip("0").rstrip(".")


def _told(entry: Mapping[str, Any]) -> str:
    where = entry.get("field") or ""
    level = f" ({entry['severity']})" if entry.get("severity") else ""
    return (
        f"{where}{level}: {entry.get('message', '')}"
        if where
        else f"{entry.get('message', '')}{level}"
    )
