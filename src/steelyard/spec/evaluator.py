"""Evaluating a submission: one Score a dimension, then the gates, then the total."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict, Unpack

import msgspec

from steelyard.errors import DataError, SpecError
from steelyard.primitives.constraints import read_constraints
from steelyard.primitives.values import array, describe, number
from steelyard.registry import SCORERS
from steelyard.sandbox.protocol import Sandbox
from steelyard.score import Score, full, unscored, zero
from steelyard.scoring.call import call
from steelyard.scoring.cascade import ask_judge, settle_verdict
from steelyard.scoring.pattern import target_error
from steelyard.scoring.types import ScorerInput
from steelyard.spec.dimension import broken_promise
from steelyard.spec.evaluation import Evaluation, breakdown, rational, settle, tidy
from steelyard.spec.field import MISSING, depends, find
from steelyard.spec.format import run_checks
from steelyard.spec.load import load_spec
from steelyard.spec.model import Dimension, Spec, as_fraction
from steelyard.spec.problems import Problems, join
from steelyard.spec.response import as_text, lacks_target, scorer_input
from steelyard.spec.result import FULL_MARKS
from steelyard.spec.running import equip, sandbox_for
from steelyard.spec.signature import signature_under
from steelyard.spec.violations import find_violations

# Gives the Score of an answer that waits for a judge, asked with the name of its dimension.
Judge = Callable[[ScorerInput, str], Score]


class Inputs(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a dimension may read.

    ``cascade`` has the outcomes of reading that the ``judge`` decides.
    """

    submission: Any
    truth: Any
    time_used: Any
    trajectory: Any
    verified: bool
    limits: dict[str, Any]
    judge: Judge | None = None
    cascade: tuple[str, ...] = ()


class Facts(TypedDict, total=False):
    """What else is known of a submission, as `evaluate` takes it; ``harness`` is the one that the agent registered."""

    time_used: Any
    trajectory: Any
    verified: bool
    constraints: Any
    harness: str | None


_FACTS = Facts.__annotations__.keys()


def evaluate(
    spec: Spec | Mapping[str, Any] | str | Path,
    submission: Any,
    ground_truth: Any,
    *,
    sandbox: Sandbox | None = None,
    judge: Judge | None = None,
    **facts: Unpack[Facts],
) -> Evaluation:
    """The submission's total, result and breakdown; no submission makes it raise.

    The facts are ``time_used``, ``trajectory``, ``verified``, ``constraints``, which are laid over those of the spec,
    and ``harness``. Bad ground truth is a SpecError; a spec that reads the time needs ``time_used``, else a DataError;
    one that runs programs does so in ``sandbox``, by default bubblewrap, and where there is none a SandboxError is
    raised. ``judge`` gives the Score of an answer that waits for a judge, from the answer and what is asked.

    >>> spec = load_spec({"profile": "free", "dimensions": [
    ...     {"name": "accuracy", "weight": 1, "primitive": "exact_match_ratio", "field": "answers"}]})
    >>> outcome = evaluate(spec, {"answers": ["a", "x"]}, {"answers": ["a", "b"]})
    >>> outcome.score, str(outcome.result), outcome["score_breakdown"]
    (500, 'draw', {'accuracy': {'score': 500, 'weight': 1, 'weighted': 500}})
    """
    spec = load_spec(spec)
    inputs = msgspec.structs.replace(
        _inputs(spec, submission, ground_truth, facts),
        judge=judge,
        cascade=("unclear",) if spec.unclear == "judge" else (),
    )
    door = sandbox_for(spec, sandbox)
    found = score_dimensions(equip(spec, door), inputs)
    warnings = _warnings(spec, submission)
    scores = apply_rules(spec, found, submission, warnings=warnings)
    points, result, total = settle(spec.dimensions, scores)
    violations, unreadable = find_violations(inputs.limits, inputs.trajectory)
    return Evaluation(
        score=points,
        result=result,
        total=total,
        score_breakdown=breakdown(spec.dimensions, scores),
        submission_warnings=warnings + unreadable,
        constraint_violations=violations,
        harness_warning=_harness_warning(submission, facts.get("harness")),
        signature=signature_under(spec, inputs.limits),
        sandbox=door.describe() if door is not None else None,
    )


def _inputs(spec: Spec, submission: Any, truth: Any, facts: Facts) -> Inputs:
    """Everything that the dimensions may read; a fact that nobody knows is a mistake of the caller's."""
    if not facts.keys() <= _FACTS:
        raise TypeError(
            f"evaluate() has no parameter {next(name for name in facts if name not in _FACTS)!r}"
        )
    limits = {**spec.constraints, **_overlay(facts.get("constraints"))}
    _check_time(spec, facts.get("time_used"))
    return Inputs(
        submission=submission,
        truth=truth,
        time_used=facts.get("time_used"),
        trajectory=facts.get("trajectory"),
        verified=facts.get("verified", False),
        limits=limits,
    )


def apply_rules(
    spec: Spec,
    found: Sequence[Score],
    submission: object,
    *,
    warnings: list[dict[str, Any]] | None = None,
    granted: Mapping[int, Score] | None = None,
) -> list[Score]:
    """The scores after format checks and gates; those that are granted, by position, replace what was found."""
    told = _warnings(spec, submission) if warnings is None else warnings
    blocked = [_block(d, s, told) for d, s in zip(spec.dimensions, found, strict=True)]
    return _gate(spec, [(granted or {}).get(i, score) for i, score in enumerate(blocked)])


def score_dimensions(spec: Spec, inputs: Inputs) -> list[Score]:
    """One Score a dimension, before gates; everything wrong with the ground truth is told at once."""
    problems = Problems()
    scores = [_score(i, dimension, inputs, problems) for i, dimension in enumerate(spec.dimensions)]
    problems.tell()
    if spec.type == "judged" or not any(score.pending for score in scores):
        return scores
    # Nobody will ask a judge here, so that a score which waits for one would do so for ever.
    return [
        unscored(broken_promise(dimension.uses, spec.type)) if score.pending else score
        for dimension, score in zip(spec.dimensions, scores, strict=True)
    ]


def _score(position: int, dimension: Dimension, inputs: Inputs, problems: Problems) -> Score:
    try:
        if dimension.reads == "time":
            return call(dimension.run, inputs.time_used)
        if dimension.reads == "trajectory":
            return call(dimension.run, inputs.trajectory, inputs.limits, inputs.verified)
        if dimension.reads == "submission":
            return _score_whole(dimension, inputs)
        return _score_field(dimension, inputs)
    except SpecError as wrong:
        for path, message in wrong.problems:
            problems.add(_place(position, dimension, path), message)
    except DataError as wrong:
        return unscored(str(wrong))
    return unscored("the ground truth cannot be used")


def _place(position: int, dimension: Dimension, path: str) -> str:
    """Where a problem that a dimension tells of is to be mended: in a parameter, the constraints or the ground truth."""
    if path in dimension.params:
        return f"dimensions[{position}].{path}"
    if dimension.reads == "trajectory":
        return join("constraints", path)
    field = dimension.ground_truth_field
    return join(f"ground_truth.{field}" if field else "ground_truth", path)


def _score_whole(dimension: Dimension, inputs: Inputs) -> Score:
    if not isinstance(inputs.truth, Mapping):
        raise SpecError(f"is {describe(inputs.truth)}; {dimension.name!r} needs an object")
    if not isinstance(inputs.submission, Mapping):
        return zero(f"the submission is {describe(inputs.submission)}; an object is needed")
    return call(dimension.run, inputs.submission, inputs.truth)


def _score_field(dimension: Dimension, inputs: Inputs) -> Score:
    field = str(dimension.field)
    want: object = MISSING
    if dimension.ground_truth_field is not None:
        want = find(inputs.truth, dimension.ground_truth_field)
        if want is MISSING:
            what = "" if isinstance(inputs.truth, Mapping) else f" is {describe(inputs.truth)} and"
            raise SpecError(
                f"the ground truth{what} has no such field; {dimension.name!r} needs it"
            )
    got = find(inputs.submission, field)
    # The primitive is called even without an answer: it is what checks the ground truth.
    score = compare(dimension, None if got is MISSING else got, None if want is MISSING else want)
    if not isinstance(inputs.submission, Mapping):
        return zero(
            f"{field}: the submission is {describe(inputs.submission)}; an object is needed"
        )
    if got is MISSING:
        return zero(f"{field}: the submission has no such field")
    score = _judged(dimension, score, None if want is MISSING else want, got, inputs)
    return msgspec.structs.replace(
        score, reason=f"{field}: {score.reason or _unsaid(dimension, score)}"
    )


def _judged(dimension: Dimension, score: Score, want: object, got: object, inputs: Inputs) -> Score:
    """Return the judge's Score where a dimension waits for one and there is a judge."""
    score = ask_judge(score, inputs.cascade)
    if not score.pending or inputs.judge is None:
        return score
    sample = scorer_input(got, want, of_text=dimension.of_text)
    if isinstance(sample, str):
        return score
    return settle_verdict(score, inputs.judge(sample, dimension.description or dimension.label))


def _unsaid(dimension: Dimension, score: Score) -> str:
    """What is true of a score for which a user's own code gave no reason."""
    points = "no points" if not score.value else f"{score.points:g} of {FULL_MARKS} points"
    return f"the {dimension.kind} {dimension.uses!r} gives {points}, and no reason"


def compare(dimension: Dimension, got: object, want: object) -> Score:
    """The Score of one dimension over a field, before gates."""
    if dimension.empty_truth and array(want) == []:
        if array(got) == []:
            return full("the array is empty, as expected")
        return zero(f"expected an empty array, got {describe(got)}")
    if dimension.kind == "primitive" or dimension.reads == "program":
        return call(dimension.run, got, want)
    if wrong := _wrong_target(dimension, want):
        raise SpecError(wrong)
    sample = scorer_input(got, want, of_text=dimension.of_text)
    return zero(sample) if isinstance(sample, str) else call(dimension.run, sample)


def _wrong_target(dimension: Dimension, want: object) -> str:
    """What is wrong with a ground truth that its scorer cannot read."""
    if dimension.ground_truth_field is None:
        return ""
    if dimension.of_text and lacks_target(
        want, several=SCORERS.get(dimension.uses).needs == "answers"
    ):
        return f"the ground truth is {describe(want)}, so {dimension.uses!r} finds no answer right"
    target = as_text(want) if want is not None else None
    why = target_error(dimension.uses, target, dimension.params) if target is not None else ""
    return why and f"{dimension.uses!r} cannot read the ground truth: {why}"


def _block(dimension: Dimension, score: Score, warnings: list[dict[str, Any]]) -> Score:
    """A failed format check of severity error makes the dimension that depends on its field nothing."""
    for warning in warnings:
        whole = dimension.reads == "submission"  # which depends on every field
        if warning["severity"] == "error" and (whole or depends(dimension.field, warning["field"])):
            return zero(f"{warning['field']}: {warning['message']}".removeprefix(": "))
    return score


def _gate(spec: Spec, scores: list[Score]) -> list[Score]:
    place = {dimension.name: i for i, dimension in enumerate(spec.dimensions)} if spec.order else {}
    gated = list(scores)
    for i in spec.order:
        for name, points in spec.dimensions[i].requires.items():
            shut = _shut(name, gated[place[name]], points)
            if shut is not None:
                gated[i] = shut
            if shut is not None and shut.value == 0:
                break  # one shut gate is enough, whatever the others will say
    return gated


def _shut(name: str, other: Score, points: Any) -> Score | None:
    """What a dimension gets when this gate does not let it through."""
    if other.value is None:
        return unscored(f"it requires {name}, which has no score")
    needed = as_fraction(points)
    (top, bottom), (least, whole) = (
        rational(other.value).as_integer_ratio(),
        needed.as_integer_ratio(),
    )
    if top * FULL_MARKS * whole >= least * bottom:
        return None
    earned = tidy(rational(other.value) * FULL_MARKS)
    return zero(f"it requires {name} at {tidy(needed)} points or more, and that has {earned}")


def _warnings(spec: Spec, submission: object) -> list[dict[str, Any]]:
    if not isinstance(submission, Mapping):
        message = f"the submission is {describe(submission)}; an object is needed"
        return [{"field": "", "severity": "error", "message": message}]
    return list(run_checks(spec.checks, submission))


def _overlay(constraints: object) -> dict[str, Any]:
    try:
        return read_constraints(constraints)
    except SpecError as wrong:
        problems = Problems()
        problems.add_all(wrong, "constraints")
    raise problems.error()


def _check_time(spec: Spec, time_used: object) -> None:
    if (
        any(dimension.reads == "time" for dimension in spec.dimensions)
        and number(time_used) is None
    ):
        given = "it is missing" if time_used is None else f"it is {describe(time_used)}"
        raise DataError(
            f"the spec scores the time, so time_used must be a number of seconds; {given}"
        )


def _harness_warning(submission: object, registered: str | None) -> str | None:
    if registered is None:
        return None
    named = find(submission, "harness")
    if isinstance(named, Mapping):
        named = named.get("id", named.get("name"))
    if named is MISSING or named is None or named == registered:
        return None
    return f"the submission names the harness {describe(named)}; the agent registered {describe(registered)}"
