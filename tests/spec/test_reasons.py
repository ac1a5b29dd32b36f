"""What a reason says where a user's own code gives none."""

from __future__ import annotations

from typing import Any

import pytest

from spec.specs import dimension, free
from steelyard.registry import PRIMITIVES, primitive
from steelyard.spec import evaluate


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (0.5, "a: the primitive 'unsaid' gives 500 of 1000 points, and no reason"),
        (0, "a: the primitive 'unsaid' gives no points, and no reason"),
        ({"value": 1, "reason": "because"}, "a: because"),
    ],
)
def test_a_score_without_a_reason_says_what_is_true(given: Any, told: str) -> None:
    primitive(name="unsaid")(lambda got, want: given)
    try:
        assert (
            evaluate(free(dimension("a", 1, primitive="unsaid")), {"a": 1}, {"a": 1}).reasons["a"]
            == told
        )
    finally:
        del PRIMITIVES._things["unsaid"]
