"""pass@k is exact, quick, and refuses what cannot be."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.metrics import pass_at_k, passk

CASES = Path(__file__).parent.parent / "cases" / "metrics" / "pass_at_k.jsonl"
ROWS = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_pass_at_k(row: dict[str, Any]) -> None:
    if "error" in row:
        with pytest.raises(ValueError, match=row["error"]):
            pass_at_k(row["n"], row["c"], row["k"])
    else:
        assert pass_at_k(row["n"], row["c"], row["k"]) == row["value"]


@given(
    st.integers(1, 300).flatmap(
        lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))
    )
)
def test_it_is_the_formula_rounded_once(case: tuple[int, int, int]) -> None:
    n, c, k = case
    assert pass_at_k(n, c, k) == float(1 - Fraction(math.comb(n - c, k), math.comb(n, k)))


def test_many_factors_agree_with_the_exact_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    exactly = pass_at_k(10**8, 3000, 19000)
    monkeypatch.setattr(passk, "_EXACT_BITS", 10)
    assert pass_at_k(10**8, 3000, 19000) == pytest.approx(exactly, rel=1e-13)
    assert 0 < pass_at_k(10**30, 10**15, 10**15) < 1


def test_integers_of_numpy_are_integers() -> None:
    assert pass_at_k(np.int64(8), np.int32(3), np.uint8(1)) == 0.375
    with pytest.raises(ValueError, match="not a bool"):
        pass_at_k(8, np.bool_(True), 1)  # type: ignore[arg-type]
