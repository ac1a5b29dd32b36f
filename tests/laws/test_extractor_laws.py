"""What holds for every registered extractor."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.reading.found import Found, Trace
from steelyard.registry import EXTRACTORS

PIECES = st.sampled_from(
    [
        "Answer: ",
        "B",
        "42",
        "{",
        "}",
        '"a": 1',
        "[",
        "]",
        "```",
        "\n",
        "<think>",
        "</think>",
        "\\boxed{",
        "é",
        "٤",
    ]
)
TEXTS = st.one_of(st.text(max_size=50), st.lists(PIECES, max_size=12).map("".join))
NAMES = EXTRACTORS.names()
NEEDS = {"pattern": {"pattern": r"([A-Z])"}}


def test_the_core_ones_are_there() -> None:
    assert {"answer", "choice", "code", "json", "number", "pattern"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
@given(text=TEXTS)
@settings(deadline=None, max_examples=80)
def test_it_finds_a_place_in_the_text_or_says_why_not(name: str, text: str) -> None:
    find = EXTRACTORS.get(name).bind(NEEDS.get(name))
    found = find(text)
    trace = Trace()
    assert find(text, trace=trace) == found
    assert trace.steps
    if found is None:
        return
    assert isinstance(found, Found)
    start, end = found.span
    assert 0 <= start < end <= len(text)
    assert found.stage
