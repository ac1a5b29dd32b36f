"""How ``steelyard score`` ends before its time: a disk that runs full, and the wish of the system that it ends."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
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
    path.write_text(
        "".join(json.dumps({"id": a, "response": a[::-1], "target": "7"}) + "\n" for a in made)
    )
    return path


@pytest.mark.slow
@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz", "out.jsonl.zst", "out.parquet"])
def test_a_disk_that_runs_full_is_told_alike_for_every_format(name: str, tmp_path: Path) -> None:
    rows(tmp_path / "in.jsonl", 20_000)
    ran = subprocess.run(
        [
            sys.executable,
            "-c",
            CHILD,
            "score",
            "--scorer",
            "exact_match",
            "in.jsonl",
            "-q",
            "-o",
            name,
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "NO_COLOR": "1"},
    )
    assert (ran.returncode, ran.stderr) == (
        3,
        f"error: {name}: cannot be written: File too large\n",
    )
    if name == "out.jsonl":  # what could be written are complete lines
        written = (tmp_path / name).read_bytes()
        assert written.endswith(b"\n")
        found = [json.loads(line)["line"] for line in written.splitlines()]
        assert found == list(range(1, len(found) + 1))
        assert 490_000 < len(written) <= 500_000


OWN = """
import time

def slow(sample):
    time.sleep(0.01)
    return True
"""
COMMAND = [sys.executable, "-c", "from steelyard.cli import main; main()", "score"]


def ended(folder: Path, name: str, *, group: bool, own: bool) -> tuple[int, str, str]:
    """How a run ends that gets SIGTERM while it writes: its code and what it said."""
    rows(folder / "in.jsonl", 300_000 if not own else 20_000)
    (folder / "own.py").write_text(OWN)
    scorer = ["--scorer", "own.py:slow" if own else "numeric_match", "--workers", "2"]
    process = subprocess.Popen(
        [*COMMAND, *scorer, "in.jsonl", "-o", name],
        cwd=folder,
        text=True,
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    wait_for(lambda: (folder / name).exists(), seconds=30)
    time.sleep(0.5)
    (os.killpg if group else os.kill)(process.pid, signal.SIGTERM)
    out, err = process.communicate(timeout=30)
    wait_for(lambda: not members(process.pid), seconds=5)
    return process.returncode, out, err


def wait_for(is_so: Callable[[], bool], *, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def members(group: int) -> list[str]:
    """The processes of a group."""
    told = subprocess.run(
        ["ps", "-eo", "pgid=,pid="], capture_output=True, text=True, check=True
    ).stdout
    return [line for line in told.splitlines() if line.split()[0] == str(group)]


def kept(path: Path) -> list[int]:
    """The lines that an output has, read to its end."""
    if path.suffix == ".parquet":
        return pq.read_table(path).column("line").to_pylist()
    with pa.input_stream(path, compression="detect") as stream:
        data = stream.read()
    assert data.endswith(b"\n") or not data
    return [json.loads(line)["line"] for line in data.splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "own", "group"),
    [
        ("out.jsonl", True, True),
        ("out.jsonl.gz", False, False),
        ("out.jsonl.zst", True, False),
        ("out.parquet", False, True),
        ("out.parquet", True, False),
    ],
)
def test_sigterm_leaves_an_output_that_can_be_read(
    name: str, own: bool, group: bool, tmp_path: Path
) -> None:
    code, out, err = ended(tmp_path, name, group=group, own=own)
    assert (code, err) == (143, "")
    assert out.startswith("interrupted: this is what had been scored by then\n")
    lines = kept(tmp_path / name)
    assert lines == list(range(1, len(lines) + 1))
    assert len(lines) < (20_000 if own else 300_000)


def test_sigterm_while_waiting_for_input(tmp_path: Path) -> None:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen(
        [*COMMAND, "--scorer", "exact_match", "-", "-o", "out.jsonl"], cwd=tmp_path, **pipes
    )
    time.sleep(1)
    process.send_signal(signal.SIGTERM)
    wait_for(lambda: process.poll() is not None, seconds=10)
    # Before it waits, the system ends it, which a shell calls the same.
    assert process.returncode in {143, -signal.SIGTERM}
    assert process.communicate() == (b"", b"")
