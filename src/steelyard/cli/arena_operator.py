"""``steelyard arena replay``: what an operator asks of an arena's numbers."""

from __future__ import annotations

from typing import Annotated

import typer

from steelyard.cli.arena_store import opened
from steelyard.cli.common import encode_json

Store = Annotated[str, typer.Option(help="The arena's store: a file, sqlite:///FILE, or postgresql://….")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the outcome as one JSON object.")]


def replay(store: Store = "arena.db", as_json: AsJson = False) -> None:
    """Work every rating out again from the settled matches, and tell what the ledger has otherwise.

    Nothing is changed. Exit code: 0 if all agree, 1 if something differs.
    """
    with opened(store) as database:
        from steelyard.arena.replay import replay as work_out

        found = database.read_now(work_out)
    if as_json:
        typer.echo(encode_json({"ok": found.ok, "matches": found.matches, "events": found.events,
                                "ratings": found.ratings, "differences": found.differences}))  # fmt: skip
    else:
        for difference in found.differences:
            typer.echo(str(difference))
        count = len(found.differences)
        told = f"{count} difference{'s' * (count > 1)}" if count else "all agree"
        typer.echo(f"{found.matches} matches, {found.events} events, {found.ratings} ratings: {told}")
    raise typer.Exit(0 if found.ok else 1)


def register(group: typer.Typer) -> None:
    """Add the command to the group of the arena."""
    group.command("replay")(replay)
