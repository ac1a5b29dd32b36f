"""The primitives of scoring specs: ``(got, want, **params) -> Score``.

>>> from steelyard import primitives
>>> primitives.exact_match_ratio(["a", "b"], ["a", "c"]).points
500.0
"""

from __future__ import annotations

from steelyard.primitives.efficiency import call_efficiency, token_efficiency
from steelyard.primitives.exact import exact_match, exact_match_ratio
from steelyard.primitives.fuzzy import fuzzy_string
from steelyard.primitives.numeric import numeric_tolerance
from steelyard.primitives.sets import coverage_ratio, set_overlap
from steelyard.primitives.speed import time_decay

__all__ = [
    "call_efficiency",
    "coverage_ratio",
    "exact_match",
    "exact_match_ratio",
    "fuzzy_string",
    "numeric_tolerance",
    "set_overlap",
    "time_decay",
    "token_efficiency",
]
