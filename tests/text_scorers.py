"""The five text scorers by name, for the tests of the reader."""

from __future__ import annotations

from typing import Any

from steelyard.registry import SCORERS
from steelyard.score import Score
from steelyard.scoring.types import ScorerInput

LETTER, LINE, NUMBER, EXACT, FUZZY = (
    "multichoice_regex",
    "answer_line",
    "numeric_match",
    "exact_match",
    "fuzzy_match",
)
TEXT_SCORERS = (LETTER, LINE, NUMBER, EXACT, FUZZY)


def score(
    name: str, response: str, target: str, metadata: dict[str, Any] | None = None, **options: Any
) -> Score:
    """Score one response."""
    return SCORERS.get(name).fn(ScorerInput(response, target, metadata or {}), **options)
