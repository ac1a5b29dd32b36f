"""The part of ``steelyard score`` that scores one submission by a spec."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from steelyard.cli.common import encode_json, read_json
from steelyard.errors import DataError


def score_submission(
    spec: Path, submission: Path, truth: Path | None, trajectory: Path | None, time_used: float | None, *,
    verified: bool, as_json: bool,
) -> int:  # fmt: skip
    """Print the breakdown of one submission; the exit code is 1 where it has no score yet."""
    if truth is None:
        raise DataError("--submission needs --truth, the ground truth to compare it with")
    from steelyard.spec import evaluate, load_spec

    found = evaluate(
        load_spec(spec), read_json(submission, attempt=True), read_json(truth), time_used=time_used,
        trajectory=read_json(trajectory, attempt=True) if trajectory else None, verified=verified,
    )  # fmt: skip
    if as_json:
        typer.echo(encode_json({**dict(found), "reasons": found.reasons, "signature": found.signature}))
    else:
        from steelyard.report.evaluation import show_evaluation

        show_evaluation(found, file=sys.stdout)
    return 1 if found.score is None else 0
