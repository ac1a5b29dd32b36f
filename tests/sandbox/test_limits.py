"""Limits are numbers that can be kept."""

from __future__ import annotations

from typing import Any

import pytest

from steelyard.errors import SpecError
from steelyard.sandbox import Limits


@pytest.mark.parametrize("name", ["wall_s", "memory_mb", "pids", "output_bytes", "disk_mb", "cpus"])
@pytest.mark.parametrize(
    "value", [0, -1, float("nan"), float("inf"), True, "10", None, 1e12, 10**500]
)
def test_a_limit_that_cannot_be_kept_is_told_with_its_path(name: str, value: Any) -> None:
    with pytest.raises(SpecError) as told:
        Limits(**{name: value}).checked("task.limits")
    assert told.value.path == f"task.limits.{name}"


@pytest.mark.parametrize("name", ["memory_mb", "pids", "output_bytes", "disk_mb"])
def test_what_is_counted_is_whole(name: str) -> None:
    with pytest.raises(SpecError, match=f"{name}: must be a whole number, not 100.5"):
        Limits(**{name: 100.5}).checked()


def test_every_limit_that_is_wrong_is_told() -> None:
    with pytest.raises(SpecError) as told:
        Limits(wall_s=0, pids=0).checked()
    assert [problem.path for problem in told.value.problems] == ["limits.wall_s", "limits.pids"]


def test_the_defaults_can_be_kept() -> None:
    assert Limits().checked() == Limits()
