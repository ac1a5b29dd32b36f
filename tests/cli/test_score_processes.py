"""``steelyard score`` as the shell runs it: worker processes, Ctrl-C, pipes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

COMMAND = [sys.executable, "-c", "from steelyard.cli import main; main()", "score"]
OWN = """
import os, time
from steelyard import scorer

def helper(sample):
    return sample.response.endswith(sample.target)

@scorer
def ends(sample, *, pause=0.0):
    time.sleep(pause)
    return {"correct": helper(sample), "worker": os.getpid()} if pause else {"correct": helper(sample)}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file large enough for several workers, with some bad lines, and a scorer of one's own."""
    path = tmp_path_factory.mktemp("processes")
    with (path / "big.jsonl").open("w") as file:
        for n in range(20_000):
            row = {
                "id": f"q{n}",
                "response": "so much for that, and so the answer is " + str(n),
                "target": str(n % 7),
                "metadata": {"category": f"c{n % 5}", "note": "x" * 40},
            }
            file.write("nonsense\n" if n % 1999 == 5 else json.dumps(row) + "\n")
    (path / "own.py").write_text(OWN)
    return path


def run(folder: Path, *args: object, **options: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, *map(str, args)],
        cwd=folder,
        capture_output=True,
        timeout=120,
        check=False,
        **options,
    )


@pytest.mark.slow
@pytest.mark.parametrize("scorer", ["numeric_match", "own.py:ends"])
def test_any_number_of_workers_gives_the_same_bytes(scorer: str, folder: Path) -> None:
    seen = {}
    for workers in (1, 2):
        out = f"out{workers}.jsonl"
        how = ["-o", out, "--json", "--workers", workers, "--by", "category"]
        ran = run(folder, "--scorer", scorer, "big.jsonl", *how)
        assert ran.returncode == 2, ran.stderr
        summary = json.loads(ran.stdout)
        for changing in ("seconds", "rows_per_second", "output"):
            del summary[changing]
        seen[(folder / out).read_bytes(), json.dumps(summary), ran.stderr] = summary
    assert len(seen) == 1
    (output, _, told), summary = next(iter(seen.items()))
    assert [json.loads(line)["line"] for line in output.splitlines()] == list(range(1, 20_001))
    assert (summary["total"], summary["bad_lines"]) == (20_000, told.count(b"bad line: big.jsonl:"))
    assert summary["scored"] + summary["bad_lines"] == 20_000


def test_several_processes_share_the_work(folder: Path) -> None:
    ran = run(
        folder,
        "--scorer",
        "own.py:ends",
        "--param",
        "pause=0.0001",
        "big.jsonl",
        "-o",
        "shared.jsonl",
        "--workers",
        2,
    )
    assert ran.returncode == 2, ran.stderr
    rows = [json.loads(line) for line in (folder / "shared.jsonl").read_bytes().splitlines()]
    assert len({row["detail"]["worker"] for row in rows if "detail" in row}) == 2


def test_a_slow_scorer_of_few_rows_has_all_workers_and_is_written_as_it_goes(folder: Path) -> None:
    (folder / "few.jsonl").write_text('{"response":"x","target":"x"}\n' * 200)
    args = [
        "--scorer",
        "own.py:ends",
        "--param",
        "pause=0.2",
        "few.jsonl",
        "-o",
        "few_out.jsonl",
        "--workers",
        "2",
    ]
    process = subprocess.Popen([*COMMAND, *args, "-q"], cwd=folder, stderr=subprocess.PIPE)
    out, deadline = folder / "few_out.jsonl", time.monotonic() + 30
    while (not out.exists() or out.read_bytes().count(b"\n") < 6) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    rows = [json.loads(line) for line in out.read_bytes().splitlines()]
    assert (process.returncode, len({row["detail"]["worker"] for row in rows})) == (130, 2)
    assert 6 <= len(rows) < 150


def test_strict_with_workers_stops_at_the_same_line(folder: Path) -> None:
    ran = run(
        folder,
        "--scorer",
        "exact_match",
        "big.jsonl",
        "-o",
        "strict.jsonl",
        "--strict",
        "--workers",
        2,
    )
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert ran.stderr.startswith(b"error: big.jsonl:6: not JSON")
    assert len((folder / "strict.jsonl").read_bytes().splitlines()) == 5


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_leaves_complete_lines(workers: int, folder: Path) -> None:
    out = folder / f"cut{workers}.jsonl"
    slowly = ["--scorer", "own.py:ends", "--param", "pause=0.0005", "big.jsonl"]
    args = [*slowly, "-o", str(out), "--workers", str(workers)]
    process = subprocess.Popen(
        [*COMMAND, *args, "--json"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    deadline = time.monotonic() + 60
    while (not out.exists() or out.stat().st_size == 0) and time.monotonic() < deadline:
        time.sleep(0.01)
    # As a terminal does it: to every process of the group at once.
    os.killpg(process.pid, signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 130, stderr
    data = out.read_bytes()
    rows = [json.loads(line) for line in data.splitlines()]
    assert data.endswith(b"\n")
    assert [row["line"] for row in rows] == list(range(1, len(rows) + 1))
    summary = json.loads(stdout)
    assert summary["interrupted"]
    assert 0 < summary["total"] == len(rows) < 20_000
    assert summary["signature"]["data"] is None
    assert b"Traceback" not in stderr


def test_ctrl_c_while_waiting_for_input(folder: Path) -> None:
    command = [*COMMAND, "--scorer", "exact_match", "-"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen(command, **pipes)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    deadline = time.monotonic() + 30
    while process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    assert process.returncode == 130
    stdout, stderr = process.communicate()
    assert b"Traceback" not in stdout + stderr


def test_a_reader_that_leaves_is_no_error(folder: Path) -> None:
    command = f"exec '{COMMAND[0]}' -c '{COMMAND[2]}' score --scorer exact_match big.jsonl -q -o -"
    ran = subprocess.run(
        f"({command}) 2>err.txt | head -n 2",
        shell=True,
        cwd=folder,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert [json.loads(line)["id"] for line in ran.stdout.splitlines()] == ["q0", "q1"]
    assert "Traceback" not in (folder / "err.txt").read_text()
    assert "Exception" not in (folder / "err.txt").read_text()


def test_rows_on_standard_output_come_alone(folder: Path) -> None:
    ran = run(folder, "--scorer", "exact_match", "big.jsonl", "--limit", 5, "-o", "-")
    assert len([json.loads(line) for line in ran.stdout.splitlines()]) == 5
    assert b"scored / total  5 / 5" in ran.stderr


def test_a_bug_is_told_in_a_line_and_shown_on_demand(folder: Path) -> None:
    code = (
        "import steelyard.cli.app as app\n"
        "def broken(): raise RuntimeError('a bug')\n"
        "app.build = broken\napp.run()\n"
    )
    for debug in ("", "1"):
        ran = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "STEELYARD_DEBUG": debug},
        )
        assert ("Traceback" in ran.stderr) == bool(debug)
        assert "RuntimeError: a bug" in ran.stderr
    assert ran.returncode != 0


def test_version_and_help(folder: Path) -> None:
    from steelyard import __version__

    command = COMMAND[:-1]
    version = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)
    assert version.stdout == f"steelyard {__version__}\n"
    shown = subprocess.run([*command, "--help"], capture_output=True, text=True, check=True).stdout
    assert all(name in shown for name in ("score", "explain", "lint", "init", "schema"))
