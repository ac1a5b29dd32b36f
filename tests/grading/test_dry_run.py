"""Whose doing a broken limit is: each row is a test, a program, and a verdict, or the author who is to blame."""

from __future__ import annotations

import json
import operator
from pathlib import Path
from typing import Any

import pytest

from steelyard.errors import SandboxError
from steelyard.grading.dry_run import SHARE
from steelyard.grading.legacy import LegacyTest, examine
from steelyard.sandbox.inside.anything import MOST_USES, Anything, Uses
from steelyard.sandbox.limits import Limits
from steelyard.sandbox.protocol import Sandbox

CASES = Path(__file__).parent.parent / "cases" / "code" / "blame.jsonl"
ROWS = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
LIMITS = Limits(wall_s=1.0)


def verdict(sandbox: Sandbox, test: str, code: str, limits: Limits = LIMITS) -> str:
    try:
        return examine(
            LegacyTest(source=test, entry_point="f").checked(), [code], sandbox, limits
        ).verdict
    except SandboxError as broken:
        return "author" if "the test itself" in str(broken) else str(broken)


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_a_limit_is_charged_to_whoever_reached_it(sandbox: Sandbox, row: dict[str, Any]) -> None:
    assert verdict(sandbox, row["test"], row["code"]) in row["verdict"].split("|")


@pytest.mark.slow
def test_a_test_that_leaves_a_program_no_time_is_to_blame(sandbox: Sandbox) -> None:
    slow = f"import time\ntime.sleep({2 * SHARE - 0.1})\nfor i in range(100_000):\n    assert f(i) == i"
    assert verdict(sandbox, slow, "def f(x):\n    return x") == "author"


@pytest.mark.slow
def test_a_test_that_is_known_to_be_broken_is_not_tried_again(sandbox: Sandbox) -> None:
    class Counting:
        name = sandbox.name
        started = 0

        def start(self, job: Any, limits: Limits) -> Any:
            self.started += 1
            return sandbox.start(job, limits)

        def __getattr__(self, name: str) -> Any:
            return getattr(sandbox, name)

    counting: Any = Counting()
    test = "assert f(1) == 1\nassert f(2) == 2\nwhile True:\n    pass"
    assert verdict(counting, test, "def f(x):\n    return x", Limits(wall_s=0.4)) == "author"
    first = counting.started
    assert verdict(counting, test, "def f(x):\n    return [x][0]", Limits(wall_s=0.4)) == "author"
    assert (first, counting.started - first) == (4, 2)


def use(thing: Any) -> None:
    for name in (
        "add",
        "sub",
        "mul",
        "truediv",
        "floordiv",
        "mod",
        "and_",
        "or_",
        "eq",
        "ne",
        "lt",
        "ge",
        "getitem",
    ):
        getattr(operator, name)(thing, 3)
    for name in ("add", "sub", "mul", "eq", "lt"):
        getattr(operator, name)(3, thing)
    for make in (
        bool,
        int,
        float,
        complex,
        str,
        repr,
        bytes,
        list,
        set,
        dict.fromkeys,
        len,
        abs,
        round,
        next,
        sorted,
        hash,
    ):
        make(thing)
    thing.any.thing(1, key=2)[3].more = 4
    thing[5] = 6
    del thing[5]
    with thing as entered:
        assert isinstance(entered, Anything)
    assert f"{thing:>3}" is not None
    assert (3 in thing) in {True, False}


@pytest.mark.parametrize("filled", [False, True])
def test_anything_can_be_used_for_anything_but_not_for_ever(filled: bool) -> None:
    def enough() -> None:
        raise EOFError

    thing = Anything(Uses(enough), filled)
    use(thing)
    with pytest.raises(EOFError):
        [thing() for _ in range(MOST_USES)]
