"""Hostile texts: doubling a text at most triples the steps (CPU time, see growth.py)."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest

from growth import grows_linearly
from steelyard.reading.code_blocks import code_blocks
from steelyard.reading.json_values import find_json
from steelyard.reading.patterns import read_pattern
from text_scorers import LETTER, TEXT_SCORERS, score

CASES = Path(__file__).parent.parent / "cases" / "reading"
UNITS = json.loads((CASES / "pieces.json").read_text(encoding="utf-8"))
# Pairs of units that once took quadratic time.
KNOWN_PAIRS = [
    ("\nq", " "),
    ("\\boxed{", "not "),
    ("#### ", "x2 "),
    ("x^-2 ", "y"),
    ("\u0301", "\u0327"),
    ("]", "x"),
]
PLACES = ["{}", "5 {}", "{}\nAnswer: 5", "Answer: {}", "Answer: B\n{}", "{}\nI hope this helps!"]
SIZE = 10_000


class Hostile(NamedTuple):
    """A text of two units, in turn or one after the other, at a place."""

    first: str
    second: str
    in_turn: bool
    place: str

    def of_size(self, size: int) -> str:
        """Return the text with about so many characters."""
        first, second = self.first, self.second
        if self.in_turn:
            units = (first + second) * (size // len(first + second))
        else:
            units = first * (size // 2 // len(first)) + second * (size // 2 // len(second))
        return self.place.replace("{}", units)


def slow_texts(
    read: Callable[[str], object], kind: str, places: list[str], pairs: int
) -> list[Hostile]:
    """Return the texts of a kind on which a reader takes more than linear time.

    They are made of the known pairs, of each unit alone, and of random pairs of units.
    """
    units = UNITS[kind]
    dice = random.Random(pairs)
    tried = [*KNOWN_PAIRS, *((unit, unit) for unit in units)]
    tried += [(dice.choice(units), dice.choice(units)) for _ in range(pairs)]
    texts = [
        Hostile(first, second, in_turn, dice.choice(places))
        for first, second in tried
        for in_turn in ([True, False] if first != second else [True])
    ]
    return [text for text in texts if not grows_linearly(read, text.of_size, SIZE)]


@pytest.mark.parametrize("name", TEXT_SCORERS)
def test_scorer_reads_hostile_responses_in_linear_time(name: str) -> None:
    target = "B" if name == LETTER else "5"
    assert slow_texts(lambda text: score(name, text, target), "hostile text", PLACES, 60) == []


@pytest.mark.parametrize("name", TEXT_SCORERS)
def test_scorer_reads_hostile_targets_in_linear_time(name: str) -> None:
    numbers = count()  # each target is a new one, since targets that were read are cached

    def read(text: str) -> None:
        target = f"{text} {next(numbers)}"
        score(name, "Answer: 5", target)
        score(name, target, target)

    assert slow_texts(read, "hostile text", ["{}", "Answer: {}"], 10) == []


def test_json_is_read_in_linear_time() -> None:
    places = ["{}", '{} {"a": 1}', "Answer: {}"]
    assert slow_texts(find_json, "hostile JSON", places, 20) == []


def test_code_is_read_in_linear_time() -> None:
    assert slow_texts(code_blocks, "hostile code", ["{}", "```py\n{}\n```"], 30) == []


@pytest.mark.parametrize("pattern", [r"(a*)*b", r"(?i)answer:\s*(.*)\s*$", r"(\w+\s?)+x"])
def test_pattern_is_run_in_linear_time(pattern: str) -> None:
    units = "hostile for patterns"
    assert slow_texts(lambda text: read_pattern(text, pattern), units, ["{}"], 10) == []
