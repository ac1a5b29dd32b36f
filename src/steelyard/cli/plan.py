"""``steelyard plan``: how many problems and repeats it takes to see a difference."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from steelyard.errors import DataError

if TYPE_CHECKING:
    from steelyard.runs.power import Known, PowerPlan

Effect = Annotated[
    float,
    typer.Option(
        "--effect", help="The difference to be seen, or the gate's margin; 0.02: two points."
    ),
]
From = Annotated[
    list[Path] | None,
    typer.Option(
        "--from", help="Measure in this run; given twice, in two runs of the same benchmark."
    ),
]
Power = Annotated[float, typer.Option("--power", help="How often it is to be seen.")]
Alpha = Annotated[
    float, typer.Option("--alpha", help="How often a difference may be seen where there is none.")
]
Repeats = Annotated[
    int | None,
    typer.Option("--repeats", min=1, help="Only for so many repeats; else 1, 2, 4 and 8."),
]
Rate = Annotated[float | None, typer.Option("--base-rate", help="How often the base is right.")]
Correlation = Annotated[
    float | None,
    typer.Option("--correlation", help="Of the two sides over problems; 0.5 if nobody knows."),
]
Consistency = Annotated[
    float | None,
    typer.Option("--consistency", help="Correlation of two attempts of one side at a problem."),
]
Clusters = Annotated[
    str | None,
    typer.Option("--clusters", help="SIZE,ICC: how many share a passage, and how alike they are."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the plan as one JSON object.")]
_COUNTED_REPEATS = "several repeats take more problems here than one: right and wrong can be counted exactly, means cannot"
_GRADED_REPEATS = "several repeats save no problems here: attempts at one problem differ less than the caution of the bounds"


def plan(
    effect: Effect,
    source: From = None,
    power: Power = 0.8,
    alpha: Alpha = 0.05,
    repeats: Repeats = None,
    base_rate: Rate = None,
    correlation: Correlation = None,
    consistency: Consistency = None,
    clusters: Clusters = None,
    as_json: AsJson = False,
) -> None:
    """Say how many problems a comparison and a gate need, for each number of repeats.

    What is not given or measured is assumed, and said so.
    """
    from steelyard.runs.power import REPEATS, Known, measured
    from steelyard.runs.power import plan as make_plan

    given = {"base_rate": base_rate, "correlation": correlation, "consistency": consistency}
    chosen: dict[str, Any] = {
        name: _share(name, value) for name, value in given.items() if value is not None
    }
    if source and len(source) > 1 and chosen:
        names = " and ".join(f"--{name.replace('_', '-')}" for name in chosen)
        raise DataError(
            f"two runs tell how their differences vary, and {names} would not be used: leave out either"
        )
    chosen |= _clusters(clusters) if clusters is not None else {}
    known = Known(**chosen, told=dict.fromkeys(chosen, "given"))
    if source:
        import msgspec

        known = measured(source, known)
        # What somebody says outright stands above what was measured.
        known = msgspec.structs.replace(
            known, **chosen, told={**known.told, **dict.fromkeys(chosen, "given")}
        )
    found = make_plan(
        effect, known, power=power, alpha=alpha, repeats=(repeats,) if repeats else REPEATS
    )
    if as_json:
        from steelyard.cli.common import encode_json

        typer.echo(encode_json(found))
        return
    _show(found, known)


def _share(name: str, value: float) -> float:
    if not 0 <= value <= 1 or (name == "base_rate" and value in {0, 1}):
        raise DataError(f"--{name.replace('_', '-')} is {value:g}; it must lie between 0 and 1")
    return value


def _clusters(given: str) -> dict[str, float]:
    size, comma, icc = given.partition(",")
    try:
        found = {"cluster_size": float(size), "cluster_icc": float(icc)}
    except ValueError:
        found = {}
    if (
        not comma
        or not found
        or not 1 <= found["cluster_size"] < math.inf
        or not 0 <= found["cluster_icc"] <= 1
    ):
        raise DataError(f"--clusters {given}: SIZE,ICC is needed, such as 5,0.2")
    return found


def _show(found: PowerPlan, known: Known) -> None:
    from steelyard.report.terminal import printable, printing, table

    rows = [
        (
            str(row.repeats),
            _count(row.compare),
            _count(row.compare, row.repeats),
            _count(row.gate),
            _count(row.gate, row.repeats),
        )
        for row in found.rows
    ]
    columns = (
        ("repeats", True),
        ("compare: problems", True),
        ("samples", True),
        ("gate: problems", True),
        ("samples", True),
    )
    with printing(sys.stdout) as out:
        out.print(
            f"problems for {found.effect:g}, {found.power * 100:.10g}% of the time", style="bold"
        )
        out.print(table(columns, rows))
        out.print()
        out.print(
            f"compare: a true difference of {found.effect:g} is found, two-sided at {found.alpha:g}"
        )
        out.print(
            f"gate: a candidate as good as its base is GO, with margin {found.effect:g} and confidence {1 - found.alpha:g}"
        )
        for line in (*_remarks(found, graded=_graded(known)), *_assumptions(known)):
            out.print(printable(line), soft_wrap=True)


def _graded(known: Known) -> bool:
    return known.variance is not None if known.pair_variance is None else not known.pair_binary


def _remarks(found: PowerPlan, *, graded: bool) -> list[str]:
    """What a reader of the table may wonder about."""
    from steelyard.metrics.power_search import MOST

    lines = []
    if any(None in {row.compare, row.gate} for row in found.rows):
        lines.append(f"–: more than {MOST:,} problems")
    once = [row for row in found.rows if row.repeats == 1]
    often = [row for row in found.rows if row.repeats > 1]
    most = (
        ((once[0].compare or math.inf), (once[0].gate or math.inf))
        if once
        else (math.inf, math.inf)
    )
    if any((row.compare or 0) > most[0] or (row.gate or 0) > most[1] for row in often):
        lines.append(_GRADED_REPEATS if graded else _COUNTED_REPEATS)
    return lines


def _assumptions(known: Known) -> list[str]:
    if known.pair_variance is not None:
        lines = [
            f"variance of a pair's difference: {known.pair_variance:.4f} ({known.told['pair_variance']})"
        ]
        if not known.pair_within:
            lines.append("what repeats would add was not seen there, and is taken to be nothing")
    else:
        lines = [_said(known, name, getattr(known, name)) for name in ("base_rate", "correlation")]
        lines.append(_said(known, "consistency", known.alike))
        if known.variance is not None:
            lines.append(_said(known, "variance", known.variance))
    if known.cluster_size > 1:
        lines += [
            _said(known, name, getattr(known, name)) for name in ("cluster_size", "cluster_icc")
        ]
    return lines


def _said(known: Known, name: str, value: float) -> str:
    return f"{name.replace('_', ' ')}: {value:.3g} ({known.told.get(name, 'assumed')})"


def _count(problems: int | None, times: int = 1) -> str:
    return "–" if problems is None else f"{problems * times:,}"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("plan")(plan)
