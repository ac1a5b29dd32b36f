"""What a run would do: prompts, calls, and what they may cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TextIO

from steelyard.report.terminal import printable, printing, table

if TYPE_CHECKING:
    from steelyard.judge.config import JudgeScoringConfig
    from steelyard.judge.prompt import JudgeItem
    from steelyard.runs.plan import RunPlan
    from steelyard.runs.results import Prices

SHOWN = 2
# Without the model's own tokeniser: English prose has about four characters a token.
CHARACTERS_PER_TOKEN = 4
USUAL_REPLY = 256


def estimate(plan: RunPlan, prices: Prices, model: dict[str, Any]) -> dict[str, Any]:
    """The number of calls, and a guess at tokens and cost; ``prompts`` are the first ones as they would be sent."""
    characters = sum(
        len(message.content) for problem in plan.problems for message in plan.messages(problem)
    )
    asked = -(-characters // CHARACTERS_PER_TOKEN) * plan.repeats
    a_reply, told_as = reply_tokens(plan.parameters)
    replied = plan.total * a_reply
    judge = _judging(plan, a_reply) if plan.benchmark.needs_judge else None
    return {
        "benchmark": plan.benchmark.name,
        "model": model,
        "parameters": plan.parameters,
        "problems": len(plan.problems),
        "repeats": plan.repeats,
        "calls": plan.total,
        "judge_calls": judge["calls"] if judge else 0,
        "judge": judge,
        "input_tokens": asked,
        "output_tokens": replied,
        "output_tokens_are": told_as,
        "cost": prices.cost(
            *(
                own + (judge[name] if judge else 0)
                for own, name in ((asked, "input_tokens"), (replied, "output_tokens"))
            )
        ),
        "prompts": [
            [
                {"role": message.role, "content": message.content}
                for message in plan.messages(problem)
            ]
            for problem in plan.problems[:SHOWN]
        ],
    }


def reply_tokens(parameters: Mapping[str, Any]) -> tuple[int, str]:
    """How long a reply is taken to be, and by what."""
    longest = parameters.get("max_tokens")
    return (
        (longest, "the most that is allowed")
        if isinstance(longest, int)
        else (USUAL_REPLY, f"{USUAL_REPLY} a reply")
    )


def _judging(plan: RunPlan, a_reply: int) -> dict[str, Any]:
    """What the judge would be asked, if every sample waits for it and every reply is as long as that."""
    from steelyard.judge.prompt import JudgeItem
    from steelyard.judge.rating import canary_item
    from steelyard.runs.judging import asked_text

    config, assumed = plan.benchmark.judge_config, "x" * (a_reply * CHARACTERS_PER_TOKEN)
    calls, characters = _judge_calls(canary_item(config), config)
    for problem in plan.problems:
        item = JudgeItem(
            key=problem.id,
            instruction=asked_text(plan.messages(problem)),
            response=assumed,
            expected=problem.target,
            metadata=problem.metadata,
        )
        more, longer = _judge_calls(item, config)
        calls += more * plan.repeats
        characters += longer * plan.repeats
    verdict, told_as = reply_tokens(config.parameters)
    return {
        "calls": calls,
        "input_tokens": -(-characters // CHARACTERS_PER_TOKEN),
        "output_tokens": calls * verdict,
        "output_tokens_are": told_as,
    }


def _judge_calls(item: JudgeItem, config: JudgeScoringConfig) -> tuple[int, int]:
    """Return the calls for an item if every verdict can be read at once, and their characters.

    There is one call for each criterion, otherwise one, or two with a swap check.
    """
    from steelyard.judge.checklist import criterion_task, read_criteria
    from steelyard.judge.prompt import build_prompt, rating_task

    if criteria := read_criteria(item.metadata):
        tasks = [criterion_task(item, criterion, config) for criterion in criteria]
    else:
        tasks = [rating_task(item, config)] * (2 if config.swap_check else 1)
    messages = [message for task in tasks for message in build_prompt(task).messages]
    return len(tasks), sum(len(message.content) for message in messages)


def show_estimate(found: dict[str, Any], *, file: TextIO) -> None:
    """Print the first prompts and the table."""
    with printing(file) as out:
        for number, messages in enumerate(found["prompts"]):
            for message in messages:
                lines = [printable(line) for line in message["content"].splitlines()]
                out.print(f"problem {number}, {message['role']}:", style="bold")
                out.print("\n".join(f"  {line}" for line in lines), soft_wrap=True)
        out.print()
        cost = (
            "unknown: --price-in and --price-out tell"
            if found["cost"] is None
            else f"about {found['cost']:.4f}"
        )
        judge = found["judge"]
        judged = (
            [
                ("calls of the judge", f"up to {judge['calls']:,}"),
                ("its input tokens", f"up to about {judge['input_tokens']:,}"),
                (
                    "its output tokens",
                    f"up to about {judge['output_tokens']:,} ({judge['output_tokens_are']})",
                ),
            ]
            if judge
            else []
        )
        out.print(
            table(
                (("", False), ("", False)),
                [
                    ("benchmark", found["benchmark"]),
                    ("problems × repeats", f"{found['problems']:,} × {found['repeats']:,}"),
                    ("calls of the model", f"{found['calls']:,}"),
                    ("input tokens", f"about {found['input_tokens']:,}"),
                    (
                        "output tokens",
                        f"about {found['output_tokens']:,} ({found['output_tokens_are']})",
                    ),
                    *judged,
                    ("cost", cost),
                ],
            )
        )
        out.print("nobody was asked, and nothing was written")
