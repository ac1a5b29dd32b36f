"""Function tasks in the real sandbox: honest programs, wrong ones, and ones that try to get by without an answer."""

from __future__ import annotations

import json
import tracemalloc
from typing import Any

import pytest

from steelyard.grading.function import plausible
from steelyard.grading.grade import grade
from steelyard.grading.record import Graded
from steelyard.grading.task import load_task
from steelyard.sandbox.inside import values
from steelyard.sandbox.protocol import Sandbox

LIMITS = {"wall_s": 3, "memory_mb": 256, "pids": 16, "disk_mb": 8, "output_bytes": 1_000_000}
ADD = {
    "kind": "function",
    "entry_point": "add",
    "cases": [[[1, 2], 3], [[20, 22], 42]],
    "limits": LIMITS,
}
FORGE = """
import os, struct
def say(text):
    os.write(3, struct.pack(">I", len(text)) + text)
"""

HONEST = {
    "plain": "def add(a, b): return a + b",
    "float": "def add(a, b): return float(a + b)",
    "module": "import math\nSUM = sum\ndef add(*args): return SUM(args)",
    "bom": "\ufeffdef add(a, b): return a + b",
    "prints": "print('hello')\ndef add(a, b):\n    print(a)\n    return a + b",
    "class": "class Solution:\n    pass\ndef add(a, b): return a + b",
    "subclass": "class Int(int): pass\ndef add(a, b): return Int(a + b)",
    "main": "def add(a, b): return a + b\nif __name__ == '__main__': raise SystemExit(1)",
}
WRONG = {
    "wrong": ("def add(a, b): return a - b", "wrong_answer"),
    "text": ("def add(a, b): return str(a + b)", "wrong_answer"),
    "truth": ("def add(a, b): return True", "wrong_answer"),
    "nothing": ("def add(a, b): a + b", "wrong_answer"),
    "equals all": (
        "class E:\n    def __eq__(s, o): return True\ndef add(a, b): return E()",
        "wrong_answer",
    ),
    "equal int": (
        "class E(int):\n    def __eq__(s, o): return True\ndef add(a, b): return E()",
        "wrong_answer",
    ),
    "function": ("def add(a, b): return add", "wrong_answer"),
    "raises": ("def add(a, b): raise KeyError(a)", "runtime_error"),
    "deep": ("def add(a, b): return add(a, b)", "runtime_error"),
    "syntax": ("def add(a, b) return a", "runtime_error"),
    "missing": ("def sum(a, b): return a + b", "runtime_error"),
    "at import": ("1 / 0", "runtime_error"),
    "no import": ("import no_such_module", "runtime_error"),
    "crash": (
        "import os, signal\ndef add(a, b): os.kill(os.getpid(), signal.SIGSEGV)",
        "runtime_error",
    ),
    "exit": ("def add(a, b): raise SystemExit(0)", "no_result"),
    "exit at import": ("import sys\nsys.exit(0)", "no_result"),
    "hard exit": ("import os\ndef add(a, b): os._exit(0)", "no_result"),
    "hard exit at import": ("import os\nos._exit(0)", "no_result"),
    "closes": ("import os\ndef add(a, b): os.close(3)", "no_result"),
    "endless": ("def add(a, b):\n    while True: pass", "time_limit"),
    "sleeps": ("import time\ndef add(a, b): time.sleep(99)", "time_limit"),
    "memory": ("def add(a, b): return len([0] * 10**9)", "memory_limit"),
    "floods": ("def add(a, b):\n    while True: print('x' * 10**5)", "output_limit"),
    "long": ("def add(a, b): return 'x' * 3_000_000", "output_limit"),
    "many": ("def add(a, b): return [0] * 1_000_000", "output_limit"),
    "exponential": (
        "def add(a, b):\n    x = [0]\n    for _ in range(99): x = [x, x]\n    return x",
        "output_limit",
    ),
    "circle": ("def add(a, b):\n    x = []\n    x.append(x)\n    return x", "output_limit"),
    "disk": (
        "def add(a, b):\n    with open('f', 'wb') as f:\n        while True: f.write(bytes(65536))",
        "disk_limit",
    ),
    "threads": (
        "import threading, time\ndef add(a, b):\n    for _ in range(99):\n        threading.Thread(target=time.sleep,"
        " args=(9,), daemon=True).start()\n    return a + b",
        "process_limit",
    ),
    "forged pass": (FORGE + "say(b'{\"accepted\": true}')\ndef add(a, b): return 0", "no_result"),
    "forged number": (
        FORGE + 'def add(a, b):\n    say(b\'{"done": 2, "value": 3}\')\n    return 3',
        "no_result",
    ),
    "no json": (FORGE + "def add(a, b):\n    say(b'\\xff' * 9)\n    return 3", "no_result"),
    "bad tag": (
        FORGE + 'def add(a, b):\n    say(b\'{"done": 1, "value": {"$": "pickle", "v": ""}}\')',
        "no_result",
    ),
    "not finite": (
        FORGE + 'def add(a, b):\n    say(b\'{"done": 1, "value": 1e999}\')',
        "no_result",
    ),
    "brackets": (
        FORGE
        + "def add(a, b):\n    say(b'{\"done\": 1, \"value\": ' + b'[' * 400 + b']' * 400 + b'}')",
        "no_result",
    ),
    "too many": ("def add(a, b): return [0] * 9999", "wrong_answer"),
}


def graded(sandbox: Sandbox, program: str, **changes: Any) -> Graded:
    return grade(load_task({**ADD, **changes}), program, sandbox=sandbox)


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_program_passes(name: str, sandbox: Sandbox) -> None:
    found = graded(sandbox, HONEST[name])
    assert (found.verdict, found.passed, found.value) == ("accepted", True, 1.0), found.reason
    assert [test.verdict for test in found.tests] == ["accepted", "accepted"]


@pytest.mark.parametrize("name", WRONG)
def test_any_other_does_not(name: str, sandbox: Sandbox) -> None:
    program, verdict = WRONG[name]
    found = graded(sandbox, program)
    assert (found.verdict, found.passed) == (verdict, False), found.reason
    assert found.value == 0
    assert found.wall_s < LIMITS["wall_s"] + 1
    assert found.reason.startswith("case 1: ")


def test_cases_before_the_end_keep_their_credit(sandbox: Sandbox) -> None:
    found = graded(
        sandbox,
        "import os\ndef add(a, b):\n    if a > 1: os._exit(0)\n    return a + b",
        cases=[[[1, 2], 3], [[2, 2], 4], [[1, 1], 2]],
    )
    assert [test.verdict for test in found.tests] == ["accepted", "no_result", "no_result"]
    assert found.tests[2].reason == "not run: the program ended with exit code 0"
    assert found.value == pytest.approx(1 / 3)


def test_an_exception_ends_only_its_case(sandbox: Sandbox) -> None:
    found = graded(sandbox, "def add(a, b): return {1: 3}[a]")
    assert [test.verdict for test in found.tests] == ["accepted", "runtime_error"]
    assert found.reason == "case 2: raised KeyError: 20"


def test_a_limit_that_was_hit_beats_right_answers(sandbox: Sandbox) -> None:
    program = """
import threading, time
def add(a, b):
    try:
        for _ in range(99):
            threading.Thread(target=time.sleep, args=(9,), daemon=True).start()
    except RuntimeError:
        pass
    return a + b
"""
    found = graded(sandbox, program)
    assert (found.verdict, found.passed, found.value) == ("process_limit", False, 0), found.reason


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("'x' * 9_000_000", "larger than 290,000 items or 4,194,304 bytes"),
        ("'x' * 2_000_000", "larger than 1,000,000 bytes"),
        ("list(range(400_000))", "larger than 290,000 items"),
        (
            "__import__('functools').reduce(lambda a, _: [a], range(300), [])",
            "nested deeper than 200 levels",
        ),
        ("iter(int, 1)", "larger than 290,000 items"),
    ],
)
def test_a_value_beyond_the_channel_is_a_limit_and_says_so(
    value: str, why: str, sandbox: Sandbox
) -> None:
    found = graded(sandbox, f"def add(a, b): return {value}")
    assert found.verdict == "output_limit"
    assert f"the value returned is {why}" in found.reason


def test_what_is_far_too_large_is_not_looked_into(sandbox: Sandbox) -> None:
    found = graded(sandbox, WRONG["too many"][0])
    assert found.reason == "case 1: returned something far larger than the expected value"


@pytest.mark.parametrize(
    "expected",
    [[], [[]] * 500, "x" * 1000, "\n" * 500, list(range(5000)), {"a": [1.5] * 900}],
    ids=type,
)
def test_what_equals_a_value_is_never_too_large_for_it(expected: Any) -> None:
    want = values.dumps(values.encode(expected))
    for other in (_tuples(expected), _floats(expected)):
        assert plausible(values.dumps(values.encode(other)), want)


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _floats(value: Any) -> Any:
    if isinstance(value, list):
        return [_floats(item) for item in value]
    return float(value) * (1 + 1e-12) if isinstance(value, int) else value


def test_weights_and_names(sandbox: Sandbox) -> None:
    cases = [
        {"args": [1, 2], "expected": 3, "weight": 3, "name": "small"},
        {"args": [1], "kwargs": {"b": 9}, "expected": 0},
    ]
    found = graded(sandbox, HONEST["plain"], cases=cases)
    score = found.score()
    assert (found.value, score.correct, score.detail["verdict"]) == (0.75, False, "wrong_answer")
    assert [(part.name, part.weight, part.score.correct) for part in score.parts] == [
        ("small", 3, True),
        ("case 2", 1, False),
    ]


@pytest.mark.parametrize(
    ("body", "expected", "tolerance", "verdict"),
    [
        ("(1, [2])", [1, [2]], None, "accepted"),
        ("{1, 2}", {"$": "set", "v": [2, 1]}, None, "accepted"),
        ("{1, 2}", [1, 2], None, "wrong_answer"),
        ("{'a': None}", {"a": None}, None, "accepted"),
        ("{1: 2}", {"1": 2}, None, "wrong_answer"),
        ("0.1 + 0.2", 0.3, None, "accepted"),
        ("3.001", 3, {"abs": 0.01}, "accepted"),
        ("3.001", 3, None, "wrong_answer"),
        ("float('nan')", {"$": "float", "v": "nan"}, None, "accepted"),
        ("2**100 + 1", 2**100 + 1, None, "accepted"),
        ("2**100", 2**100 + 1, None, "wrong_answer"),
        ("(n for n in range(3))", [0, 1, 2], None, "accepted"),
        ("b'ab'", {"$": "bytes", "v": "6162"}, None, "accepted"),
        ("'\\ud800'", "\ufffd", None, "wrong_answer"),
    ],
)
def test_values_are_compared_as_what_they_are(
    body: str, expected: Any, tolerance: Any, verdict: str, sandbox: Sandbox
) -> None:
    more = {"tolerance": tolerance} if tolerance else {}
    found = graded(sandbox, f"def add(): return {body}", cases=[[[], expected]], **more)
    assert found.verdict == verdict, found.reason


def test_arguments_arrive_as_the_author_wrote_them(sandbox: Sandbox) -> None:
    given = [{"$": "tuple", "v": [1, {"$": "set", "v": [2]}]}, {"k": [None, 2**70]}, "ü"]
    program = "def add(a, b, c): return a == (1, {2}) and b == {'k': [None, 2**70]} and c == 'ü'"
    assert graded(sandbox, program, cases=[[given, True]]).passed


def test_the_record_holds_no_truth(sandbox: Sandbox) -> None:
    found = graded(
        sandbox,
        "def add(a): return 5",
        cases=[[["tell-nobody"], "hunter2"], [[[9]], {"hunter3": 77777}]],
    )
    text = json.dumps(found.to_dict())
    assert found.reason == "case 1: returned 5, which is not the expected value"
    assert not any(secret in text for secret in ("hunter", "77777", "tell-nobody"))


def test_what_a_program_prints_is_kept_and_harmless(sandbox: Sandbox) -> None:
    found = graded(
        sandbox,
        "import sys\nprint('one\\x1b[2J')\nprint('two', file=sys.stderr)\ndef add(a, b): return a + b",
    )
    assert (found.stdout, found.stderr) == ("one␛[2J\n", "two\n")
    assert found.sandbox["backend"] == "bubblewrap"
    assert found.sandbox["unsafe"] is False


@pytest.mark.parametrize("source", [b"\xff\xfe", b"x = '\xe9'", "x = '\ud800'"], ids=repr)
def test_a_program_that_is_no_text_is_the_attempts_fault(
    source: bytes | str, sandbox: Sandbox
) -> None:
    found = grade(load_task(ADD), source, sandbox=sandbox)
    assert found.verdict == "runtime_error"
    assert "not UTF-8" in found.reason


def test_null_characters_are_the_attempts_fault(sandbox: Sandbox) -> None:
    assert grade(load_task(ADD), b"x = 1\0", sandbox=sandbox).verdict == "runtime_error"


@pytest.mark.parametrize("name", ["floods", "long", "many", "exponential", "brackets", "too many"])
def test_our_memory_does_not_grow_with_what_comes_back(name: str, sandbox: Sandbox) -> None:
    limits = {**LIMITS, "output_bytes": 4_000_000}
    tracemalloc.start()
    graded(sandbox, WRONG[name][0], limits=limits)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 64e6
