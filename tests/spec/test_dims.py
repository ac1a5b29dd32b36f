"""The core dimensions and the helper that picks them."""

from __future__ import annotations

from typing import Any

import pytest

from steelyard.spec import SpecError, core_keys, dims

PAIR = {"correctness": 0.5, "speed": 0.5}


def test_dims_gives_what_was_picked_in_order() -> None:
    picked = dims(
        {"correctness": 0.40, "methodology": 0.25, "speed": 0.15, "completeness": 0.20},
        {"correctness": {"description": "Override description for this challenge"}},
    )
    assert [d["key"] for d in picked] == ["correctness", "methodology", "speed", "completeness"]
    assert picked[0] == {
        "key": "correctness",
        "label": "Correctness",
        "color": "emerald",
        "weight": 0.40,
        "description": "Override description for this challenge",
    }
    assert picked[2]["color"] == "sky"


def test_dims_takes_two_to_six() -> None:
    assert len(dims(PAIR)) == 2
    assert len(dims(dict.fromkeys(core_keys()[:6], 1 / 6))) == 6


def test_there_are_seven_core_keys() -> None:
    assert core_keys() == (
        "correctness",
        "completeness",
        "precision",
        "methodology",
        "speed",
        "code_quality",
        "analysis",
    )


@pytest.mark.parametrize(
    ("weights", "overrides", "path", "said"),
    [
        ({"correctness": 0.5, "sped": 0.5}, None, "weights.sped", "did you mean 'speed'"),
        ({"correctness": 0.5, "speed": 0.499}, None, "weights", "not to 0.999"),
        ({}, None, "weights", "must be 2 to 6 dimensions, not 0"),
        ({"correctness": 1}, None, "weights", "must be 2 to 6 dimensions, not 1"),
        (dict.fromkeys(core_keys(), 1 / 7), None, "weights", "must be 2 to 6 dimensions, not 7"),
        ({"correctness": True, "speed": 0.5}, None, "weights.correctness", "true"),
        ({"correctness": float("nan"), "speed": 1}, None, "weights.correctness", "NaN"),
        ({"correctness": -1, "speed": 2}, None, "weights.correctness", "positive"),
        (PAIR, {"sped": {}}, "overrides.sped", "did you mean 'speed'"),
        (PAIR, {"speed": {"weight": 2}}, "overrides.speed.weight", "cannot be overridden"),
        (PAIR, {"speed": {"label": 2}}, "overrides.speed.label", "string"),
        (PAIR, {"speed": 5}, "overrides.speed", "object"),
        (PAIR, [], "overrides", "object"),
        ([], None, "weights", "object"),
    ],
)
def test_what_dims_refuses(weights: Any, overrides: Any, path: str, said: str) -> None:
    with pytest.raises(SpecError) as raised:
        dims(weights, overrides)
    assert raised.value.path == path
    assert said in str(raised.value)
