"""What holds for every registered primitive, with the truths and parameters of its own table."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.registry import PRIMITIVES
from steelyard.score import Score

CASES = Path(__file__).parent.parent / "cases" / "primitives"
BUILT_IN = [thing.name for thing in PRIMITIVES if thing.fn.__module__.startswith("steelyard.")]
OF_FIELDS = [name for name in BUILT_IN if PRIMITIVES.get(name).reads == "field"]

DEEP: list[Any] = []
for _ in range(5_000):
    DEEP = [DEEP]
HOSTILE = [
    DEEP,
    "\ud800",
    float("nan"),
    float("inf"),
    Decimal("1e999999999"),
    10**5000,
    {},
    b"bytes",
    object(),
]
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
VALUES: Any = st.sampled_from(HOSTILE) | st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


def table(name: str) -> list[dict[str, Any]]:
    rows = json.loads((CASES / f"{name}.json").read_text(encoding="utf-8"))
    return [row for row in rows if "error" not in row]


def run(name: str, row: dict[str, Any], got: Any) -> Score:
    thing = PRIMITIVES.get(name)
    args = {
        "field": [got, row.get("want")],
        "time": [got],
        "trajectory": [got, row.get("want"), True],
    }
    found = thing.bind(row.get("params"))(*args[thing.reads])
    assert isinstance(found, Score)
    return found


@pytest.mark.parametrize("name", BUILT_IN)
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_no_submission_makes_it_raise_and_the_same_one_scores_the_same(
    name: str, data: st.DataObject
) -> None:
    row = data.draw(st.sampled_from(table(name)))
    got = data.draw(VALUES)
    score = run(name, row, got)
    assert score == run(name, row, got)
    assert score.value is not None
    assert score.reason


@pytest.mark.parametrize("name", OF_FIELDS)
def test_a_ground_truth_that_is_not_empty_earns_full_marks(name: str) -> None:
    truths = [row for row in table(name) if row["want"] is not None and str(row["want"]).strip()]
    assert truths
    for row in truths:
        assert run(name, row, row["want"]).points == 1000, row


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_missing_value_earns_nothing(name: str) -> None:
    for row in table(name):
        if row.get("want", 0) is not None:
            assert run(name, row, None).points == 0, row
