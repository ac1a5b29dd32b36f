"""A user's scorer that never ends, eats memory or ends its process costs its sample, and the run comes to its end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from runs.support import results, rows
from steelyard.runs.apart import Apart
from steelyard.score import full, unscored
from steelyard.scoring.types import ScorerInput

BENCH = """
import os
from steelyard import exact_match, scorer
from steelyard.bench import benchmark

ROWS = [{"id": f"r{n}", "q": f"Say {n}.", "target": str(n)} for n in range(40)]


@benchmark(name="own", dataset=ROWS, prompt="{q}", target_field="target")
@scorer
def own(sample):
    print("what a scorer prints")
    BAD
    return exact_match(sample)
"""
FATES = {
    "while sample.response == '7': pass": "the scorer took longer than 1.5 seconds",
    "os._exit(3) if sample.response == '7' else 0": "the scorer ended its process with exit code 3",
    "os.kill(os.getpid(), 11) if sample.response == '7' else 0": "the scorer ended its process by signal 11",
    "x = bytearray(2**50) if sample.response == '7' else 0": "the scorer failed: MemoryError",
    "if sample.response == '7': raise KeyboardInterrupt": "the scorer failed: KeyboardInterrupt",
    "if sample.response == '7': raise SystemExit(0)": "the scorer failed: SystemExit: 0",
}


def run(folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own: only one without threads can be forked."""
    (folder / "replies.jsonl").write_text(
        "".join(json.dumps({"id": f"r{n}", "text": str(n)}) + "\n" for n in range(40))
    )
    command = [
        sys.executable,
        "-m",
        "steelyard",
        "eval",
        "run",
        "--bench",
        "own.py",
        "--recorded",
        "replies.jsonl",
        "--output",
        "out",
        "--scorer-timeout",
        "1.5",
        *more,
    ]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.slow
@pytest.mark.parametrize("bad", FATES)
def test_the_sample_is_unscored_and_the_others_are_scored(tmp_path: Path, bad: str) -> None:
    (tmp_path / "own.py").write_text(BENCH.replace("BAD", bad), encoding="utf-8")
    done = run(tmp_path)
    assert done.returncode == 3, done.stderr
    assert "what a scorer prints" in done.stderr
    assert "what a scorer prints" not in done.stdout
    scored = rows(tmp_path / "out" / "scores.jsonl")
    assert [row["key"] for row in scored if row["value"] is None] == ["7.0"]
    assert scored[7]["reason"].startswith(FATES[bad])
    assert results(tmp_path / "out")["headline"]["correct"] == 39


@pytest.mark.slow
def test_rescoring_keeps_to_the_time_limit_of_the_run(tmp_path: Path) -> None:
    slow = "import time; time.sleep(4 if sample.response == '7' else 0)"
    (tmp_path / "own.py").write_text(BENCH.replace("BAD", slow), encoding="utf-8")
    assert run(tmp_path).returncode == 3
    command = [sys.executable, "-m", "steelyard", "eval", "rescore", "out", "--output", "again"]
    subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=60, check=False)
    assert rows(tmp_path / "again" / "scores.jsonl") == rows(tmp_path / "out" / "scores.jsonl")


def test_a_process_that_is_killed_leaves_nobody_behind() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", LEFT_BEHIND], stderr=subprocess.PIPE, text=True
    ) as started:
        assert started.stderr is not None
        scoring = int(started.stderr.readline())
        started.send_signal(signal.SIGKILL)
    for _ in range(100):
        if not _lives(scoring):
            return
        time.sleep(0.05)
    pytest.fail("the process that scores is still there")


LEFT_BEHIND = """
import os
from steelyard.runs.apart import Apart
from steelyard.scoring.types import ScorerInput

def endless(sample):
    os.write(2, f"{os.getpid()}\\n".encode())
    while True:
        pass

Apart(endless, 60).batch([ScorerInput("x")])
"""


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    # One that has ended and was not asked for is listed still.
    return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[:1]


def test_scores_come_in_the_order_of_the_samples_whatever_happens_among_them() -> None:
    def score(sample: ScorerInput) -> object:
        if sample.response == "end":
            os._exit(1)
        if sample.response == "slow":
            time.sleep(0.06)
        return full(sample.response)

    apart = Apart(score, 5)  # type: ignore[arg-type]
    said = ["a", "slow", "b", "end", "c", "end", "end", "d", "slow"]
    found = apart.batch([ScorerInput(word) for word in said])
    assert [one.reason for one in found] == [
        word if word != "end" else "the scorer ended its process with exit code 1" for word in said
    ]
    apart.close()
    assert apart.batch([ScorerInput("x")]) == [unscored("the process that scores has ended")]


def test_a_score_that_cannot_be_handed_over_costs_its_sample_alone() -> None:
    def score(sample: ScorerInput) -> object:
        return full(
            sample.response, detail={"evidence": (lambda: 1) if sample.response == "odd" else 1}
        )

    apart = Apart(score, 5)  # type: ignore[arg-type]
    found = apart.batch([ScorerInput(word) for word in ("a", "odd", "b")])
    apart.close()
    assert [one.value for one in found] == [1.0, None, 1.0]
    assert found[1].reason.startswith("the scorer failed: ")
