"""Run a command and measure it with everything that it starts: time, processor time, peak memory."""

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
# Looking for new children costs more than looking at known ones.
LOOK_FOR_CHILDREN = 4


class Cost(NamedTuple):
    """What a run took."""

    seconds: float
    cpu: float
    megabytes: float


def run(command: Sequence[str]) -> Cost:
    """The cost of the command and its children; a command that fails ends the benchmark."""
    began = time.perf_counter()
    started = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    said: list[bytes] = []
    # Read beside the measuring, as a full pipe would stop the command.
    reader = threading.Thread(
        target=lambda: said.append(started.stdout.read() if started.stdout else b"")
    )
    reader.start()
    peak = 0
    watched = [started.pid]
    for turn in range(sys.maxsize):
        done, status, usage = os.wait4(started.pid, os.WNOHANG)
        if done:
            break
        if turn % LOOK_FOR_CHILDREN == 0:
            watched = tree(started.pid)
        peak = max(peak, sum(map(kilobytes, watched)))
        time.sleep(INTERVAL)
    seconds = time.perf_counter() - began
    started.returncode = os.waitstatus_to_exitcode(status)
    reader.join()
    if started.returncode:
        sys.exit(
            f"{' '.join(command)}\nended with {started.returncode}:\n{b''.join(said).decode()[-2000:]}"
        )
    return Cost(seconds, usage.ru_utime + usage.ru_stime, peak / 1024)


def tree(root: int) -> list[int]:
    """The process and all that descend from it, as far as this system tells."""
    parents = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            # The name, in parentheses, may itself hold spaces and parentheses.
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
    """The memory of a process; pages that several processes share are divided among them."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:")), 0)
