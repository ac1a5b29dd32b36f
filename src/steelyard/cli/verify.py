"""``steelyard verify``: compute a stored run again from its files."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from steelyard.trust.verification import Verification

Run = Annotated[Path, typer.Argument(help="The run's folder.")]
NoCode = Annotated[
    bool, typer.Option("--no-code", help="Run no programs; their verdicts are not verified.")
]
All = Annotated[bool, typer.Option("--all", help="List every difference, not only the first.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def verify(run: Run, no_code: NoCode = False, every: All = False, as_json: AsJson = False) -> None:
    """Compute a stored run again from its files alone, and name what differs.

    Each score is computed from the stored reply, each verdict of a judge is read from its stored reply, programs are
    run again in the sandbox, every count, mean and interval is computed from the scores, and the reports are made
    again. Nobody is asked, and the run is not changed.

    Example: steelyard verify runs/trivia-smollm2 --all

    Exit code: 0 if all that was computed agrees (what could not be computed is named), 1 at a difference, 2 after bad
    input, 3 if no score could be computed.
    """
    from steelyard.cli.common import encode_json
    from steelyard.report.run_faces import is_report_of
    from steelyard.trust.verify import verify_run

    found = verify_run(run, run_code=not no_code, is_report=is_report_of)
    if as_json:
        typer.echo(encode_json({"run": str(run), **found.to_dict()}))
    else:
        _show(run, found, every=every)
    raise typer.Exit(found.exit_code)


def _show(run: Path, found: Verification, *, every: bool) -> None:
    from steelyard.errors import printable

    version = found.run_version
    if version != found.version:
        version = f"{version}, computed again with {found.version}"
    journal = [found.chain, *(found.journal.notes if found.journal else ())]
    scores = [
        f"{count:,} {kind}{'' if count == 1 else 's'}" for kind, count in found.recomputed.items()
    ]
    rows = [
        ("run", f"{run} ({found.benchmark}, {found.model})"),
        ("version", version),
        ("journal", "; ".join(journal)),
        ("recomputed", ", ".join(scores) or "no score"),
        ("compared", ", ".join(found.files) or "no file"),
    ]
    for name, text in rows:
        typer.echo(f"{name:<12}{printable(text)}")
    for one in found.differences if every else islice(found.differences, 1):
        typer.echo(printable(str(one)))
    more = "" if every or len(found.differences) < 2 else "; --all lists them"
    typer.echo(printable(found.sentence + more))


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("verify")(verify)
