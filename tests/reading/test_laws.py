"""Laws of the five text scorers, on seeded random texts that are made of pieces."""

from __future__ import annotations

import json
import random
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import pytest

from steelyard.reading.cuts import cut
from steelyard.reading.found import Trace
from steelyard.registry import SCORERS
from steelyard.scoring.types import ScorerInput
from steelyard.values.normal import INVISIBLE
from text_scorers import EXACT, FUZZY, LETTER, LINE, NUMBER, TEXT_SCORERS, score

READERS = (LETTER, LINE, NUMBER, FUZZY)
RIGHT = {LETTER: "B", LINE: "Oslo", NUMBER: "42", EXACT: "Oslo", FUZZY: "Oslo"}
OTHER = {LETTER: "C", LINE: "Rome", NUMBER: "77", EXACT: "Rome", FUZZY: "Rome"}
CASES = Path(__file__).parent.parent / "cases" / "reading"
TEXTS = json.loads((CASES / "pieces.json").read_text(encoding="utf-8"))
PIECES = [*TEXTS["texts"], "9" * 5000]
CUTS = TEXTS["cuts"]  # a text that is added after one of these may be cut
# Texts with an answer of the scorer's kind occur often.
COMMON = ["A", "B", "5", "42", "Oslo", "Answer: ", "\n", " "] * 4


def texts(count: int, most: int, pieces: Sequence[str]) -> Iterator[str]:
    """Yield random texts of at most so many pieces."""
    dice = random.Random(count)
    for _ in range(count):
        yield "".join(dice.choices(pieces, k=dice.randint(0, most)))


@pytest.mark.parametrize("name", TEXT_SCORERS)
def test_readable_target_matches_itself(name: str) -> None:
    targets = texts(2000, 4, PIECES + CUTS + COMMON)
    readable = [target for target in targets if score(name, "", target).value is not None]
    assert len(readable) > 50
    assert [target for target in readable if not score(name, target, target).correct] == []


@pytest.mark.parametrize("name", TEXT_SCORERS)
def test_score_of_a_random_text_is_consistent(name: str) -> None:
    """The outcome is one of three, only a found answer has a value, and its span is verbatim."""
    scorer = SCORERS.get(name).fn
    for response in texts(1500, 9, PIECES + CUTS + COMMON):
        result = score(name, response, RIGHT[name])
        assert scorer(ScorerInput(response, RIGHT[name]), trace=Trace()) == result
        outcome = result.detail["reading"]
        assert outcome in {"found", "unclear", "missing"}
        assert result.reason
        assert "\n" not in result.reason
        assert result.correct is (result.value == 1)
        if outcome != "found":
            assert (result.value, result.span) == (0.0, None)
            assert name == EXACT or result.extracted is None
        elif name in {LINE, NUMBER}:
            start, end = result.span or (0, 0)
            verbatim = response[start:end].replace("\ud800", "\ufffd")
            assert verbatim == result.extracted
            assert verbatim


@pytest.mark.parametrize("name", TEXT_SCORERS)
def test_same_call_gives_the_same_score(name: str) -> None:
    targets = texts(300, 3, PIECES + COMMON)
    for response in texts(300, 6, PIECES + CUTS + COMMON):
        target = next(targets)
        assert score(name, response, target) == score(name, response, target)


@pytest.mark.parametrize("name", TEXT_SCORERS)
def test_blank_response_never_matches(name: str) -> None:
    dice = random.Random(5)
    blanks = ["".join(dice.choices(INVISIBLE, k=dice.randint(0, 4))) for _ in range(100)]
    blanks += ["<think>5</think>", "<think>B", " <eoa>", "</think>", "<|im_end|>\n"]
    for blank in blanks:
        for target in ("", " ", "\u200b", "A", "5", "Oslo", ".", "$", "the"):
            assert not score(name, blank, target).correct
            assert not score(name, target, blank).correct


MARKS = {
    "label": "\nAnswer: {}",
    "phrase": "\nThe answer is {}.",
    "box": "\n$\\boxed{{{}}}$",
    "hash": "\n#### {}",
    "key": '\n{{"answer": "{}"}}',
    "tag": "\n<answer>{}</answer>",
    "heading": "\n\n### Final answer\n\n**{}**",
}


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize("name", READERS)
def test_appended_marked_answer_wins(name: str, mark: str) -> None:
    addition = MARKS[mark].format(RIGHT[name])
    for response in texts(200, 9, PIECES + COMMON):
        assert score(name, response + addition, RIGHT[name]).correct, response
        assert not score(name, response + addition, OTHER[name]).correct, response


SENTENCES = ["\nI hope this helps!", "\n\nLet me know if you have questions.", " That is all."]
END_TOKENS = ["<eoa>", " <|im_end|>Answer: D", "</s>\nQuestion: 7 or C?\nAnswer: 7"]
UNMARKED = {
    LETTER: ["B", "**(B)**", "B. Oslo", "so\nB", "I choose B.", "Option B is correct."],
    NUMBER: ["42", "It is 42.", "20 + 22 = 42", "41 or 42", "**$42**"],
    FUZZY: ["Oslo", "It is Oslo.", "Oslo, Rome"],
    LINE: ["Oslo", "so\n**Oslo**."],
    EXACT: ["Oslo", "**oslo**."],
}


def marked(name: str, marks: Collection[str]) -> Iterator[str]:
    """Yield random texts that end in a right answer after one of the marks."""
    for mark in marks:
        for before in texts(40, 6, PIECES):
            yield before + MARKS[mark].format(RIGHT[name])


@pytest.mark.parametrize("token", END_TOKENS)
@pytest.mark.parametrize("name", TEXT_SCORERS)
def test_appended_end_token_changes_nothing(name: str, token: str) -> None:
    for response in [*UNMARKED[name], *marked(name, MARKS if name != EXACT else ())]:
        assert score(name, response, RIGHT[name]).correct, response
        assert score(name, response + token, RIGHT[name]).correct, response


@pytest.mark.parametrize("sentence", SENTENCES)
@pytest.mark.parametrize("name", READERS)
def test_appended_sentence_changes_nothing(name: str, sentence: str) -> None:
    """A sentence on the line of a label becomes part of its text; so does one after a last line."""
    own_line = sentence.startswith("\n")
    marks = ["phrase", "box", "key", "tag"] + (["label", "heading"] if own_line else [])
    if own_line and name in {LETTER, NUMBER}:
        marks.append("hash")
    unmarked = [text for text in UNMARKED[name] if own_line or text.endswith(".")]
    if name == LINE:
        unmarked = []
    for response in [*unmarked, *marked(name, marks)]:
        assert score(name, response + sentence, RIGHT[name]).correct, response


WRAPPERS = ["**{}**", "*{}*", "_{}_", "__{}__", "`{}`", "({})", "[{}]", '"{}"', "'{}'", "“{}”"]
WRAPPERS += ["${}$", "$${}$$", "\\({}\\)", "\\[{}\\]", "\\boxed{{{}}}", "\\text{{{}}}", " {} "]
WRAPPERS += ["{}.", "\\mathbf{{{}}}", "**{}.**", "**({})**", "`${}$`", "$\\boxed{{\\text{{{}}}}}$"]


@pytest.mark.parametrize("wrapper", WRAPPERS)
@pytest.mark.parametrize("name", TEXT_SCORERS)
def test_wrapper_makes_no_answer_wrong_and_is_not_extracted(name: str, wrapper: str) -> None:
    leads = ["", "\n\n"] + (["Answer: ", "so\nThe answer is "] if name != EXACT else [])
    for lead in leads:
        result = score(name, lead + wrapper.format(RIGHT[name]), RIGHT[name])
        assert result.correct
        assert name in {EXACT, FUZZY} or result.extracted == RIGHT[name]
        assert not score(name, lead + wrapper.format(OTHER[name]), RIGHT[name]).correct


@pytest.mark.parametrize("wrapper", ["**{}**", "({})", '"{}"', "${}$", "\\boxed{{{}}}", "{}."])
@pytest.mark.parametrize("name", TEXT_SCORERS)
def test_target_may_be_wrapped(name: str, wrapper: str) -> None:
    assert score(name, RIGHT[name], wrapper.format(RIGHT[name])).correct
    assert not score(name, OTHER[name], wrapper.format(RIGHT[name])).correct


@pytest.mark.parametrize("name", [LETTER, LINE])
@pytest.mark.parametrize(
    "pattern",
    [
        r"",
        r"x*",
        r"(.)",
        r"(?s).*",
        r"(a)|b",
        r"\d+\b",
        r"(?i)answer\W+(\w)",
        r"[^\x00-\x7f]",
        r"$",
    ],
)
def test_pattern_reads_every_response(name: str, pattern: str) -> None:
    for response in texts(150, 6, PIECES + CUTS + ["\x00", "\udfff", "\U0010ffff", "\r\n"]):
        result = score(name, response, "B", pattern=pattern)
        assert result.value is not None
        start, end = result.span or (0, 0)
        assert 0 <= start <= end <= len(response)


def test_cut_keeps_every_place() -> None:
    """What is cut becomes spaces; everything else, and every line end, stays where it is."""
    for text in texts(3000, 8, ["a", "\n", " ", "Answer: B", "</s>", *CUTS]):
        shown = cut(text)
        assert len(shown) == len(text)
        assert all(new in (old, " ") for old, new in zip(text, shown, strict=True))
        assert shown.count("\n") == text.count("\n")
