"""``steelyard code``: exit codes, what is printed, rows, and options that do not go together."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from commands import Commands

TASK = {
    "kind": "function",
    "entry_point": "add",
    "cases": [[[1, 2], 3], [[2, 2], 4]],
    "limits": {"wall_s": 5},
}
GOOD = "def add(a, b): return a + b\n"
BAD = "import sys\nprint('one\\x1b[2J', file=sys.stderr)\ndef add(a, b): return a * b\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "task.json").write_text(json.dumps(TASK))
    (tmp_path / "good.py").write_text(GOOD)
    (tmp_path / "bad.py").write_text(BAD)
    return tmp_path


def write_rows(folder: Path, *rows: Any) -> Path:
    path = folder / "rows.jsonl"
    path.write_text(
        "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows)
    )
    return path


def test_a_verdict_for_a_reader(steelyard: Commands, folder: Path) -> None:
    ran = steelyard("code", "grade", "--task", folder / "task.json", "--program", folder / "bad.py")
    assert ran.code == 0, ran.err
    lines = ran.out.splitlines()
    assert lines[0] == "wrong_answer  case 1: returned 2, which is not the expected value"
    assert lines[2].split() == ["test", "verdict", "value", "time", "why"]
    assert lines[4].split()[:4] == ["case", "2", "accepted", "1.00"]
    assert "one␛[2J" in ran.out
    assert "\x1b" not in ran.out
    assert "bubblewrap" in ran.out


def test_a_verdict_as_json(steelyard: Commands, folder: Path) -> None:
    ran = steelyard(
        "code", "grade", "--task", folder / "task.json", "--program", folder / "good.py", "--json"
    )
    found = json.loads(ran.out)
    assert (ran.code, found["passed"], found["verdict"], found["value"]) == (
        0,
        True,
        "accepted",
        1.0,
    )
    assert [(test["name"], test["passed"]) for test in found["tests"]] == [
        ("case 1", True),
        ("case 2", True),
    ]
    assert found["sandbox"]["backend"] == "bubblewrap"
    assert found["sandbox"]["unsafe"] is False


def test_a_program_from_standard_input(steelyard: Commands, folder: Path) -> None:
    ran = steelyard(
        "code",
        "grade",
        "--task",
        folder / "task.json",
        "--program",
        "-",
        "--json",
        stdin=GOOD.encode(),
    )
    assert json.loads(ran.out)["passed"] is True


def test_rows_are_graded_in_order(steelyard: Commands, folder: Path) -> None:
    rows = write_rows(
        folder,
        {"task": "task.json", "program": "good.py", "id": "a"},
        "",
        {"task": TASK, "source": BAD},
        {"task": "task.json", "source": "\ud800", "id": ["x"]},
    )
    ran = steelyard("code", "grade", "--jsonl", rows, "--workers", "2")
    assert ran.code == 0, ran.err
    found = [json.loads(line) for line in ran.out.splitlines()]
    assert [(row["id"], row["line"], row["verdict"]) for row in found] == [
        ("a", 1, "accepted"),
        (3, 3, "wrong_answer"),
        (["x"], 4, "runtime_error"),
    ]
    assert "graded / total  3 / 3" in ran.err


def test_rows_to_a_file_and_counts_as_json(steelyard: Commands, folder: Path) -> None:
    rows = write_rows(folder, {"program": "good.py"}, {"program": "bad.py"})
    ran = steelyard(
        "code",
        "grade",
        "--task",
        folder / "task.json",
        "--jsonl",
        rows,
        "-o",
        folder / "out.jsonl",
        "--json",
    )
    counts = json.loads(ran.out)
    assert (counts["total"], counts["graded"], counts["passed"]) == (2, 2, 1)
    assert counts["verdicts"] == {"accepted": 1, "wrong_answer": 1}
    assert len((folder / "out.jsonl").read_text().splitlines()) == 2


def test_rows_from_standard_input(
    steelyard: Commands, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    line = json.dumps({"task": "task.json", "program": "good.py"}).encode()
    ran = steelyard("code", "grade", "--jsonl", "-", "--quiet", stdin=line)
    assert (ran.code, json.loads(ran.out)["passed"], ran.err) == (0, True, "")


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("{", "rows.jsonl:2: not JSON"),
        ("[]", "rows.jsonl:2: a row is an object"),
        ({"program": "good.py"}, "rows.jsonl:2: task: is missing"),
        ({"task": "task.json"}, 'rows.jsonl:2: a row has either "program"'),
        (
            {"task": "task.json", "program": "good.py", "source": ""},
            'rows.jsonl:2: a row has either "program"',
        ),
        ({"task": "task.json", "program": 3}, "rows.jsonl:2: program: must be a string, not 3"),
        ({"task": "task.json", "source": None}, "rows.jsonl:2: source: must be a string, not null"),
        ({"task": "task.json", "program": "none.py"}, "rows.jsonl:2: program: "),
        (
            {"task": "task.json", "progam": "good.py"},
            "rows.jsonl:2: progam: is not known in a row; did you mean 'program'?",
        ),
        ({"task": "none.json", "program": "good.py"}, "none.json: there is no such file"),
        ({"task": {"kind": "x"}, "program": "good.py"}, "rows.jsonl:2: task: kind: cannot be 'x'"),
    ],
)
def test_a_bad_row_is_told_before_anything_runs(
    row: Any, told: str, steelyard: Commands, folder: Path
) -> None:
    rows = write_rows(folder, {"task": "task.json", "program": "good.py"}, row)
    ran = steelyard("code", "grade", "--jsonl", rows)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ((), "give --task FILE and --program FILE"),
        (("--task", "{}/task.json"), "give --task FILE and --program FILE"),
        (("--task", "{}/none.json", "--program", "{}/good.py"), "none.json: there is no such file"),
        (("--task", "{}/task.json", "--program", "{}/none.py"), "none.py: there is no such file"),
        (("--task", "{}/good.py", "--program", "{}/good.py"), "good.py:1: not JSON"),
        (
            ("--task", "{}/task.json", "--program", "{}/good.py", "--output", "x.jsonl"),
            "--output goes with --jsonl",
        ),
        (
            ("--task", "{}/task.json", "--program", "{}/good.py", "--image", "x"),
            "--image goes with --sandbox docker",
        ),
        (
            ("--task", "{}/task.json", "--program", "{}/good.py", "--runtime", "x"),
            "--runtime goes with --sandbox docker",
        ),
        (
            ("--sandbox", "docker", "--unsafe-no-sandbox"),
            "--unsafe-no-sandbox does not go with --sandbox",
        ),
        (("--jsonl", "{}/none.jsonl"), "none.jsonl: there is no such file"),
        (
            ("--jsonl", "{}/none.jsonl", "--program", "{}/good.py"),
            "--program does not go with --jsonl",
        ),
        (("--jsonl", "{}/empty.jsonl"), "there are no rows"),
        (("--jsonl", "{}/rows.jsonl", "--output", "{}/x.parquet"), "are written as JSON Lines"),
        (("--jsonl", "{}/rows.jsonl", "--output", "{}/rows.jsonl"), "it is never written over"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    args: tuple[str, ...], told: str, steelyard: Commands, folder: Path
) -> None:
    (folder / "empty.jsonl").write_text("\n")
    write_rows(folder, {"task": "task.json", "program": "good.py"})
    ran = steelyard("code", "grade", *(arg.replace("{}", str(folder)) for arg in args))
    assert (ran.code, ran.out) == (2, ""), ran.err
    assert told in ran.err
    assert len(ran.err.splitlines()) == 1


def test_without_a_sandbox_nothing_runs(
    steelyard: Commands, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(folder))
    marker = folder / "ran"
    (folder / "good.py").write_text(f"open({str(marker)!r}, 'w')\n{GOOD}")
    ran = steelyard(
        "code", "grade", "--task", folder / "task.json", "--program", folder / "good.py"
    )
    assert (ran.code, ran.out) == (2, "")
    assert "bubblewrap is not installed; install it" in ran.err
    assert len(ran.err.splitlines()) == 1
    assert not marker.exists()


def test_a_language_that_is_not_there_is_told(
    steelyard: Commands, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from steelyard.grading import language

    table = {"klingon": language.Language(file="p.kl", run=("klingon", "p.kl"))}
    for module in ("build", "task", "language"):
        monkeypatch.setattr(f"steelyard.grading.{module}.languages", lambda: table)
    (folder / "task.json").write_text(
        '{"kind": "stdio", "language": "klingon", "cases": [["", ""]]}'
    )
    ran = steelyard(
        "code", "grade", "--task", folder / "task.json", "--program", folder / "good.py"
    )
    assert ran.code == 2
    assert "tasks in klingon need klingon" in ran.err


def test_no_sandbox_must_be_typed_and_is_in_every_result(steelyard: Commands, folder: Path) -> None:
    rows = write_rows(folder, {"task": "task.json", "program": "good.py"})
    ran = steelyard("code", "grade", "--jsonl", rows, "--unsafe-no-sandbox")
    found = json.loads(ran.out)
    assert (found["sandbox"]["backend"], found["sandbox"]["unsafe"]) == ("none", True)
    assert "warning: programs run without a sandbox" in ran.err
    shown = steelyard(
        "code",
        "grade",
        "--task",
        folder / "task.json",
        "--program",
        folder / "good.py",
        "--unsafe-no-sandbox",
    )
    assert "UNSAFE" in shown.out


def test_a_checker_that_fails_leaves_exit_code_3(steelyard: Commands, folder: Path) -> None:
    task = {
        "kind": "stdio",
        "checker": {"source": "def check(a, b, c): return 7"},
        "cases": [["", ""]],
    }
    (folder / "task.json").write_text(json.dumps(task))
    ran = steelyard(
        "code", "grade", "--task", folder / "task.json", "--program", folder / "good.py", "--json"
    )
    assert (ran.code, json.loads(ran.out)["passed"]) == (3, None)
    rows = write_rows(folder, {"task": "task.json", "program": "good.py"})
    many = steelyard("code", "grade", "--jsonl", rows, "-o", folder / "o.jsonl")
    assert many.code == 3
    assert "graded / total  0 / 1" in many.out


def test_the_sandbox_can_be_checked(steelyard: Commands) -> None:
    ran = steelyard("code", "check")
    assert ran.code == 0
    assert "held  network" in ran.out
    probes = json.loads(steelyard("code", "check", "--json").out)["probes"]
    assert len(probes) > 5
    assert all(probe["held"] for probe in probes)


def test_without_a_sandbox_there_is_nothing_to_check(
    steelyard: Commands, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert steelyard("code", "check", "--unsafe-no-sandbox").code == 2
    monkeypatch.setenv("PATH", str(folder))
    ran = steelyard("code", "check")
    assert (ran.code, ran.out) == (2, "")
    assert "bubblewrap is not installed" in ran.err


def _heeding() -> None:
    signal.signal(
        signal.SIGINT, signal.SIG_DFL
    )  # what a shell starts in the background is told to ignore it


@pytest.mark.slow
def test_ctrl_c_ends_it_at_once_and_leaves_nothing(folder: Path) -> None:
    rows = write_rows(
        folder, *[{"task": "task.json", "source": "import time\ndef add(a, b): time.sleep(4)"}] * 6
    )
    command = [
        sys.executable,
        "-m",
        "steelyard",
        "code",
        "grade",
        "--jsonl",
        str(rows),
        "-q",
        "--workers",
        "2",
    ]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=_heeding
    ) as process:
        time.sleep(2.5)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=30)
    assert (process.returncode, told) == (130, b"")
