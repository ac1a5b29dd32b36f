"""Checklists: one verdict a criterion, each with evidence that stands in the answer."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from steelyard.errors import SpecError
from steelyard.judge.asking import Answered, Asker, Unreadable, was_cut
from steelyard.judge.choice import YES_NO
from steelyard.judge.config import JudgeScoringConfig
from steelyard.judge.evidence import occurs
from steelyard.judge.prompt import JudgePrompt, Task, Turn, answer_of
from steelyard.judge.reading import Verdict, read_choice
from steelyard.judge.single import LONGEST_REASON, JudgeItem
from steelyard.judge.wording import fill, prompt_text
from steelyard.models.types import Reply
from steelyard.score import Part, Score, exact, full, unscored, zero

KEYS = ("rubrics", "criteria")
_TEXT_KEYS = ("criterion", "text", "description")


class Criterion(msgspec.Struct, frozen=True, kw_only=True):
    """Something that an answer should do (points above 0) or should not do (below 0)."""

    text: str
    points: float = 1.0


def read_criteria(metadata: Mapping[str, Any]) -> tuple[Criterion, ...]:
    """The criteria under ``rubrics`` or ``criteria``: texts, or objects with a criterion and its points.

    There are none where neither key is there. What cannot be used is a SpecError with its place.

    >>> read_criteria({"rubrics": [{"criterion": "names the dose", "points": 5}, {"criterion": "guesses", "points": -2}]})
    (Criterion(text='names the dose', points=5.0), Criterion(text='guesses', points=-2.0))
    """
    key = next((key for key in KEYS if metadata.get(key) is not None), None)
    if key is None:
        return ()
    given = metadata[key]
    if not isinstance(given, (list, tuple)) or not given:
        raise SpecError("must be a list of criteria", path=key)
    found = tuple(_criterion(item, f"{key}[{place}]") for place, item in enumerate(given))
    if not any(criterion.points > 0 for criterion in found):
        raise SpecError("no criterion has points above 0, so nothing can be earned", path=key)
    return found


def _criterion(item: object, path: str) -> Criterion:
    text = item if isinstance(item, str) else None
    points: object = 1.0
    if isinstance(item, Mapping):
        text = next((item[key] for key in _TEXT_KEYS if isinstance(item.get(key), str)), None)
        points = item.get("points", 1.0)
    if text is None or not text.strip():
        raise SpecError("must be a text, or an object with a criterion", path=path)
    if (
        isinstance(points, bool)
        or not isinstance(points, (int, float))
        or not math.isfinite(points)
        or not points
    ):
        raise SpecError(f"points must be a number other than 0, not {points!r}", path=path)
    return Criterion(text=text, points=float(points))


async def check_off(
    asker: Asker,
    item: JudgeItem,
    criteria: Sequence[Criterion],
    config: JudgeScoringConfig,
    *,
    repeat: int = 0,
) -> Score:
    """The Score of an answer by a checklist: points earned and lost over the points that can be earned, cut to 0..1.

    The parts are the criteria. Of one that should not be met, the part is 1 where it is not. A criterion whose
    verdict stays unusable leaves the whole without a number.
    """
    answer = answer_of(item.response)
    if not answer:
        return zero("the response is empty")
    parts = []
    for place, criterion in enumerate(criteria, 1):
        task, turn = criterion_task(item, criterion, config), Turn(id=item.key, repeat=repeat)
        found = await judge_criterion(asker, task, config, turn)
        parts.append(
            Part(
                name=f"criterion {place}",
                score=_part(found, criterion, config),
                weight=abs(criterion.points),
            )
        )
    return total(parts, criteria, config, asker.name)


def criterion_task(item: JudgeItem, criterion: Criterion, config: JudgeScoringConfig) -> Task:
    """The task of saying whether an answer meets one criterion."""
    text = fill(
        prompt_text("criterion"), {"instruction": item.instruction, "criterion": criterion.text}
    )
    return Task(
        text=text,
        form=prompt_text("criterion_form"),
        works=(answer_of(item.response),),
        system_prompt=config.system_prompt,
        seed=config.seed,
    )


async def judge_criterion(
    asker: Asker, task: Task, config: JudgeScoringConfig, turn: Turn | None = None
) -> Answered[Verdict]:
    """Yes or no, with evidence from the work; what is not there is no evidence, and the judge is asked again."""

    def read(reply: Reply, prompt: JudgePrompt) -> Verdict | Unreadable:
        found = read_choice(
            reply.text, YES_NO, work=prompt.work, markers=prompt.markers, truncated=was_cut(reply)
        )
        if found.value is None:
            return Unreadable(found.why)
        if found.value == "yes" and not found.evidence:
            return Unreadable("the verdict is yes, and no evidence is quoted")
        if found.evidence and not occurs(found.evidence, prompt.work):
            return Unreadable("the evidence does not stand in the work")
        return found

    return await asker.decide(task, read, tries=config.tries, turn=turn)


def _part(found: Answered[Verdict], criterion: Criterion, config: JudgeScoringConfig) -> Score:
    detail: dict[str, Any] = {
        "criterion": criterion.text,
        "points": criterion.points,
        "calls": list(found.calls),
    }
    verdict = found.value
    if verdict is None:
        return unscored(f"no usable verdict in {config.tries} tries: {found.why}", detail=detail)
    met = verdict.value == "yes"
    detail |= {"met": met, "evidence": verdict.evidence[:LONGEST_REASON]}
    why = " ".join(verdict.reason.split())[:LONGEST_REASON] or ("met" if met else "not met")
    return full(why, detail=detail) if met == (criterion.points > 0) else zero(why, detail=detail)


def total(
    parts: Sequence[Part], criteria: Sequence[Criterion], config: JudgeScoringConfig, judge: str
) -> Score:
    """The Score of the whole; what is met counts its points, the points above 0 are what can be earned."""
    calls = [call for part in parts for call in part.score.detail["calls"]]
    detail: dict[str, Any] = {"judge": judge, "calls": calls}
    missing = next((part for part in parts if part.score.value is None), None)
    if missing is not None:
        return Score(
            value=None,
            correct=False,
            parts=tuple(parts),
            detail=detail,
            reason=f"{missing.name}: {missing.score.reason}",
        )
    pairs = list(zip(parts, criteria, strict=True))
    earned = sum((exact(c.points) for part, c in pairs if part.score.detail["met"]), Fraction(0))
    possible = sum((exact(c.points) for c in criteria if c.points > 0), Fraction(0))
    value = float(min(max(earned / possible, Fraction(0)), Fraction(1)))
    detail |= {"earned": float(earned), "possible": float(possible)}
    return Score(
        value=value,
        correct=config.passes(value),
        parts=tuple(parts),
        detail=detail,
        reason=f"{float(earned):g} of {float(possible):g} points over {len(parts)} criteria",
    )
