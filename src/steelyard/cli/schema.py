"""``steelyard schema``: the JSON Schema of a file that users write, for their editors."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer


class What(StrEnum):
    """The kinds of file that have a schema."""

    spec = "spec"


def schema(what: Annotated[What, typer.Argument(help="The kind of file.")]) -> None:
    """Print the JSON Schema of a scoring spec, for an editor to complete and check against."""
    import json

    from steelyard.spec import spec_json_schema

    # The one kind there is; a second one makes this a table.
    assert what is What.spec
    typer.echo(json.dumps(spec_json_schema(), indent=2, ensure_ascii=False).encode())


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("schema")(schema)
