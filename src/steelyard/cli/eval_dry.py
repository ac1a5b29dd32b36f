"""What a run would do: prompts, calls, and what they may cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TextIO

from steelyard.report.terminal import printable, printing, table

if TYPE_CHECKING:
    from steelyard.runs.plan import RunPlan
    from steelyard.runs.results import Prices

SHOWN = 2
# Without the model's own tokeniser: English prose has about four characters a token.
CHARACTERS_PER_TOKEN = 4
USUAL_REPLY = 256


def estimate(plan: RunPlan, prices: Prices, model: dict[str, Any]) -> dict[str, Any]:
    """The number of calls, and a guess at tokens and cost; ``prompts`` are the first ones as they would be sent."""
    characters = sum(len(message.content) for problem in plan.problems for message in plan.messages(problem))
    asked = -(-characters // CHARACTERS_PER_TOKEN) * plan.repeats
    longest = plan.parameters.get("max_tokens")
    replied = plan.total * (longest if isinstance(longest, int) else USUAL_REPLY)
    return {
        "benchmark": plan.benchmark.name,
        "model": model,
        "parameters": plan.parameters,
        "problems": len(plan.problems),
        "repeats": plan.repeats,
        "calls": plan.total,
        "judge_calls": plan.total if plan.benchmark.needs_judge else 0,
        "input_tokens": asked,
        "output_tokens": replied,
        "output_tokens_are": "the most that is allowed" if isinstance(longest, int) else f"{USUAL_REPLY} a reply",
        "cost": prices.cost(asked, replied),
        "prompts": [
            [{"role": message.role, "content": message.content} for message in plan.messages(problem)]
            for problem in plan.problems[:SHOWN]
        ],
    }


def show_estimate(found: dict[str, Any], *, file: TextIO) -> None:
    """Print the first prompts and the table."""
    with printing(file) as out:
        for number, messages in enumerate(found["prompts"]):
            for message in messages:
                lines = [printable(line) for line in message["content"].splitlines()]
                out.print(f"problem {number}, {message['role']}:", style="bold")
                out.print("\n".join(f"  {line}" for line in lines), soft_wrap=True)
        out.print()
        cost = "unknown: --price-in and --price-out tell" if found["cost"] is None else f"about {found['cost']:.4f}"
        words = f"for up to {found['judge_calls']:,} samples; not in the tokens and the cost below"
        judged = [("calls of the judge", words)] if found["judge_calls"] else []
        out.print(table((("", False), ("", False)), [
            ("benchmark", found["benchmark"]),
            ("problems × repeats", f"{found['problems']:,} × {found['repeats']:,}"),
            ("calls of the model", f"{found['calls']:,}"),
            *judged,
            ("input tokens", f"about {found['input_tokens']:,}"),
            ("output tokens", f"about {found['output_tokens']:,} ({found['output_tokens_are']})"),
            ("cost", cost),
        ]))  # fmt: skip
        out.print("nobody was asked, and nothing was written")
