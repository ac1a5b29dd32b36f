"""Constraints that a trajectory exceeds: told, not punished."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from steelyard.primitives.trajectory import Usage, amount, read_usage
from steelyard.spec.evaluation import tidy

Told = list[dict[str, Any]]
# A trajectory may name what it likes, and as much of it.
_MOST, _LONGEST = 20, 100


def find_violations(limits: Mapping[str, Any], trajectory: object) -> tuple[Told, Told]:
    """The violations, and a warning when the trajectory cannot be read."""
    if trajectory is None:
        return [], []
    usage = read_usage(trajectory)
    if not isinstance(usage, Usage):
        return [], [{"field": "trajectory", "severity": "warning", "message": usage}]
    return [*_amounts(limits, usage), *_names(limits, usage), *_network(limits, usage)], []


def _amounts(limits: Mapping[str, Any], usage: Usage) -> Told:
    used = {
        "token_budget": Fraction(usage.tokens),
        "max_llm_calls": Fraction(usage.llm_calls),
        "max_tool_calls": Fraction(usage.tool_calls),
        "max_cost_usd": usage.cost_usd,
    }
    found = []
    for name, value in used.items():
        limit = amount(limits.get(name))
        if limit is not None and value > limit:
            spent, allowed = tidy(value), tidy(limit)
            found.append(_told(name, allowed, spent, f"{spent} used, {allowed} allowed"))
    return found


def _names(limits: Mapping[str, Any], usage: Usage) -> Told:
    found = []
    for name, used in (("allowed_models", usage.models), ("allowed_tools", usage.tools)):
        if name in limits and (other := [item for item in used if item not in limits[name]]):
            named = ", ".join(
                item if len(item) <= _LONGEST else f"{item[:_LONGEST]}…" for item in other[:_MOST]
            )
            more = f" and {len(other) - _MOST} more" if len(other) > _MOST else ""
            found.append(
                _told(name, list(limits[name]), other[:_MOST], f"not allowed: {named}{more}")
            )
    return found


def _network(limits: Mapping[str, Any], usage: Usage) -> Told:
    if limits.get("network_access") is False and usage.network:
        return [_told("network_access", False, True, "the network was used and is not allowed")]
    return []


def _told(constraint: str, limit: Any, used: Any, message: str) -> dict[str, Any]:
    return {
        "constraint": constraint,
        "limit": limit,
        "used": used,
        "message": f"{constraint}: {message}",
    }
