"""``steelyard judge``: hold a judge against labels before its verdicts are believed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from steelyard.cli import eval_options as opt
from steelyard.cli.eval_doors import Budget

if TYPE_CHECKING:
    from steelyard.judge.calibration import Calibration, Label
    from steelyard.judge.config import JudgeScoringConfig
    from steelyard.judge.store import JudgeStore
    from steelyard.models.pace import Pace
    from steelyard.models.types import Model

Option = typer.Option
Labels = Annotated[Path, Option("--labels", help="Labelled answers and pairs, as JSON Lines.")]
Url = Annotated[str | None, Option("--judge-url", help="The judge's address (OpenAI-compatible).")]
Id = Annotated[str | None, Option("--judge-id", help="The judge's name there.")]
KeyEnv = Annotated[
    str | None, Option("--judge-key-env", help="The environment variable that holds its key.")
]
Recorded = Annotated[
    Path | None, Option("--recorded", help="Recorded replies, or a run's judge.jsonl, instead.")
]
Settings = Annotated[
    Path | None, Option("--config", help="Settings of the judge, as JSON or TOML.")
]
Repeats = Annotated[
    int, Option("--repeats", min=1, help="How often each row is asked, for self-consistency.")
]
Store = Annotated[
    Path | None, Option("--store", help="Keep every call in this file, and ask none of them again.")
]
Concurrency = Annotated[int, Option("--concurrency", min=1, help="Calls at a time.")]
AsJson = Annotated[bool, Option("--json", help="Print the result as one JSON object.")]


def calibrate(
    *,
    labels: Labels,
    judge_url: Url = None,
    judge_id: Id = None,
    judge_key_env: KeyEnv = None,
    recorded: Recorded = None,
    config: Settings = None,
    repeats: Repeats = 1,
    store: Store = None,
    concurrency: Concurrency = 16,
    max_cost: opt.MaxCost = None,
    max_tokens: opt.MaxTokens = None,
    max_time: opt.MaxTime = None,
    price_in: opt.PriceIn = None,
    price_out: opt.PriceOut = None,
    as_json: AsJson = False,
) -> None:
    """How far a judge agrees with labels: confusion, TPR and TNR, Cohen's kappa, position bias, self-consistency.

    Exit code: 0 when every row got its verdict, 1 when some got none, 2 after bad input, 3 when the judge could not be asked
    or Steelyard failed.
    """
    import asyncio

    from steelyard.cli.common import encode_json, say_error
    from steelyard.judge.calibration import read_labels

    settings = read_settings(config)
    rows = read_labels(labels, settings)
    pace = Budget(
        max_tokens=max_tokens,
        max_cost=max_cost,
        max_time=max_time,
        price_in=price_in,
        price_out=price_out,
    ).pace(concurrency)
    model, kept = open_judge(judge_url, judge_id, judge_key_env, recorded, store)
    with kept:
        found = asyncio.run(_calibrate(rows, model, kept, settings, repeats=repeats, pace=pace))
    if found.stopped:
        say_error(found.stopped)
    if as_json:
        import msgspec

        typer.echo(encode_json(msgspec.to_builtins(found)))
    else:
        typer.echo("\n".join(_lines(found)))
    raise typer.Exit(found.exit_code)


def read_settings(path: Path | None) -> JudgeScoringConfig:
    """The settings of a judge from a file, or the usual ones."""
    import msgspec

    from steelyard.errors import DataError, SpecError
    from steelyard.judge.config import JudgeScoringConfig

    if path is None:
        return JudgeScoringConfig()
    decode = msgspec.toml.decode if path.suffix == ".toml" else msgspec.json.decode
    try:
        return decode(path.read_bytes(), type=JudgeScoringConfig)
    except OSError as failed:
        raise DataError(f"cannot be read: {failed.strerror or failed}", file=str(path)) from None
    except (msgspec.ValidationError, SpecError) as wrong:
        raise SpecError(f"{path}: {wrong}") from None
    except ValueError as wrong:
        raise DataError(f"cannot be read: {wrong}", file=str(path)) from None


def open_judge(
    url: str | None,
    name: str | None,
    key_env: str | None,
    recorded: Path | None,
    store: Path | None,
) -> tuple[Model, JudgeStore]:
    """The judge that the options name, and where its replies are kept."""
    from steelyard.errors import DataError
    from steelyard.judge.store import JudgeStore

    if (url is None) == (recorded is None):
        raise DataError("give either --judge-url URL with --judge-id NAME, or --recorded FILE")
    if recorded is not None:
        from steelyard.judge.store import open_recorded

        return open_recorded(recorded, name)
    if not name:
        raise DataError("--judge-url needs --judge-id, the judge's name there")
    from steelyard.models.http import HttpModel

    return HttpModel(url or "", name, key_env=key_env), JudgeStore(store)


async def _calibrate(
    rows: list[Label],
    model: Model,
    store: JudgeStore,
    config: JudgeScoringConfig,
    *,
    repeats: int,
    pace: Pace,
) -> Calibration:
    from steelyard.judge.calibration import calibrate as compare_with_labels
    from steelyard.judge.client import JudgeClient
    from steelyard.models.pace import Pacer

    client = JudgeClient(model, Pacer(pace), store, config.parameters)
    try:
        return await compare_with_labels(
            rows, client, config, repeats=repeats, at_once=pace.concurrency
        )
    finally:
        await model.close()


def _lines(found: Calibration) -> list[str]:
    """The result for a reader."""
    lines = [f"judge: {found.judge.get('name') or found.judge.get('kind')}"]
    if found.answers is not None:
        lines += _answer_lines(found.answers)
    if (pairs := found.comparisons) is not None:
        lines += [
            "",
            f"pairs: {pairs.judged} of {pairs.labels} judged",
            _line("agreement with labels", pairs.agreement),
            _line("Cohen's kappa", pairs.kappa),
            _line("flipped with the order", pairs.flipped),
            _line("preferred what came first", pairs.first_shown),
        ]
    if (again := found.consistency) is not None:
        agreement = "–" if again.agreement is None else f"{again.agreement:.3f}"
        lines += [
            "",
            f"{again.repeats} askings of each",
            _line("always the same verdict", again.same),
            f"  {'agreement of two askings':<26} {agreement}",
        ]
    if found.problems:
        lines += ["", f"without a verdict: {len(found.problems)}"]
        lines += [f"  {row}: {why}" for row, why in list(found.problems.items())[:10]]
    return lines


def _answer_lines(answers: Any) -> list[str]:
    table = answers.confusion
    lines = [
        f"answers: {answers.judged} of {answers.labels} judged",
        "",
        f"  {'':<12} {'judge: right':>13} {'judge: wrong':>13}",
        f"  {'label: right':<12} {table['true_positive']:>13} {table['false_negative']:>13}",
        f"  {'label: wrong':<12} {table['false_positive']:>13} {table['true_negative']:>13}",
        "",
        _line("right found right (TPR)", answers.tpr),
        _line("wrong found wrong (TNR)", answers.tnr),
        _line("agreement", answers.agreement),
        _line("Cohen's kappa", answers.kappa),
    ]
    if answers.score_difference is not None:
        lines.append(f"  {'mean difference of scores':<26} {answers.score_difference:.3f}")
    return lines


def _line(what: str, interval: Any) -> str:
    return f"  {what:<26} {'–' if interval is None else format(interval, '.3f')}"


def register(app: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(
        no_args_is_help=True, rich_markup_mode=None, help="Judges: hold one against labels."
    )
    group.callback()(lambda: None)  # one command alone would take the place of the group
    group.command("calibrate")(calibrate)
    app.add_typer(group, name="judge")
