"""A judge that is asked, beside one out of a file: where it is, so that every worker can open a door of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from steelyard.batch.reference.recorded import load_judge

if TYPE_CHECKING:
    from steelyard.doors import Judge

STORE = "judge.jsonl"


class JudgeAddress(msgspec.Struct, frozen=True, kw_only=True):
    """Where a judge is, and the variable that holds its key; ``store`` is the file that keeps its replies."""

    url: str
    name: str
    key_env: str | None = None
    store: str | None = None


def open_judge(judge: str | JudgeAddress | None) -> Judge | None:
    """The judge of a file of verdicts, or the one at an address; nobody is asked yet."""
    if judge is None:
        return None
    if isinstance(judge, str):
        return load_judge(judge)
    from steelyard.judge.reference_judge import ModelJudge
    from steelyard.judge.store import JudgeStore
    from steelyard.models.http import HttpModel
    from steelyard.models.pace import Pace, Pacer

    model = HttpModel(judge.url, judge.name, key_env=judge.key_env)
    return ModelJudge(model, limiter=Pacer(Pace()), store=JudgeStore(judge.store))
