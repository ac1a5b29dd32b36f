"""Whatever stands in a spec, at any place: it loads, or a SpecError tells of it, and lint never raises."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from steelyard.spec import SpecError, lint_spec, load_spec

WHOLE: dict[str, Any] = {
    "type": "deterministic",
    "profile": "free",
    "name": "n",
    "description": "d",
    "version": "1",
    "constraints": {"token_budget": 5, "allowed_tools": ["t"]},
    "format": [
        {
            "field": "a",
            "type": "string",
            "schema": {"type": "string"},
            "severity": "error",
            "required": True,
            "message": "m",
        }
    ],
    "dimensions": [
        {
            "name": "x",
            "weight": 0.25,
            "primitive": "exact_match",
            "field": "a",
            "ground_truth_field": "t",
            "label": "l",
            "requires": {"speed": 1},
            "description": "d",
            "color": "c",
            "params": {},
        },
        {"name": "speed", "weight": 0.25, "primitive": "time_decay", "time_limit_secs": 60},
        {
            "name": "n",
            "weight": 0.25,
            "primitive": "numeric_tolerance",
            "field": "n",
            "tolerance": 1,
        },
        {
            "name": "s",
            "weight": 0.25,
            "scorer": "multichoice_regex",
            "letters": "A-E",
            "field": "c",
        },
    ],
}
# Some are JSON that is out of place, some are none.
VALUES = [
    None,
    True,
    5,
    "x",
    "\ud800",
    [],
    {},
    [[]],
    {"a": {}},
    float("nan"),
    float("-inf"),
    Decimal("1e400"),
    1j,
    b"x",
    {1},
    {1: 2},
    [b"x"],
    {"a": float("nan")},
]
WRITTEN = [
    "null",
    "true",
    "5",
    '"x"',
    '"\\ud800"',
    "[]",
    "{}",
    "[[]]",
    '{"a": {}}',
    "NaN",
    "-Infinity",
    "1e400",
]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of each value in a spec."""
    pairs = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for name, inner in pairs:
        yield (*path, name)
        yield from places(inner, (*path, name))


def written(value: Any, twice: tuple[Any, ...], second: str) -> str:
    """The spec as JSON, with one key a second time."""
    if isinstance(value, list):
        items = [
            written(inner, twice[1:] if twice[:1] == (i,) else (), second)
            for i, inner in enumerate(value)
        ]
        return f"[{', '.join(items)}]"
    if not isinstance(value, dict):
        return json.dumps(value)
    parts = []
    for name, inner in value.items():
        parts.append(
            f"{json.dumps(name)}: {written(inner, twice[1:] if twice[:1] == (name,) else (), second)}"
        )
        if twice == (name,):
            parts.append(f"{json.dumps(name)}: {second}")
    return f"{{{', '.join(parts)}}}"


@pytest.mark.parametrize("place", list(places(WHOLE)), ids=str)
def test_any_value_at_any_place_is_taken_or_told(place: tuple[Any, ...]) -> None:
    for value in VALUES:
        spec = json.loads(json.dumps(WHOLE))
        holder = spec
        for name in place[:-1]:
            holder = holder[name]
        holder[place[-1]] = value
        report = lint_spec(spec)
        assert report.exit_code != 2 or report.findings


@pytest.mark.parametrize(
    "place", [place for place in places(WHOLE) if isinstance(place[-1], str)], ids=str
)
def test_a_key_that_is_given_twice_is_told_whatever_it_holds_then(
    place: tuple[Any, ...], tmp_path: Path
) -> None:
    file = tmp_path / "spec.json"
    for second in WRITTEN:
        file.write_text(written(WHOLE, place, second), encoding="utf-8")
        with pytest.raises(SpecError, match="is given twice"):
            load_spec(file)
        assert lint_spec(file).exit_code == 2
