"""The ``--spec`` form of ``steelyard explain``: each dimension with its reason, and the sum."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from steelyard.cli.score_spec import Evaluated, Given, evaluated, ran

if TYPE_CHECKING:
    from steelyard.reading.found import Step
    from steelyard.spec import Dimension, Evaluation

RANGES = {"win": "700 to 1000", "draw": "400 to 699", "loss": "0 to 399"}


def explain_spec(path: Path, given: Given, *, as_json: bool) -> None:
    """Print how the total of one submission came about."""
    from steelyard.cli.common import encode_json

    done = evaluated(path, given)
    found, traces = done.found, _traces(done)
    if as_json:
        steps = {
            name: [{"stage": step.stage, "note": step.note, "span": step.span} for step in steps]
            for name, (_, steps) in traces.items()
        }
        typer.echo(
            encode_json(
                {
                    **dict(found.items()),
                    "reasons": found.reasons,
                    "sum": _sum(found),
                    "steps": steps,
                    **ran(found),
                }
            )
        )
    else:
        typer.echo("\n".join([*_dimensions(done, traces), "", *_total(found), *_told(found)]))


def _traces(done: Evaluated) -> dict[str, tuple[str, list[Step]]]:
    """The response and the steps of every dimension whose scorer keeps a trace and had something to read."""
    from steelyard.reading.found import Trace
    from steelyard.registry import call
    from steelyard.spec.field import MISSING, find
    from steelyard.spec.response import scorer_input

    traces: dict[str, tuple[str, list[Step]]] = {}
    for dimension in done.spec.dimensions:
        got = find(done.submission, dimension.field) if dimension.field else MISSING
        if (
            got is MISSING
            or dimension.kind != "scorer"
            or "trace" not in inspect.signature(dimension.run).parameters
        ):
            continue
        want = (
            find(done.truth, dimension.ground_truth_field) if dimension.ground_truth_field else None
        )
        sample = scorer_input(got, want, of_text=dimension.of_text)
        if not isinstance(sample, str):
            trace = Trace()
            call(dimension.run, sample, trace=trace)
            traces[dimension.name] = (sample.response, trace.steps)
    return traces


def _steps(response: str, steps: list[Step]) -> list[str]:
    from steelyard.cli.excerpt import underlined
    from steelyard.report.terminal import printable

    lines: list[str] = []
    for number, step in enumerate(steps, start=1):
        lines.append(f"    {number:>2}. {printable(step.stage)}: {printable(step.note)}")
        if step.span is not None:
            lines += [f"          {line}" for line in underlined(response, step.span)]
    return lines


def _dimensions(done: Evaluated, traces: dict[str, tuple[str, list[Step]]]) -> list[str]:
    from steelyard.cli.excerpt import brief

    found = done.found
    lines: list[str] = []
    for dimension, part in zip(done.spec.dimensions, found.total.parts, strict=True):
        entry = found.score_breakdown[part.name]
        lines.append(f"{typer.style(brief(part.name), bold=True)}  {_source(dimension)}")
        lines += _steps(*traces[part.name]) if part.name in traces else []
        if part.score.value is None:
            lines.append(f"    no score: {brief(part.score.reason, 500)}")
            continue
        lines.append(f"    {entry['score']:g} × {entry['weight']:g} = {entry['weighted']:g}")
        if part.score.reason:
            lines.append(f"    because {brief(part.score.reason, 500)}")
    return lines


def _source(dimension: Dimension) -> str:
    """What the dimension compares: ``exact_match: answer with expected_answer``."""
    from steelyard.cli.excerpt import brief

    if not dimension.field:
        return dimension.uses
    if not dimension.ground_truth_field:
        return f"{dimension.uses}: {brief(dimension.field)}"
    return f"{dimension.uses}: {brief(dimension.field)} with {brief(dimension.ground_truth_field)}"


def _sum(found: Evaluation) -> float | None:
    """The total before its fraction is dropped."""
    return None if found.total.points is None else round(found.total.points, 6)


def _total(found: Evaluation) -> list[str]:
    exact = _sum(found)
    if found.score is None or exact is None:
        return ["total     none, because a dimension has no score"]
    terms = " + ".join(f"{entry['weighted']:g}" for entry in found.score_breakdown.values())
    dropped = "" if exact == found.score else f"; its fraction is dropped: {found.score}"
    result = str(found.result)
    return [f"total     {terms} = {exact:.7g}{dropped}", f"result    {result} ({RANGES[result]})"]


def _told(found: Evaluation) -> list[str]:
    from steelyard.cli.excerpt import brief
    from steelyard.report.evaluation import sandbox_line

    told = [
        (one["severity"], f"{one['field']}: {one['message']}") for one in found.submission_warnings
    ]
    told += [("violation", one["message"]) for one in found.constraint_violations]
    if found.harness_warning:
        told.append(("harness", found.harness_warning))
    if found.sandbox is not None:
        told.append(("sandbox", sandbox_line(found.sandbox)))
    return [f"{kind:9} {brief(text, 500)}" for kind, text in told]
