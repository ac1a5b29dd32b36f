"""``steelyard code humaneval``: the numbers, what is missing, and the file of results."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import Commands

PROBLEM = {
    "prompt": "def add(a, b):\n",
    "entry_point": "add",
    "canonical_solution": "    return a + b\n",
    "test": "def check(candidate):\n    assert candidate(1, 2) == 3\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    tasks = [{"task_id": f"T/{n}", **PROBLEM} for n in range(3)]
    (tmp_path / "tasks.jsonl").write_text("\n".join(map(json.dumps, tasks)))
    rows = [
        ("T/0", "    return a + b"),
        ("T/0", "    return 0"),
        ("T/1", "    return b + a"),
        ("T/1", "    import os; os._exit(0)"),
    ]
    lines = [json.dumps({"task_id": task, "completion": text}) for task, text in rows]
    (tmp_path / "c.jsonl").write_text("\n".join(lines))
    return tmp_path


def test_the_numbers_and_the_results(steelyard: Commands, folder: Path) -> None:
    ran = steelyard(
        "code",
        "humaneval",
        "--completions",
        folder / "c.jsonl",
        "--data",
        folder / "tasks.jsonl",
        "--k",
        "2,1",
        "--json",
        "-o",
        folder / "out.jsonl",
    )
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)
    assert [(one["k"], one["value"], one["tasks"], one["total"]) for one in found["pass_at_k"]] == [
        (1, 0.5, 2, 3),
        (2, 1.0, 2, 3),
    ]
    assert (found["missing"], found["completions"]) == (["T/2"], 4)
    assert [(task["task_id"], task["n"], task["c"]) for task in found["tasks"]] == [
        ("T/0", 2, 1),
        ("T/1", 2, 1),
    ]
    results = [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]
    assert [(row["task_id"], row["line"], row["verdict"], row["passed"]) for row in results] == [
        ("T/0", 1, "accepted", True),
        ("T/0", 2, "wrong_answer", False),
        ("T/1", 3, "accepted", True),
        ("T/1", 4, "no_result", False),
    ]
    assert all(row["sandbox"]["backend"] == "bubblewrap" for row in results)


def test_all_tasks_passed_once_has_wilsons_interval(steelyard: Commands, tmp_path: Path) -> None:
    names = [f"T/{n}" for n in range(20)]
    tasks = [{"task_id": name, **PROBLEM} for name in names]
    rows = [{"task_id": name, "completion": "    return a + b"} for name in names]
    for file, lines in (("tasks.jsonl", tasks), ("c.jsonl", rows)):
        (tmp_path / file).write_text("\n".join(map(json.dumps, lines)))
    given = ("--completions", tmp_path / "c.jsonl", "--data", tmp_path / "tasks.jsonl")
    ran = steelyard("code", "humaneval", *given, "--k", "1")
    assert ran.code == 0, ran.err
    assert ran.out.splitlines()[1].split()[:4] == ["pass@1", "1.0000", "[0.8389,", "1.0000]"]


def test_a_table_for_a_reader(steelyard: Commands, folder: Path) -> None:
    ran = steelyard(
        "code", "humaneval", "--completions", folder / "c.jsonl", "--data", folder / "tasks.jsonl"
    )
    assert ran.code == 0, ran.err
    assert ran.out.splitlines()[1].split() == [
        "pass@1",
        "0.5000",
        "[0.2456,",
        "0.7544]",
        "2",
        "/",
        "3",
        "0.3333",
        "to",
        "0.6667",
    ]
    assert "pass@10        –" in ran.out
    assert "without a completion: T/2" in ran.out


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("--k", "0"), "--k 0: whole numbers above 0 are needed"),
        (("--k", "1,x"), "--k 1,x: whole numbers"),
        (("--k", ""), "whole numbers"),
        (("--timeout", "0"), "--timeout"),
        (("--completions", "{}/none.jsonl"), "none.jsonl: there is no such file"),
        (("--completions", "{}/empty.jsonl"), "there are no completions in it"),
        (("--data", "{}/empty.jsonl"), "there are no tasks in it"),
        (("--json", "--output", "-"), "both want standard output"),
        (("--output", "{}/c.jsonl"), "never written over"),
        (("--image", "x"), "--image goes with --sandbox docker"),
    ],
)
def test_bad_input_is_told_and_nothing_runs(
    args: tuple[str, ...], told: str, steelyard: Commands, folder: Path
) -> None:
    (folder / "empty.jsonl").write_text("")
    given = {"--completions": "{}/c.jsonl", "--data": "{}/tasks.jsonl"}
    filled = [arg.replace("{}", str(folder)) for arg in (*sum(given.items(), ()), *args)]
    ran = steelyard("code", "humaneval", *filled)
    assert (ran.code, ran.out) == (2, ""), ran.err
    assert told in ran.err
