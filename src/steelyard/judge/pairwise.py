"""Two answers to one question: which is better, asked in both orders."""

from __future__ import annotations

from typing import Literal

import msgspec

from steelyard.judge.asking import Answered, Asker, Unreadable, was_cut
from steelyard.judge.choice import PAIR
from steelyard.judge.config import JudgeScoringConfig
from steelyard.judge.prompt import FIRST, NO_REFERENCE, JudgePrompt, Task, Turn, answer_of
from steelyard.judge.reading import Verdict, read_choice
from steelyard.judge.wording import fill, prompt_text
from steelyard.models.types import Reply

Winner = Literal["first", "second", "tie"]
_OTHER: dict[str, Winner] = {"first": "second", "second": "first", "tie": "tie"}


class Preference(msgspec.Struct, frozen=True, kw_only=True):
    """Which of two answers a judge prefers; ``winner`` is None where a verdict could not be read.

    ``in_order`` and ``swapped`` are what it said in each order, both about the same two answers. Where they differ
    the order decided, and not the answers: that is a tie, and ``flipped`` tells it.
    """

    winner: Winner | None
    in_order: Winner | None = None
    swapped: Winner | None = None
    reason: str = ""
    calls: tuple[str, ...] = ()

    @property
    def flipped(self) -> bool:
        """Whether the order of the answers changed the verdict."""
        return None not in (self.in_order, self.swapped) and self.in_order != self.swapped


async def compare(
    asker: Asker,
    instruction: str,
    answers: tuple[str, str],
    config: JudgeScoringConfig,
    *,
    expected: str = "",
    turn: Turn = FIRST,
) -> Preference:
    """The judge's preference between two answers, asked in both orders; equal answers are a tie without asking."""
    first, second = map(answer_of, answers)
    if first == second or not (first and second):
        winner: Winner = "tie" if first == second else "first" if first else "second"
        return Preference(
            winner=winner, in_order=winner, swapped=winner, reason="decided without asking"
        )
    found = [
        await _one(asker, _task(instruction, works, expected, config), config, turn)
        for works in ((first, second), (second, first))
    ]
    calls = tuple(call for each in found for call in each.calls)
    ahead, behind = (each.value for each in found)
    in_order: Winner | None = ahead.value if ahead else None
    swapped = _OTHER[behind.value] if behind else None
    if in_order is None or swapped is None:
        why = next(each.why for each in found if each.value is None)
        return Preference(winner=None, in_order=in_order, swapped=swapped, reason=why, calls=calls)
    winner = in_order if in_order == swapped else "tie"
    return Preference(
        winner=winner,
        in_order=in_order,
        swapped=swapped,
        calls=calls,
        reason=ahead.reason if ahead else "",
    )


def _task(
    instruction: str, works: tuple[str, str], expected: str, config: JudgeScoringConfig
) -> Task:
    fields = {"instruction": instruction, "expected": expected or NO_REFERENCE}
    return Task(
        text=fill(prompt_text("pair"), fields),
        form=prompt_text("pair_form"),
        works=works,
        system_prompt=config.system_prompt,
        seed=config.seed,
    )


async def _one(
    asker: Asker, task: Task, config: JudgeScoringConfig, turn: Turn
) -> Answered[Verdict]:
    def read(reply: Reply, prompt: JudgePrompt) -> Verdict | Unreadable:
        found = read_choice(
            reply.text, PAIR, work=prompt.work, markers=prompt.markers, truncated=was_cut(reply)
        )
        return Unreadable(found.why) if found.value is None else found

    return await asker.decide(task, read, tries=config.tries, turn=turn)
