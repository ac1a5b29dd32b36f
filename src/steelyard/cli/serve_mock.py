"""``steelyard serve-mock``: a scripted endpoint, to try a run or a client on."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from steelyard.models.mock import MockServer

Option = typer.Option
PlanFile = Annotated[
    Path | None,
    Option("--plan", help="What it does with requests, as JSON; without one it answers."),
]
Port = Annotated[
    int, Option("--port", min=0, max=65535, help="The port on 127.0.0.1; 0 for a free one.")
]


def serve_mock(plan: PlanFile = None, port: Port = 0) -> None:
    """Serve scripted replies on 127.0.0.1 by the OpenAI protocol, until Ctrl-C.

    /log shows what was asked. A plan can answer, delay, send slowly, refuse (429, 500, 400, …), send garbage, reset and hang.
    """
    import asyncio

    from steelyard.cli.ports import require_free
    from steelyard.models.mock import MockServer
    from steelyard.models.mock_plan import Plan, load_plan

    server = MockServer(load_plan(plan) if plan is not None else Plan())
    require_free(port)
    try:
        import uvloop

        runner = asyncio.Runner(loop_factory=uvloop.new_event_loop)
    except ImportError:
        runner = asyncio.Runner()
    with runner:
        try:
            runner.run(_serve(server, port))
        except KeyboardInterrupt:
            typer.echo(f"ended after {server.calls} calls", err=True)


async def _serve(server: MockServer, port: int) -> None:
    import asyncio

    await server.start(port)
    typer.echo(f"a mock endpoint is on {server.url} (Ctrl-C ends it)")
    sys.stdout.flush()
    try:
        await asyncio.Event().wait()
    finally:
        await server.close()


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("serve-mock")(serve_mock)
