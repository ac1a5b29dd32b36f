"""``steelyard eval run``: a benchmark against a model."""

from __future__ import annotations

import atexit
import gc
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import typer

from steelyard.cli import eval_options as opt
from steelyard.cli.common import encode_json, parse_params, say_error, say_journal_notes
from steelyard.cli.eval_doors import Budget, Endpoint, judge_endpoint, noted, open_doors, open_model
from steelyard.errors import DataError, StoreError

if TYPE_CHECKING:
    from steelyard.runs.plan import RunPlan
    from steelyard.runs.results import Prices
    from steelyard.runs.run import Outcome
    from steelyard.runs.session import Doors

RUNS = Path("runs")
KEPT = "what was asked for is kept, and --resume goes on with it"
NOT_PARAMETERS = {"model", "messages", "stream", "n"}


def run(
    *,
    bench: opt.Bench,
    dataset: opt.Dataset = None,
    model_url: opt.ModelUrl = None,
    model_id: opt.ModelId = None,
    api_key_env: opt.KeyEnv = None,
    recorded: opt.Recorded = None,
    judge_url: opt.JudgeUrl = None,
    judge_id: opt.JudgeId = None,
    judge_key_env: opt.JudgeKeyEnv = None,
    unclear: opt.Unclear = None,
    missing: opt.Missing = None,
    repeats: opt.Repeats = None,
    max_problems: opt.MaxProblems = None,
    concurrency: opt.Concurrency = None,
    output: opt.Output = None,
    resume: opt.Resume = False,
    allow_change: opt.AllowChange = False,
    dry_run: opt.DryRun = False,
    max_cost: opt.MaxCost = None,
    max_tokens: opt.MaxTokens = None,
    max_time: opt.MaxTime = None,
    price_in: opt.PriceIn = None,
    price_out: opt.PriceOut = None,
    temperature: opt.Temperature = None,
    max_output_tokens: opt.MaxOutput = None,
    param: opt.Params = None,
    system_prompt: opt.SystemPrompt = None,
    seed: opt.Seed = None,
    timeout: opt.Timeout = 600.0,
    scorer_timeout: opt.ScorerTimeout = 60.0,
    as_json: opt.AsJson = False,
    quiet: opt.Quiet = False,
) -> None:
    """Ask a model every problem of a benchmark, score and judge the answers, and tell what came of it.

    Exit code: 0 when every sample has a score, 2 after bad input, 3 when samples are unscored or pending or the run
    had to stop, 130 after Ctrl-C, 143 after SIGTERM. --resume goes on with a run that stopped, and asks nothing twice.
    """
    from steelyard.runs.results import Prices

    parameters = request_parameters(param, temperature=temperature, max_tokens=max_output_tokens)
    plan = make_plan(
        bench,
        dataset,
        cascade=opt.cascade(unclear, missing),
        repeats=repeats,
        limit=max_problems,
        parameters=parameters,
        system_prompt=_text(system_prompt),
        seed=seed,
    )
    model = Endpoint(
        url=model_url, name=model_id, key_env=api_key_env, recorded=recorded, timeout=timeout
    )
    judge = judge_endpoint(model, judge_url, judge_id, judge_key_env)
    prices = Prices(input=price_in, output=price_out)
    budget = Budget(
        max_tokens=max_tokens,
        max_cost=max_cost,
        max_time=max_time,
        price_in=price_in,
        price_out=price_out,
    )
    pace = budget.pace(model.at_once(concurrency), timeout=timeout)
    if dry_run:
        _dry_run(plan, prices, model, judge, as_json=as_json)
        return
    doors = open_doors(model, judge, plan.benchmark, pace, quiet=quiet or as_json)
    outcome = _run(
        plan,
        doors,
        output,
        quiet=quiet,
        resume=resume,
        allow_change=allow_change,
        prices=prices,
        scorer_seconds=scorer_timeout,
        noted=noted(
            model,
            judge,
            dataset=lasting(dataset),
            prices=prices,
            scorer_timeout=scorer_timeout,
        ),
    )
    del plan, doors  # the reports are made from the files alone
    show_outcome(outcome, as_json=as_json, quiet=quiet)
    raise typer.Exit(outcome.exit_code)


def _run(
    plan: RunPlan, doors: Doors, output: Path | None, *, quiet: bool, **options: Any
) -> Outcome:
    from steelyard.runs.run import Options, run_benchmark

    name = str(doors.model.identity.get("name", ""))
    folder = output or default_folder(plan.benchmark.name, name, resume=options["resume"])
    at_once = doors.pacer.limits.concurrency
    with _collecting_rarely():
        return run_benchmark(
            plan,
            doors,
            Options(
                folder=folder,
                concurrency=at_once,
                on_begin=_watching(quiet),
                on_change=_tell_changes,
                on_journal=lambda notes: None if quiet else say_journal_notes(folder, notes),
                **options,
            ),
        )


@contextmanager
def _collecting_rarely() -> Iterator[None]:
    """A run leaves hardly any cycles behind, and looking for them after every few hundred objects is a tenth of its work.

    Nor is there any use in looking for them when the process ends.
    """
    before = gc.get_threshold()
    gc.freeze()
    atexit.register(gc.freeze)
    gc.set_threshold(20_000, 20, 20)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def request_parameters(given: list[str] | None, **named: Any) -> dict[str, Any]:
    """The parameters of every request; one that is said twice is refused."""
    found = parse_params(given)
    for name in NOT_PARAMETERS & found.keys():
        raise DataError(f"{name!r} is no parameter: a run says it itself")
    for name, value in named.items():
        if value is not None and name in found:
            raise DataError(f"{name} is given twice: by its own option and by --param")
        if value is not None:
            found[name] = value
    return found


def make_plan(
    bench: str, dataset: str | None, *, cascade: tuple[str, ...] = (), **settings: Any
) -> RunPlan:
    """The plan of a run, checked."""
    from steelyard.bench.load import load_benchmark
    from steelyard.runs.plan import RunPlan

    return RunPlan(
        msgspec.structs.replace(load_benchmark(bench, dataset=dataset), cascade=cascade),
        reference=lasting(bench, name=True) or bench,
        **settings,
    )


def lasting(given: str | None, *, name: bool = False) -> str | None:
    """What names rows, or by ``name`` a benchmark, as it is understood from any folder: a file has its whole path.

    >>> lasting("trivia", name=True), lasting("/work/b.py:hard", name=True), lasting(None)
    ('trivia', '/work/b.py:hard', None)
    """
    if given is None or (name and "/" not in given and ".py" not in given):
        return given
    file, colon, inner = given.partition(".py:")
    path = Path(f"{file}.py" if colon else given)
    return f"{path.absolute()}{colon[-1:]}{inner}" if path.exists() else given


def _text(given: str | None) -> str | None:
    if given is None or not given.startswith("@"):
        return given
    from steelyard.cli.common import read_text

    return read_text(given[1:])


def default_folder(benchmark: str, model: str, *, resume: bool) -> Path:
    """``runs/BENCHMARK-MODEL``; another run of the same gets the next number, and --resume the last one there is."""
    from steelyard.runs.run_file import is_run

    base = "-".join(part for part in (_name(benchmark), _name(model)) if part)
    number, last = 1, RUNS / base
    while is_run(folder := RUNS / (base if number == 1 else f"{base}-{number}")):
        number, last = number + 1, folder
    return last if resume else folder


def _name(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9._]+", "-", text).strip("-.")[:60]


def _watching(quiet: bool) -> Any:
    from steelyard.cli.eval_progress import watching

    return watching(quiet=quiet)


def _tell_changes(changed: list[Any]) -> None:
    for change in changed:
        typer.echo(f"changed since the run was begun: {change}", err=True)


def _dry_run(
    plan: RunPlan, prices: Prices, model: Endpoint, judge: Endpoint | None, *, as_json: bool
) -> None:
    from steelyard.cli.eval_dry import estimate, show_estimate

    plan.benchmark.check(judge=judge is not None)
    named = (
        dict(open_model(model, quiet=True).identity) if not model.embedded else {"kind": "embedded"}
    )
    found = estimate(plan, prices, named)
    if as_json:
        typer.echo(encode_json(found))
    else:
        show_estimate(found, file=sys.stdout)


def show_outcome(outcome: Outcome, *, as_json: bool, quiet: bool) -> None:
    """The tables of a run that has ended, after its reports were written."""
    from steelyard.report.run_files import told_by, write_reports
    from steelyard.report.run_terminal import show_run

    try:
        markdown, page = write_reports(outcome.folder)
    except StoreError as failed:
        raise StoreError(f"{failed}; {KEPT}") from None
    if outcome.stopped and not outcome.interrupted:
        say_error(f"the run stopped: {outcome.stopped}")
        say_error(KEPT)
    if as_json:
        typer.echo(
            encode_json(
                {
                    **outcome.results,
                    "folder": str(outcome.folder),
                    "stopped": outcome.stopped or None,
                }
            )
        )
    elif not quiet:
        notes = [f"run        {outcome.folder}", f"report     {page}", f"           {markdown}"]
        if outcome.exit_code:
            notes.append(_what_now(outcome))
        show_run(*told_by(outcome.folder), file=sys.stdout, notes=notes)


def _what_now(outcome: Outcome) -> str:
    """What somebody can do about samples without a score: not everything is mended by asking again."""
    covered = outcome.results["coverage"]
    to_ask = covered["total"] - covered["asked"] + sum(covered["model_errors"].values())
    if outcome.stopped or covered["pending"] or to_ask:
        return "not all samples have a score; --resume goes on with the run"
    return "not all samples have a score, and --resume asks for nothing more; eval rescore and eval rejudge score them anew"
