"""A summary for the terminal: tables with small bars, plain text where the output is no terminal."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO

import msgspec

from steelyard.errors import printable as printable

if TYPE_CHECKING:
    from rich.console import Console

    from steelyard.batch.summary import Headline, Summary

DASH = "–"
BAR = 12
# Pipes have no width; this one keeps a table's row on one line.
PLAIN_WIDTH = 120
MOST_ROWS = 50
MOST_REASONS = 5
# A speed over fewer rows says more about starting up than about scoring.
WORTH_TIMING = 10_000


@contextmanager
def printing(file: TextIO) -> Iterator[Console]:
    """A console for that stream; colours only on a terminal that wants them, no padding where there is none."""
    from rich.console import Console

    plain: dict[str, Any] = {"highlight": False, "emoji": False, "markup": False}
    if file.isatty():
        yield Console(file=file, **plain)
        return
    held = io.StringIO()
    yield Console(file=held, width=PLAIN_WIDTH, force_terminal=False, **plain)
    file.writelines(f"{line.rstrip()}\n" for line in held.getvalue().splitlines())


def table(columns: Iterable[tuple[str, bool]], rows: Iterable[Iterable[str]]) -> Any:
    """A table of text; a column's flag says whether it holds numbers."""
    from rich.table import Table
    from rich.text import Text

    named = list(columns)
    shown = Table(
        box=None,
        pad_edge=False,
        header_style="bold",
        padding=(0, 2, 0, 0),
        show_header=any(name for name, _ in named),
    )
    for name, number in named:
        shown.add_column(name, justify="right" if number else "left", overflow="fold")
    for row in rows:
        shown.add_row(*(Text(printable(cell)) for cell in row))
    return shown


def bar(value: float | None, width: int = BAR) -> str:
    """A small bar of a value in 0..1.

    >>> bar(0.5, 4), bar(None, 4)
    ('██··', '    ')
    """
    if value is None:
        return " " * width
    full = round(value * width)
    return "█" * full + "·" * (width - full)


def reading_rows(reading: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    """Return the lines that say how many answers are unclear or missing.

    >>> reading_rows({"found": 7, "unclear": 2, "missing": 1, "mean_if_unclear_right": 0.9})
    [('unclear', '2 answers (score 0.9000 if all were right)'), ('missing', '1 answer')]
    """
    if not reading:
        return []
    best = reading["mean_if_unclear_right"]
    more = ""
    if reading["unclear"] and best is not None:
        more = f" (score {number(best)} if all were right)"
    rows = [
        ("unclear", f"{_answers(reading['unclear'])}{more}"),
        ("missing", _answers(reading["missing"])),
    ]
    if judge := reading.get("judge"):
        rows += [
            ("judge decided", f"{judge['decided']:,} of {_answers(judge['asked'])}"),
            ("judge changed", f"{_answers(judge['changed'])} to right"),
        ]
        if judge["mean_by_rules"] is not None:
            rows.append(("by rules alone", f"score {number(judge['mean_by_rules'])}"))
    return rows


def _answers(count: int) -> str:
    return f"{count:,} answer{'' if count == 1 else 's'}"


def number(value: float | None, digits: int = 4) -> str:
    """A number, or an en dash for none.

    >>> number(0.5), number(None)
    ('0.5000', '–')
    """
    return DASH if value is None else f"{value:.{digits}f}"


def show_summary(summary: Summary, *, file: TextIO) -> None:
    """Print the summary: the headline, failures, the breakdown, and what is not scored and why."""
    with printing(file) as out:
        if summary.interrupted:
            out.print("interrupted: this is what had been scored by then", style="yellow")
        if summary.broken is not None:
            out.print("partial: an input could not be read to its end", style="yellow")
        out.print(table((("", False), ("", False)), _headline(summary)))
        for title, shown in _sections(summary):
            out.print()
            out.print(title, style="bold")
            out.print(shown)
        out.print()
        out.print(f"signature  {summary.signature_text}", style="dim", soft_wrap=True)


def _headline(summary: Summary) -> list[tuple[str, str]]:
    version = summary.scorer["version"]
    rows = [
        (summary.signature.kind, f"{summary.scorer['name']} ({version})"),
        ("mean", f"{number(summary.mean)}  {bar(summary.mean)}"),
        (
            "95% interval",
            f"[{number(summary.ci_lower)}, {number(summary.ci_upper)}]{_clusters(summary)}",
        ),
    ]
    if summary.accuracy != summary.mean:
        # Of a spec, "accuracy" is the name of a dimension.
        rows.append(
            (
                "full marks" if summary.signature.kind == "spec" else "accuracy",
                number(summary.accuracy),
            )
        )
    rows.append(("scored / total", f"{summary.scored:,} / {summary.total:,}"))
    if not summary.complete:
        rows.append(("worst to best", f"{number(summary.worst)} to {number(summary.best)}"))
        rows.append(("not scored", _missing(summary)))
    rows += reading_rows(msgspec.to_builtins(summary.reading) if summary.reading else None)
    if summary.total >= WORTH_TIMING:
        rows.append(("speed", f"{summary.rows_per_second:,.0f} rows/s, {summary.seconds:.1f} s"))
    return rows


def _clusters(summary: Summary) -> str:
    """By how many problems the interval is, where rows are attempts at them."""
    if not summary.repeated_ids:
        return ""
    return f"  clustered by id: {summary.problems:,} problem{'' if summary.problems == 1 else 's'}"


def _missing(summary: Summary) -> str:
    unscored = summary.unscored - summary.bad_lines
    bad = "bad line" if summary.bad_lines == 1 else "bad lines"
    counts = ((summary.pending, "pending"), (unscored, "unscored"), (summary.bad_lines, bad))
    return ", ".join(f"{count:,} {what}" for count, what in counts if count)


def _sections(summary: Summary) -> Iterable[tuple[str, Any]]:
    if summary.results:
        total = sum(summary.results.values())
        yield "results", _counts("result", summary.results.items(), total)
    categories = summary.failures["categories"]
    if categories:
        counts = [(name, found["count"]) for name, found in categories.items()]
        yield "failures", _counts("category", counts, summary.total)
    if summary.unscored_reasons:
        yield (
            "without a score",
            _counts("reason", _first(list(summary.unscored_reasons.items())), summary.total),
        )
    if summary.breakdown:
        yield f"by {printable(summary.by or '')}", _breakdown(summary)


def _first(reasons: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """The most frequent reasons, and how many rows have another one."""
    rest = reasons[MOST_REASONS:]
    told = f"… and {len(rest):,} other reason{'' if len(rest) == 1 else 's'}"
    return [*reasons[:MOST_REASONS], (told, sum(count for _, count in rest))] if rest else reasons


def _counts(what: str, counts: Iterable[tuple[str, int]], total: int) -> Any:
    rows = (
        (name, f"{count:,}", f"{count / total:.1%}", bar(count / total)) for name, count in counts
    )
    return table(((what, False), ("rows", True), ("share", True), ("", False)), rows)


def _breakdown(summary: Summary) -> Any:
    columns = (
        ("name", False),
        ("scored / total", True),
        ("mean", True),
        ("95% interval", False),
        ("", False),
    )
    rows = [_group(group.name or '""', group) for group in summary.breakdown[:MOST_ROWS]]
    if len(summary.breakdown) > MOST_ROWS:
        rows.append((f"… and {len(summary.breakdown) - MOST_ROWS} more", "", "", "", ""))
    return table(columns, rows)


def _group(name: str, group: Headline) -> tuple[str, str, str, str, str]:
    interval = f"[{number(group.ci_lower, 3)}, {number(group.ci_upper, 3)}]"
    return (
        name,
        f"{group.scored:,} / {group.total:,}",
        number(group.mean, 3),
        interval,
        bar(group.mean),
    )
