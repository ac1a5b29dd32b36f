"""``steelyard gate``: whether a candidate may take the place of its base."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.errors import DataError

if TYPE_CHECKING:
    from steelyard.runs.gate import Gated

Base = Annotated[
    Path | None,
    typer.Argument(help="The run, or folder of runs, that the candidate is held against."),
]
Candidate = Annotated[
    Path | None, typer.Argument(help="The run, or folder of runs, of the candidate.")
]
PolicyFile = Annotated[Path | None, typer.Option("--policy", help="The rules, a TOML file.")]
Margin = Annotated[
    float | None,
    typer.Option("--margin", help="How much worse the candidate may be; in the place of a policy."),
]
Junit = Annotated[Path | None, typer.Option("--junit", help="Write JUnit XML to this file.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the verdict as one JSON object.")]
AsMarkdown = Annotated[
    bool, typer.Option("--markdown", help="Print Markdown, for the summary page of a CI job.")
]
AsCsv = Annotated[
    bool, typer.Option("--csv", help="Print CSV, a row for each benchmark and one for the verdict.")
]
Init = Annotated[
    Path | None,
    typer.Option("--init", help="Write a policy with comments to this file, and leave."),
]


def gate(
    base: Base = None,
    candidate: Candidate = None,
    policy: PolicyFile = None,
    margin: Margin = None,
    junit: Junit = None,
    as_json: AsJson = False,
    as_markdown: AsMarkdown = False,
    as_csv: AsCsv = False,
    init: Init = None,
) -> None:
    """Say GO, NO-GO or INCONCLUSIVE: is the candidate at most so much worse than its base?

    Ends with 0 for GO, 1 for NO-GO, 4 for INCONCLUSIVE; 2 is bad input, as everywhere.
    """
    if init is not None:
        _write_policy(init)
        return
    if base is None or candidate is None:
        raise DataError(
            "a gate needs the base and the candidate: steelyard gate --policy FILE BASE CANDIDATE"
        )
    if (policy is None) == (margin is None):
        raise DataError(
            "a gate needs either --policy FILE or --margin; `steelyard gate --init policy.toml` writes one"
        )
    if as_json + as_markdown + as_csv > 1:
        raise DataError("choose one of --json, --markdown and --csv")
    if junit is not None and junit.is_dir():
        raise DataError("is a folder; name a file in it", file=str(junit))
    from steelyard.runs.gate import gate as decide
    from steelyard.runs.policy import load_policy, read_policy

    rules = (
        load_policy(policy)
        if policy is not None
        else read_policy({"margin": margin}, name="--margin")
    )
    found = decide(base, candidate, rules)
    if junit is not None:
        from steelyard.report.junit import gate_junit
        from steelyard.runs.files import replacing

        with replacing(junit) as out:
            out.write(gate_junit(found))
    _show(found, "json" if as_json else "md" if as_markdown else "csv" if as_csv else "terminal")
    raise typer.Exit(found.verdict.exit_code)


def _show(found: Gated, form: str) -> None:
    from steelyard.report.gate_faces import gate_csv, gate_markdown, show_gate

    if form == "terminal":
        show_gate(found, file=sys.stdout)
    elif form == "json":
        from steelyard.cli.common import encode_json

        typer.echo(encode_json(found))
    else:
        typer.echo(
            (gate_markdown(found) if form == "md" else gate_csv(found)).encode(errors="replace"),
            nl=False,
        )


def _write_policy(path: Path) -> None:
    from importlib import resources

    if path.exists():
        raise DataError("is already there; nothing was written", file=str(path))
    text = (resources.files("steelyard") / "data" / "gate_policy.toml").read_text(encoding="utf-8")
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as failed:
        raise DataError(f"cannot be written: {failed.strerror}", file=str(path)) from None
    typer.echo(f"wrote {path}\n\nTry:\n  steelyard gate --policy {path} BASE CANDIDATE")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("gate")(gate)
