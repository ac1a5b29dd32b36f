"""Tests that were written to share a process with the code under test: each row is a test, a program and a verdict."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from steelyard.errors import DataError
from steelyard.grading.legacy import Examined, LegacyTest, examine
from steelyard.sandbox.box import Box
from steelyard.sandbox.job import Job
from steelyard.sandbox.limits import Limits
from steelyard.sandbox.protocol import Sandbox
from steelyard.scoring.code_execution import code_sandbox
from steelyard.scoring.types import ScorerInput

CASES = Path(__file__).parent.parent / "cases" / "code" / "legacy.jsonl"
ROWS = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
LIMITS = Limits(wall_s=4.0, memory_mb=256)
ADD = "def add(a, b):\n    return a + b\n"


def examined(
    sandbox: Sandbox, test: str, *sources: str, entry: str = "add", prompt: str = ""
) -> Examined:
    return examine(
        LegacyTest(source=test, entry_point=entry, prompt=prompt).checked(),
        sources,
        sandbox,
        LIMITS,
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
    found = examined(sandbox, "x = 1\nassert add(1, 2) == 'hunter2', 'it is hunter2'", ADD)
    assert found.reason == "line 2 of the test: the assertion does not hold"
    assert "hunter" not in repr(found)


def test_the_first_source_that_loads_and_has_the_name_is_used(sandbox: Sandbox) -> None:
    found = examined(
        sandbox,
        "assert add(1, 2) == 3",
        "def add(a, b",
        "x = 1",
        "1 / 0",
        ADD,
        "def add(a, b): return 0",
    )
    assert (found.verdict, found.used) == ("accepted", 3)


def test_what_is_printed_is_kept_and_proves_nothing(sandbox: Sandbox) -> None:
    found = examined(
        sandbox, "assert add(1, 2) == 3", "def add(a, b):\n    print('3 passed')\n    return 0"
    )
    assert (found.verdict, found.stdout) == ("wrong_answer", b"3 passed\n")


SHOWS = (
    "import sys\nprint('expected hunter2')\nprint('hunter2', file=sys.stderr)\n"
    "assert add.__name__\nassert add(1, 2) == 'hunter2'"
)


@pytest.mark.slow
@pytest.mark.parametrize(
    "source",
    [
        ADD,
        ADD + "print('loading')",
        "import os\ndef add(a, b): os._exit(0)",
        "def add(a, b): return 1 / 0",
        "def add(a, b):\n    while True: pass",
    ],
)
def test_what_a_test_prints_in_the_programs_own_box_is_not_kept(
    source: str, sandbox: Sandbox
) -> None:
    test = LegacyTest(source=SHOWS, entry_point="add").checked()
    found = examine(test, [source], sandbox, Limits(wall_s=1.5))
    assert (found.way, found.verdict == "accepted") == ("fallback", False)
    assert "hunter" not in repr(found)


def test_what_a_program_prints_before_such_a_test_is_kept_if_it_does_not_load(
    sandbox: Sandbox,
) -> None:
    found = examined(sandbox, SHOWS, "print('here')\n1 / 0")
    assert (found.way, found.verdict, found.stdout) == ("fallback", "runtime_error", b"here\n")


class Late:
    """A sandbox in which the test's box takes its time to be made."""

    def __init__(self, sandbox: Sandbox, seconds: float) -> None:
        self._sandbox, self._seconds, self.name = sandbox, seconds, sandbox.name

    def start(self, job: Job, limits: Limits) -> Box:
        if job.worker == "tester":
            time.sleep(self._seconds)
        return self._sandbox.start(job, limits)

    def warm(self, count: int, limits: Limits | None = None) -> None:
        self._sandbox.warm(count, limits)

    def describe(self) -> dict[str, Any]:
        return self._sandbox.describe()

    def close(self) -> None:
        self._sandbox.close()


@pytest.mark.slow
def test_a_program_does_not_pay_for_the_making_of_the_tests_box(sandbox: Sandbox) -> None:
    test = LegacyTest(source="assert add(1, 2) == 3", entry_point="add").checked()
    found = examine(test, [ADD], Late(sandbox, 2.5), Limits(wall_s=2))
    assert found.verdict == "accepted", found.reason
    assert found.wall_s < 2


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
def test_a_test_that_could_find_no_fault_is_the_authors_mistake(
    test: str, entry: str, why: str
) -> None:
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
        material = {
            "source": "assert add(1, 2) == 3",
            "entry_point": "add",
            "prompt": "",
            "stubs": [],
        }
        finished = run_inside(box, material)
        box.stop()
        assert finished is not None
        seen.add(finished["proof"])
    assert len(seen) == 2


def test_the_weaker_way_is_told_in_the_record_and_in_the_reason(sandbox: Sandbox) -> None:
    about = {"_prompt": "", "entry_point": "add"}
    looked, plain = "assert add.__name__ == 'add'\nassert add(1, 2) == 3", "assert add(1, 2) == 3"
    scores = [
        code_sandbox(ScorerInput(ADD, "", {**about, "_test": test}), sandbox=sandbox)
        for test in (looked, plain)
    ]
    assert [score.correct for score in scores] == [True, True]
    told = "graded by the weaker way: the test works with what a function is made of (line 1)"
    assert scores[0].detail["warning"] == told
    assert told in scores[0].reason
    assert "warning" not in scores[1].detail
    assert "weaker" not in scores[1].reason


def test_a_value_that_is_more_than_the_channel_takes_is_told_so(sandbox: Sandbox) -> None:
    found = examined(
        sandbox, "assert add(1, 2) == 3", "def add(a, b):\n    return [0] * 10_000_000"
    )
    assert found.verdict == "output_limit"
    assert "larger than 1,490,000 items" in found.reason
