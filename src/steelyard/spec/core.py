"""The core dimensions: their labels, descriptions and colours, and the helper that picks and weighs them."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from decimal import Context, Decimal
from importlib import resources
from typing import Any

import msgspec

from steelyard.primitives.values import describe, number
from steelyard.registry import nearest
from steelyard.spec.field import MISSING
from steelyard.spec.problems import Problems

_SLACK = Decimal("1e-9")
_SAID = ("label", "description", "color")
MIN_DIMENSIONS, MAX_DIMENSIONS = 2, 6


@functools.cache
def known_dimensions() -> dict[str, dict[str, str]]:
    """The dimensions that bring a label, by key: the seven core ones and the two of efficiency."""
    data = _data()
    return {entry["key"]: entry for entry in data["core"] + data["efficiency"]}


@functools.cache
def core_keys() -> tuple[str, ...]:
    """The seven core keys, in their order."""
    return tuple(entry["key"] for entry in _data()["core"])


@functools.cache
def _data() -> dict[str, list[dict[str, str]]]:
    text = (resources.files("steelyard") / "data" / "dimensions.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, list[dict[str, str]]])


def dims(
    weights: Mapping[str, float], overrides: Mapping[str, Mapping[str, str]] | None = None
) -> list[dict[str, Any]]:
    """The 2 to 6 picked dimensions in the order given, each with key, label, description, color and weight.

    >>> [d["label"] for d in dims({"correctness": 0.7, "speed": 0.3})]
    ['Correctness', 'Speed']
    >>> dims({"correctness": 0.7, "speed": 0.3}, {"speed": {"color": "gold"}})[1]["color"]
    'gold'
    """
    problems = Problems()
    if not isinstance(weights, Mapping):
        problems.add("weights", f"must be an object of names and weights, not {describe(weights)}")
        raise problems.error()
    if not MIN_DIMENSIONS <= len(weights) <= MAX_DIMENSIONS:
        problems.add("weights", count_message(len(weights)))
    known = known_dimensions()
    for key in weights:
        if key not in known:
            hint = nearest(key, known) or f"; there are {', '.join(known)}"
            problems.add(f"weights.{key}", f"is not a core dimension{hint}")
    check_weights(
        [(f"weights.{key}", weight) for key, weight in weights.items()], "weights", problems
    )
    said = _read_overrides(overrides, weights, problems)
    problems.tell()
    return [
        {
            "key": key,
            **{name: known[key][name] for name in _SAID},
            **said.get(key, {}),
            "weight": weight,
        }
        for key, weight in weights.items()
    ]


def count_message(count: int) -> str:
    """What is wrong with a number of dimensions."""
    return f"must be {MIN_DIMENSIONS} to {MAX_DIMENSIONS} dimensions, not {count}"


def _read_overrides(
    overrides: object, weights: Mapping[str, object], problems: Problems
) -> dict[str, dict[str, str]]:
    if overrides is None:
        return {}
    if not isinstance(overrides, Mapping):
        problems.add("overrides", f"must be an object, not {describe(overrides)}")
        return {}
    for key, said in overrides.items():
        path = f"overrides.{key}"
        if key not in weights:
            problems.add(path, f"is not among the weighted dimensions{nearest(key, weights)}")
        if not isinstance(said, Mapping):
            problems.add(path, f"must be an object, not {describe(said)}")
            continue
        for name, text in said.items():
            _check_said(f"{path}.{name}", name, text, problems)
    return {} if problems.found else {key: dict(said) for key, said in overrides.items()}


def _check_said(path: str, name: object, text: object, problems: Problems) -> None:
    if name not in _SAID:
        problems.add(path, f"cannot be overridden; {', '.join(_SAID)} can")
    elif not isinstance(text, str):
        problems.add(path, f"must be a string, not {describe(text)}")


def check_weights(weights: list[tuple[str, Any]], whole: str | None, problems: Problems) -> None:
    """Note every weight that is not a positive number, or else the sum of the whole when it is not 1."""
    total, sane = Decimal(0), True
    context = Context(prec=2_000, traps=[])
    for path, weight in weights:
        found = number(weight)
        if found is None or found <= 0:
            given = "missing" if weight is MISSING else describe(weight)
            problems.add(path, f"must be a positive number, not {given}")
            sane = False
        else:
            total = context.add(total, Decimal(found))
    if whole is not None and sane and not context.subtract(total, Decimal(1)).copy_abs() <= _SLACK:
        problems.add(whole, f"the weights must sum to 1, not to {describe(total)}")
