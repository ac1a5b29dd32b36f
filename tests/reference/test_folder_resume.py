"""Runs that are killed, and taken up again: nothing is lost, nothing is done twice, nothing stale is trusted."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from reference.folders import Folders
from steelyard.batch.reference import Settings
from steelyard.errors import DataError

COMMAND = [sys.executable, "-c", "from steelyard.cli import main; main()", "reference", "score"]
SLOW = """
import os, time

def slow(got, want):
    with open(os.environ["SCORED"], "a") as file:
        file.write(got + "\\n")
    time.sleep(float(os.environ.get("PAUSE", "0")))
    return got == want
"""
COUNT = 40


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    """One fuzzy question a problem; its entry is its number, so that the metric's log tells what was scored."""
    made = Folders(tmp_path)
    made.put("", "slow.py", SLOW.encode())
    for n in range(COUNT):
        made.refer(f"2003-{n}", {"1": "<fuzzy>x"})
        made.solve(f"2003-{n}", {"1": str(n)})
    return made


def run(folders: Folders, *extra: object, log: str, pause: float = 0) -> subprocess.Popen[bytes]:
    env = {**os.environ, "SCORED": str(folders.root / log), "PAUSE": str(pause)}
    args = [*folders.args(), "--fuzzy", "slow.py:slow", "--json", *map(str, extra)]
    return subprocess.Popen(
        [*COMMAND, *args],
        cwd=folders.root,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def scored(folders: Folders, log: str) -> list[int]:
    path = folders.root / log
    return sorted(int(line) for line in path.read_text().split()) if path.exists() else []


def done(folders: Folders) -> set[int]:
    return {
        int(path.name.split("-")[1].split("_")[0])
        for path in (folders.root / "out").glob("*_scores.json")
    }


def wait_for(folders: Folders, count: int) -> None:
    deadline = time.monotonic() + 60
    while len(done(folders)) < count and time.monotonic() < deadline:
        time.sleep(0.005)


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_run_is_taken_up(workers: int, folders: Folders) -> None:
    before: set[int] = set()
    folders.put("out", "summary.json", b"of an earlier run")
    for attempt, count in enumerate((3, 10, 20)):
        process = run(folders, "--workers", workers, log=f"log{attempt}", pause=0.02)
        wait_for(folders, count)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=60)
        assert process.returncode == -signal.SIGKILL
        assert not set(scored(folders, f"log{attempt}")) & before
        assert not (folders.root / "out" / "summary.json").exists()
        assert before <= done(folders)
        before = done(folders)
    assert 20 <= len(before) < COUNT
    process = run(folders, "--workers", workers, log="last")
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert scored(folders, "last") == sorted(set(range(COUNT)) - before)
    summary = json.loads(out)
    assert (summary["total"], summary["scored"], summary["reused"]) == (COUNT, COUNT, len(before))
    assert {path.suffix or path.name for path in (folders.root / "out").iterdir()} == {
        ".json",
        ".lock",
    }


def test_ctrl_c_keeps_what_is_whole(folders: Folders) -> None:
    process = run(folders, "--workers", 2, log="log", pause=0.02)
    wait_for(folders, 5)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    summary = json.loads(out)
    assert summary["interrupted"]
    assert summary["total"] == COUNT == summary["scored"] + summary["unscored"]
    assert summary["scored"] == len(done(folders)) < COUNT
    assert b"Traceback" not in err


def again(folders: Folders, *extra: object) -> list[int]:
    """Score again, and tell what was really scored."""
    (folders.root / "again").unlink(missing_ok=True)
    process = run(folders, *extra, log="again")
    _, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    return scored(folders, "again")


def test_only_a_whole_score_of_the_same_things_is_done(folders: Folders) -> None:
    assert again(folders) == list(range(COUNT))
    assert again(folders) == []
    out = folders.root / "out"
    whole = (out / "2003-1_scores.json").read_bytes()
    (out / "2003-1_scores.json").write_bytes(whole[: len(whole) // 2])
    (out / "2003-2_scores.json").write_bytes(b"")
    edited = (out / "2003-3_scores.json").read_text()
    (out / "2003-3_scores.json").write_text(edited.replace('"value": 0.0', '"value": 1.0'))
    (out / "2003-4_scores.json").write_bytes(whole)
    (out / "2003-5_scores.json").unlink()
    folders.solve("2003-6", {"1": "6"}, explanation="now with one")
    folders.refer("2003-7", {"1": "<fuzzy>y"})
    (folders.root / "solutions" / "2003-8_solution.json").unlink()
    folders.refer("2004-1", {"1": "<fuzzy>x"})
    folders.solve("2004-1", {"1": "99"})
    assert again(folders) == [1, 2, 3, 4, 5, 6, 7, 99]
    assert folders.record("2003-3")["value"] == 0.0
    assert folders.record("2003-8")["state"] == "missing"
    assert again(folders) == []


@pytest.mark.slow
def test_other_settings_are_not_done(folders: Folders) -> None:
    again(folders)
    everything = list(range(COUNT))
    assert again(folders, "--explanation-weight", "0.25") == everything
    assert again(folders, "--overwrite", "--explanation-weight", "0.25") == everything
    assert again(folders, "--explanation-weight", "0.25", "--malformed", "skip") == everything
    folders.put("", "slow.py", SLOW.replace("got == want", "True").encode())
    assert again(folders, "--explanation-weight", "0.25", "--malformed", "skip") == everything
    assert folders.record("2003-0")["value"] == 1.0


def test_what_could_not_be_scored_is_tried_again(tmp_path: Path) -> None:
    folders = Folders(tmp_path)
    folders.refer("2003-1", {"1": "<fuzzy>a dog"})
    folders.solve("2003-1", {"1": "one dog"})
    said = {"ask": "equivalent", "reference": "a dog", "entry": "other", "value": True}
    judge = folders.put("", "judge.jsonl", said)
    first = folders.score(Settings(), judge=str(judge))
    assert (first.unscored, first.mean, first.exit_code) == (1, None, 1)
    assert "no verdict is recorded for the entry 'one dog'" in first.problems[0].reason
    assert folders.score(Settings(), judge=str(judge)).reused == 0
    folders.put("", "judge.jsonl", {**said, "entry": "one dog"})
    assert folders.score(Settings(), judge=str(judge)).mean == 1.0
    assert folders.score(Settings(), judge=str(judge)).reused == 1


def test_one_run_at_a_time_writes_to_a_folder(folders: Folders) -> None:
    process = run(folders, "--workers", 1, log="log", pause=0.05)
    try:
        wait_for(folders, 1)
        with pytest.raises(DataError, match="another run is writing"):
            folders.score()
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=60)
    assert folders.score().total == COUNT
