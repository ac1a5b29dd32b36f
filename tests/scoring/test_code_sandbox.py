"""Code that is scored by its test, from Python and from the command line."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path
from typing import Any

import pytest

from commands import Commands
from steelyard import ScorerInput, code_sandbox, code_sandbox_many
from steelyard.errors import DataError, SandboxError, SpecError
from steelyard.reading.found import Trace
from steelyard.sandbox.box import Box
from steelyard.sandbox.job import Job
from steelyard.sandbox.limits import Limits
from steelyard.sandbox.opening import default_sandbox, open_sandbox

ABOUT = {"_prompt": "def add(a, b):\n", "_test": "assert add(1, 2) == 3", "entry_point": "add"}
FENCED = "```python\ndef add(a, b):\n    return a + b\n```"


def sample(response: str = FENCED, target: str = "add", **about: Any) -> ScorerInput:
    return ScorerInput(response, target, {**ABOUT, **about})


def test_the_document_s_own_example() -> None:
    score = code_sandbox(sample())
    assert dict(score) == {"correct": True, "extracted": "def add(a, b):\n    return a + b"}
    assert score.span is not None
    assert FENCED[slice(*score.span)] == score.extracted
    assert score.detail["verdict"] == "accepted"
    assert score.detail["way"] == "proxied"
    assert score.detail["sandbox"]["unsafe"] is False


@pytest.mark.parametrize(
    ("response", "verdict"),
    [
        ("    return a + b", "accepted"),
        ("return a + b", "accepted"),
        ("```\n    return a - b\n```", "wrong_answer"),
        ("```python\nimport sys\nsys.exit(0)\n```", "no_result"),
        ("```python\ndef add(a, b):\n    exit(0)\n```", "no_result"),
        ("```python\ndef add(a, b):\n    return 1 / 0\n```", "runtime_error"),
        ("I cannot help with that.", "runtime_error"),
        ("def add(a, b):\n    while True: pass", "time_limit"),
        ("", "no_result"),
        ("<think>\n```python\ndef add(a, b):\n    return a + b\n```\n</think>", "no_result"),
        (
            "```python\ndef add(a, b):\n    return a + b\nn = int(input())\nprint(add(n, n))\n```",
            "accepted",
        ),
        (
            "```python\ndef add(a, b):\n    return a + b\n```\nUse it:\n```python\nprint(add(1, input()))\n```",
            "accepted",
        ),
    ],
)
def test_verdicts(response: str, verdict: str) -> None:
    score = code_sandbox(sample(response), timeout=1.5)
    assert score.detail["verdict"] == verdict, score
    assert score.correct is (verdict == "accepted")
    assert score.status == "scored"


@pytest.mark.parametrize(
    ("about", "target"),
    [
        ({"entry_point": None, "_entry_point": "add"}, ""),
        ({"entry_point": None}, "add"),
        ({"entry_point": None}, "17"),
        ({"_test": ["assert add(1, 2) == 3", "assert add(0, 0) == 0"]}, ""),
        ({"_test": "def check(candidate):\n    assert candidate(1, 2) == 3"}, ""),
        ({"_prompt": None}, ""),
    ],
)
def test_metadata(about: dict[str, Any], target: str) -> None:
    assert code_sandbox(sample(target=target, **about)).correct


@pytest.mark.parametrize(
    ("about", "target", "path"),
    [
        ({"_test": None}, "add", "_test"),
        ({"_test": " "}, "add", "_test"),
        ({"_test": [1]}, "add", "_test"),
        ({"entry_point": None, "_prompt": ""}, "17", "entry_point"),
        ({"entry_point": 5}, "", "entry_point"),
        ({"_prompt": 5}, "", "_prompt"),
    ],
)
def test_a_sample_without_its_test_is_the_author_s_mistake(
    about: dict[str, Any], target: str, path: str
) -> None:
    with pytest.raises(SpecError, match=path):
        code_sandbox(sample(target=target, **about))


def test_a_test_that_cannot_be_used_is_bad_data() -> None:
    with pytest.raises(DataError, match="no assertion"):
        code_sandbox(sample(_test="add(1, 2)"))


@pytest.mark.parametrize(
    "params",
    [
        {"timeout": -1},
        {"timeout": "x"},
        {"limits": {"wall": 1}},
        {"limits": {"pids": 0}},
        {"sandbox": "none"},
        {"sandbox": "chroot"},
    ],
)
def test_parameters_are_checked(params: dict[str, Any]) -> None:
    with pytest.raises(SpecError):
        code_sandbox(sample(), **params)


class Broken:
    """A sandbox that fails in the middle."""

    name = "broken"

    def start(self, job: Job, limits: Limits) -> Box:
        raise SandboxError("the box could not be made ready")

    def describe(self) -> dict[str, Any]:
        return {}

    def close(self) -> None:
        pass


def test_a_broken_sandbox_is_our_fault() -> None:
    score = code_sandbox(sample(), sandbox=Broken())
    assert (score.status, score.detail["verdict"]) == ("unscored", "sandbox_error")


def test_running_without_a_sandbox_is_told_in_the_record() -> None:
    nothing = open_sandbox("none")
    try:
        score = code_sandbox(sample(), sandbox=nothing)
    finally:
        nothing.close()
    assert score.correct
    assert score.detail["sandbox"]["unsafe"] is True


def test_output_is_kept_bounded_and_harmless() -> None:
    score = code_sandbox(
        sample("def add(a, b):\n    print('\\x1b[31m' + 'x' * 10_000)\n    return a + b")
    )
    assert score.correct
    assert "\x1b" not in score.detail["stdout"]
    assert len(score.detail["stdout"]) < 3_000


def test_the_record_never_holds_the_test() -> None:
    score = code_sandbox(sample("    return 5", _test="assert add(1, 2) == 4711, 'wanted 4711'"))
    assert "4711" not in repr(score)


def test_the_same_sample_gives_the_same_score_and_a_trace() -> None:
    trace = Trace()
    assert code_sandbox(sample(), trace=trace) == code_sandbox(sample())
    assert [step.stage for step in trace.steps] == ["code", "test"]


class Meeting(Broken):
    """A sandbox in which no program is begun before another one is there as well."""

    name = "meeting"

    def __init__(self) -> None:
        self._all_here = threading.Barrier(2)

    def start(self, job: Job, limits: Limits) -> Box:
        if job.worker == "function":
            self._all_here.wait(30)
        return default_sandbox().start(job, limits)


def test_many_run_at_the_same_time() -> None:
    scores = list(code_sandbox_many([sample()] * 4, workers=2, sandbox=Meeting()))
    assert [score.correct for score in scores] == [True] * 4


def test_many_keep_their_order_whatever_each_takes() -> None:
    slow = "import time\ndef add(a, b):\n    time.sleep({})\n    return a + b - {}"
    samples = [sample(slow.format(0.4 if n % 2 else 0, n % 3)) for n in range(9)]
    scores = list(code_sandbox_many(iter(samples), workers=3))
    assert [score.correct for score in scores] == [n % 3 == 0 for n in range(9)]
    assert not [
        thread for thread in threading.enumerate() if thread.name.startswith("steelyard-code")
    ]


def write(path: Path, rows: list[dict[str, Any]]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def test_from_the_command_line(steelyard: Commands, tmp_path: Path) -> None:
    responses = [FENCED, "    return a - b", "", FENCED]
    rows = [{"id": n, "response": text, "metadata": ABOUT} for n, text in enumerate(responses)]
    file = write(tmp_path / "rows.jsonl", rows)
    ran = steelyard(
        "score",
        "--scorer",
        "code_sandbox",
        "--param",
        "timeout=5",
        file,
        "-o",
        str(tmp_path / "out.jsonl"),
    )
    assert ran.code == 0, ran
    found = [
        json.loads(line)
        for line in (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert [(row["id"], row["value"]) for row in found] == [(0, 1.0), (1, 0.0), (2, 0.0), (3, 1.0)]


def test_a_row_without_a_test_is_a_bad_line(steelyard: Commands, tmp_path: Path) -> None:
    rows = [
        {"response": FENCED, "metadata": ABOUT},
        {"response": FENCED, "metadata": {"entry_point": "add"}},
    ]
    ran = steelyard("score", "--scorer", "code_sandbox", write(tmp_path / "rows.jsonl", rows))
    assert ran.code == 2
    assert "_test" in ran.err


def test_a_missing_sandbox_is_told_before_the_first_row(
    steelyard: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("steelyard.sandbox.opening._shared", {})
    output = tmp_path / "out.jsonl"
    file = write(tmp_path / "rows.jsonl", [{"response": FENCED, "metadata": ABOUT}])
    ran = steelyard("score", "--scorer", "code_sandbox", file, "-o", str(output))
    assert ran.code == 2
    assert "bubblewrap is not installed" in ran.err
    assert not output.exists()


def test_worker_processes_each_have_a_sandbox(steelyard: Commands, tmp_path: Path) -> None:
    padding = "x" * 400_000
    rows = [{"response": FENCED, "metadata": {**ABOUT, "padding": padding}} for _ in range(6)]
    file = write(tmp_path / "rows.jsonl", rows)
    assert os.path.getsize(file) > 1_000_000
    ran = steelyard("score", "--scorer", "code_sandbox", "--workers", "2", "--json", file)
    assert ran.code == 0, ran
    assert json.loads(ran.out)["mean"] == 1.0
