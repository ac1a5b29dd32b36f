"""A response that plainly ends with its answer is read at once, and the whole reading comes to the same."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from steelyard.extract.choice.find import find_choice
from steelyard.extract.ending import ending_letter, ending_number, ending_words
from steelyard.extract.found import Trace
from steelyard.extract.number.find import find_value
from steelyard.scoring import ScorerInput, fuzzy_match

CASES = Path(__file__).parent.parent / "cases"
ENDINGS: dict[str, list[str]] = json.loads(
    (CASES / "text" / "endings.json").read_text(encoding="utf-8")
)
SHORT = 60  # a shorter response may be the bare letter


def responses() -> list[str]:
    """What the probes say, and what they say up to each of their sentences and marks."""
    lines = [
        line
        for file in (CASES / "probes").glob("*.jsonl")
        for line in file.read_text("utf-8").splitlines()
    ]
    said = {json.loads(line)["response"] for line in lines}
    heads = set(said)
    for response in said:
        heads |= {response[: at.start()] for at in re.finditer(r"(?i)answer", response)}
        heads |= {response[: at.end()] for at in re.finditer(r"[.!?\n]\s*", response)}
    return sorted(heads)


def ended(kind: str, count: int) -> list[str]:
    dice = random.Random(kind)
    heads = responses()
    return [
        dice.choice(heads) + dice.choice(["", " ", ". "]) + dice.choice(ENDINGS[kind])
        for _ in range(count)
    ]


def letter(text: str, trace: Trace | None) -> Any:
    return find_choice(text, letters="A-Z", trace=trace)


def number(text: str, trace: Trace | None) -> Any:
    return find_value(text, trace=trace)


def words(text: str, trace: Trace | None) -> Any:
    score = fuzzy_match(ScorerInput(text, "Canberra"), trace=trace)
    return score.correct, score.span


@pytest.mark.parametrize(
    ("read", "short"),
    [(letter, ending_letter), (number, ending_number), (words, ending_words)],
    ids=lambda fn: getattr(fn, "__name__", ""),
)
def test_the_short_way_comes_to_what_the_long_one_comes_to(
    read: Callable[[str, Trace | None], Any], short: Callable[[str], Any]
) -> None:
    told = [
        text for text in ended(read.__name__, 6000) if len(text) > SHORT and short(text) is not None
    ]
    assert len(told) > 800  # else the short way is hardly taken, and this test says nothing
    differ = [text for text in told if read(text, None) != read(text, Trace())]
    assert differ == []


@pytest.mark.parametrize("text", ENDINGS["not plain"])
def test_what_bears_on_the_answer_is_left_to_the_long_way(text: str) -> None:
    assert ending_letter(text) is None
    assert ending_number(text) is None
    assert ending_words(text) is None
