"""What an agent did on its way: the steps of its trajectory, counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

import msgspec

from steelyard.primitives.values import describe, number

STEP_TYPES = ("llm_call", "tool_call")
_COUNTS = ("input_tokens", "output_tokens")
# More tokens than this were never used by anyone; the bound keeps the sums small.
_MAX_COUNT = 10**15
_MAX_PLACES = 50
_KNOWN = frozenset(
    {
        "type",
        "ts",
        "model",
        "tool",
        "input_tokens",
        "output_tokens",
        "duration_ms",
        "cost_usd",
        "network",
    }
)
# inputTokens and input_tokens are one name.
_SPELLED = {name.replace("_", ""): name for name in (*_COUNTS, "duration_ms", "cost_usd")}


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """The sums over a trajectory; ``uncounted`` names the first model call without its token counts."""

    tokens: int = 0
    llm_calls: int = 0
    tool_calls: int = 0
    cost_usd: Fraction = Fraction(0)
    models: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    network: bool = False
    uncounted: str = ""


def read_usage(trajectory: object) -> Usage | str:
    """The sums over the steps, or one sentence that says why the trajectory is not valid.

    >>> step = {"type": "llm_call", "input_tokens": 30, "output_tokens": 12}
    >>> read_usage({"steps": [step]}).tokens
    42
    >>> read_usage({"steps": [{"type": "nap"}]})
    "the trajectory is not valid: steps[0].type is 'nap'; 'llm_call' or 'tool_call' is needed"
    """
    if not isinstance(trajectory, Mapping):
        return f"the trajectory is not valid: it is {describe(trajectory)}; an object with steps is needed"
    steps = trajectory.get("steps")
    if not isinstance(steps, (list, tuple)):
        return f"the trajectory is not valid: its steps are {describe(steps)}; an array is needed"
    read: list[Mapping[str, Any]] = []
    for position, given in enumerate(steps):
        step, wrong = read_step(given)
        if wrong or (wrong := _wrong(step)):
            return f"the trajectory is not valid: steps[{position}]{wrong}"
        read.append(step)
    return _sum(read)


def read_step(given: object) -> tuple[Any, str]:
    """A step with its fields under their snake_case names, and what is wrong with that: a field in two spellings.

    >>> read_step({"type": "llm_call", "inputTokens": 30})
    ({'type': 'llm_call', 'input_tokens': 30}, '')
    """
    if not isinstance(given, Mapping) or given.keys() <= _KNOWN:
        return given, ""
    found: dict[Any, Any] = {}
    for key, value in given.items():
        name = (
            key
            if key in _KNOWN or not isinstance(key, str)
            else _SPELLED.get(key.replace("_", "").lower(), key)
        )
        if name in found:
            return given, f".{name} is given twice, in two spellings"
        found[name] = value
    return found, ""


def _wrong(step: object) -> str:
    if not isinstance(step, Mapping):
        return f" is {describe(step)}; an object is needed"
    kind = step.get("type")
    if not isinstance(kind, str) or kind not in STEP_TYPES:
        return f".type is {describe(kind)}; 'llm_call' or 'tool_call' is needed"
    for name, fits, needed in _FIELDS:
        if name in step and not fits(step[name]):
            return f".{name} is {describe(step[name])}; {needed}{at_most(step[name])} is needed"
    return ""


def count(value: object) -> int | None:
    """The whole number that is not negative which a value is, or None.

    >>> count(3), count(3.0), count(-1), count(True), count(2.5)
    (3, 3, None, None, None)
    """
    found = number(value)
    if found is None or not 0 <= found <= _MAX_COUNT or found != int(found):
        return None
    return int(found)


def at_most(value: object) -> str:
    """What is to be said of a number that is only too large.

    >>> at_most(10**16), at_most(-1)
    (' and at most 10^15', '')
    """
    found = number(value)
    return " and at most 10^15" if found is not None and found > _MAX_COUNT else ""


def amount(value: object) -> Fraction | None:
    """The sensible number that is not negative which a value is, or None.

    >>> amount(0.1), amount(-1), amount("1")
    (Fraction(1, 10), None, None)
    """
    found = number(value)
    if found is None or not 0 <= found <= _MAX_COUNT:
        return None
    return Fraction(found) if Decimal(found).adjusted() > -_MAX_PLACES or not found else Fraction(0)


def _is_name(value: object) -> bool:
    # A name that is no text would escape the lists of allowed ones; null is a name that is not told.
    return value is None or isinstance(value, str)


_Fits = Callable[[object], bool]
_WHOLE, _NUMBER = "a whole number that is not negative", "a number that is not negative"
_FIELDS: tuple[tuple[str, _Fits, str], ...] = (
    *((name, lambda value: count(value) is not None, _WHOLE) for name in _COUNTS),
    *(
        (name, lambda value: amount(value) is not None, _NUMBER)
        for name in ("duration_ms", "cost_usd")
    ),
    *((name, _is_name, "a name") for name in ("model", "tool")),
    ("network", lambda value: value is None or isinstance(value, bool), "true or false"),
)


def _sum(steps: list[Mapping[str, Any]]) -> Usage:
    calls = [step for step in steps if step["type"] == "llm_call"]
    missing = (
        f"steps[{i}] has no {name}"
        for i, step in enumerate(steps)
        if step["type"] == "llm_call"
        for name in _COUNTS
        if name not in step
    )
    return Usage(
        tokens=sum(count(step[name]) or 0 for step in steps for name in _COUNTS if name in step),
        llm_calls=len(calls),
        tool_calls=len(steps) - len(calls),
        cost_usd=sum((amount(step.get("cost_usd")) or Fraction(0) for step in steps), Fraction(0)),
        models=_names(steps, "model"),
        tools=_names(steps, "tool"),
        network=any(step.get("network") is True for step in steps),
        uncounted=next(missing, ""),
    )


def _names(steps: list[Mapping[str, Any]], field: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(step[field] for step in steps if isinstance(step.get(field), str)))
