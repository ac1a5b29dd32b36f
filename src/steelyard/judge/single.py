"""One answer, one rating: the Score that a judge gives."""

from __future__ import annotations

from typing import Any

import msgspec

from steelyard.errors import SpecError
from steelyard.judge.asking import Answered, Asker, Unreadable, was_cut
from steelyard.judge.config import JudgeScoringConfig
from steelyard.judge.evidence import occurs
from steelyard.judge.prompt import JudgePrompt, Task, Turn, answer_of, rating_task
from steelyard.judge.reading import JudgeReading, parse_judge_response
from steelyard.models.types import Reply
from steelyard.score import Score, exact, unscored, zero

LONGEST_REASON = 500


class JudgeItem(msgspec.Struct, frozen=True, kw_only=True):
    """An answer that waits for a judge. ``metadata`` may bring criteria (see ``read_criteria``) and columns."""

    key: str
    instruction: str
    response: str
    expected: str = ""
    metadata: dict[str, Any] = {}


async def rate(
    asker: Asker, item: JudgeItem, config: JudgeScoringConfig, *, repeat: int = 0
) -> Score:
    """The Score of one answer by its rating.

    An empty answer is 0 without asking. A verdict that stays unreadable leaves it unscored; a judge that cannot be
    asked is a JudgeError.
    """
    if not answer_of(item.response):
        return zero("the response is empty")
    try:
        task = rating_task(
            item.instruction, item.response, item.expected, config, metadata=item.metadata
        )
    except SpecError as wrong:
        return unscored(f"the rubric cannot be used: {wrong}")
    orders = (False, True) if config.swap_check else (False,)
    found = [
        await _one(asker, task, config, Turn(id=item.key, repeat=repeat, work_first=order))
        for order in orders
    ]
    return score_of(found, config, asker.name, answer_of(item.response))


async def _one(
    asker: Asker, task: Task, config: JudgeScoringConfig, turn: Turn
) -> Answered[JudgeReading]:
    def read(reply: Reply, prompt: JudgePrompt) -> JudgeReading | Unreadable:
        found = parse_judge_response(
            reply.text,
            config.max_score,
            answer=prompt.work,
            markers=prompt.markers,
            truncated=was_cut(reply),
        )
        return Unreadable(found.error) if found.parse_error else found

    return await asker.decide(task, read, tries=config.tries, turn=turn)


def score_of(
    found: list[Answered[JudgeReading]], config: JudgeScoringConfig, judge: str, answer: str = ""
) -> Score:
    """The Score of the readings of one answer: their mean, or none where one could not be read."""
    calls = [call for each in found for call in each.calls]
    detail: dict[str, Any] = {"judge": judge, "calls": calls}
    readings = [each.value for each in found if each.value is not None]
    if len(readings) < len(found):
        why = next(each.why for each in found if each.value is None)
        return unscored(
            f"the judge's verdict could not be read in {config.tries} tries: {why}", detail=detail
        )
    shares = [exact(reading.score or 0) / reading.scale for reading in readings]
    value = float(sum(shares) / len(shares))
    first = readings[0]
    detail |= {
        "score": first.score,
        "scale": first.scale,
        "evidence": first.evidence[:LONGEST_REASON],
    }
    if answer and first.evidence:
        detail["evidence_found"] = occurs(first.evidence, answer)
    if len(readings) > 1:
        passed = {config.passes(float(share)) for share in shares}
        detail |= {"scores": [reading.score for reading in readings], "flipped": len(passed) > 1}
    return Score(value=value, correct=config.passes(value), reason=_reason(readings), detail=detail)


def _reason(readings: list[JudgeReading]) -> str:
    said = " and ".join(f"{reading.score:g} of {reading.scale}" for reading in readings)
    why = " ".join(readings[0].reasoning.split())
    told = f"the judge gives {said}" + (f": {why}" if why else "")
    return told if len(told) <= LONGEST_REASON else told[:LONGEST_REASON] + "…"
