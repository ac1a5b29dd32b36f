"""What it cost: tokens and calls against their budgets, as told by a verified trajectory."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from steelyard.errors import SpecError
from steelyard.primitives.constraints import read_constraints
from steelyard.primitives.trajectory import Usage, count, read_usage
from steelyard.primitives.values import describe
from steelyard.registry import PRIMITIVES
from steelyard.score import Score, graded, zero


@PRIMITIVES.register("token_efficiency", reads="trajectory")
def token_efficiency(
    trajectory: object,
    constraints: object = None,
    verified: bool = True,
    *,
    token_budget: int | None = None,
) -> Score:
    """What is left of the token budget; nothing without a verified trajectory.

    The budget is the parameter or, without it, the constraint ``token_budget``.

    >>> steps = [{"type": "llm_call", "input_tokens": 200, "output_tokens": 50}]
    >>> token_efficiency({"steps": steps}, token_budget=1000).points
    750.0
    >>> token_efficiency(None, token_budget=1000).reason
    'there is no trajectory'
    """
    budget = _limit("token_budget", token_budget, read_constraints(constraints))
    if budget is None:
        raise SpecError("token_efficiency needs a budget: token_budget", path="token_budget")
    if budget == 0:
        raise SpecError("must be positive, not 0", path="token_budget")
    usage = _usage(trajectory, verified)
    if not isinstance(usage, Usage):
        return zero(usage)
    if usage.uncounted:
        return zero(f"the tokens of the trajectory are not all told: {usage.uncounted}")
    return graded(_left(usage.tokens, budget), f"{usage.tokens} of {budget} tokens used")


@PRIMITIVES.register("call_efficiency", reads="trajectory")
def call_efficiency(
    trajectory: object,
    constraints: object = None,
    verified: bool = True,
    *,
    max_llm_calls: int | None = None,
    max_tool_calls: int | None = None,
) -> Score:
    """What is left of the allowed calls, by the worse of those that are limited.

    The limits are the parameters or, without them, the constraints of the same names.

    >>> steps = [{"type": "llm_call"}, {"type": "tool_call"}, {"type": "tool_call"}]
    >>> call_efficiency({"steps": steps}, max_llm_calls=10, max_tool_calls=4).points
    500.0
    """
    known = read_constraints(constraints)
    llm = _limit("max_llm_calls", max_llm_calls, known)
    tool = _limit("max_tool_calls", max_tool_calls, known)
    if llm is None and tool is None:
        why = "call_efficiency needs a limit: max_llm_calls or max_tool_calls"
        raise SpecError(why, path="max_llm_calls")
    usage = _usage(trajectory, verified)
    if not isinstance(usage, Usage):
        return zero(usage)
    left, told = [], []
    for used, limit, what in ((usage.llm_calls, llm, "LLM"), (usage.tool_calls, tool, "tool")):
        if limit is not None:
            left.append(_left(used, limit))
            told.append(f"{used} of {limit} {what} calls")
    return graded(min(left), f"{' and '.join(told)} used")


def _usage(trajectory: object, verified: bool) -> Usage | str:
    if trajectory is None:
        return "there is no trajectory"
    if verified is not True:
        return "the match is not verified"
    return read_usage(trajectory)


def _limit(name: str, given: object, constraints: dict[str, Any]) -> int | None:
    if given is None:
        return count(constraints.get(name))
    if (limit := count(given)) is None:
        raise SpecError(
            f"must be a whole number that is not negative, not {describe(given)}", path=name
        )
    return limit


def _left(used: int, limit: int) -> Fraction:
    """No calls out of none allowed is all that can be asked for."""
    if limit == 0:
        return Fraction(int(used == 0))
    return max(Fraction(0), 1 - Fraction(used, limit))
