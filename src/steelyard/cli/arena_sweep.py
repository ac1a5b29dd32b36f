"""``steelyard arena sweep``: one round of what a running service does by itself."""

from __future__ import annotations

from typing import Annotated

import typer

from steelyard.cli.arena_store import opened
from steelyard.cli.common import encode_json

Store = Annotated[
    str, typer.Option(help="The arena's store: a file, sqlite:///FILE, or postgresql://….")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print what was done as one JSON object.")]


def sweep(store: Store = "arena.db", as_json: AsJson = False) -> None:
    """End the matches that are over, and score what a dead evaluator left behind."""
    with opened(store) as database:
        import asyncio

        from steelyard.arena.service import Arena
        from steelyard.arena.sweep import sweep as once

        swept = asyncio.run(once(Arena(database)))
    if as_json:
        typer.echo(encode_json(swept._asdict()))
    else:
        typer.echo(f"expired {swept.expired}, silent {swept.silent}, taken over {swept.taken_over}")


def register(group: typer.Typer) -> None:
    """Add the command to the group of the arena."""
    group.command("sweep")(sweep)
