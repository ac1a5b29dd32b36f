"""The two ends of a spec: what the ground truth itself earns, and what can be had for nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from steelyard.errors import SpecError
from steelyard.score import exact, zero
from steelyard.spec.evaluation import Evaluation, settle, tidy
from steelyard.spec.evaluator import evaluate
from steelyard.spec.load import load_spec
from steelyard.spec.model import Dimension, Spec
from steelyard.spec.probes import names_only, null_submissions, right_submission
from steelyard.spec.result import FULL_MARKS, Result

# The cheapest verified trajectory that there is.
_IDLE: dict[str, list[Any]] = {"steps": []}
# A text that is half right is not filler.
_HALF = FULL_MARKS // 2


class End(msgspec.Struct, frozen=True, kw_only=True):
    """A total that can be reached, its result, by which submission, and the points of each dimension."""

    score: int
    result: Result
    submission: str
    dimensions: dict[str, float]
    unscored: tuple[str, ...] = ()


def ceiling(spec: Spec, truth: Mapping[str, Any]) -> tuple[End, Evaluation]:
    """What the ground truth earns when it is handed in as the answer, at once."""
    outcome = _evaluate(spec, right_submission(spec, truth), truth)
    return _end(spec, outcome, "the ground truth"), outcome


def floor(spec: Spec, truth: Mapping[str, Any]) -> End:
    """The best that a submission without right content reaches: instantly, and with no token spent.

    Format checks are left out: whoever writes a wrong answer can give it the right format.
    """
    bare = msgspec.structs.replace(spec, checks=())
    ends = [_end(bare, _evaluate(bare, submission, truth), name)
            for name, submission in null_submissions(spec, truth).items()]  # fmt: skip
    return max(ends, key=lambda end: end.score)


def _evaluate(spec: Spec, submission: dict[str, Any], truth: Mapping[str, Any]) -> Evaluation:
    return evaluate(spec, submission, truth, time_used=0, trajectory=_IDLE, verified=True)


def _end(spec: Spec, outcome: Evaluation, name: str) -> End:
    """A dimension without a value counts as nothing here, and is named."""
    scores = [part.score for part in outcome.total.parts]
    counted = [zero(score.reason) if score.value is None else score for score in scores]
    points, result, _ = settle(spec.dimensions, counted)
    assert points is not None
    assert result is not None
    names = [d.name for d in spec.dimensions]
    return End(
        score=points, result=result, submission=name,
        dimensions={n: tidy(exact(s.value or 0) * FULL_MARKS) for n, s in zip(names, counted, strict=True)},
        unscored=tuple(n for n, s in zip(names, scores, strict=True) if s.value is None),
    )  # fmt: skip


def propose_gates(spec: Spec, truth: Mapping[str, Any], low: End) -> tuple[dict[str, dict[str, int]], End | None]:
    """The gates that turn the floor into a loss, with the floor that is then left; nothing if none do.

    The heaviest dimension that compares answers is tried first as the one that the others require.
    """
    if spec.perfect:  # the questions of a reference solution stand for themselves
        return {}, None
    for anchor in sorted(_anchors(spec), key=lambda d: -d.share):
        points = low.dimensions[anchor.name]
        needed = 1 if points == 0 else max(_HALF, int(points) + 1)
        if needed > FULL_MARKS:
            continue
        gates = {name: {anchor.name: needed} for name, earned in low.dimensions.items()
                 if earned > 0 and name != anchor.name}  # fmt: skip
        try:
            left = floor(with_gates(spec, gates), truth)
        except SpecError:  # the gates would go round in a circle
            continue
        if left.result == Result.LOSS:
            return gates, left
    return {}, None


def _anchors(spec: Spec) -> Iterable[Dimension]:
    return (d for d in spec.dimensions if d.reads == "field" and not names_only(spec, d))


def with_gates(spec: Spec, gates: Mapping[str, Mapping[str, int]]) -> Spec:
    """The spec with more gates."""
    raw = spec.to_dict()
    for entry in raw["dimensions"]:
        if entry["name"] in gates:
            entry["requires"] = {**entry.get("requires", {}), **gates[entry["name"]]}
    return load_spec(raw)
