"""Holding a judge against labels: what its verdicts are worth before they are believed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, TypeVar

import msgspec

from steelyard.errors import JudgeError
from steelyard.judge.asking import Asker
from steelyard.judge.config import JudgeScoringConfig
from steelyard.judge.labels import Label
from steelyard.judge.pairwise import Preference, compare
from steelyard.judge.pipeline import judge_one
from steelyard.judge.prompt import Turn
from steelyard.metrics import Interval
from steelyard.metrics.agreement import confusion, consistency, kappa, paired_share, rate
from steelyard.score import Score

T = TypeVar("T")
Rows = list[tuple[Label, list[Score]]]
Pairs = list[tuple[Label, list[Preference]]]


class Answers(msgspec.Struct, frozen=True, kw_only=True):
    """Agreement on single answers; the first asking of each counts."""

    labels: int
    judged: int
    confusion: dict[str, int]
    tpr: Interval | None
    tnr: Interval | None
    agreement: Interval | None
    kappa: Interval | None
    score_difference: float | None = None


class Comparisons(msgspec.Struct, frozen=True, kw_only=True):
    """Agreement on pairs, and what their order did.

    ``flipped`` is the share of pairs whose verdict changed with the order. ``first_shown`` is how often, of all verdicts
    that prefer one, it is the answer that was shown first: a half, for a judge without bias.
    """

    labels: int
    judged: int
    agreement: Interval | None
    kappa: Interval | None
    flipped: Interval | None
    first_shown: Interval | None


class Consistency(msgspec.Struct, frozen=True, kw_only=True):
    """Over repeated askings: the share of rows with one verdict throughout, and the mean agreement of two askings."""

    repeats: int
    same: Interval | None
    agreement: float | None


class Calibration(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a judge; ``problems`` are the rows that got no verdict, with the reason.

    ``stopped`` says why nobody could be asked any more, where that holds for every row.
    """

    judge: dict[str, Any]
    config: str
    answers: Answers | None
    comparisons: Comparisons | None
    consistency: Consistency | None
    problems: dict[str, str]
    stopped: str = ""

    @property
    def exit_code(self) -> int:
        """0 when every row got its verdict, 1 when some got none, 3 when the judge could not be asked any more."""
        return 3 if self.stopped else 1 if self.problems else 0


async def calibrate(
    labels: Sequence[Label],
    asker: Asker,
    config: JudgeScoringConfig,
    *,
    repeats: int = 1,
    at_once: int = 16,
    on_done: Callable[[], None] = lambda: None,
) -> Calibration:
    """Ask the judge about every label, so many times, and say how far the two agree."""
    room = asyncio.Semaphore(at_once)

    async def one(asking: Coroutine[Any, Any, T]) -> T:
        async with room:
            found = await asking
        on_done()
        return found

    single = [label for label in labels if label.winner is None]
    double = [label for label in labels if label.winner is not None]
    scored = await asyncio.gather(*(one(_score(asker, label, config, repeats)) for label in single))
    preferred = await asyncio.gather(
        *(one(_prefer(asker, label, config, repeats)) for label in double)
    )
    rows, pairs = list(zip(single, scored, strict=True)), list(zip(double, preferred, strict=True))
    return Calibration(
        judge=dict(sorted(asker.identity.items())),
        config=config.signature,
        answers=_answers(rows, config) if rows else None,
        comparisons=_comparisons(pairs) if pairs else None,
        consistency=_consistency(rows, pairs, repeats),
        problems={
            **{label.id: scores[0].reason for label, scores in rows if scores[0].value is None},
            **{label.id: found[0].reason for label, found in pairs if found[0].winner is None},
        },
        stopped=asker.stopped,
    )


async def _score(
    asker: Asker, label: Label, config: JudgeScoringConfig, repeats: int
) -> list[Score]:
    return [await judge_one(asker, label.item, config, repeat=repeat) for repeat in range(repeats)]


async def _prefer(
    asker: Asker, label: Label, config: JudgeScoringConfig, repeats: int
) -> list[Preference]:
    found = []
    for repeat in range(repeats):
        turn = Turn(id=label.id, repeat=repeat)
        try:
            found.append(
                await compare(
                    asker,
                    label.instruction,
                    (label.first, label.second),
                    config,
                    expected=label.expected,
                    turn=turn,
                )
            )
        except JudgeError as failed:
            found.append(Preference(winner=None, reason=str(failed)))
    return found


def _answers(rows: Rows, config: JudgeScoringConfig) -> Answers:
    judged = [(label, scores[0]) for label, scores in rows if scores[0].value is not None]
    pairs = [(label.is_right(config), score.correct) for label, score in judged]
    table = confusion(pairs)
    right = table["true_positive"] + table["false_negative"]
    apart = [
        abs((label.score or 0) - (score.value or 0) * config.max_score)
        for label, score in judged
        if label.score is not None
    ]
    return Answers(
        labels=len(rows),
        judged=len(judged),
        confusion=table,
        tpr=rate(table["true_positive"], right),
        tnr=rate(table["true_negative"], len(pairs) - right),
        kappa=kappa(pairs),
        agreement=rate(sum(ours == theirs for ours, theirs in pairs), len(pairs)),
        score_difference=sum(apart) / len(apart) if apart else None,
    )


def _comparisons(pairs: Pairs) -> Comparisons:
    judged = [(label, found[0]) for label, found in pairs if found[0].winner is not None]
    said = [(label.winner, found.winner) for label, found in judged]
    asked = [
        found for _, found in judged if found.calls
    ]  # the order of what was decided without asking did nothing
    # In the second asking the second answer was the one shown first.
    shown = [[(found.in_order, "first"), (found.swapped, "second")] for found in asked]
    preferring = [[winner == ahead for winner, ahead in both if winner != "tie"] for both in shown]
    return Comparisons(
        labels=len(pairs),
        judged=len(judged),
        kappa=kappa(said),
        agreement=rate(sum(ours == theirs for ours, theirs in said), len(said)),
        flipped=rate(sum(found.flipped for found in asked), len(asked)),
        first_shown=paired_share(preferring),
    )


def _consistency(rows: Rows, pairs: Pairs, repeats: int) -> Consistency | None:
    if repeats < 2:
        return None
    verdicts: list[list[Any]] = [
        [s.correct for s in scores if s.value is not None] for _, scores in rows
    ]
    verdicts += [[p.winner for p in found if p.winner is not None] for _, found in pairs]
    same, agreement = consistency(verdicts)
    return Consistency(repeats=repeats, same=same, agreement=agreement)
