"""``steelyard view``: a folder of runs in the browser."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.errors import DataError

if TYPE_CHECKING:
    from steelyard.report.view.server import ViewServer

Option = typer.Option
Under = Annotated[Path, typer.Argument(help="A folder of runs, or a run.")]
Host = Annotated[
    str,
    Option(
        help="The address to listen at; others than 127.0.0.1 let other machines read the runs."
    ),
]
Port = Annotated[
    int | None,
    Option(
        min=0,
        max=65535,
        help="The port to listen at; without it 8645, or a free one where that is taken.",
    ),
]
Open = Annotated[bool, Option("--open/--no-open", help="Open the list of runs in the browser.")]
USUAL = 8645


def view(
    folder: Under = Path("runs"), host: Host = "127.0.0.1", port: Port = None, open_it: Open = True
) -> None:
    """Look at a folder of runs in the browser: a leaderboard for each benchmark, every run's report, and comparisons.

    Pages are made when they are asked for. Nothing in the folder is changed. Ctrl-C ends it.
    """
    server = _listening(folder, host, port)
    signal.signal(signal.SIGTERM, _end)
    typer.echo(f"the runs in {folder} are at {server.url} (Ctrl-C ends it)")
    sys.stdout.flush()
    try:
        if open_it and _has_screen():
            import webbrowser

            webbrowser.open(server.url)
        server.serve_forever(poll_interval=0.2)
    except KeyboardInterrupt:
        typer.echo("ended", err=True)
    finally:
        server.server_close()


def _listening(folder: Path, host: str, port: int | None) -> ViewServer:
    from steelyard.report.view.server import ViewServer

    if port is not None:
        return ViewServer(folder, host, port)
    if not folder.is_dir():
        raise DataError(
            "this is a file, not a folder" if folder.is_file() else "there is no such folder",
            file=str(folder),
        )
    try:
        return ViewServer(folder, host, USUAL)
    except DataError:  # taken, perhaps by another view
        return ViewServer(folder, host, 0)


def _end(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _has_screen() -> bool:
    """Whether a browser would have a window; one that draws in the terminal would take it away."""
    if sys.platform in {"darwin", "win32"}:
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("view")(view)
