"""``steelyard lint``: what a spec pays for everything, and what it pays for nothing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.cli.code_sandbox import Choice, Chosen, Image, Runtime, Unsafe
from steelyard.errors import DataError, SpecError

if TYPE_CHECKING:
    from steelyard.spec import LintReport

LEVELS = ("error", "warning", "note")


def lint(
    spec: Annotated[Path, typer.Argument(help="The scoring spec.")],
    truth: Annotated[
        Path | None, typer.Option("--truth", help="Its ground truth; made up if not given.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the report as one JSON object.")
    ] = False,
    *,
    sandbox: Chosen = None,
    image: Image = None,
    runtime: Runtime = None,
    unsafe_no_sandbox: Unsafe = False,
) -> None:
    """Check a spec: its ceiling, the best total that nothing right can reach, and what would close the gap.

    Exit code: 0 where there is no error (warnings and notes are told), 1 where there is one, 2 if the spec or the
    ground truth cannot be used.
    """
    from steelyard.cli.common import encode_json
    from steelyard.cli.score_spec import sandbox_of
    from steelyard.spec import lint_spec, load_spec

    known = _truth(truth, as_json) if truth else None
    choice = Choice(sandbox, image, runtime, unsafe_no_sandbox).checked()
    try:
        loaded = load_spec(spec)
        with sandbox_of(loaded, choice) as door:
            report = lint_spec(loaded, known, sandbox=door)
    except SpecError:
        # A program that reads the report gets one here too; the error itself, with file and line, is for people.
        if as_json:
            typer.echo(encode_json(lint_spec(spec, known)))
        raise
    typer.echo(encode_json(report) if as_json else "\n".join(_lines(spec, truth, report)))
    raise typer.Exit(report.exit_code)


def _truth(path: Path, as_json: bool) -> object:
    """The ground truth in a file; where it cannot be read, whoever asked for JSON gets a report that says so first."""
    from steelyard.cli.common import encode_json, read_json
    from steelyard.spec.lint import Finding, LintReport

    try:
        return read_json(path)
    except (DataError, SpecError) as wrong:
        if as_json:
            finding = Finding(level="error", path="ground_truth", message=str(wrong))
            typer.echo(
                encode_json(
                    LintReport(
                        ok=False, findings=(finding,), truth_given=True, exit_code=wrong.exit_code
                    )
                )
            )
        raise


def _lines(spec: Path, truth: Path | None, report: LintReport) -> list[str]:
    from steelyard.cli.excerpt import brief
    from steelyard.spec.problems import in_truth

    lines = [f"{spec}: {_counts(report)}"]
    for name, end in (("ceiling", report.ceiling), ("floor", report.floor)):
        if end is not None:
            lines.append(f"{name:9} {end.score}, a {end.result}: {brief(end.submission)}")
    for finding in report.findings:
        where = f"{brief(in_truth(str(truth or ''), finding.path), 500)}: " if finding.path else ""
        lines.append(f"{finding.level:9} {where}{brief(finding.message, 500)}")
        if finding.fix:
            lines.append(f"          fix: {brief(finding.fix, 500)}")
    return lines


def _counts(report: LintReport) -> str:
    """``clean``, or how many findings of each level there are."""
    found = [finding.level for finding in report.findings]
    told = [
        f"{found.count(level)} {level}{'s' * (found.count(level) > 1)}"
        for level in LEVELS
        if level in found
    ]
    return ", ".join(told) or "clean"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("lint")(lint)
