"""``steelyard score``: recorded answers against references, or submissions against a spec."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.cli import eval_options as opt
from steelyard.cli.code_sandbox import Choice, Chosen, Image, Runtime, Unsafe, named, warn
from steelyard.cli.common import refuse_with, scorers_like
from steelyard.errors import DataError

if TYPE_CHECKING:
    from steelyard.batch.plan import Plan
    from steelyard.cli.score_spec import Given


class Format(StrEnum):
    """The formats of inputs."""

    jsonl = "jsonl"
    json = "json"
    csv = "csv"
    tsv = "tsv"
    parquet = "parquet"


ROWS = "Files of rows (.jsonl, .json, .csv, .tsv, .parquet, .pq; also .gz and .zst); - is standard input."
OUTPUT = "Where the scored rows go: .jsonl, .jsonl.gz, .jsonl.zst, .parquet or -."
Option = typer.Option
Files = Annotated[list[str] | None, typer.Argument(help=ROWS)]
Scorer = Annotated[
    str,
    Option("--scorer", autocompletion=scorers_like, help="A scorer's name, or file.py:function."),
]
SpecFile = Annotated[Path | None, Option("--spec", help="A scoring spec, instead of a scorer.")]
Params = Annotated[
    list[str] | None, Option("--param", help="A parameter: name=JSON or name=@file.")
]
Fields = Annotated[list[str] | None, Option("--field", help="Another name: response=output.text.")]
Kind = Annotated[
    Format | None, Option("--format", help="The format, if the name does not tell it.")
]
Submission = Annotated[
    Path | None, Option("--submission", help="With --spec: one submission; - is standard input.")
]
Truth = Annotated[Path | None, Option("--truth", help="With --spec: the truth, if rows have none.")]
Time = Annotated[float | None, Option("--time-used", help="With --spec: seconds that were used.")]
Trajectory = Annotated[
    Path | None, Option("--trajectory", help="With --submission: its trajectory.")
]
Verified = Annotated[bool, Option("--verified", help="With --spec: the trajectory was verified.")]
Output = Annotated[str | None, Option("--output", "-o", help=OUTPUT)]
AsJson = Annotated[bool, Option("--json", help="Print the summary as one JSON object.")]
Strict = Annotated[
    bool, Option("--strict", help="Stop at the first bad line, or target that cannot be read.")
]
Workers = Annotated[
    int | None, Option("--workers", min=1, help="Processes; by default one a core.")
]
Limit = Annotated[int | None, Option("--limit", min=1, help="Score only the first rows.")]
By = Annotated[
    str | None, Option("--by", help="Break the summary down by this key of the metadata.")
]
Quiet = Annotated[bool, Option("--quiet", "-q", help="No progress bar and no summary.")]
JudgeUrl = Annotated[
    str | None, Option("--judge-url", help="The judge's OpenAI-compatible endpoint.")
]
JudgeStoreFile = Annotated[
    str | None,
    Option(
        "--judge-store",
        help="Where the judge's calls are stored; by default the output's name with .judge.jsonl.",
    ),
]
NoTarget = Annotated[
    bool, Option("--no-target", help="Rows have no target; the scorer needs none.")
]


def score(
    files: Files = None,
    *,
    scorer: Scorer = "",
    spec: SpecFile = None,
    param: Params = None,
    field: Fields = None,
    kind: Kind = None,
    output: Output = None,
    by: By = None,
    submission: Submission = None,
    truth: Truth = None,
    time_used: Time = None,
    trajectory: Trajectory = None,
    verified: Verified = False,
    as_json: AsJson = False,
    strict: Strict = False,
    workers: Workers = None,
    limit: Limit = None,
    quiet: Quiet = False,
    no_target: NoTarget = False,
    unclear: opt.Unclear = None,
    missing: opt.Missing = None,
    judge_url: JudgeUrl = None,
    judge_id: opt.JudgeId = None,
    judge_key_env: opt.JudgeKeyEnv = None,
    judge_store: JudgeStoreFile = None,
    sandbox: Chosen = None,
    image: Image = None,
    runtime: Runtime = None,
    unsafe_no_sandbox: Unsafe = False,
) -> None:
    """Score recorded answers, or one submission against a spec.

    Exit code: 0 when every row has a score, 1 when some have none (an error came instead of an answer, a target cannot
    be read, or a judge has still to speak), 2 after bad lines or bad input, 3 when Steelyard failed, 130 or 143 when stopped.
    """
    _refuse_both(scorer, spec)
    from steelyard.cli.common import param_files, parse_fields, parse_params
    from steelyard.cli.score_files import Wanted, score_and_show
    from steelyard.cli.score_judge import judge_address
    from steelyard.cli.score_spec import Given, score_submission

    judge = judge_address(judge_url, judge_id, judge_key_env, judge_store, output)
    given = Given(
        submission,
        truth,
        trajectory,
        time_used,
        verified,
        Choice(sandbox, image, runtime, unsafe_no_sandbox).checked(),
        judge,
    )
    if spec is not None and submission is not None:
        _refuse_for_one(
            files,
            output,
            {
                "--param": param,
                "--field": field,
                "--format": kind,
                "--by": by is not None,
                "--strict": strict,
                "--workers": workers,
                "--limit": limit,
                "--no-target": no_target,
                "--unclear": unclear,
                "--missing": missing,
            },
        )
        raise typer.Exit(score_submission(spec, given, as_json=as_json, quiet=quiet))
    _refuse(files, output, as_json, by)
    fields, params = parse_fields(field), parse_params(param)
    wanted = Wanted(
        files=files or [],
        kind=kind.value if kind else "",
        fields=fields,
        output=output,
        as_json=as_json,
        strict=strict,
        workers=workers,
        limit=limit,
        quiet=quiet,
        protect=(
            *param_files(param),
            *([str(truth)] if truth else []),
            *([judge.store] if judge and judge.store else []),
        ),
    )
    if spec is not None:
        refuse_with(
            "--spec over files of rows",
            {
                "--param": params,
                "--no-target": no_target,
                "--trajectory": trajectory,
                "--unclear": unclear,
                "--missing": missing,
            },
        )
        plan: Plan = _spec_plan(spec, fields, by, given)
    else:
        refuse_with(
            "--scorer over files of rows",
            {
                "--truth": truth,
                "--time-used": time_used is not None,
                "--verified": verified,
                "--trajectory": trajectory,
                "--submission": submission,
                **given.choice.given(),
            },
        )
        from steelyard.batch import ScorerPlan

        plan = ScorerPlan(
            scorer=scorer,
            params=params,
            fields=fields,
            by=by,
            no_target=no_target,
            judge=judge,
            cascade=opt.cascade(unclear, missing),
        )
    raise typer.Exit(score_and_show(plan, wanted))


def _refuse_both(scorer: str, spec: Path | None) -> None:
    if bool(scorer) == bool(spec):
        raise DataError("give either --scorer NAME with files of answers, or --spec FILE")


def _refuse_for_one(files: list[str] | None, output: str | None, given: dict[str, object]) -> None:
    if files or output:
        raise DataError(
            "--submission scores one submission: it goes without files of rows and --output"
        )
    refuse_with("--submission", given)


def _refuse(files: list[str] | None, output: str | None, as_json: bool, by: str | None) -> None:
    from steelyard.cli.common import require_text

    if by == "":
        raise DataError("--by is empty; it takes a key of the metadata, or of the row itself")
    require_text(by or "", "--by")
    if not files:
        raise DataError("no files of rows are given; - reads standard input")
    if files.count("-") > 1:
        raise DataError("standard input can be read only once")
    if as_json and output == "-":
        raise DataError("--json and --output - both want standard output; choose one")


def _spec_plan(spec: Path, fields: dict[str, str], by: str | None, given: Given) -> Plan:
    from steelyard.batch.spec_plan import SpecPlan
    from steelyard.cli.common import read_json, seconds

    warn(given.choice)
    shared = (
        {"truth": read_json(given.truth), "truth_file": str(given.truth)} if given.truth else {}
    )
    return SpecPlan.load(
        spec,
        fields=fields,
        by=by,
        time_used=seconds(given.time_used),
        verified=given.verified,
        sandbox=named(given.choice),
        judge=given.judge,
        **shared,
    )


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("score")(score)
