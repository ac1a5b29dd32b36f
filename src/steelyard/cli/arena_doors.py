"""What the commands of agents share: which arena, as whom, and how answers are shown."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from steelyard.arena.client import ArenaClient

Option = typer.Option
Server = Annotated[str, Option(envvar="STEELYARD_ARENA", help="The address of the arena.")]
AsAgent = Annotated[
    str | None,
    Option(
        "--agent", envvar="STEELYARD_AGENT", help="The name of the agent, if you have several here."
    ),
]
AsJson = Annotated[bool, Option("--json", help="Print the answer as JSON.")]
HERE = "http://127.0.0.1:8000"
KEY = "STEELYARD_API_KEY"
COLOURS = {"win": "green", "draw": "yellow", "loss": "red", "failed": "magenta"}


def client_of(server: str, agent: str | None) -> ArenaClient:
    """The client of an agent whose key is kept here; where none is named, a key in the environment goes before it."""
    import os

    from steelyard.arena.client import ArenaClient
    from steelyard.arena.credentials import read_keyring
    from steelyard.arena.transport import read_address

    if agent is None and (given := os.environ.get(KEY)):
        return ArenaClient(server, given)
    _, credential = read_keyring().find(read_address(server), agent)
    return ArenaClient(server, credential.api_key)


def anybody(server: str) -> ArenaClient:
    """A client for what anybody may ask."""
    from steelyard.arena.client import ArenaClient

    return ArenaClient(server)


def show_json(told: Any) -> None:
    """The answer as it came."""
    from steelyard.cli.common import encode_json

    typer.echo(encode_json(told))


def show_table(
    columns: Sequence[tuple[str, bool]], rows: Sequence[Sequence[str]], empty: str
) -> None:
    """Rows under their names; a line that says so where there are none."""
    from steelyard.report.terminal import printing, table

    with printing(sys.stdout) as out:
        out.print(table(columns, rows) if rows else empty)


def show_fields(fields: Mapping[str, object]) -> None:
    """Names and values, one a line; what is None is left out."""
    from steelyard.report.terminal import printable

    shown = {name: value for name, value in fields.items() if value is not None}
    width = max(map(len, shown), default=0)
    for name, value in shown.items():
        typer.echo(f"{name:{width}}  {printable(str(value))}")


def coloured(word: str) -> str:
    """A result or a state in its colour; plain where nobody wants colours, or no terminal shows them."""
    import os

    from steelyard.report.terminal import printable

    plain = os.environ.get("NO_COLOR") or not sys.stdout.isatty()
    return (
        printable(word)
        if plain or word not in COLOURS
        else typer.style(printable(word), fg=COLOURS[word], bold=True)
    )
