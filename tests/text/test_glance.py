"""What is told at a glance is what the whole reading comes to."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.extract.statement import holds_text
from steelyard.text.claim.glance import glance
from steelyard.text.normal import normalise

FILLER = (
    "The harbour lay quiet in the morning, and the boats had not come back from the old mill yet. "
)
WANTS = [
    "canberra",
    "new york",
    "bank of west",
    "shakespeare play",
    "são paulo",
    "old harbour",
    "mill",
]
SAID = [
    "Canberra",
    "canberra's",
    "C A N B E R R A",
    "can-berra",
    "New York",
    "New\nYork",
    "**New** York",
    "New York City",
    "the Bank of the West",
    "Shakespeare's play",
    "Shakespeare’s play",
    "São Paulo",
    "the old harbour",
    "Old  Harbour",
    "not ",
    "is wrong",
    " or ",
    ", ",
    ". ",
    "? ",
    "It is ",
    "maybe ",
    "\n",
    "- ",
    "Sydney",
    "/",
    "(",
    ")",
    "”",
    "“",
    "…",
    FILLER,
    FILLER * 8,
    FILLER * 20,
]


@pytest.mark.parametrize("want", WANTS)
@given(pieces=st.lists(st.sampled_from(SAID), min_size=1, max_size=8))
@settings(deadline=None, max_examples=150)
def test_a_glance_agrees_with_the_whole_reading(want: str, pieces: list[str]) -> None:
    text = " ".join(pieces).strip()
    clear = glance(text, want)
    if clear is not None:
        normal = normalise(text)
        assert (normal == want or holds_text(text, normal, want, ())) is clear


def test_most_long_texts_are_told_at_a_glance() -> None:
    assert glance(FILLER * 40, "canberra") is False
    assert glance(FILLER * 40 + "It is Canberra.", "canberra") is True
    assert glance(FILLER * 40 + "It is not Canberra.", "canberra") is False
    assert glance(FILLER * 40 + "It is Canberra or Sydney.", "canberra") is None
