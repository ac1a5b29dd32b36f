"""Laws of evaluation, for all submissions."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from spec.specs import dimension, free
from steelyard.spec import evaluate, load_spec

SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.decimals() | st.text(max_size=4)
)
VALUES: Any = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abcdefg"), inner),
    max_leaves=15,
)
SPEC = load_spec(
    free(
        dimension("a", 0.1),
        dimension("b", 0.1, primitive="exact_match_ratio"),
        dimension("c", 0.2, primitive="numeric_tolerance", tolerance=0.1),
        dimension("d", 0.1, primitive="fuzzy_string"),
        dimension("e", 0.1, primitive="coverage_ratio", requires={"b": 250}),
        dimension("f", 0.2, primitive="set_overlap", method="jaccard", requires={"e": 1}),
        dimension("g", 0.1, scorer="numeric_match"),
        dimension("s", 0.1, primitive="time_decay", time_limit_secs=9),
        format=[
            {"field": "b", "type": "array"},
            {"field": "f", "schema": {"minItems": 1}, "severity": "warning"},
        ],
    )
)
TRUTH = {
    "a": {"x": 1},
    "b": [1, 2, 3],
    "c": 0.2,
    "d": "some text",
    "e": [1, 2],
    "f": ["x", 5],
    "g": 42,
}


@given(VALUES | st.dictionaries(st.sampled_from("abcdefg"), VALUES), VALUES)
def test_no_submission_makes_evaluate_raise(submission: Any, trajectory: Any) -> None:
    found = evaluate(
        SPEC,
        submission,
        TRUTH,
        time_used=0,
        trajectory=trajectory,
        verified=True,
        constraints={"token_budget": 5},
        harness="h",
    )
    assert 0 <= found.score <= 1000
    assert all(found.reasons.values())


def test_the_truth_itself_earns_full_marks() -> None:
    assert evaluate(SPEC, TRUTH, TRUTH, time_used=0).score == 1000


@given(st.dictionaries(st.sampled_from("abcdefg"), VALUES), st.sampled_from("abcdefg"))
def test_leaving_a_field_out_never_pays(submission: dict[str, Any], field: str) -> None:
    less = {key: value for key, value in submission.items() if key != field}
    whole = evaluate(SPEC, submission, TRUTH, time_used=3)
    assert evaluate(SPEC, less, TRUTH, time_used=3).score <= whole.score


@given(st.data())
def test_totals_agree_with_fractions(data: Any) -> None:
    count = data.draw(st.integers(1, 5))
    cuts = sorted(
        data.draw(
            st.lists(st.integers(1, 999), min_size=count - 1, max_size=count - 1, unique=True)
        )
    )
    shares = [b - a for a, b in zip([0, *cuts], [*cuts, 1000], strict=True)]
    spec = free(
        *(dimension(f"d{i}", w / 1000, primitive="exact_match_ratio") for i, w in enumerate(shares))
    )
    submission, truth, earned = {}, {}, Fraction(0)
    for i, share in enumerate(shares):
        length = data.draw(st.integers(1, 9))
        right = data.draw(st.integers(0, length))
        submission[f"d{i}"] = [1] * right + [0] * (length - right)
        truth[f"d{i}"] = [1] * length
        earned += Fraction(right, length) * share
    found = evaluate(spec, submission, truth)
    assert found.score == math.floor(round(earned, 6))
    assert found.result == (
        "win" if found.score >= 700 else "draw" if found.score >= 400 else "loss"
    )
