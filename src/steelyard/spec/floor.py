"""The two ends of a spec: what the ground truth itself earns, and what can be had for nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from steelyard.score import Score, full, zero
from steelyard.spec.answers import right_submission, solution_of
from steelyard.spec.compared import attempted
from steelyard.spec.evaluation import rational, settle, tidy
from steelyard.spec.evaluator import Inputs, apply_rules, score_dimensions
from steelyard.spec.field import MISSING
from steelyard.spec.guesses import uses
from steelyard.spec.load import load_spec
from steelyard.spec.model import Dimension, Spec
from steelyard.spec.probes import Probes
from steelyard.spec.result import FULL_MARKS, Result

# The cheapest verified trajectory that there is.
_IDLE: dict[str, list[Any]] = {"steps": []}
# A text that is half right is not filler.
_HALF = FULL_MARKS // 2
_ANCHORS, _ROUNDS = 6, 3
#: The reason of what the ceiling grants in a judge's stead.
JUDGED = "a judge's full marks are taken for granted"


class End(msgspec.Struct, frozen=True, kw_only=True):
    """A total that can be reached, its result, by which submission, and the points of each dimension."""

    score: int
    result: Result
    submission: str
    dimensions: dict[str, float]
    unscored: tuple[str, ...] = ()


def has_target(spec: Spec, dimension: Dimension) -> bool:
    """Whether it is known what earns full marks; a schema, for one, is fulfilled by many documents."""
    if dimension.reads == "program":
        return solution_of(spec, str(dimension.field)) is not MISSING
    if dimension.reads == "submission":
        return False
    return dimension.reads != "field" or dimension.ground_truth_field is not None


def ceiling(spec: Spec, truth: Mapping[str, Any]) -> tuple[End, dict[str, str]]:
    """What the ground truth earns when it is handed in as the answer, at once, and the reasons.

    Where a dimension compares with no ground truth, a submission that fits is taken for granted; and where a judge has to
    speak, its full marks.
    """
    submission = right_submission(spec, truth)
    found = score_dimensions(spec, _inputs(spec, submission, truth))
    granted = {
        i: full("taken for granted")
        for i, d in enumerate(spec.dimensions)
        if not has_target(spec, d)
    }
    granted |= {i: full(JUDGED) for i, score in enumerate(found) if score.pending}
    scores = apply_rules(spec, found, submission, granted=granted)
    reasons = {d.name: score.reason for d, score in zip(spec.dimensions, scores, strict=True)}
    return _end(spec, scores, "the ground truth"), reasons


def floor(spec: Spec, truth: Mapping[str, Any], probes: Probes) -> End:
    """The best that a submission without right content reaches: instantly, and with no token spent."""
    ends = (reach(spec, truth, submission, name) for name, submission in probes.empty.items())
    return max(ends, key=lambda end: end.score)


def reach(spec: Spec, truth: Mapping[str, Any], submission: dict[str, Any], name: str) -> End:
    """What a submission reaches, as `evaluate` would find it."""
    found = score_dimensions(spec, _inputs(spec, submission, truth))
    return _end(spec, apply_rules(spec, found, submission), name)


def _inputs(spec: Spec, submission: dict[str, Any], truth: Any) -> Inputs:
    return Inputs(
        submission=submission,
        truth=truth,
        time_used=0,
        trajectory=_IDLE,
        verified=True,
        limits=dict(spec.constraints),
    )


def _end(spec: Spec, scores: list[Score], name: str) -> End:
    """A dimension without a value counts as nothing here, and is named."""
    counted = [zero(score.reason) if score.value is None else score for score in scores]
    points, result, _ = settle(spec.dimensions, counted)
    assert points is not None
    assert result is not None
    names = [d.name for d in spec.dimensions]
    return End(
        score=points,
        result=result,
        submission=name,
        dimensions={
            n: tidy(rational(s.value or 0) * FULL_MARKS)
            for n, s in zip(names, counted, strict=True)
        },
        unscored=tuple(n for n, s in zip(names, scores, strict=True) if s.value is None),
    )


def propose_gates(
    spec: Spec, truth: Mapping[str, Any], low: End, probes: Probes
) -> tuple[dict[str, dict[str, int]], End | None]:
    """The gates that turn the floor into a loss, with the floor that is then left; nothing if none do.

    The heaviest dimension that compares answers is tried first as the one that the others require.
    """
    if spec.perfect:  # the questions of a reference solution stand for themselves
        return {}, None
    for anchor, needed in _anchors(spec, probes):
        gates: dict[str, dict[str, int]] = {}
        left = low
        bars = _required_by(
            spec, anchor
        )  # which could not require it without going round in a circle
        for _ in range(_ROUNDS):  # with one submission shut out, another may be the best
            gates |= {
                name: {anchor: needed}
                for name, points in left.dimensions.items()
                if points > 0 and name != anchor and name not in bars
            }
            left = floor(with_gates(spec, gates), truth, probes)
            if left.result == Result.LOSS:
                return gates, left
    return {}, None


def _required_by(spec: Spec, name: str) -> set[str]:
    """The dimensions that one requires, and those that these require in turn."""
    requires = {d.name: d.requires for d in spec.dimensions}
    found: set[str] = set()
    ahead = [name]
    while ahead:
        new = set(requires[ahead.pop()]) - found
        found |= new
        ahead += new
    return found


def _anchors(spec: Spec, probes: Probes) -> list[tuple[str, int]]:
    """The dimensions that others may require, each with points that nothing without content has."""
    ids = attempted(spec)
    able = [d for d in spec.dimensions if _compares(d) and d.ground_truth_field not in ids]
    found = []
    for d in sorted(able, key=lambda d: -d.share)[:_ANCHORS]:
        best = int(rational(probes.best[d.name]) * FULL_MARKS)
        graded = probes.best[d.name] > 0 or uses(d, "fuzzy_string")
        needed = max(_HALF, best + 1) if graded else 1
        if needed <= FULL_MARKS:
            found.append((d.name, needed))
    return found


def _compares(dimension: Dimension) -> bool:
    if dimension.sandboxed:
        return True
    return dimension.reads == "field" and bool(dimension.ground_truth_field)


def with_gates(spec: Spec, gates: Mapping[str, Mapping[str, int]]) -> Spec:
    """The spec with more gates; of two for one dimension the higher counts."""
    raw = spec.to_dict()
    for entry in raw["dimensions"]:
        requires = entry.get("requires", {})
        more = {
            name: max(points, requires.get(name, 0))
            for name, points in gates.get(entry["name"], {}).items()
        }
        if more:
            entry["requires"] = {**requires, **more}
    gated = load_spec(raw)
    # What runs programs keeps the sandbox that it was given.
    run = {d.name: d.run for d in spec.dimensions}
    dimensions = tuple(msgspec.structs.replace(d, run=run[d.name]) for d in gated.dimensions)
    return msgspec.structs.replace(gated, dimensions=dimensions)
