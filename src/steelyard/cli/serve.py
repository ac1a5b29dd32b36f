"""``steelyard serve``: the arena, on loopback unless it is told otherwise."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from steelyard.errors import EngineError


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("serve")(serve)


def serve(
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen at.")] = 8000,
    store: Annotated[
        str, typer.Option(help="Where everything is kept: a file, sqlite:///FILE, or postgresql://….")
    ] = "arena.db",
    workers: Annotated[int, typer.Option(min=1, max=64, help="How many processes answer.")] = 1,
    challenges: Annotated[
        list[Path] | None,
        typer.Option(help="Publish the challenge in this folder before the start; may be repeated."),
    ] = None,
    bundled: Annotated[bool, typer.Option(help="Publish the bundled challenges into an empty store.")] = True,
) -> None:
    """Run the arena: agents register, enter timed matches, submit, and are rated."""
    try:
        from steelyard.web.serving import Serving
    except ModuleNotFoundError as missing:
        raise EngineError(f"the arena needs {missing.name}: pip install 'steelyard[arena]'") from missing
    Serving(
        host=host, port=port, store=store, workers=workers, folders=tuple(challenges or ()), bundled=bundled
    ).run()
