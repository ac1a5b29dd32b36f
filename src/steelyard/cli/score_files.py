"""The part of ``steelyard score`` that goes over files: progress, bad lines, the summary."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import msgspec
import typer

from steelyard.batch import BadLine, Options, Source, Summary, score_files
from steelyard.batch.tally import UNKNOWN
from steelyard.cli import ignore_interrupts
from steelyard.cli.common import say_error
from steelyard.engine import usable_cores

if TYPE_CHECKING:
    from steelyard.batch.plan import Plan

# More bad lines than these are only counted.
MOST_SHOWN = 20


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """What the options ask for."""

    files: list[str]
    kind: str
    fields: dict[str, str]
    output: str | None
    as_json: bool
    strict: bool
    workers: int | None
    limit: int | None
    quiet: bool
    protect: tuple[str, ...] = ()


def score_and_show(plan: Plan, wanted: Wanted) -> int:
    """Score the files, show the summary, and return the exit code."""
    sources = [Source(path, wanted.kind, names=wanted.fields) for path in wanted.files]
    with ExitStack() as stack:
        progress = _Progress(sources, stack) if _shows_progress(wanted) else None
        say = (lambda text: progress.say(text)) if progress else _say
        told, unread = _Told(say, "bad line"), _Told(say, "unscored row")
        summary = score_files(
            plan,
            sources,
            Options(
                output=wanted.output,
                workers=wanted.workers or usable_cores(),
                strict=wanted.strict,
                limit=wanted.limit,
                protect=(*plan.files, *wanted.protect),
                bar=progress is not None,
                on_bad=told,
                on_target=unread,
                on_progress=progress.advance if progress else lambda read, tally: None,
                on_start=progress.start if progress else lambda: None,
            ),
        )
    if summary.interrupted:
        ignore_interrupts()
    told.finish()
    unread.finish()
    _say_of(summary)
    if wanted.as_json:
        typer.echo(summary.to_json())
    elif not wanted.quiet:
        from steelyard.report.terminal import show_summary

        show_summary(summary, file=sys.stderr if wanted.output == "-" else sys.stdout)
    return summary.exit_code


def _say_of(summary: Summary) -> None:
    """What nobody should have to find out from the numbers."""
    if summary.broken is not None:
        say_error(
            f"{summary.broken}; only what stands before that was scored, so output and summary are partial"
        )
    if summary.mostly_bad:
        say_error(
            f"{summary.bad_lines:,} of {summary.total:,} lines are bad: more than half, so there is no mean; "
            "--format names the format of the input"
        )
    if summary.by is not None and [group.name for group in summary.breakdown] == [UNKNOWN]:
        typer.echo(
            f"note: no row has {summary.by!r}, neither in its metadata nor beside it", err=True
        )


def _shows_progress(wanted: Wanted) -> bool:
    if wanted.output == "-" and sys.stdout.isatty():
        return False  # the rows themselves are on the terminal
    return sys.stderr.isatty() and not wanted.quiet and os.environ.get("TERM") != "dumb"


def _say(text: str) -> None:
    typer.echo(text, err=True)


class _Told:
    """Prints the first lines of a kind, and says how many more there were."""

    def __init__(self, say: Callable[[str], None], kind: str) -> None:
        self.count, self._say, self._kind = 0, say, kind

    def __call__(self, bad: BadLine) -> None:
        self.count += 1
        if self.count <= MOST_SHOWN:
            self._say(f"{self._kind}: {bad}")

    def finish(self) -> None:
        if self.count > MOST_SHOWN:
            more = self.count - MOST_SHOWN
            typer.echo(f"… and {more:,} more {self._kind}{'' if more == 1 else 's'}", err=True)


class _Progress:
    """A bar on standard error; it has a thread of its own, so it starts after the workers."""

    def __init__(self, sources: list[Source], stack: ExitStack) -> None:
        self._sizes, self._stack = [source.size for source in sources], stack
        self._packed = any(
            source.path.endswith((".gz", ".zst", ".parquet", ".pq")) for source in sources
        )
        self._move: Callable[[int, int], Any] = lambda read, rows: None
        self.say: Callable[[str], None] = _say

    def start(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
        from rich.text import Text

        total = (
            None if None in self._sizes or self._packed else sum(size or 0 for size in self._sizes)
        )
        rows = TextColumn("{task.fields[rows]:,} rows")
        columns = (TextColumn("scoring"), BarColumn(), rows, TimeElapsedColumn())
        shown = self._stack.enter_context(
            Progress(*columns, console=Console(stderr=True), transient=True)
        )
        task = shown.add_task("scoring", total=total, rows=0)
        self._move = lambda read, rows: shown.update(task, advance=read, rows=rows)
        # Through the bar's own console, which draws the bar again below.
        self.say = lambda text: shown.console.print(Text(text), soft_wrap=True)

    def advance(self, read: int, tally: Any) -> None:
        """Move on by that many bytes."""
        self._move(read, tally.all.total)
