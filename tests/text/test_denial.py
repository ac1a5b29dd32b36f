"""One grammar of denial: it says the same of a word, a letter, a number and a mark of the answer."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.registry import SCORERS
from steelyard.scoring import ScorerInput
from steelyard.text.claim.claims import claims
from steelyard.text.claim.denial import denied_after, denied_before, number_denied, taken_back
from steelyard.text.claim.marked import with_marks
from steelyard.text.grammar import words

DENIALS = [
    "It is not {}.",
    "It isn't {}.",
    "It isn’t {}.",
    "It is never {}.",
    "It cannot be {}.",
    "Anything but {}.",
    "All except {}.",
    "{} is wrong.",
    "{} is incorrect.",
    "{} is clearly wrong.",
    "{} cannot be it.",
    "It is not **{}**.",
]
CLAIMS = [
    "It is {}.",
    "No doubt, it is {}.",
    "It is none other than {}.",
    "Not only that: it is {}.",
    "Why not {}?",
]
# Titles with a negator in them, which deny nothing; and what does although it looks like one.
TITLES = [
    ("Dr. No starred Sean Connery.", "sean connery", True),
    ("No Country for Old Men is by Cormac McCarthy.", "cormac mccarthy", True),
    ("Don't Look Up starred Leonardo DiCaprio.", "leonardo dicaprio", True),
    ("The film Never Say Never has Justin Bieber.", "justin bieber", True),
    ("It is not Dr. No.", "dr no", False),
    ("It is Not Canberra.", "canberra", False),
    ("It is NOT Canberra.", "canberra", False),
    ("Not New South Wales.", "new south wales", False),
    ("Not Canberra is the capital but Sydney.", "canberra", False),
]


@pytest.mark.parametrize(
    ("name", "answer"),
    [("fuzzy_match", "Paris"), ("multichoice_regex", "B"), ("numeric_match", "42")],
)
@pytest.mark.parametrize("shape", DENIALS)
def test_a_denial_denies_a_word_a_letter_and_a_number(name: str, answer: str, shape: str) -> None:
    assert not SCORERS.get(name).fn(ScorerInput(shape.format(answer), answer)).correct


@pytest.mark.parametrize(("name", "answer"), [("fuzzy_match", "Paris"), ("numeric_match", "42")])
@pytest.mark.parametrize("shape", CLAIMS)
def test_a_harmless_negator_denies_nothing(name: str, answer: str, shape: str) -> None:
    assert SCORERS.get(name).fn(ScorerInput(shape.format(answer), answer)).correct


@pytest.mark.parametrize(("text", "want", "claimed"), TITLES)
def test_a_title_with_a_negator_denies_nothing(text: str, want: str, claimed: bool) -> None:
    assert claims(text, want) is claimed


@pytest.mark.parametrize("negator", [w for w in words("negators") if w.isascii()])
def test_every_negator_is_looked_for_by_every_scorer(negator: str) -> None:
    """The quick looks that spare most texts the grammar must not spare one that it would deny."""
    assert not claims(f"It is {negator} Paris.", "paris")
    assert denied_before(f"It is {negator} B", len(f"It is {negator} "))
    assert number_denied(
        f"it is {negator} 42.", len(f"it is {negator} "), len(f"it is {negator} 42")
    )


@pytest.mark.parametrize("word", words("wrong"))
def test_every_word_for_wrong_is_looked_for(word: str) -> None:
    assert not claims(f"Paris is {word}.", "paris")
    assert denied_after(f"B is {word}.", 1)
    assert number_denied(f"42 is {word}. ", 0, 2)


@pytest.mark.parametrize("word", words("taken back"))
def test_every_word_that_takes_a_mark_back_is_looked_for(word: str) -> None:
    assert taken_back(f"it is {word} the answer is B", len(f"it is {word} the "))


@settings(deadline=None)
@given(st.text(max_size=80), st.integers(0, 80))
def test_any_place_of_any_text_can_be_judged(text: str, at: int) -> None:
    at = min(at, len(text))
    denied_before(text, at)
    denied_after(text, at)
    number_denied(text, at, at)
    taken_back(text, at)
    with_marks(text, "paris")
