"""The summary of a folder of references for the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TextIO

from steelyard.report.terminal import bar, number, printable, printing, table

if TYPE_CHECKING:
    from rich.console import Console

    from steelyard.batch.reference import ReferenceSummary, RunsSummary

MOST_PROBLEMS = 50
MOST_TOLD = 20
_PLAIN = (("", False), ("", False))


def show_reference_summary(summary: ReferenceSummary, *, file: TextIO) -> None:
    """Print the headline, the problems, the matching types, and everything that is wrong and where."""
    with printing(file) as out:
        if summary.interrupted:
            out.print("interrupted: this is what had been scored by then", style="yellow")
        out.print(table(_PLAIN, list(_headline(summary))))
        for title, shown in _sections(summary):
            out.print()
            out.print(title, style="bold")
            out.print(shown)
        _told(out, "bad reference", [str(fault) for fault in summary.reference_faults])
        _told(out, "warning", list(summary.warnings))
        out.print()
        out.print(f"signature  {summary.signature}", style="dim", soft_wrap=True)


def _headline(summary: ReferenceSummary) -> Iterator[tuple[str, str]]:
    yield "mean", f"{number(summary.mean)}  {bar(summary.mean)}"
    yield "95% interval", f"[{number(summary.ci_lower)}, {number(summary.ci_upper)}]"
    yield "answer", number(summary.answer_mean)
    yield "explanation", _explanation(summary)
    yield "scored / total", f"{summary.scored:,} / {summary.total:,}{_coverage(summary)}"
    if not summary.complete:
        yield "worst to best", f"{number(summary.worst)} to {number(summary.best)}"
    if summary.compat is not None:
        ours = f" (ours over the same {summary.compat.scored}: {number(summary.compat.own_mean)})"
        yield f"as {summary.compat.profile}", number(summary.compat.mean) + ours
        yield "", f"{summary.compat.differing} questions have another value there"
    if summary.answer_format_misfits:
        yield (
            "format",
            f"{summary.answer_format_misfits:,} do not fit their answer format (told, not scored)",
        )
    if summary.reused:
        yield "not scored again", f"{summary.reused:,}"


def _explanation(summary: ReferenceSummary) -> str:
    if not summary.explanations:
        return "not judged"
    weight = f"{summary.settings.get('explanation_weight', 0):g}"
    return f"{number(summary.explanation_mean)}  over {summary.explanations:,}, at weight {weight}"


def _coverage(summary: ReferenceSummary) -> str:
    counts = (
        (summary.missing, "missing"),
        (summary.malformed, "malformed"),
        (summary.skipped, "skipped"),
        (summary.unscored, "unscored"),
    )
    told = ", ".join(f"{count:,} {what}" for count, what in counts if count)
    return f" ({told})" if told else ""


def _sections(summary: ReferenceSummary) -> Iterator[tuple[str, Any]]:
    columns = (
        ("id", False),
        ("score", True),
        ("answer", True),
        ("explanation", True),
        ("", False),
        ("", False),
    )
    rows = [
        (
            line.id[:60],
            number(line.value, 3),
            number(line.answer, 3),
            number(line.explanation, 3),
            bar(line.value, 8),
            "" if line.state == "read" and line.value is not None else line.reason[:200],
        )
        for line in summary.problems[:MOST_PROBLEMS]
    ]
    if len(summary.problems) > MOST_PROBLEMS:
        rows.append((f"… and {len(summary.problems) - MOST_PROBLEMS} more", "", "", "", "", ""))
    yield "problems", table(columns, rows)
    kinds = [
        (
            kind.type,
            f"{kind.scored:,} / {kind.questions:,}",
            f"{kind.full:,}",
            number(kind.mean, 3),
            bar(kind.mean),
        )
        for kind in summary.by_type
    ]
    titles = (
        ("type", False),
        ("scored / questions", True),
        ("full marks", True),
        ("mean", True),
        ("", False),
    )
    yield "by matching type", table(titles, kinds)


def _told(out: Console, what: str, said: list[str]) -> None:
    if said:
        out.print()
    for line in said[:MOST_TOLD]:
        out.print(f"{what}: {printable(line[:500])}", soft_wrap=True)
    if len(said) > MOST_TOLD:
        out.print(f"… and {len(said) - MOST_TOLD:,} more")


def show_runs(found: RunsSummary, *, file: TextIO) -> None:
    """Print each setting with the mean and the spread of its runs, then the runs."""
    with printing(file) as out:
        titles = (
            ("setting", False),
            ("runs", True),
            ("mean", True),
            ("spread", True),
            ("lowest", True),
            ("highest", True),
            ("answer", True),
            ("explanation", True),
            ("scored / total", True),
        )
        rows = [
            (
                one.setting or "(all)",
                f"{one.counted}",
                number(one.mean),
                number(one.spread),
                number(one.lowest),
                number(one.highest),
                number(one.answer_mean),
                number(one.explanation_mean),
                f"{one.scored:,} / {one.total:,}",
            )
            for one in found.settings
        ]
        out.print(table(titles, rows))
        out.print()
        each = (
            ("run", False),
            ("mean", True),
            ("scored / total", True),
            ("missing", True),
            ("malformed", True),
        )
        lines = [
            (
                f"{one.setting} {line.n}".strip(),
                number(line.mean),
                f"{line.scored:,} / {line.total:,}",
                f"{line.missing:,}",
                f"{line.malformed:,}",
            )
            for one in found.settings
            for line in one.lines
        ]
        out.print(table(each, lines))
        _told(out, "warning", list(found.warnings))
