"""Grading many programs: in order, together, and what happens when the sandbox goes away."""

from __future__ import annotations

import threading
import time

import pytest

from steelyard.grading.grade import grade, grade_many
from steelyard.grading.task import load_task
from steelyard.sandbox.bubblewrap import Bubblewrap
from steelyard.sandbox.protocol import Sandbox

TASK = load_task(
    {"kind": "function", "entry_point": "f", "cases": [[[2], 4]], "limits": {"wall_s": 5}}
)


def test_results_come_in_the_order_of_the_work(sandbox: Sandbox) -> None:
    programs = [
        f"import time\ndef f(x):\n    time.sleep({0.2 if n % 4 == 0 else 0})\n    return {n % 2 * 4}"
        for n in range(12)
    ]
    work = ((n, TASK, program) for n, program in enumerate(programs))
    found = list(grade_many(work, sandbox=sandbox, workers=3))
    assert [key for key, _ in found] == list(range(12))
    assert [graded.passed for _, graded in found] == [n % 2 == 1 for n in range(12)]


def test_only_a_few_are_under_way(sandbox: Sandbox) -> None:
    taken: list[int] = []

    def work():  # type: ignore[no-untyped-def]
        for n in range(100):
            taken.append(n)
            yield n, TASK, "def f(x): return 4"

    results = grade_many(work(), sandbox=sandbox, workers=2)
    next(results)
    assert len(taken) <= 9
    results.close()


def test_a_sandbox_that_is_gone_is_our_fault() -> None:
    gone = Bubblewrap(keep=0)
    gone.close()
    for kind in (
        {"kind": "function", "entry_point": "f", "cases": [[[2], 4]]},
        {"kind": "stdio", "cases": [["", ""]]},
    ):
        found = grade(load_task(kind), "def f(x): return 4", sandbox=gone)
        assert (found.verdict, found.passed, found.value) == ("sandbox_error", None, None)
        assert found.reason == "the sandbox is closed"
        assert [test.value for test in found.tests] == [None]
        assert found.score().status == "unscored"


def test_a_sandbox_that_ends_in_the_middle_never_means_wrong() -> None:
    with Bubblewrap(keep=0) as ending:

        def end() -> None:
            while not ending._busy:
                time.sleep(0.01)
            time.sleep(0.5)
            for slot in list(ending._busy):
                slot._prepared.process.kill()

        timer = threading.Thread(target=end)
        timer.start()
        found = grade(TASK, "import time\ndef f(x): time.sleep(4)", sandbox=ending)
        timer.join()
        assert (found.verdict, found.value) == ("sandbox_error", None), found.reason
        assert grade(TASK, "def f(x): return 4", sandbox=ending).passed


@pytest.mark.slow
def test_leaving_early_does_not_wait_for_what_runs(sandbox: Sandbox) -> None:
    work = (
        (n, TASK, "def f(x): return 4" if n == 0 else "import time\ndef f(x): time.sleep(2)")
        for n in range(9)
    )
    results = grade_many(work, sandbox=sandbox, workers=2)
    next(results)
    began = time.monotonic()
    results.close()
    assert time.monotonic() - began < 5  # of the eight seconds that the rest would take
    while any(thread.name.startswith("steelyard-grade") for thread in threading.enumerate()):
        time.sleep(0.1)  # the sandbox is shared: what still runs in it ends before the next test


def test_a_function_that_does_not_fit_is_not_even_sent(sandbox: Sandbox) -> None:
    task = load_task(
        {
            "kind": "function",
            "entry_point": "f",
            "cases": [[[2], 4], [[3], 4]],
            "limits": {"disk_mb": 1},
        }
    )
    found = grade(task, "def f(x): return 4\n#" + "x" * (1 << 20), sandbox=sandbox)
    assert (found.verdict, found.value, found.wall_s) == ("disk_limit", 0.0, 0.0)
    assert "bytes, which is more than the 1 MB" in found.reason
