"""A run takes hardly more memory for many samples than for few."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

BENCH = '''
from steelyard import exact_match, scorer
from steelyard.bench import benchmark


@benchmark(name="sums", dataset="problems.jsonl", prompt="{question}", target_field="target")
@scorer
def sums(sample):
    return exact_match(sample)
'''
FEW, MANY = 2_000, 40_000
MEGABYTES = 10


def peak(folder: Path, count: int) -> float:
    """The most megabytes that any process of a run over so many problems has held."""
    folder.mkdir()
    (folder / "bench.py").write_text(BENCH, encoding="utf-8")
    with (folder / "problems.jsonl").open("w") as problems, (folder / "replies.jsonl").open("w") as replies:
        for n in range(count):
            asked = f"What is {n} + {n % 97}? " + f"word{n} " * 30
            problems.write(json.dumps({"id": f"s{n}", "question": asked, "target": str(n + n % 97)}) + "\n")
            replies.write(json.dumps({"id": f"s{n}", "text": str(n + n % 97) if n % 3 else "-1"}) + "\n")
    command = [sys.executable, "-m", "steelyard", "eval", "run", "--bench", "bench.py", "--recorded", "replies.jsonl",
               "--concurrency", "64", "--output", "out", "--quiet"]  # fmt: skip
    started = subprocess.Popen(command, cwd=folder)
    _, status, usage = os.wait4(started.pid, 0)
    started.returncode = os.waitstatus_to_exitcode(status)
    assert started.returncode == 0
    return usage.ru_maxrss / 1024


@pytest.mark.slow
def test_twenty_times_the_samples_take_a_few_megabytes_more(tmp_path: Path) -> None:
    few, many = peak(tmp_path / "few", FEW), peak(tmp_path / "many", MANY)
    assert many - few < MEGABYTES, f"{few:.1f} MB for {FEW:,} samples, {many:.1f} MB for {MANY:,}"
