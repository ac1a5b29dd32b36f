"""The part of ``steelyard score`` that scores one submission by a spec."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import typer

from steelyard.cli.common import encode_json, read_json, seconds
from steelyard.errors import DataError

if TYPE_CHECKING:
    from steelyard.spec import Evaluation, Spec


class Given(NamedTuple):
    """What the options of a spec say of one submission."""

    submission: Path | None = None
    truth: Path | None = None
    trajectory: Path | None = None
    time_used: float | None = None
    verified: bool = False


def score_submission(path: Path, given: Given, *, as_json: bool, quiet: bool) -> int:
    """Print the breakdown of one submission; the exit code is 1 where it has no score yet."""
    _, found = evaluated(path, given)
    if quiet:
        pass
    elif as_json:
        typer.echo(encode_json({**dict(found), "reasons": found.reasons, "signature": found.signature}))
    else:
        from steelyard.report.evaluation import show_evaluation

        show_evaluation(found, file=sys.stdout)
    return 1 if found.score is None else 0


def evaluated(path: Path, given: Given) -> tuple[Spec, Evaluation]:
    """The spec in a file, and what the submission comes to by it."""
    if given.submission is None:
        raise DataError("--spec needs --submission and --truth")
    if given.truth is None:
        raise DataError("--submission needs --truth, the ground truth to compare it with")
    from steelyard.spec import evaluate, load_spec

    spec = load_spec(path)
    return spec, evaluate(
        spec, read_json(given.submission, attempt=True), read_json(given.truth),
        time_used=seconds(given.time_used), verified=given.verified,
        trajectory=read_json(given.trajectory, attempt=True) if given.trajectory else None,
    )  # fmt: skip
