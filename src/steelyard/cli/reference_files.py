"""The part of ``steelyard reference score`` that goes over folders: progress, and the summary."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import msgspec
import typer

from steelyard.batch.reference import FolderTask, score_folder, score_runs

if TYPE_CHECKING:
    from steelyard.batch.reference import ProblemScore


def score_and_show(task: FolderTask, runs: str, *, as_json: bool, quiet: bool) -> int:
    """Score one folder of solutions, show the summary, and return the exit code."""
    with ExitStack() as stack:
        summary = score_folder(_watched(task, stack, quiet=quiet))
    if as_json:
        typer.echo(summary.to_json(), nl=False)
    elif not quiet:
        from steelyard.report.reference import show_reference_summary

        show_reference_summary(summary, file=sys.stdout)
    return summary.exit_code


def score_runs_and_show(task: FolderTask, runs: str, *, as_json: bool, quiet: bool) -> int:
    """Score the folders of repeated runs, show how far they lie apart, and return the exit code."""
    with ExitStack() as stack:
        found = score_runs(_watched(task, stack, quiet=quiet), runs)
    if as_json:
        typer.echo(found.to_json(), nl=False)
    elif not quiet:
        from steelyard.report.reference import show_runs

        show_runs(found, file=sys.stdout)
    return found.exit_code


def _watched(task: FolderTask, stack: ExitStack, *, quiet: bool) -> FolderTask:
    if quiet or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        return task
    bar = _Progress(stack)
    return msgspec.structs.replace(task, on_start=bar.start, on_progress=bar.advance)


class _Progress:
    """A bar on standard error; it has a thread of its own, so it starts after the workers."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._shown: Any = None
        self._task: Any = None

    def start(self, total: int, done: int) -> None:
        """Show so many problems, of which some are done; each run of several has a line of its own."""
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
        )

        if self._shown is None:
            columns = (
                TextColumn("scoring"),
                BarColumn(),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
            )
            self._shown = self._stack.enter_context(
                Progress(*columns, console=Console(stderr=True), transient=True)
            )
        self._task = self._shown.add_task("scoring", total=total, completed=done)

    def advance(self, record: ProblemScore) -> None:
        """One more problem is scored."""
        self._shown.update(self._task, advance=1)
