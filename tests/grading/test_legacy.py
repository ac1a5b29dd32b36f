"""Tests that were written to share a process with the code under test: each row is a test, a program and a verdict."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from steelyard.errors import DataError
from steelyard.grading.legacy import Examined, LegacyTest, examine
from steelyard.sandbox.job import Job
from steelyard.sandbox.limits import Limits
from steelyard.sandbox.protocol import Sandbox

CASES = Path(__file__).parent.parent / "cases" / "code" / "legacy.jsonl"
ROWS = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
LIMITS = Limits(wall_s=4.0, memory_mb=256)
ADD = "def add(a, b):\n    return a + b\n"


def examined(sandbox: Sandbox, test: str, *sources: str, entry: str = "add", prompt: str = "") -> Examined:
    return examine(
        LegacyTest(source=test, entry_point=entry, prompt=prompt).checked(), sources, sandbox, LIMITS
    )


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_verdicts(sandbox: Sandbox, row: dict[str, Any]) -> None:
    limits = Limits(wall_s=1.0) if row["verdict"] == "time_limit" else LIMITS
    test = LegacyTest(source=row["test"], entry_point=row["entry"], prompt=row["prompt"]).checked()
    found = examine(test, [row["code"]], sandbox, limits)
    assert (found.verdict in row["verdict"].split("|"), found.way) == (True, row["way"]), found
    assert bool(found.why) is (row["way"] == "fallback")
    if "assertions" in row:
        assert found.assertions == row["assertions"]


def test_the_reason_names_a_line_and_no_expected_value(sandbox: Sandbox) -> None:
    found = examined(sandbox, "x = 1\nassert add(1, 2) == 4711, 'it is 4711'", ADD)
    assert found.reason == "line 2 of the test: the assertion does not hold"
    assert "4711" not in repr(found)


def test_the_first_source_that_loads_and_has_the_name_is_used(sandbox: Sandbox) -> None:
    found = examined(
        sandbox, "assert add(1, 2) == 3", "def add(a, b", "x = 1", "1 / 0", ADD, "def add(a, b): return 0"
    )
    assert (found.verdict, found.used) == ("accepted", 3)


def test_what_is_printed_is_kept_and_proves_nothing(sandbox: Sandbox) -> None:
    found = examined(sandbox, "assert add(1, 2) == 3", "def add(a, b):\n    print('3 passed')\n    return 0")
    assert (found.verdict, found.stdout) == ("wrong_answer", b"3 passed\n")


def test_a_limit_that_was_broken_beats_acceptance(sandbox: Sandbox) -> None:
    source = "import os\ndef add(a, b):\n    os.write(1, b'x' * 5_000_000)\n    return a + b"
    assert examined(sandbox, "assert add(1, 2) == 3", source).verdict == "output_limit"


@pytest.mark.parametrize(
    ("test", "entry", "why"),
    [
        ("add(1, 2)", "add", "no assertion"),
        ("assert (", "add", "no Python"),
        ("assert add(1, 2) == 3", "add me", "no name"),
        ("def check(a, b, c):\n    assert a", "add", "several"),
        ("\x00", "add", "no Python"),
    ],
)
def test_a_test_that_could_find_no_fault_is_the_authors_mistake(test: str, entry: str, why: str) -> None:
    with pytest.raises(DataError, match=why):
        LegacyTest(source=test, entry_point=entry).checked()


def test_a_secret_is_another_one_in_each_run(sandbox: Sandbox) -> None:
    """A proof that is replayed from another run is none."""
    from steelyard.grading.fallback import run_inside
    from steelyard.sandbox.inside import values

    seen = set()
    for _ in range(2):
        box = sandbox.start(Job(worker="function"), LIMITS)
        load = {"source": ADD, "entry_point": "add", "alternatives": [], "guarded": []}
        box.send(values.dumps({"load": load}))
        assert b"loaded" in (box.receive() or b"")
        material = {"source": "assert add(1, 2) == 3", "entry_point": "add", "prompt": "", "stubs": []}
        finished = run_inside(box, material)
        box.stop()
        assert finished is not None
        seen.add(finished["proof"])
    assert len(seen) == 2
