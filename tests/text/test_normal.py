"""What is told by the words alone is what the normal forms say."""

from __future__ import annotations

import tracemalloc
from collections import deque

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.text.normal import normal_target, normalise
from steelyard.text.number.read import find_numbers, last_number
from steelyard.text.same import same_normal, same_text

PIECES = st.sampled_from(
    [
        "a",
        "an",
        "the",
        "A",
        "The",
        "cat",
        "Cat",
        "dog",
        "x",
        "C++",
        ".NET",
        "A-Team",
        "U.S.A.",
        "u.s.",
        "1,000",
        "-5",
        "3.5",
        "**bold**",
        "`code`",
        "```",
        '"q"',
        "don't",
        "(a)",
        "[x]",
        "a,",
        "the,",
        "$5",
        "é",
        "Złota",
        "“quote”",
        "’s",
        "…",
        "–",
        "—",
        "/",
        "+",
        "=",
        "<",
        "^",
        "_x_",
        "x_1",
        "*",
        "#",
        "-",
        "--",
        ".",
        ",",
        ";",
        ":",
        "!",
        "?",
        "10^2",
        "million",
        "北京",
        "A+",
        "Cl-",
    ]
)
TEXTS = st.lists(PIECES, max_size=6).map(" ".join)
AROUND = st.sampled_from(["", "**", "*", '"', "`", "_", ".", " ", "\n"])


@given(got=TEXTS, want=TEXTS, left=AROUND, right=AROUND)
def test_words_tell_what_the_normal_forms_say(got: str, want: str, left: str, right: str) -> None:
    for text in (got, want, f"{left}{want}{right}", f"the {want}", want.upper()):
        assert same_text(text, want) == same_normal(
            normalise(text), normal_target(want), text, want
        )


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("the a cat", "cat"),
        ("a\nthe\tcat", "cat"),
        ("the a b", "the a b"),
        ("vitamin a and the b", "vitamin and the b"),
        ("the .NET", ".net"),
        ("a, b", "a b"),
        ("the (a) team", "team"),
        ("an 8", "8"),
        ("the the", "the the"),
        ("the A-Team", "a team"),
        ("a the.", "a the"),
    ],
)
def test_articles_go_before_a_word(text: str, normal: str) -> None:
    assert normalise(text) == normal


NUMBERS = st.sampled_from(
    [
        "7",
        "42",
        "3.5",
        "1,000",
        "-7",
        "-",
        "$5",
        "10%",
        "1/2",
        "1",
        "000",
        "x",
        "10",
        "^",
        "5",
        "minus",
        "negative",
        "is",
        "=",
        ":",
        "(",
        ")",
        "million",
        "total",
        ".",
        "\n",
        ".5",
        "2.5.1",
        "B12",
        "to",
        "or",
        "√",
    ]
)


@given(st.lists(NUMBERS, max_size=7).map(" ".join))
def test_the_last_number_is_the_last_of_all(text: str) -> None:
    every = list(find_numbers(text))
    assert last_number(text) == (every[-1] if every else None)


@pytest.mark.parametrize("many", ["1 ", "B12 ", "½ "])
def test_a_text_of_nothing_but_numbers_takes_little_room(many: str) -> None:
    text = "7 apples, " + many * 20_000
    tracemalloc.start()
    found = last_number(text)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found == deque(find_numbers(text), maxlen=1)[0]
    assert most < 1_000_000
