"""``steelyard reference``: folders of reference solutions: lint them, score against them, print their schemas."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def lint(
    folder: Annotated[
        Path,
        typer.Argument(help="The folder of {id}_reference_solution.json files.", metavar="DIR"),
    ],
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the report as one JSON object.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Let warnings fail too.")] = False,
) -> None:
    """Check references: can each be read, can it be matched, and is it written as it is meant?

    Exit code: 0 without errors, 1 after errors (with --strict also after warnings), 2 if the folder cannot
    be read.
    """
    from steelyard.batch.reference import lint_references
    from steelyard.batch.reference.lint import as_dict
    from steelyard.cli.common import encode_json
    from steelyard.report.reference_lint import lint_lines

    report = lint_references(folder)
    typer.echo(encode_json(as_dict(report)) if as_json else "\n".join(lint_lines(report)))
    raise typer.Exit(report.exit_code(strict=strict))


def schema(
    problem: Annotated[Path, typer.Argument(help="A {id}_problem.json file.", metavar="PROBLEM")],
    strict: Annotated[
        bool, typer.Option("--strict", help="Only what a model must write: no id.")
    ] = False,
) -> None:
    """Print the JSON Schema of a whole solution of a problem (answer and explanation), for structured output."""
    import json

    from steelyard.batch.reference import problem_schema

    typer.echo(
        json.dumps(problem_schema(problem, strict=strict), indent=2, ensure_ascii=False).encode()
    )


def register(app: typer.Typer) -> None:
    """Add the command group."""
    from steelyard.cli.reference_score import score

    group = typer.Typer(
        no_args_is_help=True,
        rich_markup_mode=None,
        help="Reference solutions: lint a folder, score against it, print a schema.",
    )
    group.command("lint")(lint)
    group.command("score")(score)
    group.command("schema")(schema)
    app.add_typer(group, name="reference")
