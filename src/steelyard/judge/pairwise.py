"""Which of two answers is better, asked in both orders."""

from __future__ import annotations

from typing import Literal

import msgspec

from steelyard.judge.checklist import named_task
from steelyard.judge.client import JudgeAnswer, JudgeClient
from steelyard.judge.config import JudgeScoringConfig
from steelyard.judge.prompt import FIRST, NO_REFERENCE, JudgeTurn, answer_of
from steelyard.judge.verdict_parser import PAIR, ParsedVerdict

Winner = Literal["first", "second", "tie"]
_SWAPPED: dict[str, Winner] = {"first": "second", "second": "first", "tie": "tie"}


class Preference(msgspec.Struct, frozen=True, kw_only=True):
    """Which of two answers a judge prefers; ``winner`` is None if a verdict could not be read.

    ``in_order`` and ``swapped`` are its verdicts in each order, both about the same two answers. If
    they differ, the order decided: that is a tie, and ``flipped`` is true.
    """

    winner: Winner | None
    in_order: Winner | None = None
    swapped: Winner | None = None
    reason: str = ""
    calls: tuple[str, ...] = ()

    @property
    def flipped(self) -> bool:
        """Whether the order of the answers changed the verdict."""
        return None not in {self.in_order, self.swapped} and self.in_order != self.swapped


async def compare(
    client: JudgeClient,
    instruction: str,
    answers: tuple[str, str],
    config: JudgeScoringConfig,
    *,
    expected: str = "",
    turn: JudgeTurn = FIRST,
) -> Preference:
    """Return the judge's preference between two answers; equal answers are a tie without asking."""
    first, second = map(answer_of, answers)
    if first == second or not (first and second):
        winner: Winner = "tie" if first == second else "first" if first else "second"
        reason = "decided without asking"
        return Preference(winner=winner, in_order=winner, swapped=winner, reason=reason)
    fields = {"instruction": instruction, "expected": expected or NO_REFERENCE}
    found = []
    for works in ((first, second), (second, first)):
        task = named_task("pair", fields, works, config)
        found.append(await client.ask_until_readable(task, PAIR, tries=config.tries, turn=turn))
    return _preference(*found)


def _preference(
    ahead: JudgeAnswer[ParsedVerdict], behind: JudgeAnswer[ParsedVerdict]
) -> Preference:
    """Return the preference by the verdicts in both orders."""
    in_order: Winner | None = ahead.value.value if ahead.value else None
    swapped = _SWAPPED[behind.value.value] if behind.value else None
    decided = in_order if in_order == swapped else "tie"
    return Preference(
        winner=None if None in {in_order, swapped} else decided,
        in_order=in_order,
        swapped=swapped,
        reason=ahead.why or behind.why or (ahead.value.reason if ahead.value else ""),
        calls=(*ahead.calls, *behind.calls),
    )
