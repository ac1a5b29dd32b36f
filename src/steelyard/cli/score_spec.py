"""The part of ``steelyard score`` that scores one submission by a spec."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import typer

from steelyard.cli.code_sandbox import Choice, opened
from steelyard.cli.common import encode_json, read_value, seconds
from steelyard.errors import DataError

if TYPE_CHECKING:
    from steelyard.batch.answer_judge import JudgeAddress
    from steelyard.batch.spec_plan import SpecPlan
    from steelyard.sandbox.protocol import Sandbox
    from steelyard.spec import Evaluation, Spec
    from steelyard.spec.evaluator import Judge


class Given(NamedTuple):
    """What the options of a spec say of one submission."""

    submission: Path | None = None
    truth: Path | None = None
    trajectory: Path | None = None
    time_used: float | None = None
    verified: bool = False
    choice: Choice = Choice()
    judge: JudgeAddress | None = None


class Evaluated(NamedTuple):
    """The spec in a file, what the submission comes to by it, and what both were held against each other."""

    spec: Spec
    found: Evaluation
    submission: Any
    truth: Any


def score_submission(path: Path, given: Given, *, as_json: bool, quiet: bool) -> int:
    """Print the breakdown of one submission; the exit code is 1 where it has no score yet."""
    found = evaluated(path, given, needs_judge=True).found
    if quiet:
        pass
    elif as_json:
        told = {**dict(found), "reasons": found.reasons, **ran(found), "signature": found.signature}
        typer.echo(encode_json(told))
    else:
        from steelyard.report.evaluation import show_evaluation

        show_evaluation(found, file=sys.stdout)
    return 1 if found.score is None else 0


def evaluated(path: Path, given: Given, *, needs_judge: bool = False) -> Evaluated:
    """The spec in a file, and what the submission comes to by it."""
    if given.submission is None:
        raise DataError("--spec needs --submission and --truth")
    if given.truth is None:
        raise DataError("--submission needs --truth, the ground truth to compare it with")
    if [str(given.submission), str(given.truth), str(given.trajectory)].count("-") > 1:
        raise DataError("standard input can be read only once")
    from steelyard.batch.spec_plan import SpecPlan, check_judge
    from steelyard.spec import evaluate, load_spec
    from steelyard.spec.problems import truth_in

    spec = load_spec(path)
    if needs_judge:
        check_judge(spec, given.judge)
    submission, submitted = read_value(given.submission, attempt=True)
    truth, known = read_value(given.truth)
    trajectory, went = (
        read_value(given.trajectory, attempt=True) if given.trajectory else (None, "")
    )
    with sandbox_of(spec, given.choice) as sandbox, truth_in(str(given.truth)):
        found = evaluate(
            spec,
            submission,
            truth,
            time_used=seconds(given.time_used),
            trajectory=trajectory,
            verified=given.verified,
            sandbox=sandbox,
            judge=_judge(given.judge),
        )
    time_used = "" if given.time_used is None else f"{seconds(given.time_used)}"
    row = {
        "submission": submitted,
        "truth": known,
        "time_used": time_used,
        "trajectory": went,
        "verified": "true" if given.verified else "",
    }
    plan = SpecPlan(spec=str(path), content=spec.source, judge=given.judge)
    found = msgspec.structs.replace(found, signature=_signature(plan, row))
    return Evaluated(spec, found, submission, truth)


def _judge(address: JudgeAddress | None) -> Judge | None:
    """Return the function that asks the judge at an address."""
    if address is None:
        return None
    from steelyard.batch.answer_judge import AnswerJudge
    from steelyard.batch.spec_plan import dimension_judge

    return dimension_judge(AnswerJudge(address))


def _signature(plan: SpecPlan, row: dict[str, str]) -> str:
    """The signature that a file with this one row would have, if it is written on one line without blanks around it."""
    from steelyard.batch.signature import signature

    fields = ",".join(f'"{name}":{text.strip()}' for name, text in row.items() if text)
    line = fields.replace("\r", " ").replace("\n", " ")  # ends of lines stand only between values
    data = hashlib.sha256(f"{{{line}}}\n".encode()).hexdigest()
    return str(signature(plan.identity, data))


@contextmanager
def sandbox_of(spec: Spec, choice: Choice) -> Iterator[Sandbox | None]:
    """The sandbox that was chosen, if the spec runs programs; one that cannot be had is an error here already."""
    from steelyard.spec.running import runs_programs

    if not runs_programs(spec):
        yield None
        return
    with opened(choice.checked()) as sandbox:
        yield sandbox


def ran(found: Evaluation) -> dict[str, Any]:
    """What the programs came to, for a reader of JSON; nothing where none were run."""
    if found.sandbox is None:
        return {}
    tests = {
        part.name: [
            {
                "name": test.name,
                "verdict": test.score.detail.get("verdict"),
                "value": test.score.value,
                "weight": test.weight,
                "reason": test.score.reason,
            }
            for test in part.score.parts
        ]
        for part in found.total.parts
        if part.score.parts
    }
    verdicts = {
        part.name: part.score.detail["verdict"]
        for part in found.total.parts
        if "verdict" in part.score.detail
    }
    return {"verdicts": verdicts, "tests": tests, "sandbox": found.sandbox}
