"""``steelyard score``, ``explain`` and ``lint`` with specs that run programs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from commands import Commands
from docker_daemon import IMAGE, docker_address
from spec.programs import RIGHT, SCRIPT, TASK, by_script, suite

SHARED = ("--truth", "truth.json", "--time-used", "0")
ONE = ("--spec", "spec.json", "--submission", "submission.json", *SHARED)


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A spec with tests, its truth and a submission in the current folder."""
    monkeypatch.chdir(tmp_path)
    write("spec.json", suite())
    write("truth.json", {"suite": TASK})
    write("submission.json", {"code": "def f(x): return 1"})


def write(name: str, content: Any) -> None:
    Path(name).write_text(json.dumps(content), encoding="utf-8")


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No program can be found, so neither can a sandbox."""
    monkeypatch.setenv("PATH", str(tmp_path))


def test_one_submission_as_json(steelyard: Commands) -> None:
    ran = steelyard("score", *ONE, "--json")
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)
    assert (found["score"], found["verdicts"]) == (
        800,
        {"correctness": "wrong_answer", "edge": "accepted"},
    )
    assert found["tests"]["edge"] == [
        {"name": "case 2", "verdict": "accepted", "value": 1, "weight": 3, "reason": ""}
    ]
    assert (found["sandbox"]["backend"], found["sandbox"]["unsafe"]) == ("bubblewrap", False)
    told = json.loads(steelyard("explain", *ONE, "--json").out)
    assert told["verdicts"] == found["verdicts"]


def test_one_submission_for_people(steelyard: Commands) -> None:
    ran = steelyard("score", *ONE)
    assert "1 of 1 tests passed" in ran.out
    assert "sandbox  bubblewrap" in ran.out
    told = steelyard("explain", *ONE)
    assert "tests: code with suite" in told.out
    assert "sandbox   bubblewrap" in told.out


@pytest.mark.parametrize("command", ["score", "explain"])
def test_no_sandbox_has_to_be_typed_and_is_told(command: str, steelyard: Commands) -> None:
    ran = steelyard(command, *ONE, "--unsafe-no-sandbox")
    assert ran.code == 0
    assert "warning: programs run without a sandbox" in ran.err
    assert "none: the programs ran with all rights" in ran.out
    found = json.loads(steelyard(command, *ONE, "--unsafe-no-sandbox", "--json").out)
    assert (found["score"], found["sandbox"]["unsafe"]) == (800, True)


@pytest.mark.usefixtures("nothing_installed")
@pytest.mark.parametrize(
    "command",
    [
        ("score", *ONE),
        ("explain", *ONE),
        ("lint", "spec.json", "--truth", "truth.json"),
        ("score", "--spec", "spec.json", *SHARED, "rows.jsonl", "--output", "out.jsonl"),
    ],
)
def test_a_missing_sandbox_is_an_error_before_anything_is_scored(
    command: tuple[str, ...], steelyard: Commands
) -> None:
    write("rows.jsonl", {"id": 1, "submission": {"code": RIGHT}})
    ran = steelyard(*command)
    assert (ran.code, ran.out) == (2, "")
    assert "error: bubblewrap is not installed" in ran.err
    assert not Path("out.jsonl").exists()


@pytest.mark.usefixtures("nothing_installed")
def test_a_spec_that_runs_nothing_needs_no_sandbox(steelyard: Commands) -> None:
    write(
        "spec.json",
        {
            "profile": "free",
            "dimensions": [{"name": "a", "weight": 1, "primitive": "exact_match", "field": "code"}],
        },
    )
    write("truth.json", {"code": "def f(x): return 1"})
    found = json.loads(steelyard("score", *ONE, "--json").out)
    assert found["score"] == 1000
    assert not {"sandbox", "tests", "verdicts"} & set(found)


@pytest.mark.slow
@pytest.mark.parametrize("rows", [3, 3000])
def test_many_submissions(rows: int, steelyard: Commands) -> None:
    programs = [RIGHT, "def f(x): return 1", ""]
    # Beyond some size several processes score, each with a sandbox of its own; most rows run nothing here.
    padding = " " * 2000 if rows > 3 else ""
    lines = [
        {"id": n, "submission": {"code": programs[n] if n < 3 else None, "notes": padding}}
        for n in range(rows)
    ]
    Path("rows.jsonl").write_text("\n".join(map(json.dumps, lines)))
    ran = steelyard(
        "score",
        "--spec",
        "spec.json",
        *SHARED,
        "rows.jsonl",
        "--output",
        "out.jsonl",
        "--workers",
        2,
    )
    assert ran.code == 0, ran.err
    found = [json.loads(line) for line in Path("out.jsonl").read_text().splitlines()]
    assert [row["detail"]["score"] for row in found] == [1000, 800, *[0] * (rows - 2)]
    assert {row["detail"]["sandbox"]["unsafe"] for row in found} == {False}


def test_rows_without_a_sandbox_say_so_each(steelyard: Commands) -> None:
    write("rows.jsonl", {"id": 1, "submission": {"code": RIGHT}})
    ran = steelyard(
        "score",
        "--spec",
        "spec.json",
        *SHARED,
        "rows.jsonl",
        "--output",
        "-",
        "--unsafe-no-sandbox",
    )
    assert "warning: programs run without a sandbox" in ran.err
    assert json.loads(ran.out)["detail"]["sandbox"]["unsafe"] is True


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ((*ONE, "--sandbox", "docker", "--unsafe-no-sandbox"), "choose one"),
        ((*ONE, "--image", "x"), "--image goes with --sandbox docker"),
        (
            ("--scorer", "exact_match", "rows.jsonl", "--unsafe-no-sandbox"),
            "does not go with --scorer",
        ),
    ],
)
def test_options_that_do_not_go_together(
    args: tuple[str, ...], told: str, steelyard: Commands
) -> None:
    ran = steelyard("score", *args)
    assert ran.code == 2
    assert told in ran.err


def test_the_evaluators_failure_is_no_score(steelyard: Commands) -> None:
    write("spec.json", by_script("def score(submission, truth):\n    return {'a': 1001, 'b': 0}\n"))
    ran = steelyard("score", *ONE)
    assert ran.code == 1
    assert "the evaluator failed: what it gave for 'a' is not a number from 0 to 1000" in " ".join(
        ran.out.split()
    )


@pytest.mark.parametrize(
    ("source", "code"), [(SCRIPT, 0), (SCRIPT.replace("250", "hash('b') % 1000"), 1)]
)
def test_lint_tries_a_script_on_another_day(source: str, code: int, steelyard: Commands) -> None:
    Path("own.py").write_text(source)
    write("spec.json", by_script({"file": "own.py"}))
    write("truth.json", {"x": 17})
    ran = steelyard("lint", "spec.json", "--truth", "truth.json", "--json")
    assert ran.code == code, ran.out
    assert ("not deterministic" in ran.out) is bool(code)


def test_a_row_scorer_may_be_given_one_task_for_all(steelyard: Commands) -> None:
    write("task.json", TASK)
    write("rows.jsonl", {"id": 1, "response": RIGHT})
    ran = steelyard(
        "score",
        "--scorer",
        "tests",
        "--param",
        "task=@task.json",
        "rows.jsonl",
        "--output",
        "-",
        "--quiet",
    )
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["correct"] is True


@pytest.mark.parametrize("scorer", ["code_sandbox", "tests"])
def test_a_missing_sandbox_ends_every_scorer_alike(scorer: str, tmp_path: Path) -> None:
    write("task.json", TASK)
    write("rows.jsonl", {"id": 1, "response": RIGHT})
    with_task = ["--param", "task=@task.json"] if scorer == "tests" else []
    ran = subprocess.run(
        [sys.executable, "-m", "steelyard", "score", "--scorer", scorer, "rows.jsonl", *with_task],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PATH": str(tmp_path)},
    )
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "bubblewrap is not installed" in ran.stderr


@pytest.fixture
def in_docker(monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    """The options with which programs run in containers of the daemon that the tests have."""
    monkeypatch.setenv("DOCKER_HOST", docker_address())
    return "--sandbox", "docker", "--image", IMAGE


@pytest.mark.slow
def test_the_same_in_docker(in_docker: tuple[str, ...], steelyard: Commands) -> None:
    found = json.loads(steelyard("score", *ONE, "--json", *in_docker).out)
    assert (found["score"], found["sandbox"]["backend"]) == (800, "docker")
    write("spec.json", by_script())
    write("truth.json", {"x": 17})
    ran = steelyard("lint", "spec.json", "--truth", "truth.json", *in_docker)
    assert ran.code == 0, ran.out
    write("rows.jsonl", {"id": 1, "submission": {"x": 17}})
    ran = steelyard(
        "score", "--spec", "spec.json", *SHARED, "rows.jsonl", "--output", "-", *in_docker
    )
    assert json.loads(ran.out)["detail"]["score"] == 625
