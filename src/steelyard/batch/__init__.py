"""The score door: recorded answers in files, scored one by one, with a summary that can be trusted.

Its names load their modules when first used: a run needs its counts, and neither its readers nor every scorer.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from steelyard.batch.block import BadLine
    from steelyard.batch.own import find_scorer
    from steelyard.batch.plan import ScorerPlan
    from steelyard.batch.run import Options, score_files
    from steelyard.batch.source import Source
    from steelyard.batch.summary import Summary

__all__ = ["BadLine", "Options", "ScorerPlan", "Source", "Summary", "find_scorer", "score_files"]
_HOMES = {
    "BadLine": "block",
    "Options": "run",
    "ScorerPlan": "plan",
    "Source": "source",
    "Summary": "summary",
    "find_scorer": "own",
    "score_files": "run",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
