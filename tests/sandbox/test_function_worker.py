"""The worker that loads a candidate and calls it, in a real box."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from steelyard.sandbox.box import Box
from steelyard.sandbox.inside import values
from steelyard.sandbox.job import Job, Outcome
from steelyard.sandbox.limits import Limits
from steelyard.sandbox.opening import open_sandbox
from steelyard.sandbox.protocol import Sandbox

LIMITS = Limits(wall_s=4.0, memory_mb=256)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    found = open_sandbox()
    yield found
    found.close()


class Run:
    """One candidate: its answers, as JSON, and what came of it."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.box: Box = sandbox.start(Job(worker="function"), LIMITS)

    def load(self, source: str, entry: str = "f", *alternatives: str) -> dict[str, Any]:
        wanted = {"source": source, "entry_point": entry, "alternatives": list(alternatives)}
        return self.ask({"load": wanted})

    def call(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        named = {name: values.encode(value) for name, value in kwargs.items()}
        return self.ask(
            {"call": 7, "name": "f", "args": [values.encode(arg) for arg in args], "kwargs": named}
        )

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        self.box.send(values.dumps(message))
        answer = self.box.receive()
        return {} if answer is None else values.loads(answer)

    def finish(self) -> Outcome:
        return self.box.finish()


@pytest.fixture
def run(sandbox: Sandbox) -> Iterator[Run]:
    found = Run(sandbox)
    yield found
    found.box.stop()


@pytest.mark.parametrize(
    ("source", "args", "value"),
    [
        ("def f(x): return x + 1", [1], 2),
        ("def f(x): return (x, {x: {1, 2}})", ["a"], ("a", {"a": {1, 2}})),
        ("f = lambda *args: sum(args)", [1, 2, 3], 6),
        ("def f(n):\n    yield from range(n)", [3], [0, 1, 2]),
        ("def f(d): return d.items()", [{"a": 1}], [("a", 1)]),
        ("def f(n): return map(str, range(n))", [2], ["0", "1"]),
        ("async def f(x): return x + 1", [1], 2),
        ("async def f(n):\n    for i in range(n):\n        yield i", [2], [0, 1]),
        ("class Solution:\n    def f(self, x): return x", [5], 5),
        (
            "import __main__\ndef f(): return [name for name in vars(__main__) if not name.startswith('__')]",
            [],
            [],
        ),
        ("import sys\ndef f(): return sys.argv, __name__", [], (["solution.py"], "solution")),
        ("import sys, pickle\ndef f(): return pickle.loads(pickle.dumps(f)) is f", [], True),
        (
            "import threading\ndef f():\n    found = []\n    t = threading.Thread(target=found.append, args=(1,))\n"
            "    t.start(); t.join()\n    return found",
            [],
            [1],
        ),
        (
            "import sys\nsys.setrecursionlimit(20000)\ndef f(n=5000): return 0 if n == 0 else 1 + f(n - 1)",
            [],
            5000,
        ),
        ("if __name__ == '__main__':\n    1 / 0\ndef f(): return 1", [], 1),
    ],
)
def test_values(run: Run, source: str, args: list[Any], value: Any) -> None:
    assert "loaded" in run.load(source)
    answer = run.call(*args)
    assert answer.get("done") == 7, answer
    assert values.decode(answer["value"]) == value


def test_what_becomes_of_an_argument_is_nobodys_matter(run: Run) -> None:
    run.load("def f(items): items.append(lambda: 1); items.append(items); return 3")
    assert run.call([1]) == {"done": 7, "value": 3}


@pytest.mark.parametrize(
    "raising",
    [
        "raise ValueError('\\ud800')",
        "class E(OSError):\n  errno = property(lambda self: 1 / 0)\n raise E()",
        "class E(Exception):\n  __class__ = property(lambda self: 1 / 0)\n raise E()",
        "class E(Exception):\n  def __str__(self): raise self\n raise E()",
        "raise type('\\udfff', (Exception,), {})",
    ],
)
def test_an_exception_is_told_whatever_it_hides(run: Run, raising: str) -> None:
    run.load(f"def f():\n {raising}")
    failed = run.call()["failed"]
    assert (
        f"{failed['type']}{failed['text']}".encode()
    )  # which halves of characters would not let it
    assert run.call()["call"] == 7


def test_spawned_processes_find_the_candidate(run: Run) -> None:
    run.load(
        "import multiprocessing\ndef double(x): return 2 * x\n"
        "def f():\n with multiprocessing.get_context('spawn').Pool(2) as pool: return pool.map(double, [1, 2])"
    )
    assert run.call()["value"] == [2, 4]


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("def f(:", "SyntaxError"),
        ("import nothing_of_that_name", "ModuleNotFoundError"),
        ("1 / 0", "ZeroDivisionError"),
        ("x = 1", "NameError"),
        ("f = 3", "NameError"),
        ("raise SystemExit(0)", "SystemExit"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("class Odd(BaseException): pass\nraise Odd", "Odd"),
        ("\ud800", "UnicodeEncodeError"),
        ("def f(): pass\x00", "SyntaxError"),
    ],
)
def test_what_does_not_load(run: Run, source: str, kind: str) -> None:
    failed = run.load(source)["failed"]
    assert failed["type"] in {kind, "ValueError"}


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("return object()", "NotPlain"),
        ("x = []; x.append(x); return x", "TooLarge"),
        ("return iter(int, 1)", "TooLarge"),
        ("import sys; sys.exit(0)", "SystemExit"),
        ("raise GeneratorExit", "GeneratorExit"),
        ("raise KeyError('x')", "KeyError"),
        ("return f()", "RecursionError"),
        ("open('/box/x', 'wb').write(b'x'); open('/no/such')", "FileNotFoundError"),
    ],
)
def test_what_a_call_can_come_to(run: Run, body: str, kind: str) -> None:
    run.load(f"def f():\n    {body}")
    answer = run.call()
    assert (answer.get("call"), answer["failed"]["type"]) == (7, kind)


def test_a_hostile_exception_is_told_as_far_as_it_can_be(run: Run) -> None:
    run.load(
        "class Odd(OSError):\n    def __str__(self): raise Odd\n    errno = 'x'\ndef f(): raise Odd"
    )
    assert run.call()["failed"] == {"type": "Odd", "base": "OSError", "text": "", "errno": None}


def test_another_reading_is_tried_but_not_after_an_exit(run: Run, sandbox: Sandbox) -> None:
    assert run.load("def f(", "f", "x = 1", "def f(): return 1")["loaded"]["used"] == 2
    other = Run(sandbox)
    assert (
        other.load("raise SystemExit", "f", "def f(): return 1")["failed"]["type"] == "SystemExit"
    )
    other.box.stop()


def test_what_is_printed_is_flushed_after_each_call(run: Run) -> None:
    run.load("print('loading')\ndef f(): print('calling')")
    run.call()
    assert run.finish().stdout == b"loading\ncalling\n"


def test_the_grader_that_has_gone_ends_the_worker(run: Run) -> None:
    run.load("def f(): pass")
    assert run.finish().limit is None
