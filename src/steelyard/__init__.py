"""Steelyard weighs answers: a number that a reader can trust, with the reason for it.

The public names load their modules when first used, so importing the package stays fast.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from steelyard.version import __version__

_HOMES = {
    "steelyard.errors": ("SteelyardError", "SpecError", "DataError", "EngineError", "RuleError"),
    "steelyard.score": ("Score", "Part", "full", "zero", "graded", "unscored", "pending", "weigh"),
    "steelyard.sample": ("Sample", "Attempt"),
    "steelyard.registry": ("scorer", "primitive", "extractor"),
    "steelyard.extract": ("Found",),
    "steelyard.metrics": ("pass_at_k", "bootstrap_ci", "wilson_interval", "category_breakdown",
                          "classify_failure", "ArtifactCollector"),
    "steelyard.scoring": ("ScorerInput", "exact_match", "fuzzy_match", "multichoice_regex", "answer_line",
                          "numeric_match", "extract_json", "validate_json_schema", "needs_judge"),
    "steelyard.spec": ("Spec", "load_spec", "dims", "evaluate", "Evaluation", "Result", "score_to_result",
                       "lint_spec", "SOLO_WIN_THRESHOLD", "SOLO_DRAW_THRESHOLD"),
}
_MODULES = ("primitives", "metrics", "scoring", "spec", "extract", "batch")
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = ["__version__", *_HOME_OF]  # noqa: PLE0604

if TYPE_CHECKING:
    from steelyard.errors import DataError, EngineError, RuleError, SpecError, SteelyardError
