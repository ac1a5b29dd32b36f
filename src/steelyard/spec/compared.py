"""What a spec compares: which dimensions look at a field, and which lists of the truth are handed out with the questions."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from steelyard.spec.field import MISSING, find
from steelyard.spec.guesses import User, Users, uses
from steelyard.spec.model import ENCODER, Dimension, Spec


def attempted(spec: Spec) -> frozenset[str]:
    """The fields of the truth that list what can be attempted: ids that are handed out with the questions.

    A coverage dimension counts them. But a field that answers are compared with holds the answers; and so
    does one that is also compared as a set, where the spec has no other answers to compare.
    """
    counted = {d.ground_truth_field for d in spec.dimensions if uses(d, "coverage_ratio")}
    others = [d for d in spec.dimensions if d.ground_truth_field and not uses(d, "coverage_ratio")]
    answers = {d.ground_truth_field for d in others if not uses(d, "set_overlap")}
    if not any(d.ground_truth_field not in counted for d in others):
        answers |= {d.ground_truth_field for d in others}
    return frozenset(field for field in counted - answers if field)


def users_by_field(spec: Spec, truth: Mapping[str, Any]) -> dict[str, Users]:
    """The dimensions over each field; those that score it alike are one, and are asked once."""
    fields: dict[str, dict[Hashable, list[Dimension]]] = {}
    for d in spec.dimensions:
        if d.field:
            told = ENCODER.encode(dict(d.params)) if d.params else b""
            fields.setdefault(d.field, {}).setdefault(
                (d.kind, d.uses, d.ground_truth_field, told), []
            ).append(d)
    return {
        field: [User(alike[0], _want(truth, alike[0]), tuple(alike)) for alike in groups.values()]
        for field, groups in fields.items()
    }


def _want(truth: Mapping[str, Any], dimension: Dimension) -> Any:
    return find(truth, dimension.ground_truth_field) if dimension.ground_truth_field else MISSING
