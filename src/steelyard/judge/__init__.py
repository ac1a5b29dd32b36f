"""LLM judges: prompts, reading of verdicts, the store of replies, the pipeline.

The names load their modules when first used: a run without a judge pays for none of them.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from steelyard.judge.asking import Asker
    from steelyard.judge.checklist import Criterion, read_criteria
    from steelyard.judge.config import JudgeScoringConfig
    from steelyard.judge.door import ModelJudge
    from steelyard.judge.pairwise import Preference, compare
    from steelyard.judge.pipeline import judge_one, judge_pending
    from steelyard.judge.prompt import JudgePrompt, build_judge_prompt
    from steelyard.judge.reading import JudgeReading, parse_judge_response
    from steelyard.judge.single import JudgeItem
    from steelyard.judge.store import JudgeStore

_HOMES = {
    "asking": ("Asker",),
    "checklist": ("Criterion", "read_criteria"),
    "config": ("JudgeScoringConfig",),
    "door": ("ModelJudge",),
    "pairwise": ("Preference", "compare"),
    "pipeline": ("judge_one", "judge_pending"),
    "prompt": ("JudgePrompt", "build_judge_prompt"),
    "reading": ("JudgeReading", "parse_judge_response"),
    "single": ("JudgeItem",),
    "store": ("JudgeStore",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Asker",
    "Criterion",
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
    if name not in _HOME_OF:
        raise AttributeError(f"module 'steelyard.judge' has no attribute {name!r}")
    return getattr(importlib.import_module(f"steelyard.judge.{_HOME_OF[name]}"), name)
