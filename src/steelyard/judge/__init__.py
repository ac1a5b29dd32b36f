"""Judge answers with a model: prompts, verdicts, stored calls, calibration.

May import core, models and spill. Start at ``rating.py``; names load their modules when first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from steelyard.judge.checklist import Criterion, read_criteria
    from steelyard.judge.client import JudgeClient
    from steelyard.judge.client import JudgeClient as Asker
    from steelyard.judge.config import JudgeScoringConfig
    from steelyard.judge.pairwise import Preference, compare
    from steelyard.judge.prompt import JudgeItem, JudgePrompt, build_judge_prompt
    from steelyard.judge.rating import judge_one, judge_pending
    from steelyard.judge.reference_judge import ModelJudge
    from steelyard.judge.store import JudgeStore
    from steelyard.judge.verdict_parser import JudgeReading, parse_judge_response

_MODULES = {
    "checklist": ("Criterion", "read_criteria"),
    "client": ("JudgeClient",),
    "config": ("JudgeScoringConfig",),
    "pairwise": ("Preference", "compare"),
    "prompt": ("JudgeItem", "JudgePrompt", "build_judge_prompt"),
    "rating": ("judge_one", "judge_pending"),
    "reference_judge": ("ModelJudge",),
    "store": ("JudgeStore",),
    "verdict_parser": ("JudgeReading", "parse_judge_response"),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "Asker",
    "Criterion",
    "JudgeClient",
    "JudgeItem",
    "JudgePrompt",
    "JudgeReading",
    "JudgeScoringConfig",
    "JudgeStore",
    "ModelJudge",
    "Preference",
    "build_judge_prompt",
    "compare",
    "judge_one",
    "judge_pending",
    "parse_judge_response",
    "read_criteria",
]


def __getattr__(name: str) -> Any:
    if name == "Asker":  # the former name of JudgeClient
        name = "JudgeClient"
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'steelyard.judge' has no attribute {name!r}")
    return getattr(importlib.import_module(f"steelyard.judge.{_MODULE_OF[name]}"), name)
