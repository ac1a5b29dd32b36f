"""What judging would take, before there is anything to judge."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from steelyard.judge.checklist import criterion_task, read_criteria
from steelyard.judge.config import JudgeScoringConfig
from steelyard.judge.prompt import build_prompt, rating_task
from steelyard.judge.single import JudgeItem


class Judging(msgspec.Struct, kw_only=True):
    """So many calls, with so many characters in their prompts."""

    calls: int = 0
    characters: int = 0


def expected_judging(items: Iterable[JudgeItem], config: JudgeScoringConfig) -> Judging:
    """The calls for these items, where every verdict can be read at once: one a criterion, else one, or two with a swap.

    >>> item = JudgeItem(key="0.0", instruction="Why?", response="So.", metadata={"criteria": ["is short", "is right"]})
    >>> expected_judging([item], JudgeScoringConfig()).calls
    2
    """
    found = Judging()
    for item in items:
        if criteria := read_criteria(item.metadata):
            tasks = [criterion_task(item, criterion, config) for criterion in criteria]
        else:
            task = rating_task(
                item.instruction, item.response, item.expected, config, metadata=item.metadata
            )
            tasks = [task] * (2 if config.swap_check else 1)
        found.calls += len(tasks)
        found.characters += sum(
            len(message.content) for task in tasks for message in build_prompt(task).messages
        )
    return found
