"""One verdict per criterion, with evidence from the answer."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from steelyard.errors import SpecError
from steelyard.judge.client import JudgeAnswer, JudgeClient
from steelyard.judge.config import JudgeScoringConfig
from steelyard.judge.prompt import (
    FIRST,
    JudgeItem,
    JudgePrompt,
    JudgeTask,
    JudgeTurn,
    answer_of,
    fill_template,
    prompt_text,
)
from steelyard.judge.verdict_parser import LONGEST_REASON, YES_NO, ParsedVerdict, quote_occurs
from steelyard.score import Part, Score, exact, full, unscored, zero

KEYS = ("rubrics", "criteria")
_TEXT_KEYS = ("criterion", "text", "description")


class Criterion(msgspec.Struct, frozen=True, kw_only=True):
    """Something that an answer should do (points above 0) or should not do (below 0)."""

    text: str
    points: float = 1.0


def read_criteria(metadata: Mapping[str, Any]) -> tuple[Criterion, ...]:
    """Read the criteria under ``rubrics`` or ``criteria``: texts, or objects with points.

    There are none if neither key is there. A criterion that cannot be used is a SpecError.

    >>> read_criteria({"rubrics": [{"criterion": "names the dose", "points": 5}]})
    (Criterion(text='names the dose', points=5.0),)
    """
    key = next((key for key in KEYS if metadata.get(key) is not None), None)
    if key is None:
        return ()
    written = metadata[key]
    if not isinstance(written, list | tuple) or not written:
        raise SpecError("must be a list of criteria", path=key)
    found = tuple(_criterion(item, f"{key}[{place}]") for place, item in enumerate(written))
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
    is_number = isinstance(points, int | float) and not isinstance(points, bool)
    if not (is_number and points and math.isfinite(points)):  # type: ignore[arg-type]
        raise SpecError(f"points must be a number other than 0, not {points!r}", path=path)
    return Criterion(text=text, points=float(points))  # type: ignore[arg-type]


async def score_checklist(
    client: JudgeClient,
    item: JudgeItem,
    criteria: Sequence[Criterion],
    config: JudgeScoringConfig,
    *,
    repeat: int = 0,
) -> Score:
    """Return the Score by a checklist: points earned over points that can be earned, cut to 0..1.

    The parts are the criteria; the part of one that should not be met is 1 if it is not met. If a
    verdict stays unusable, the whole has no value.
    """
    answer = answer_of(item.response)
    if not answer:
        return zero("the response is empty")
    parts = []
    for number, criterion in enumerate(criteria, 1):
        task = criterion_task(item, criterion, config)
        turn = JudgeTurn(id=item.key, repeat=repeat)
        found = await judge_criterion(client, task, config, turn)
        part = _part(found, criterion, config)
        parts.append(Part(name=f"criterion {number}", score=part, weight=abs(criterion.points)))
    return _total(parts, criteria, config, client.name)


def criterion_task(item: JudgeItem, criterion: Criterion, config: JudgeScoringConfig) -> JudgeTask:
    """Return the task of saying whether an answer meets one criterion."""
    fields = {"instruction": item.instruction, "criterion": criterion.text}
    return named_task("criterion", fields, (answer_of(item.response),), config)


def named_task(
    name: str,
    fields: Mapping[str, object],
    answers: tuple[str, ...],
    config: JudgeScoringConfig,
    *,
    form: str = "",
) -> JudgeTask:
    """Return the task of a prompt file, with the form that has its name unless another is named."""
    form = f"{form or name}_form"
    return JudgeTask(
        text=fill_template(prompt_text(name), fields),
        form=prompt_text(form),
        untagged_form=prompt_text(f"untagged/{form}"),
        answers=answers,
        system_prompt=config.system_prompt,
        seed=config.seed,
    )


async def judge_criterion(
    client: JudgeClient, task: JudgeTask, config: JudgeScoringConfig, turn: JudgeTurn = FIRST
) -> JudgeAnswer[ParsedVerdict]:
    """Ask for yes or no with evidence from the answer; without evidence, ask again."""
    return await client.ask_until_readable(
        task, YES_NO, tries=config.tries, turn=turn, check=_check_evidence
    )


def _check_evidence(verdict: ParsedVerdict, prompt: JudgePrompt) -> str:
    if verdict.value == "yes" and not verdict.evidence:
        return "the verdict is yes, and no evidence is quoted"
    if verdict.evidence and not quote_occurs(verdict.evidence, prompt.work):
        return "the evidence does not stand in the work"
    return ""


def _part(
    found: JudgeAnswer[ParsedVerdict], criterion: Criterion, config: JudgeScoringConfig
) -> Score:
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


def _total(
    parts: Sequence[Part], criteria: Sequence[Criterion], config: JudgeScoringConfig, judge: str
) -> Score:
    """Return the Score of the whole checklist."""
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
    met = [part.score.detail["points"] for part in parts if part.score.detail["met"]]
    earned = sum(map(exact, met), Fraction(0))
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
