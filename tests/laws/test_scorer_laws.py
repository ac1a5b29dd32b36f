"""What holds for every registered scorer, whatever the response."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.registry import SCORERS
from steelyard.score import Score
from steelyard.scoring import ScorerInput
from steelyard.values.normal import is_blank

COMPARING = ["answer_line", "exact_match", "fuzzy_match", "multichoice_regex", "numeric_match"]
READING = ["answer_line", "multichoice_regex", "numeric_match"]
PIECES = st.sampled_from(
    [
        "Answer:",
        "answer is",
        "A",
        "B",
        "C",
        "not ",
        " or ",
        "42",
        "-",
        "1,000",
        "\\boxed{",
        "}",
        "**",
        "$",
        "####",
        "=",
        "\n",
        " ",
        "<think>",
        "</think>",
        "Question:",
        "the ",
        "½",
        "10²",
        "٤",
        "\u200b",
        "é",
        "北京",
        "(",
        ")",
        "%",
        "/",
        ".",
        ",",
        "'",
    ]
)
TEXTS = st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=14).map("".join))
RIGHT = {"multichoice_regex": "B", "numeric_match": "42", "answer_line": "42"}
RIGHT |= dict.fromkeys(["exact_match", "fuzzy_match"], "Paris")
WRONG = {"multichoice_regex": "C", "numeric_match": "43", "answer_line": "43"}
WRONG |= dict.fromkeys(["exact_match", "fuzzy_match"], "Rome")
WRAPPERS = [
    "{}",
    "**{}**",
    "*{}*",
    "`{}`",
    "({})",
    "[{}]",
    '"{}"',
    "“{}”",
    "{}.",
    "${}$",
    r"\boxed{{{}}}",
]
WRAPPERS += [r"$\boxed{{\text{{{}}}}}$", " {} ", "\n{}\n", "<think>x</think>{}"]
HOSTILE = [
    "[",
    "Answer: ",
    "<think>",
    "1,",
    "12,12,",
    "not ",
    "a ",
    "\\boxed{",
    "(",
    "*",
    "=",
    "1.",
    " or ",
    "A ",
]
HOSTILE += [
    "####",
    "\n",
    "é",
    "$",
    "9",
    "9 9/9 ",
    "-",
    "x^2",
    "\\frac{",
    "Paris, ",
    "the ",
    "'",
    "_",
    "`",
    "q:\n",
]
# What a scorer cannot do without.
NEEDED = {
    "json_schema": {"schema": {"type": "object"}},
    "tests": {"task": {"kind": "function", "entry_point": "f", "cases": [[[1], 2]]}},
    "script": {"script": {"source": "def score(submission, truth):\n    return {'score': 0}\n"}},
}


ABOUT = {"code_sandbox": {"_test": "assert f(1) == 2", "entry_point": "f"}}


def _run(name: str, response: str, target: str) -> Score:
    score = SCORERS.get(name).fn(ScorerInput(response, target))
    assert isinstance(score, Score)
    return score


@pytest.mark.parametrize("name", SCORERS.names())
def test_every_registered_scorer_survives_odd_responses(name: str) -> None:
    params = NEEDED.get(name)
    score = SCORERS.get(name).bind(params)
    for response in [
        "",
        " ",
        "42",
        "Answer: B",
        "\ud800",
        "Perth\ud800 or Sydney, not \ud800 Hobart",
        "{" * 3000,
        "\x00",
        "<think>",
        "a" * 20_000,
        '{"a": 1}',
        "NaN",
        "\\boxed{",
        '{"a": [1e400, 0.30000000000000000001]}',
    ]:
        for target in ["42", "B", ""]:
            given = ScorerInput(response, target, ABOUT.get(name, {}))
            first = score(given)
            assert isinstance(first, Score)
            assert first == score(given)
            assert json.loads(json.dumps(dict(first))) == dict(first)
            assert not (first.correct and not response.strip())


@pytest.mark.parametrize("name", COMPARING)
@given(response=TEXTS, target=TEXTS)
@settings(deadline=None, max_examples=150)
def test_no_response_makes_it_raise_and_the_same_input_gives_the_same_score(
    name: str, response: str, target: str
) -> None:
    score = _run(name, response, target)
    assert score == _run(name, response, target)
    if score.span is not None:
        assert 0 <= score.span[0] <= score.span[1] <= len(response)


@pytest.mark.parametrize("name", COMPARING)
@given(target=TEXTS)
@settings(deadline=None, max_examples=150)
def test_a_target_that_can_be_read_matches_itself(name: str, target: str) -> None:
    score = _run(name, target, target)
    assert score.correct is (score.status == "scored")
    if score.status == "unscored" and name not in {"multichoice_regex", "numeric_match"}:
        assert is_blank(target)


@pytest.mark.parametrize("name", COMPARING)
@given(blank=st.text(alphabet=" \t\n\u200b\u00a0\u2060", max_size=5), target=TEXTS)
@settings(deadline=None, max_examples=60)
def test_a_blank_response_and_a_blank_target_match_nothing(
    name: str, blank: str, target: str
) -> None:
    assert not _run(name, blank, target).correct
    assert not _run(name, target, blank).correct


@pytest.mark.parametrize("name", COMPARING)
@given(response=TEXTS)
@settings(deadline=None, max_examples=80)
def test_json_both_ways_without_loss(name: str, response: str) -> None:
    score = _run(name, response, RIGHT[name])
    try:
        wire = msgspec.json.encode(score)
    except UnicodeEncodeError:
        return  # a lone surrogate has no JSON
    assert msgspec.json.decode(wire, type=Score) == score


@pytest.mark.parametrize("name", [*READING, "fuzzy_match"])
@given(before=TEXTS)
@settings(deadline=None, max_examples=80)
def test_appending_a_wrong_answer_never_raises_the_score(name: str, before: str) -> None:
    base = _run(name, before, RIGHT[name])
    appended = _run(name, f"{before}\nAnswer: {WRONG[name]}", RIGHT[name])
    assert (appended.value or 0) <= (base.value or 0)


@pytest.mark.parametrize("name", READING)
@given(
    before=st.lists(
        PIECES.filter(lambda p: "think" not in p and p != "Question:"), max_size=10
    ).map("".join)
)
@settings(deadline=None, max_examples=80)
def test_the_last_committed_answer_wins(name: str, before: str) -> None:
    assert _run(name, f"{before}\n\nAnswer: {RIGHT[name]}", RIGHT[name]).correct


@pytest.mark.parametrize("wrap", WRAPPERS)
@pytest.mark.parametrize("name", COMPARING)
@pytest.mark.parametrize("lead", ["", "Answer: "])
def test_a_wrapper_makes_no_answer_wrong_and_no_answer_right(
    name: str, wrap: str, lead: str
) -> None:
    if lead and (name == "exact_match" or "think" in wrap):
        lead = ""
    assert _run(name, lead + wrap.format(RIGHT[name]), RIGHT[name]).correct
    assert not _run(name, lead + wrap.format(WRONG[name]), RIGHT[name]).correct


@pytest.mark.parametrize("name", COMPARING)
@pytest.mark.parametrize("piece", HOSTILE)
def test_long_hostile_text_is_read_in_one_go(name: str, piece: str) -> None:
    """Quadratic patterns would hang here, which is how this fails."""
    _run(name, piece * (100_000 // len(piece)), RIGHT[name])


@pytest.mark.parametrize("name", COMPARING)
@pytest.mark.parametrize("piece", [" ", " \n", "*", ", ", ". "])
def test_a_long_row_after_the_answer_is_read_in_one_go(name: str, piece: str) -> None:
    _run(name, f"Answer: {RIGHT[name]}\n" + piece * (100_000 // len(piece)), RIGHT[name])


@pytest.mark.slow
@pytest.mark.parametrize("piece", ["i retract that (B)? ", "maybe the answer is a, "])
def test_what_is_said_again_without_end_is_read_in_one_go(piece: str) -> None:
    """At this length even a search that is quadratic with a small factor takes minutes."""
    _run("multichoice_regex", piece * (1_500_000 // len(piece)), "B")
