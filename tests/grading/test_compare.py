"""Comparing outputs: a table, laws over all ways of comparing, and outputs that are no text."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.grading.compare import COMPARISONS
from steelyard.grading.equal import Tolerance

CASES = json.loads(
    (Path(__file__).parents[1] / "cases/grading/compare.json").read_text(encoding="utf-8")
)
STRICT_TO_LAX = ("exact", "lines", "tokens", "float")


@pytest.mark.parametrize(("how", "got", "want", "same"), CASES)
def test_the_table(how: str, got: str, want: str, same: bool) -> None:
    why = COMPARISONS[how](got.encode(), want.encode(), None)
    assert (why is None) is same, why


@given(st.binary(max_size=60), st.binary(max_size=60))
def test_no_output_makes_it_raise_and_a_laxer_way_accepts_more(got: bytes, want: bytes) -> None:
    accepted = [COMPARISONS[how](got, want, None) is None for how in STRICT_TO_LAX]
    assert accepted == sorted(accepted)


@given(st.binary(max_size=60))
def test_every_output_equals_itself(output: bytes) -> None:
    assert all(compare(output, output, None) is None for compare in COMPARISONS.values())


@given(
    st.lists(st.sampled_from([b"1", b"2.5", b"x", b"\xff"]), min_size=1),
    st.sampled_from(STRICT_TO_LAX),
)
def test_more_or_less_is_never_the_same(tokens: list[bytes], how: str) -> None:
    want = b" ".join(tokens)
    assert COMPARISONS[how](want + b" 7", want, None) is not None
    assert COMPARISONS[how](b" ".join(tokens[:-1]), want, None) is not None


@pytest.mark.parametrize("how", STRICT_TO_LAX)
def test_a_reason_never_tells_what_was_wanted(how: str) -> None:
    for got in (b"", b"1", b"1\n2", b"\xff\x1b[0m"):
        why = COMPARISONS[how](got, b"hunter2\nhunter3", None)
        assert why is not None
        assert "hunter" not in why
        assert why.isprintable()


def test_the_tolerance_is_the_tasks() -> None:
    assert COMPARISONS["float"](b"1.1", b"1.0", Tolerance(abs=0.1)) is None
    assert COMPARISONS["float"](b"1.1000001", b"1.0", Tolerance(abs=0.1)) is not None


@pytest.mark.slow
@pytest.mark.parametrize("how", STRICT_TO_LAX)
@pytest.mark.parametrize("piece", [b"\n", b"1 ", b"9", b" \r\n"])
def test_a_flood_costs_little_memory(how: str, piece: bytes) -> None:
    flood = piece * (1_000_000 // len(piece))
    tracemalloc.start()
    COMPARISONS[how](flood, b"1\n2\n", None)
    COMPARISONS[how](flood, flood + b"x", None)
    assert tracemalloc.get_traced_memory()[1] < 7e6
    tracemalloc.stop()
