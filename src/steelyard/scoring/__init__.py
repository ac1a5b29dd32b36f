"""Scorers: a sample in, a Score out."""

from steelyard.scoring.pattern import answer_line, multichoice_regex, numeric_match
from steelyard.scoring.text import exact_match, fuzzy_match
from steelyard.scoring.types import ScorerInput

__all__ = ["ScorerInput", "answer_line", "exact_match", "fuzzy_match", "multichoice_regex", "numeric_match"]
