"""Scoring specs: which primitives and scorers, over which fields, at which weight.

>>> from steelyard.spec import dims, score_to_result
>>> str(score_to_result(700))
'win'
"""

from __future__ import annotations

from steelyard.errors import SpecError
from steelyard.spec.core import core_keys, dims
from steelyard.spec.evaluation import Evaluation
from steelyard.spec.evaluator import evaluate
from steelyard.spec.floor import End
from steelyard.spec.from_reference import spec_from_reference
from steelyard.spec.lint import Finding, LintReport, lint_spec
from steelyard.spec.load import load_spec
from steelyard.spec.model import Check, Dimension, Spec
from steelyard.spec.result import SOLO_DRAW_THRESHOLD, SOLO_WIN_THRESHOLD, Result, score_to_result
from steelyard.spec.schema import spec_json_schema
from steelyard.spec.signature import spec_signature

__all__ = [
    "SOLO_DRAW_THRESHOLD",
    "SOLO_WIN_THRESHOLD",
    "Check",
    "Dimension",
    "End",
    "Evaluation",
    "Finding",
    "LintReport",
    "Result",
    "Spec",
    "SpecError",
    "core_keys",
    "dims",
    "evaluate",
    "lint_spec",
    "load_spec",
    "score_to_result",
    "spec_from_reference",
    "spec_json_schema",
    "spec_signature",
]
