"""How ``steelyard score`` ends before its time: a disk that runs full, and the wish of the system that it ends."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

# A file that may not grow beyond a limit fails in the middle, as one on a full disk does.
CHILD = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, 500_000))
from steelyard.cli import main
main()
"""


def rows(path: Path, count: int) -> Path:
    """Rows whose results cannot be packed into little."""
    made = (hashlib.sha256(str(n).encode()).hexdigest() for n in range(count))
    path.write_text("".join(json.dumps({"id": a, "response": a[::-1], "target": "7"}) + "\n" for a in made))
    return path


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz", "out.jsonl.zst", "out.parquet"])
def test_a_disk_that_runs_full_is_told_alike_for_every_format(name: str, tmp_path: Path) -> None:
    rows(tmp_path / "in.jsonl", 20_000)
    ran = subprocess.run([sys.executable, "-c", CHILD, "score", "--scorer", "exact_match", "in.jsonl", "-q", "-o", name],
                         cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False,
                         env={**os.environ, "NO_COLOR": "1"})  # fmt: skip
    assert (ran.returncode, ran.stderr) == (3, f"error: {name}: cannot be written: File too large\n")
