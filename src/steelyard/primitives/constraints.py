"""The limits that a challenge sets, under one spelling."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from steelyard.errors import Problem, SpecError
from steelyard.primitives.trajectory import at_most, count
from steelyard.primitives.values import describe, number
from steelyard.registry import nearest


def _is_count(value: object) -> bool:
    return count(value) is not None


def _is_amount(value: object) -> bool:
    found = number(value)
    return found is not None and found >= 0


def _is_names(value: object) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value)


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


_WHOLE = "a whole number that is not negative"
_KINDS: dict[str, tuple[Callable[[object], bool], str]] = {
    "token_budget": (_is_count, _WHOLE),
    "max_llm_calls": (_is_count, _WHOLE),
    "max_tool_calls": (_is_count, _WHOLE),
    "max_cost_usd": (_is_amount, "a number that is not negative"),
    "allowed_models": (_is_names, "an array of strings"),
    "allowed_tools": (_is_names, "an array of strings"),
    "network_access": (_is_flag, "true or false"),
}
NAMES = tuple(_KINDS)
_MAX_TOLD = 100
# maxLlmCalls, maxLLMCalls and max_llm_calls are one name.
_SPELLED = {name.replace("_", ""): name for name in NAMES}


def read_constraints(given: object) -> dict[str, Any]:
    """The constraints by their snake_case names; null means no limit; anything else wrong is a SpecError.

    >>> read_constraints({"tokenBudget": 900, "max_tool_calls": None})
    {'token_budget': 900}
    """
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise SpecError(f"must be an object, not {describe(given)}")
    found: dict[str, Any] = {}
    problems: list[Problem] = []
    for key, value in given.items():
        name = key if key in _KINDS else _named(key)
        if wrong := _wrong(name, value, found):
            problems.append(Problem(key if isinstance(key, str) else describe(key), wrong))
            if len(problems) >= _MAX_TOLD:
                break
        elif value is not None:
            found[name] = value
    if problems:
        raise SpecError(problems=problems)
    return found


def _named(key: object) -> str:
    bare = key.replace("_", "").lower() if isinstance(key, str) else ""
    return _SPELLED.get(bare, bare)


def _wrong(name: str, value: object, found: Mapping[str, Any]) -> str:
    if name not in _KINDS:
        hint = nearest(name, NAMES) or f"; there are {', '.join(NAMES)}"
        return f"is not a constraint{hint}"
    if name in found:
        return "is given twice, in two spellings"
    fits, needed = _KINDS[name]
    return (
        ""
        if value is None or fits(value)
        else f"must be {needed}{at_most(value)}, not {describe(value)}"
    )
