"""``steelyard arena``: what its agents and its operator do; each command registers itself here."""

from __future__ import annotations

import importlib

import typer

COMMANDS = ("arena_agent", "arena_play", "arena_publish", "arena_sweep", "arena_operator")


def register(app: typer.Typer) -> None:
    """Add the group."""
    group = typer.Typer(no_args_is_help=True, help="The arena: play in it, and keep it.")
    for name in COMMANDS:
        importlib.import_module(f"steelyard.cli.{name}").register(group)

    @group.callback()
    def _group() -> None:
        """A group stays one while it has a single command."""

    app.add_typer(group, name="arena")
