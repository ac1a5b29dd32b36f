"""The author's own checker: what it may give, and who pays when it fails."""

from __future__ import annotations

import json
from typing import Any

import pytest

from steelyard.grading.grade import grade
from steelyard.grading.record import Graded
from steelyard.grading.task import load_task
from steelyard.sandbox.protocol import Sandbox

LIMITS = {"wall_s": 3, "memory_mb": 256, "pids": 16, "disk_mb": 8, "output_bytes": 500_000}
TASK = {"kind": "stdio", "cases": [["1 2\n", "3\n"], ["20 22\n", "42\n"]], "limits": LIMITS}


def graded(sandbox: Sandbox, program: str, **changes: Any) -> Graded:
    return grade(load_task({**TASK, **changes}), program, sandbox=sandbox)


CHECKER = """
def check(given, output, expected):
    numbers = open(output).read().split()
    total = int(open(given).read())
    if len(numbers) != 2 or not all(n.isdecimal() for n in numbers):
        return False
    return 1.0 if sum(map(int, numbers)) == total else 0.25
"""


@pytest.mark.parametrize(
    ("program", "verdict", "value"),
    [
        ("n = int(input())\nprint(1, n - 1)", "accepted", 1.0),
        ("print(5, 5)", "accepted", 1.0),
        ("print(5, 6)", "wrong_answer", 0.25),
        ("print('x')", "wrong_answer", 0.0),
        ("1 / 0", "runtime_error", 0.0),
    ],
)
def test_the_authors_checker_decides(
    program: str, verdict: str, value: float, sandbox: Sandbox
) -> None:
    found = graded(sandbox, program, cases=[["10", ""]], checker={"source": CHECKER})
    assert (found.verdict, found.value) == (verdict, value), found.reason


@pytest.mark.parametrize(
    "checker",
    [
        "def check(a, b, c): return 1 / 0",
        "def check(a, b, c): return 2",
        "def check(a, b, c): return -1",
        "def check(a, b, c): return float('nan')",
        "def check(a, b, c): return 'accepted'",
        "def check(a, b, c): return None",
        "def check(a, b, c): raise SystemExit(0)",
        "import os\ndef check(a, b, c): os._exit(0)",
        "def check(a, b, c): return ['x' * 9999]",
        "def other(): pass",
        "def check(:",
    ],
)
def test_a_checker_that_fails_is_not_the_programs_fault(checker: str, sandbox: Sandbox) -> None:
    found = graded(sandbox, "print(1)", checker={"source": checker})
    assert (found.verdict, found.passed, found.value) == ("sandbox_error", None, None)
    assert found.reason.startswith("the checker failed: ")
    assert found.score().status == "unscored"


NUMBER = """
def check(given, output, expected):
    return int(open(output).read()) == int(open(expected).read())
"""
BY_FILE = """
def check(given, output, expected):
    return open("files/out.txt").read().split() == ["7"]
"""
HUNGRY = """
def check(given, output, expected):
    text = open(output).read()
    return 1.5 if text == "much" else len(text * (1 << 40 if text == "x" else 1)) > 3
"""


@pytest.mark.parametrize(
    ("checker", "program", "case", "why"),
    [
        (NUMBER, "print('abc')", {"stdout": "7"}, "ValueError"),
        (NUMBER, "pass", {"stdout": "7"}, "ValueError"),
        (NUMBER, "import os; os.write(1, b'\\xff')", {"stdout": "7"}, "UnicodeDecodeError"),
        (NUMBER, "print('9' * 5000)", {"stdout": "7"}, "ValueError"),
        (
            NUMBER.replace("int(open(expected).read())", "7"),
            "print('abc')",
            {"stdout": ""},
            "ValueError",
        ),
        (BY_FILE, "pass", {"stdout": "", "expect_files": {"out.txt": "7"}}, "FileNotFoundError"),
        (HUNGRY, "print('x', end='')", {"stdout": ""}, "MemoryError"),
        (HUNGRY, "print('much', end='')", {"stdout": ""}, ""),
    ],
)
def test_no_output_can_choose_that_nobody_judges_it(
    checker: str, program: str, case: dict[str, Any], why: str, sandbox: Sandbox
) -> None:
    found = graded(sandbox, program, cases=[case], checker={"source": checker})
    assert (found.verdict, found.value) == ("wrong_answer", 0.0), found.reason
    assert found.reason.startswith("case 1: the checker cannot make anything of the output: ")
    assert why in found.reason


@pytest.mark.parametrize(
    "way", ["raise ValueError(truth)", "return truth", "raise KeyError(truth)", "int(truth)"]
)
def test_what_a_checker_says_as_it_fails_is_in_no_record(way: str, sandbox: Sandbox) -> None:
    checker = f"def check(given, output, expected):\n    truth = open(expected).read()\n    {way}"
    found = graded(sandbox, "print(1)", cases=[["", "hunter2"]], checker={"source": checker})
    assert found.verdict == "sandbox_error"
    assert "hunter" not in json.dumps(found.to_dict())


def test_a_checker_has_room_for_all_that_a_program_may_print(sandbox: Sandbox) -> None:
    checker = "import os\ndef check(a, b, c): return os.path.getsize(b) == 40 << 20"
    program = "import os\nfor _ in range(40): os.write(1, bytes(1 << 20))"
    limits = {"wall_s": 10, "output_bytes": 64 << 20}
    found = graded(sandbox, program, cases=[["", ""]], checker={"source": checker}, limits=limits)
    assert found.passed, found.reason


def test_the_checker_sees_what_the_program_cannot(sandbox: Sandbox) -> None:
    program = "import os\nprint(sorted(os.listdir('.')))"
    checker = "def check(a, b, c): return open(b).read().strip() == \"['program.py']\" and open(c).read() == 'hunter2'"
    found = graded(sandbox, program, cases=[["", "hunter2"]], checker={"source": checker})
    assert found.passed, found.reason


def test_the_checker_gets_the_files_that_were_written(sandbox: Sandbox) -> None:
    checker = "def check(a, b, c): return open('files/out.txt').read() == open(a).read().upper()"
    case = {"stdin": "abc", "stdout": "", "expect_files": {"out.txt": ""}}
    found = graded(
        sandbox,
        "open('out.txt', 'w').write(input().upper())",
        cases=[case],
        checker={"source": checker},
    )
    assert found.passed, found.reason
