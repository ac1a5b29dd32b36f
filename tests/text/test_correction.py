"""A correction withdraws what was said before it, for every scorer that reads an answer out of a text."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.registry import SCORERS
from steelyard.scoring import ScorerInput
from steelyard.text.correction.settled import settled, settled_cuts, withdrawn
from steelyard.text.grammar import words

CASES = Path(__file__).parent.parent / "cases" / "text" / "corrections.txt"
CORRECTIONS = CASES.read_text(encoding="utf-8").split("\n")[:-1]
# What each scorer is asked to read, and in which sentences it reads it.
ANSWERS = {
    "fuzzy_match": (
        "Canberra",
        "Sydney",
        ["{}", "The capital is {}", "Answer: {}", "I think it's {}", "**{}**"],
    ),
    "answer_line": ("Canberra", "Sydney", ["{}", "Answer: {}", "Some reasons.\nAnswer: {}"]),
    "numeric_match": (
        "42",
        "43",
        ["{}", "Answer: {}", "The answer is {}", "So there are {}", "7 times 6 is {}"],
    ),
    "multichoice_regex": (
        "B",
        "C",
        ["{}", "Answer: {}", "The answer is {}", "Answer: ({})", "I pick {}"],
    ),
}
SHAPES = [
    (name, old, new, shape) for name, (old, new, shapes) in ANSWERS.items() for shape in shapes
]
# Where nothing is withdrawn, although a word that could do it is there.
KEPT = [
    "The capital is Canberra. Actually, many people think it is Sydney.",
    "It's Canberra, actually.",
    "Canberra is actually the capital, not Sydney.",
    "Canberra. Wait, let me double-check: yes, that is it.",
    "The capital is Canberra. Wait times at the airport are short.",
    "Canberra. Sorry for the confusion earlier.",
    "Canberra. Sorry, I cannot give more detail.",
    "The capital is Canberra. I mean the one in Australia.",
    "It is Canberra. Actually, it was founded in 1913.",
    "It is Canberra rather than Sydney.",
    "It is Canberra. Actually, Sydney is larger.",
    "It is Canberra. Actually, Sydney, Melbourne and Perth are larger.",
    "It is Canberra. Actually, it's small.",
    "Love, Actually",
    "The answer is 12. No 2 people share it.",
    "The answer is 12. Actually, 3 of them left.",
    "The answer is 12. Actually there were 7 days.",
    "The film is Canberra, No Country for Old Men",
    "He could not wait. Sydney was beautiful.",
    "Canberra. Correction",
    "",
]
# What is left of a text, with the blanks run together.
SETTLED = [
    (
        "You suggested A, but that's incorrect. The right answer is B.",
        "You suggested . The right answer is B.",
    ),
    ("Answer: 42. Wait, no, the answer is 43.", "Answer: the answer is 43."),
    (
        "It's Saturn—no, scratch that, it's Uranus that rotates on its side.",
        "It's it's Uranus that rotates on its side.",
    ),
    (
        "I'd say Rome... wait, no, the Treaty of Madrid was signed in Spain.",
        "the Treaty of Madrid was signed in Spain.",
    ),
    (
        "The Fields Medal. Wait, no, the Abel Prize is awarded in Oslo.",
        "the Abel Prize is awarded in Oslo.",
    ),
    ("The answer is Bohr. No wait, Heisenberg it is.", "The answer is Heisenberg it is."),
    (
        "Answer: C\n\nEdit: I slipped above; the correct option is A.",
        "Answer: the correct option is A.",
    ),
    (
        "Answer: B. On second thought, that is wrong, and I am unable to tell.",
        "Answer: , and I am unable to tell.",
    ),
]
# A verdict on an option, an edit of something else and a second thought that agrees withdraw nothing.
KEPT += [
    "A. More supply. This is incorrect.\nB. More demand. This is correct.\nC. A ceiling. This is wrong.",
    "- 1) Iron. That's wrong.\n- 2) Gold. That's right.",
    "Answer: 12\n\nEdit: formatting.",
    "Answer: 12\n\nUpdate: the answer is explained in step 3.",
    "It is Paris. Wait, no, that's right.",
    "It is Paris. On second thought, that is still correct.",
    "It is Paris. Scratch that, I should first explain who lives in Paris.",
    "The answer is Lavoisier. My mistake earlier was to forget the French Revolution.",
]
PIECES = st.sampled_from(
    [
        *words("correction"),
        *words("second thought"),
        "No,",
        "Wait.",
        ". ",
        ", ",
        "Paris",
        "Rome",
        "42",
        "43",
        "B",
        "it's ",
        "the answer is ",
        "\\boxed{",
        "}",
        "**",
        "\n",
        "<think>",
        "</think>",
        "~~",
        "Question:",
        "é",
        "北京",
        "not ",
    ]
)


@pytest.mark.parametrize("correction", CORRECTIONS)
@pytest.mark.parametrize(("name", "old", "new", "shape"), SHAPES)
def test_a_correction_withdraws_what_was_said(
    name: str, old: str, new: str, shape: str, correction: str
) -> None:
    response = f"{shape.format(old)}{correction}{shape.format(new) if '**' in shape else new}."
    score = SCORERS.get(name).fn
    assert not score(ScorerInput(response, old)).correct, response
    assert score(ScorerInput(response, new)).correct, response


@pytest.mark.parametrize(("text", "left"), SETTLED)
def test_what_is_left_after_a_correction(text: str, left: str) -> None:
    assert " ".join(settled(text).split()) == left


@pytest.mark.parametrize("text", KEPT)
def test_what_only_looks_like_a_correction_withdraws_nothing(text: str) -> None:
    assert withdrawn(text) == []


def test_the_last_of_several_corrections_counts() -> None:
    text = "Sydney. Actually, wait, it's Melbourne. No, actually Canberra."
    assert settled(text).strip() == "Canberra."
    assert settled("Yes. Actually, no.").strip() == "no."
    assert settled("It's red. Actually, it's blue.").split() == ["It's", "blue."]


@given(text=st.one_of(st.text(max_size=80), st.lists(PIECES, max_size=16).map(" ".join)))
@settings(deadline=None, max_examples=300)
def test_every_character_stays_in_its_place_and_the_text_settles(text: str) -> None:
    shown = settled(text)
    assert len(shown) <= len(text)
    assert all(kept in (char, " ") for kept, char in zip(shown, text, strict=False))
    spans = [cut.span for cut in settled_cuts(text) if "withdrawn" in cut.why]
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
