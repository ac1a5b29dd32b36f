"""``steelyard score``: recorded answers against references, or submissions against a spec."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.errors import DataError

if TYPE_CHECKING:
    from steelyard.batch.plan import Plan


class Format(StrEnum):
    """The formats of inputs."""

    jsonl = "jsonl"
    csv = "csv"
    tsv = "tsv"
    parquet = "parquet"


INPUT, RUN, SPEC = "Input", "Run", "One submission"
Files = Annotated[list[str] | None, typer.Argument(help="Files of rows (JSONL, CSV, Parquet; .gz, .zst); - is stdin.")]
Scorer = Annotated[str, typer.Option("--scorer", help="A scorer's name, or file.py:function.")]
SpecFile = Annotated[Path | None, typer.Option("--spec", help="A scoring spec, instead of a scorer.")]
Params = Annotated[list[str] | None, typer.Option("--param", help="A scorer's parameter: name=JSON or name=@file.")]
Fields = Annotated[list[str] | None, typer.Option("--field", help="A field of another name: response=output.text.")]
Kind = Annotated[Format | None, typer.Option("--format", help="The inputs' format, if their names do not tell it.")]
Submission = Annotated[Path | None, typer.Option("--submission", help="With --spec: one submission to score.")]
Truth = Annotated[Path | None, typer.Option("--truth", help="With --spec: the ground truth (of rows without their own).")]
Time = Annotated[float | None, typer.Option("--time-used", help="With --spec: seconds that were used.")]
Trajectory = Annotated[Path | None, typer.Option("--trajectory", help="With --submission: the trajectory.")]
Verified = Annotated[bool, typer.Option("--verified", help="With --spec: the trajectory was verified.")]
Output = Annotated[str | None, typer.Option("--output", "-o", help="Scored rows: .jsonl[.gz|.zst], .parquet or -.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the summary as one JSON object.")]
Strict = Annotated[bool, typer.Option("--strict", help="Stop at the first bad line.")]
Workers = Annotated[int | None, typer.Option("--workers", min=1, help="Worker processes; by default one a core.")]
Limit = Annotated[int | None, typer.Option("--limit", min=1, help="Score only the first rows.")]
By = Annotated[str | None, typer.Option("--by", help="Break the summary down by this key of the metadata.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar and no summary.")]
NoTarget = Annotated[bool, typer.Option("--no-target", help="The rows have no target, and the scorer needs none.")]


def score(  # noqa: PLR0913, PLR0917 - one parameter an option
    files: Files = None, scorer: Scorer = "", spec: SpecFile = None, param: Params = None, field: Fields = None,
    kind: Kind = None, output: Output = None, by: By = None, submission: Submission = None, truth: Truth = None,
    time_used: Time = None, trajectory: Trajectory = None, verified: Verified = False, as_json: AsJson = False,
    strict: Strict = False, workers: Workers = None, limit: Limit = None, quiet: Quiet = False,
    no_target: NoTarget = False,
) -> None:  # fmt: skip
    """Score recorded answers, or one submission against a spec.

    Exit code: 0 when every row has a score, 1 when some have none (an error came instead of an answer, or a judge
    has still to speak), 2 after bad lines or bad input, 3 when Steelyard itself failed, 130 after Ctrl-C.
    """
    if bool(scorer) == bool(spec):
        raise DataError("give either --scorer NAME with files of answers, or --spec FILE")
    if submission is not None:
        from steelyard.cli.score_spec import score_submission

        if spec is None or files:
            raise DataError("--submission goes with --spec and --truth, and without files of rows")
        return score_submission(spec, submission, truth, trajectory, time_used, verified=verified, as_json=as_json)
    from steelyard.cli.common import parse_fields, parse_params
    from steelyard.cli.score_files import Wanted, score_and_show

    _refuse(files, output, as_json, spec, [truth, time_used, trajectory, verified or None])
    fields = parse_fields(field)
    if spec is not None:
        plan = _spec_plan(spec, fields, by, truth, time_used, verified)
    else:
        plan = _scorer_plan(scorer, parse_params(param), fields, by, no_target)
    wanted = Wanted(files=files or [], kind=kind.value if kind else "", fields=fields, output=output, as_json=as_json,
                    strict=strict, workers=workers, limit=limit, quiet=quiet)  # fmt: skip
    raise typer.Exit(score_and_show(plan, wanted))


def _refuse(
    files: list[str] | None, output: str | None, as_json: bool, spec: Path | None, of_spec: list[object]
) -> None:
    if not files:
        raise DataError("no files of rows are given; - reads standard input")
    if files.count("-") > 1:
        raise DataError("standard input can be read only once")
    if as_json and output == "-":
        raise DataError("--json and --output - both want standard output; choose one")
    if spec is None and any(value is not None for value in of_spec):
        raise DataError("--truth, --time-used, --trajectory and --verified go with --spec")


def _scorer_plan(scorer: str, params: dict[str, object], fields: dict[str, str], by: str | None, no_target: bool) -> Plan:
    from steelyard.batch import ScorerPlan

    plan = ScorerPlan(scorer=scorer, params=params, fields=fields, by=by, no_target=no_target)
    plan.check()
    return plan


def _spec_plan(
    spec: Path, fields: dict[str, str], by: str | None, truth: Path | None, time_used: float | None, verified: bool
) -> Plan:
    from steelyard.batch.spec_plan import SpecPlan
    from steelyard.cli.common import read_json

    shared = read_json(truth, exact=True) if truth else None
    plan = SpecPlan(spec=str(spec), fields=fields, by=by, truth=shared, time_used=time_used, verified=verified)
    plan.check()
    return plan


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("score")(score)
