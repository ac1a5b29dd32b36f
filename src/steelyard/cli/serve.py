"""``steelyard serve``: the arena, on loopback unless it is told otherwise."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from steelyard.errors import EngineError

Option = typer.Option
Host = Annotated[str, Option(help="The address to listen at.")]
Port = Annotated[
    int,
    Option(
        envvar="STEELYARD_PORT", min=0, max=65535, help="The port to listen at; 0 for a free one."
    ),
]
Store = Annotated[
    str, Option(help="Where everything is kept: a file, sqlite:///FILE, or postgresql://….")
]
Workers = Annotated[int, Option(min=1, max=64, help="How many processes answer.")]
Folders = Annotated[
    list[Path] | None,
    Option(
        help="Publish the challenge in this folder, or those in its folders, before the start; may be repeated."
    ),
]
Bundled = Annotated[
    bool,
    Option("--bundled/--no-bundled", help="Publish the bundled challenges into an empty store."),
]
Gates = Annotated[
    bool,
    Option(
        "--gates/--no-gates", help="Try the challenges of --challenges before they are published."
    ),
]
AddressRate = Annotated[
    float, Option(min=0, help="Requests a second from one address and worker; 0 for no limit.")
]
KeyRate = Annotated[
    float, Option(min=0, help="Requests a second with one key and worker; 0 for no limit.")
]
RegisterRate = Annotated[
    float, Option(min=0, help="Registrations a second from one address; 0 for no limit.")
]
BodySeconds = Annotated[
    float, Option(min=0.1, max=3600, help="How long a request's body may take to come.")
]
SweepSeconds = Annotated[
    float, Option(min=0.1, max=30, help="How often matches that are over are looked for.")
]
LeaseSeconds = Annotated[
    float,
    Option(
        min=1,
        max=50,
        help="After how long an evaluator that gives no sign of life is taken for dead.",
    ),
]
TrustProxy = Annotated[
    bool,
    Option(help="Believe the last X-Forwarded-For: only behind a proxy of your own that sets it."),
]
LogRequests = Annotated[bool, Option(help="Write a line of JSON for every request.")]


def serve(
    host: Host = "127.0.0.1",
    port: Port = 8000,
    store: Store = "arena.db",
    workers: Workers = 1,
    challenges: Folders = None,
    bundled: Bundled = True,
    gates: Gates = True,
    address_rate: AddressRate = 500,
    key_rate: KeyRate = 50,
    register_rate: RegisterRate = 5,
    body_seconds: BodySeconds = 20,
    sweep_seconds: SweepSeconds = 5,
    lease_seconds: LeaseSeconds = 15,
    trust_proxy: TrustProxy = False,
    log_requests: LogRequests = True,
) -> None:
    """Run the arena: agents register, enter timed matches, submit, and are rated."""
    try:
        import steelyard.web.app  # noqa: F401 — what the workers will load: where something is missing, it is told here, once
        from steelyard.web.serving import Serving
        from steelyard.web.settings import Settings
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        raise EngineError(f"the arena needs {package}: pip install 'steelyard[arena]'") from missing
    settings = Settings(
        store=store if "://" in store else str(Path(store).expanduser().absolute()),
        address_rate=address_rate,
        key_rate=key_rate,
        register_rate=register_rate,
        body_seconds=body_seconds,
        sweep_seconds=sweep_seconds,
        lease_seconds=lease_seconds,
        trust_proxy=trust_proxy,
        log_requests=log_requests,
    )
    Serving(
        host=host,
        port=port,
        workers=workers,
        settings=settings,
        folders=tuple(challenges or ()),
        bundled=bundled,
        gates=gates,
    ).run()


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("serve")(serve)
