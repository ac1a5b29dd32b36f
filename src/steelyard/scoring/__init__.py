"""Scorers: a sample in, a Score out."""

from steelyard.reading.json_values import extract_json
from steelyard.scoring.code_execution import code_sandbox, code_sandbox_many
from steelyard.scoring.extracted import extracted_match
from steelyard.scoring.json_schema import SchemaResult, json_schema, validate_json_schema
from steelyard.scoring.judge import judge_score, needs_judge
from steelyard.scoring.pattern import answer_line, multichoice_regex, numeric_match
from steelyard.scoring.script import script
from steelyard.scoring.symbolic import symbolic_match
from steelyard.scoring.testing import tests
from steelyard.scoring.text import exact_match, fuzzy_match
from steelyard.scoring.types import ScorerInput

__all__ = [
    "SchemaResult",
    "ScorerInput",
    "answer_line",
    "code_sandbox",
    "code_sandbox_many",
    "exact_match",
    "extract_json",
    "extracted_match",
    "fuzzy_match",
    "json_schema",
    "judge_score",
    "multichoice_regex",
    "needs_judge",
    "numeric_match",
    "script",
    "symbolic_match",
    "tests",
    "validate_json_schema",
]
