"""What is told of numbers and short targets at a glance is what the whole reading comes to."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.text import equal
from steelyard.text.beyond import letters_of, says_more
from steelyard.text.number.read import find_numbers, last_number
from steelyard.text.same import same_text

WORDS = [
    "The",
    "an",
    "it",
    "is",
    "so",
    "km",
    "per",
    "cent",
    "percent",
    "million",
    "mn",
    "pi",
    "sqrt",
    "theta",
    "infinity",
    "Paris",
    "Strasse",
    "Straße",
    "São",
    "dollars",
    "degrees",
    "x",
    "and",
    "hundreds",
    "sin",
    "bilhão",
    "k",
    "Rs",
    "USD",
]
FIGURES = [
    "5",
    "5.0",
    "42",
    "1,000",
    "0.25",
    "-5",
    "- 5",
    "3/4",
    "1 000",
    "12",
    "345",
    "007",
    "5%",
    "15 per cent",
    "$5",
    "2M",
    "10^3",
    "x = 5",
    "= 5",
    "≈ 5",
    "5°",
    "½",
    "3 1/2",
    "1.2.3",
    "7-8",
    "B12",
    "2 × 10⁵",
    "5万",
    "(5)",
    "*5*",
]
MARKS = [
    ".",
    ",",
    ":",
    ";",
    "!",
    "(",
    ")",
    "=",
    "-",
    "+",
    "*",
    "**",
    "/",
    "%",
    "$",
    "\n",
    "<b>",
    "</b>",
    "`",
    "\\frac{1}{2}",
    "\\text{km}",
    "→",
    "’s",
    "–",
]
TEXTS = st.lists(
    st.tuples(
        st.sampled_from([*WORDS, *FIGURES, *FIGURES, *MARKS]),
        st.sampled_from([" ", " ", " ", "", "\u00a0"]),
    ),
    max_size=7,
).map(lambda parts: "".join(piece + gap for piece, gap in parts).strip())


@given(
    got=TEXTS,
    want=st.one_of(
        TEXTS, st.sampled_from([*WORDS, *FIGURES, "15%", "Eiffel Tower", "1000000", "a"])
    ),
)
@settings(deadline=None, max_examples=3000)
def test_a_text_that_says_more_is_not_the_target(got: str, want: str) -> None:
    if says_more(got, letters_of(want)):
        assert not same_text(got, want)
        assert not equal.same_plain_number(got, want)
    if got != want:
        assert equal.same_answer(got, want) is equal._same_by_reading(got, want)


@given(TEXTS)
@settings(deadline=None, max_examples=3000)
def test_the_last_number_is_the_last_that_is_read(text: str) -> None:
    *_, last = (None, *find_numbers(text))
    assert last_number(text) == last


@pytest.mark.parametrize(
    ("got", "want", "more"),
    [
        ("So it is 5 km in all.", "5", True),
        ("The river is wide.", "Eiffel Tower", True),
        ("The 5", "5", False),
        ("15 per cent", "15%", False),
        ("5 million dollars", "$5000000", False),
        ("Straße", "Strasse", False),
        ("Strasse", "ßßß", True),
        ("pi", "5", False),
        ("the km", "π", False),
    ],
)
def test_one_word_tells(got: str, want: str, more: bool) -> None:
    assert says_more(got, letters_of(want)) is more
