"""``steelyard eval rescore`` and ``rejudge``: stored attempts once more, without asking the model."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import typer

from steelyard.cli import eval_options as opt
from steelyard.cli.common import encode_json, say_error, say_journal_notes
from steelyard.cli.eval_doors import AT_ONCE, Budget, Endpoint, http_model
from steelyard.cli.eval_run import lasting
from steelyard.errors import DataError

if TYPE_CHECKING:
    from steelyard.bench.definition import Benchmark
    from steelyard.models.pace import Pace
    from steelyard.runs.again import Again
    from steelyard.runs.judging import JudgeDoor
    from steelyard.runs.results import Prices
    from steelyard.runs.run_file import RunFile

MOST_FLIPS = 30


def rescore(
    *,
    run: opt.Run,
    bench: opt.OtherBench = None,
    spec: opt.SpecFile = None,
    unclear: opt.Unclear = None,
    missing: opt.Missing = None,
    judge_url: opt.JudgeUrl = None,
    judge_id: opt.JudgeId = None,
    judge_key_env: opt.JudgeKeyEnv = None,
    output: opt.NewRun = None,
    as_json: opt.AsJson = False,
    quiet: opt.Quiet = False,
) -> None:
    """Score the stored attempts of a run again, and show which samples flipped and at which stage.

    The model is not asked. Of the judge only the stored replies are read, unless --judge-url and --judge-id name one to
    ask. The run itself stays as it is.
    """
    from steelyard.runs.again import How, score_again
    from steelyard.runs.run_file import RunFile
    from steelyard.runs.stored import stored_judge, stored_plan, stored_prices

    about = RunFile.read(run)
    before = tuple(about.shapes["benchmark"].get("cascade", ()))
    chosen = opt.cascade(unclear, missing, before)
    reference = lasting(bench, name=True) if bench is not None else None
    plan = stored_plan(about, _benchmark(about, bench, spec), chosen, reference=reference)
    prices, noted = stored_prices(about), _noted_scorer(about, bench, spec)
    judge = None
    if judge_url or judge_id:
        if output is None:
            raise DataError("--judge-url needs --output: the judge's replies are kept in a new run")
        where = judge_endpoint(about, judge_url, judge_id, judge_key_env)
        pace = Budget(price_in=prices.input, price_out=prices.output).pace(AT_ONCE)
        judge = _live_judge(where, plan.benchmark, pace)
        noted = noted_judge(noted, where)
    elif about.judge:
        judge = stored_judge(about, plan.benchmark)
    plan.benchmark.check(judge=judge is not None)
    how = How(by="rescore", plan=plan, judge=judge, output=output, prices=prices, noted=noted)
    _show(score_again(run, how), run, output, as_json=as_json, quiet=quiet)


def rejudge(
    *,
    run: opt.Run,
    offline: opt.Offline = False,
    judge_url: opt.JudgeUrl = None,
    judge_id: opt.JudgeId = None,
    judge_key_env: opt.JudgeKeyEnv = None,
    concurrency: opt.Concurrency = None,
    max_cost: opt.MaxCost = None,
    max_tokens: opt.MaxTokens = None,
    max_time: opt.MaxTime = None,
    price_in: opt.PriceIn = None,
    price_out: opt.PriceOut = None,
    output: opt.NewRun = None,
    as_json: opt.AsJson = False,
    quiet: opt.Quiet = False,
) -> None:
    """Judge a run again: by its own judge, by another one, or with --offline by reading stored replies again.

    A stored reply is never asked for twice, and never taken for another judge's. Budgets are for this asking alone; the
    prices are those of the run where none are given.
    """
    from steelyard.runs.again import How, score_again
    from steelyard.runs.run_file import RunFile
    from steelyard.runs.stored import stored_judge, stored_plan

    about = RunFile.read(run)
    plan = stored_plan(about)
    prices = _prices(about, price_in, price_out)
    budget = {"--max-cost": max_cost, "--max-tokens": max_tokens, "--max-time": max_time}
    if offline:
        if judge_url or judge_id:
            raise DataError("--offline asks nobody; it reads what the run's own judge has said")
        if limits := [name for name, value in budget.items() if value is not None]:
            raise DataError(
                f"--offline asks nobody, so that it costs nothing; {', '.join(limits)} would limit nothing"
            )
        judge, options = stored_judge(about, plan.benchmark), about.options
    else:
        where = judge_endpoint(about, judge_url, judge_id, judge_key_env)
        pace = Budget(
            max_tokens=max_tokens,
            max_cost=max_cost,
            max_time=max_time,
            price_in=prices.input,
            price_out=prices.output,
        ).pace(concurrency or AT_ONCE)
        judge = _live_judge(where, plan.benchmark, pace)
        options = noted_judge(about.options, where) | {"prices": msgspec.to_builtins(prices)}
    how = How(
        by="rejudge",
        plan=plan,
        judge=judge,
        only_judged=True,
        output=output,
        prices=prices,
        noted=options,
    )
    _show(score_again(run, how), run, output, as_json=as_json, quiet=quiet)


def _benchmark(about: RunFile, bench: str | None, spec: Path | None) -> Benchmark:
    from steelyard.bench.load import load_benchmark
    from steelyard.runs.stored import stored_benchmark, with_spec

    if bench is not None and spec is not None:
        raise DataError("--bench and --spec both say how to score; choose one")
    if bench is None and spec is None:
        return stored_benchmark(about)
    found = load_benchmark(bench or about.reference, dataset=about.options.get("dataset"))
    return found if spec is None else with_spec(found, spec)


def _noted_scorer(about: RunFile, bench: str | None, spec: Path | None) -> dict[str, Any]:
    """The options of the run with the spec that scores it now, so that it can be scored by it again."""
    kept = dict(about.options)
    if bench is not None:
        kept.pop("spec", None)
    return kept if spec is None else kept | {"spec": lasting(str(spec))}


def _prices(about: RunFile, price_in: float | None, price_out: float | None) -> Prices:
    """The prices that are given, else those of the run."""
    from steelyard.runs.results import Prices
    from steelyard.runs.stored import stored_prices

    kept = stored_prices(about)
    return Prices(
        input=kept.input if price_in is None else price_in,
        output=kept.output if price_out is None else price_out,
    )


def judge_endpoint(
    about: RunFile, url: str | None, name: str | None, key_env: str | None
) -> Endpoint:
    """Where the judge is: what the options say, else what the run's own do."""
    kept = about.options
    where, called = url or kept.get("judge_url"), name or kept.get("judge_id")
    if not where or not called:
        raise DataError("the run had no judge; name one with --judge-url and --judge-id")
    # A key goes only to the address that it was named for.
    key = key_env or (kept.get("judge_key_env") if where == kept.get("judge_url") else None)
    return Endpoint(url=where, name=called, key_env=key)


def noted_judge(options: Mapping[str, Any], judge: Endpoint) -> dict[str, Any]:
    """The options of a run, with this judge as its own."""
    others = {key: value for key, value in options.items() if not key.startswith("judge_")}
    own = {"judge_url": judge.url, "judge_id": judge.name, "judge_key_env": judge.key_env}
    return others | {key: value for key, value in own.items() if value is not None}


def _live_judge(judge: Endpoint, benchmark: Benchmark, pace: Pace) -> JudgeDoor:
    from steelyard.models.pace import Pacer
    from steelyard.runs.judging import JudgeDoor

    return JudgeDoor(http_model(judge), benchmark.judge_config, Pacer(pace))


def _show(found: Again, run: Path, output: Path | None, *, as_json: bool, quiet: bool) -> None:
    if output is not None:
        from steelyard.report.run_files import write_reports

        write_reports(output)
    if not quiet:
        say_journal_notes(run, found.notes)
    if found.outcome.stopped:
        say_error(f"the run stopped: {found.outcome.stopped}")
    if as_json:
        _print_json(found, run, output)
    elif not quiet:
        _show_table(found, output)
    raise typer.Exit(found.outcome.exit_code)


def _print_json(found: Again, run: Path, output: Path | None) -> None:
    """All that is known, one flip after the other: there may be as many as samples."""
    from steelyard.runs.flips import counted

    begin, flips, end = encode_json(
        {
            "run": str(run),
            "output": str(output) if output else None,
            "before": found.before,
            "after": found.outcome.results["headline"],
            "flips": [],
            "stages": counted(found.flips),
            "asked_in_other_words": found.rewritten,
            "stopped": found.outcome.stopped or None,
        }
    ).partition(b'\n  "flips": []')
    typer.echo(begin + flips[:-1], nl=False)
    for number, one in enumerate(found.flips):
        told = (b"\n" + encode_json(one)).replace(
            b"\n", b"\n    "
        )  # a line of JSON ends nowhere else
        typer.echo((b"," if number else b"") + told, nl=False)
    typer.echo((b"\n  ]" if found.flips else b"]") + end)


def _show_table(found: Again, output: Path | None) -> None:
    from steelyard.report.terminal import number, printing, reading_rows, table
    from steelyard.runs.flips import counted, direction

    heads = [("before", found.before), ("after", found.outcome.results["headline"])]
    rows = [
        (
            name,
            number(head["value"]),
            f"[{number(head['ci_lower'])}, {number(head['ci_upper'])}]",
            f"{head['scored']:,} / {head['total']:,}",
        )
        for name, head in heads
        if head is not None
    ]
    with printing(sys.stdout) as out:
        out.print(
            table(
                (("", False), ("score", True), ("95% interval", False), ("scored / total", True)),
                rows,
            )
        )
        out.print()
        if judged := reading_rows(heads[1][1].get("reading"))[2:]:
            out.print(table((("", False), ("", False)), judged))
            out.print()
        if not found.flips:
            out.print("no sample flipped")
        else:
            stages = [
                (stage, way, f"{count:,}")
                for stage, ways in counted(found.flips).items()
                for way, count in ways.items()
            ]
            out.print(table((("stage", False), ("samples", False), ("", True)), stages))
            out.print()
            first = islice(found.flips, MOST_FLIPS)
            shown = [
                (
                    one.key,
                    one.id,
                    one.stage,
                    direction(one),
                    f"{number(one.before, 3)} → {number(one.after, 3)}",
                    _short(one.extracted_before),
                    _short(one.extracted_after),
                )
                for one in first
            ]
            names = ("sample", "id", "stage", "way", "score", "read before", "read now")
            out.print(table([(name, False) for name in names], shown))
            if len(found.flips) > MOST_FLIPS:
                out.print(f"… and {len(found.flips) - MOST_FLIPS} more; --json gives all")
        if found.rewritten:
            out.print(
                f"{found.rewritten:,} attempts answer the question in other words than the benchmark has now"
            )
        if output is not None:
            out.print(f"run  {output}", soft_wrap=True)


def _short(value: Any) -> str:
    text = "–" if value is None else str(value)
    return text if len(text) <= 24 else f"{text[:23]}…"
