"""``steelyard reference score``: a folder of solutions against a folder of references."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.errors import DataError

if TYPE_CHECKING:
    from steelyard.batch.reference import JudgeAddress


class Malformed(StrEnum):
    """What a solution gets that cannot be read."""

    zero = "zero"
    skip = "skip"


class Compat(StrEnum):
    """Whose old numbers are shown beside ours."""

    lobster = "lobster"


Option = typer.Option
RUNS = "Folders of repeated runs instead of --solutions: 'out/{setting}/run_{n}'."
WEIGHT = "The share of the explanation in a score, 0 to 1."
References = Annotated[
    Path | None, Option("--references", help="The folder of reference solutions.")
]
Solutions = Annotated[Path | None, Option("--solutions", help="The folder of submitted solutions.")]
Problems = Annotated[
    Path | None, Option("--problems", help="The folder of problems, to check formats against.")
]
Output = Annotated[Path, Option("--output", "-o", help="Where the score files and the summary go.")]
Fuzzy = Annotated[
    str, Option("--fuzzy", help="llm, similarity, exact, a registered metric, or file.py:function.")
]
Threshold = Annotated[
    float | None, Option("--fuzzy-threshold", help="From where on the metric says: the same.")
]
Weight = Annotated[float, Option("--explanation-weight", help=WEIGHT)]
NoExplanations = Annotated[bool, Option("--no-explanations", help="Leave explanations out.")]
Judge = Annotated[
    Path | None, Option("--judge", help="Recorded verdicts of a judge, as JSON Lines.")
]
JudgeUrl = Annotated[
    str | None, Option("--judge-url", help="A judge to be asked: its address (OpenAI-compatible).")
]
JudgeId = Annotated[str | None, Option("--judge-id", help="The name of the judge at that address.")]
JudgeKey = Annotated[
    str | None, Option("--judge-key-env", help="The environment variable that holds its key.")
]
Bad = Annotated[Malformed, Option("--malformed", help="What a malformed solution gets.")]
Year = Annotated[
    list[int] | None, Option("--year", help="Only problems of this year; can be repeated.")
]
Number = Annotated[
    list[int] | None, Option("--number", help="Only problems of this number; can be repeated.")
]
Ids = Annotated[
    list[str] | None, Option("--id", help="Only the problem of this id; can be repeated.")
]
Overwrite = Annotated[bool, Option("--overwrite", help="Score again what has been scored.")]
Runs = Annotated[str | None, Option("--runs", help=RUNS)]
Profile = Annotated[
    Compat | None, Option("--compat", help="Show a published evaluator's numbers as well.")
]
AsJson = Annotated[bool, Option("--json", help="Print the summary as one JSON object.")]
Workers = Annotated[
    int | None, Option("--workers", min=1, help="Processes; by default one a core.")
]
Quiet = Annotated[bool, Option("--quiet", "-q", help="No progress bar and no summary.")]


def score(
    *,
    references: References = None,
    solutions: Solutions = None,
    problems: Problems = None,
    output: Output,
    fuzzy: Fuzzy = "llm",
    fuzzy_threshold: Threshold = None,
    explanation_weight: Weight = 0.5,
    no_explanations: NoExplanations = False,
    judge: Judge = None,
    judge_url: JudgeUrl = None,
    judge_id: JudgeId = None,
    judge_key_env: JudgeKey = None,
    malformed: Bad = Malformed.zero,
    year: Year = None,
    number: Number = None,
    id: Ids = None,  # noqa: A002
    overwrite: Overwrite = False,
    runs: Runs = None,
    compat: Profile = None,
    as_json: AsJson = False,
    workers: Workers = None,
    quiet: Quiet = False,
) -> None:
    """Score solutions against references, one file a problem, and summarise.

    What has been scored with the same files and settings is not scored again. Exit code: 0 when every problem
    has a score, 1 when some have none, 2 after bad references or bad input, 3 when Steelyard failed, 130
    after Ctrl-C.
    """
    from steelyard.batch.reference import FolderTask, Selection, Settings
    from steelyard.cli.reference_files import score_and_show, score_runs_and_show
    from steelyard.engine import usable_cores

    if (solutions is None) == (runs is None):
        raise DataError("give either --solutions DIR or --runs 'out/{setting}/run_{n}'")
    if references is None:
        raise DataError("give --references DIR")
    params = {} if fuzzy_threshold is None else {"threshold": fuzzy_threshold}
    task = FolderTask(
        references=str(references),
        solutions=str(solutions or ""),
        output=str(output),
        problems=str(problems) if problems else None,
        judge=_judge(judge, judge_url, judge_id, judge_key_env),
        settings=Settings(
            fuzzy=fuzzy,
            fuzzy_params=params,
            explanation_weight=explanation_weight,
            explanations=not no_explanations,
            malformed=malformed.value,
            compat=compat.value if compat else None,
        ),
        select=Selection(years=tuple(year or ()), numbers=tuple(number or ()), ids=tuple(id or ())),
        overwrite=overwrite,
        workers=workers or usable_cores(),
    )
    show = score_and_show if runs is None else score_runs_and_show
    raise typer.Exit(show(task, runs or "", as_json=as_json, quiet=quiet))


def _judge(
    file: Path | None, url: str | None, name: str | None, key_env: str | None
) -> str | JudgeAddress | None:
    """The judge that the options name: verdicts out of a file, or somebody to be asked."""
    from steelyard.batch.reference import JudgeAddress

    if url is None and name is None:
        return str(file) if file else None
    if file is not None:
        raise DataError("give either --judge FILE or --judge-url URL, not both")
    if not url or not name:
        raise DataError(
            "--judge-url and --judge-id belong together: where the judge is, and its name there"
        )
    return JudgeAddress(url=url, name=name, key_env=key_env)
