"""The ``--spec`` form of ``steelyard explain``: each dimension with its reason, and the sum."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from steelyard.errors import DataError

if TYPE_CHECKING:
    from steelyard.spec import Evaluation, Spec

RANGES = {"win": "700 to 1000", "draw": "400 to 699", "loss": "0 to 399"}


def explain_spec(
    spec: Path, submission: Path | None, truth: Path | None, time_used: float | None, *, as_json: bool
) -> None:
    """Print how the total of one submission came about."""
    if submission is None or truth is None:
        raise DataError("--spec needs --submission and --truth")
    from steelyard.cli.common import encode_json, read_json
    from steelyard.spec import evaluate, load_spec

    loaded = load_spec(spec)
    found = evaluate(loaded, read_json(submission), read_json(truth), time_used=time_used)
    if as_json:
        typer.echo(encode_json(as_object(loaded, found)))
    else:
        typer.echo("\n".join([*_dimensions(loaded, found), "", *_total(found), *_told(found)]))


def as_object(spec: Spec, found: Evaluation) -> dict[str, Any]:
    """All of it for a program: the seed of the sum, the reasons, and what was told besides."""
    reasons = {part.name: part.score.reason for part in found.total.parts}
    return {**dict(found), "reasons": reasons, "sum": _sum(found)}


def _dimensions(spec: Spec, found: Evaluation) -> list[str]:
    from steelyard.cli.excerpt import brief

    lines: list[str] = []
    for dimension, part in zip(spec.dimensions, found.total.parts, strict=True):
        entry = found.score_breakdown[part.name]
        lines.append(typer.style(part.name, bold=True) + _source(dimension))
        if part.score.value is None:
            lines.append(f"    no score: {brief(part.score.reason, 500)}")
            continue
        lines.append(f"    {entry['score']:g} × {entry['weight']:g} = {entry['weighted']:g}")
        if part.score.reason:
            lines.append(f"    because {brief(part.score.reason, 500)}")
    return lines


def _source(dimension: Any) -> str:
    """What the dimension compares: ``  exact_match: answer with expected_answer``."""
    if not dimension.field:
        return f"  {dimension.uses}"
    return f"  {dimension.uses}: {dimension.field} with {dimension.ground_truth_field}"


def _sum(found: Evaluation) -> float | None:
    entries = [entry["weighted"] for entry in found.score_breakdown.values()]
    return None if None in entries else round(sum(entries), 6)


def _total(found: Evaluation) -> list[str]:
    if found.score is None:
        return ["total     none: a dimension has no score"]
    terms = " + ".join(f"{entry['weighted']:g}" for entry in found.score_breakdown.values())
    exact = _sum(found)
    dropped = "" if exact == found.score else f", without the fraction {found.score}"
    result = str(found.result)
    return [f"total     {terms} = {exact:g}{dropped}", f"result    {result} ({RANGES[result]})"]


def _told(found: Evaluation) -> list[str]:
    kinds = {"warning": found.submission_warnings, "violation": found.constraint_violations}
    return [f"{kind:9} {told}" for kind, several in kinds.items() for told in several]
