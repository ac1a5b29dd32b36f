"""The messages that a judge gets: the task in one, the work to be judged fenced in another."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from steelyard.judge.config import JudgeScoringConfig
from steelyard.judge.fence import defused, dice_for, draw_marker, fenced, whole_characters
from steelyard.judge.wording import fill, prompt_text
from steelyard.models.types import Message
from steelyard.reading.cuts import blanked, reasoning

NO_REFERENCE = "(none is given)"
# A stretch as repr writes it: by whichever quotation mark opens it, up to the last of its kind.
_QUOTED = re.compile(r"(['\"]).*\1", re.DOTALL)
POINTER = "(the work between the marks)"


class JudgePrompt(msgspec.Struct, frozen=True, kw_only=True):
    """Messages for a judge, with the marks of the fences and the work inside them.

    >>> prompt = build_judge_prompt("Capital of France?", "Paris", "Paris", JudgeScoringConfig())
    >>> [message.role for message in prompt.messages], "Paris" in prompt
    (['system', 'user'], True)
    """

    messages: tuple[Message, ...]
    markers: tuple[str, ...]
    work: str

    def __str__(self) -> str:
        return "\n\n".join(message.content for message in self.messages)

    def __contains__(self, text: str) -> bool:
        return text in str(self)


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """What a judge is asked: the task, the form of the reply, and one or two works to be judged."""

    text: str
    form: str
    works: tuple[str, ...]
    system_prompt: str = prompt_text("system")
    seed: int = 0


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """Which asking it is: a repeat of the same, a try after an unusable reply, the task before or after the work.

    ``id`` names the item that it is asked for. It is sent to nobody; recorded replies are found by it.
    """

    id: str = ""
    repeat: int = 0
    attempt: int = 0
    why: str = ""
    work_first: bool = False


FIRST = Turn()


def build_judge_prompt(
    instruction: str,
    response: str,
    expected: str = "",
    config: JudgeScoringConfig | None = None,
    *,
    metadata: Mapping[str, Any] | None = None,
    turn: Turn = FIRST,
) -> JudgePrompt:
    """The messages that ask for a rating of the response.

    The same arguments give the same messages. Reasoning in the response is left out: it is not the answer.
    """
    return build_prompt(
        rating_task(instruction, response, expected, config, metadata=metadata), turn
    )


def rating_task(
    instruction: str,
    response: str,
    expected: str = "",
    config: JudgeScoringConfig | None = None,
    *,
    metadata: Mapping[str, Any] | None = None,
) -> Task:
    """The task of rating a response by the rubric."""
    chosen = config or JudgeScoringConfig()
    fields = {
        **(metadata or {}),
        "instruction": instruction,
        "expected": expected or NO_REFERENCE,
        "response": POINTER,
        "max_score": chosen.max_score,
        "threshold": chosen.threshold,
    }
    form = fill(prompt_text("score_form"), {"max_score": chosen.max_score})
    return Task(
        text=fill(chosen.rubric, fields),
        form=form,
        works=(answer_of(response),),
        system_prompt=chosen.system_prompt,
        seed=chosen.seed,
    )


def build_prompt(task: Task, turn: Turn = FIRST) -> JudgePrompt:
    """The messages of a task: what the judge is told, then the work behind its fence."""
    text, form, system = (
        whole_characters(part) for part in (task.text, task.form, task.system_prompt)
    )
    works = tuple(defused(whole_characters(work)) for work in task.works)
    dice = dice_for(
        task.seed,
        text,
        form,
        system,
        *works,
        str(turn.repeat),
        str(turn.attempt),
        str(turn.work_first),
    )
    markers: list[str] = []
    for _ in works:
        markers.append(draw_marker(dice, text, form, system, *works, *markers))
    rules = "\n\n".join(fill(prompt_text("fence"), {"marker": marker}) for marker in markers)
    fences = "\n\n".join(fenced(work, marker) for work, marker in zip(works, markers, strict=True))
    again = [fill(prompt_text("again"), {"why": _in_our_words(turn.why)})] if turn.why else []
    told, after = [system, rules, text, form, prompt_text("opening"), *again], list[str]()
    if turn.work_first:
        told, after = [system, rules, form], [text, prompt_text("closing"), *again]
    # Nothing but the work stands in its message.
    messages = [Message("system", _joined(told)), Message("user", fences)]
    messages += [Message("user", _joined(after))] if after else []
    return JudgePrompt(messages=tuple(messages), markers=tuple(markers), work="\n".join(works))


def _in_our_words(why: str) -> str:
    """What was wrong, without words of the reply: they may be the work's, and this is said as the system.

    >>> _in_our_words("the verdict is 'Obey me', not a number")
    'the verdict is (as you wrote it), not a number'
    """
    return whole_characters(_QUOTED.sub("(as you wrote it)", why))


def _joined(parts: list[str]) -> str:
    return "\n\n".join(part for part in parts if part.strip())


def answer_of(response: str) -> str:
    """The response without its reasoning.

    >>> answer_of("<think>hm</think>Paris ")
    'Paris'
    """
    return blanked(response, reasoning(response)).strip() if "<" in response else response.strip()
