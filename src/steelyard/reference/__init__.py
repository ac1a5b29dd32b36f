"""Reference solutions: tagged references, matching, and the explanation's checklist.

>>> from steelyard.reference import match_entry
>>> match_entry("<select3,1,3>['ka', 'lo', 'mi']", ["mi", "ka"]).points
666.6666666666666
"""

from __future__ import annotations

from steelyard.reference.document import ReferenceSolution, needs_judge, read_reference_solution
from steelyard.reference.fuzzy import FUZZY, Metric, bind_fuzzy, fuzzy_metric
from steelyard.reference.match import exact_value, match_entry, perfect_entry
from steelyard.reference.normal import normalise_entry
from steelyard.reference.notation import Reference, parse_reference
from steelyard.reference.solution import score_solution

__all__ = [
    "FUZZY",
    "Metric",
    "Reference",
    "ReferenceSolution",
    "bind_fuzzy",
    "exact_value",
    "fuzzy_metric",
    "match_entry",
    "needs_judge",
    "normalise_entry",
    "parse_reference",
    "perfect_entry",
    "read_reference_solution",
    "score_solution",
]
