"""Run a command and measure it with all its child processes: time, CPU time, peak memory."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

INTERVAL = 0.05
# Finding new children takes longer than reading the memory of known ones.
CHILDREN_EVERY = 4


class Cost(NamedTuple):
    """What a run took: seconds, seconds of CPU time with its children, and its peak of memory."""

    seconds: float
    cpu: float
    megabytes: float


def cache_bytecode(folder: Path) -> None:
    """Let commands keep their bytecode in a folder, as an installed package does.

    A checkout may be told not to write any; then every start would compile all modules.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = str(folder)


def run(command: Sequence[str]) -> Cost:
    """Return the cost of a command and its children; a command that fails ends the benchmark."""
    began = time.perf_counter()
    started = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    printed: list[bytes] = []
    # Read in a thread, since a full pipe would stop the command.
    reader = threading.Thread(
        target=lambda: printed.append(started.stdout.read() if started.stdout else b"")
    )
    reader.start()
    peak = 0
    watched = [started.pid]
    for turn in range(sys.maxsize):
        done, status, usage = os.wait4(started.pid, os.WNOHANG)
        if done:
            break
        if turn % CHILDREN_EVERY == 0:
            watched = process_tree(started.pid)
        peak = max(peak, sum(map(kilobytes, watched)))
        time.sleep(INTERVAL)
    seconds = time.perf_counter() - began
    started.returncode = os.waitstatus_to_exitcode(status)
    reader.join()
    if started.returncode:
        output = b"".join(printed).decode(errors="replace")[-2000:]
        sys.exit(f"{' '.join(command)}\nended with {started.returncode}:\n{output}")
    return Cost(seconds, usage.ru_utime + usage.ru_stime, peak / 1024)


def process_tree(root: int) -> list[int]:
    """Return the ids of a process and its descendants."""
    parents = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            # The name, in parentheses, may itself contain spaces and parentheses.
            parents[int(entry.name)] = int(
                (entry / "stat").read_text().rpartition(")")[2].split()[1]
            )
        except OSError:
            continue
    found = [root]
    for pid in found:
        found += [child for child, parent in parents.items() if parent == pid]
    return found


def kilobytes(pid: int) -> int:
    """Return the memory of a process; shared pages are divided among the processes."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:")), 0)
