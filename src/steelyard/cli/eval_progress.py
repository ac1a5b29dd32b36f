"""How far a run is: one line that moves on a terminal, a plain line now and then in a pipe."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from steelyard.runs.watch import Watch

TERMINAL_SECONDS = 0.25
PIPE_SECONDS = 10.0


def progress_line(watch: Watch) -> str:
    """Done, right so far with its interval, tokens a second, errors by kind, time left."""
    parts = [f"{watch.phase} {watch.done:,}/{watch.total:,}"]
    if watch.phase == "judging":
        parts.append(f"{watch.judged:,} judged")
    if (right := watch.right) is not None:
        parts.append(f"right {right.value:.1%}")
        if right.lower is not None:
            parts[-1] += f" [{right.lower:.1%}, {right.upper:.1%}]"
    if watch.open:
        parts.append(f"{watch.open:,} without a score")
    if watch.tokens:
        parts.append(f"{watch.tokens_per_second:,.0f} tokens/s")
    parts += [f"{kind} {count:,}" for kind, count in sorted(watch.errors.items())]
    left = watch.seconds_left
    if left is not None and watch.done < watch.total:
        parts.append(f"{clock(left)} left")
    return "  ".join(parts)


def clock(seconds: float) -> str:
    """A length of time.

    >>> clock(75), clock(3700)
    ('1:15', '1:01:40')
    """
    whole = round(seconds)
    hours, minutes = whole // 3600, whole // 60 % 60
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"


def watching(*, quiet: bool) -> Callable[[Watch], Callable[[], None]]:
    """What shows a run's progress from its beginning until it is told to end.

    It looks from a thread of its own, so that the loop never waits for a terminal.
    """

    def begin(watch: Watch) -> Callable[[], None]:
        if quiet:
            return lambda: None
        terminal, done = sys.stderr.isatty(), threading.Event()
        thread = threading.Thread(target=_show, args=(watch, terminal, done), daemon=True)
        thread.start()

        def finish() -> None:
            done.set()
            thread.join()

        return finish

    return begin


def _show(watch: Watch, terminal: bool, done: threading.Event) -> None:
    if not terminal:
        while not done.wait(PIPE_SECONDS):
            typer.echo(progress_line(watch), err=True)
        return
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    console = Console(stderr=True, highlight=False, emoji=False, markup=False)
    with Live(
        Text(progress_line(watch)), console=console, auto_refresh=False, transient=True
    ) as live:
        while not done.wait(TERMINAL_SECONDS):
            live.update(Text(progress_line(watch), no_wrap=True, overflow="ellipsis"), refresh=True)
