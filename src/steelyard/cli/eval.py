"""``steelyard eval``: run a benchmark against a model, score or judge it again, list, show and report runs."""

from __future__ import annotations

import typer


def register(app: typer.Typer) -> None:
    """Add the command group."""
    from steelyard.cli.eval_again import rejudge, rescore
    from steelyard.cli.eval_report import report
    from steelyard.cli.eval_run import run
    from steelyard.cli.eval_show import list_runs, show

    group = typer.Typer(
        no_args_is_help=True,
        rich_markup_mode=None,
        help="Benchmarks: run them against a model, score and judge again, show what came of it.",
    )
    group.command("run")(run)
    group.command("rescore")(rescore)
    group.command("rejudge")(rejudge)
    group.command("list")(list_runs)
    group.command("show")(show)
    group.command("report")(report)
    app.add_typer(group, name="eval")
