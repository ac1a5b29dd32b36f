"""One program of the corpus, graded in a sandbox, with what else must hold afterwards."""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from attacks.corpus import Program, program
from attacks.stopwatch import Stopwatch
from steelyard.grading.grade import grade
from steelyard.grading.task import read_task
from steelyard.sandbox import Bubblewrap, Limits, Sandbox
from steelyard.scoring.code_execution import code_sandbox
from steelyard.scoring.types import ScorerInput

LATE = 5.0  # seconds by which a run may exceed its limit: whoever escapes it stays for a minute, and the machine may be busy
ROOMY = (
    10.0  # seconds for an honest program, whose verdict must not depend on how busy the machine is
)
GROWTH = 64 << 20  # bytes by which the grader may grow
HONEST = "accepted/addition.py"
_SECRET = re.compile(
    r"ORACLE:\w+:[0-9a-f]{4}"
)  # what the answers look like that nobody can compute
_HEAD_START = 0.25  # seconds for the neighbour to be there
_PATIENCE = 1.0  # seconds for the kernel to take the last process away


class Ran(NamedTuple):
    """What came of one program."""

    verdict: str
    reason: str
    seconds: float
    longest: float
    grown: int
    left: list[str]
    record: str


def judge(one: Program, sandbox: Sandbox) -> tuple[str, str, str]:
    """The verdict, the reason, and the whole record as text."""
    task = {**one.task, "limits": limits_of(one)}
    if task["kind"] != "legacy":
        graded = grade(read_task(task), one.source, sandbox=sandbox)
        return graded.verdict, graded.reason, repr(graded)
    metadata = {
        "_prompt": task["prompt"],
        "_test": task["test"],
        "entry_point": task["entry_point"],
    }
    sample = ScorerInput(response=f"```python\n{one.source}```\n", target="", metadata=metadata)
    score = code_sandbox(sample, sandbox=sandbox, limits=Limits(**task["limits"]))
    return str(score.detail["verdict"]), score.reason, repr(score)


def limits_of(one: Program) -> dict[str, Any]:
    """The limits of the program's task; time is short for the hostile alone."""
    limits: dict[str, Any] = one.task["limits"]
    return limits if one.hostile else {**limits, "wall_s": ROOMY}


def run(one: Program, sandbox: Sandbox) -> Ran:
    """The program alone, or after or beside the one that its header names."""
    if "after" in one.header:
        judge(program(one.header["after"]), sandbox)
    neighbour = None
    if "beside" in one.header:
        neighbour = threading.Thread(target=judge, args=(program(one.header["beside"]), sandbox))
        neighbour.start()
        time.sleep(_HEAD_START)
    watch = Stopwatch(sandbox)
    before = _start_of_peak()
    began = time.monotonic()
    verdict, reason, record = judge(one, watch)
    seconds = time.monotonic() - began - watch.daemon_took
    left = [name for user, ended in watch.users for name in processes_of({user}, ended)]
    left += watch.running()
    grown = _memory("VmHWM") - before
    if neighbour:
        neighbour.join()
    return Ran(verdict, reason, seconds, watch.longest, grown, left + survivors(), record)


def faults(one: Program, ran: Ran) -> list[str]:
    """Everything that should not be so."""
    found = []
    if ran.verdict not in one.allowed:
        found.append(f"the verdict is {ran.verdict} ({ran.reason})")
    runs = len(one.task["cases"]) if one.task["kind"] == "stdio" else 1
    for what, seconds, most in (("a run", ran.longest, 1), ("all of it", ran.seconds, runs)):
        if seconds > most * limits_of(one)["wall_s"] + LATE:
            found.append(f"{what} took {seconds:.2f} s")
    if ran.grown > GROWTH:
        found.append(f"the grader grew by {ran.grown >> 20} MB")
    if ran.left:
        found.append(f"still there: {', '.join(ran.left)}")
    return found + _told(ran)


def _told(ran: Ran) -> list[str]:
    """The record names no expected value and steers no terminal."""
    found = []
    if _SECRET.search(ran.record):
        found.append("the record has an expected value in it")
    if any(mark in ran.record + ran.reason for mark in ("\x1b", "\x07", "\x9b", "\u202e")):
        found.append("the record steers the terminal")
    return found


def survivors() -> list[str]:
    """Processes of a candidate that are left below this one: those in a pid namespace within a slot's."""
    own = _depth(os.getpid())
    return _in_the_end(lambda: [name for pid, name in _descendants() if _depth(pid) >= own + 2])


def _in_the_end(look: Callable[[], list[str]]) -> list[str]:
    """What is still found after the kernel had a moment to take dead processes away."""
    until = time.monotonic() + _PATIENCE
    while (found := look()) and time.monotonic() < until:
        time.sleep(0.02)
    return found


def _descendants() -> list[tuple[int, str]]:
    parents, names = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                head, _, rest = (entry / "stat").read_text(errors="replace").rpartition(")")
            except OSError:
                continue
            parents[int(entry.name)], names[int(entry.name)] = (
                int(rest.split()[1]),
                head.partition("(")[2],
            )
    found, level = [], {os.getpid()}
    while level := {pid for pid, parent in parents.items() if parent in level}:
        found += [(pid, f"{names[pid]} ({pid})") for pid in sorted(level)]
    return found


def users_of(sandbox: Bubblewrap) -> set[int]:
    """The users that its slots run as, beside our own; another sandbox of this process has users of its own."""
    return {slot._lease.uid for slot in [*sandbox._idle, *sandbox._busy]} - {os.getuid()}


def now() -> float:
    """The seconds since the machine was started."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def processes_of(users: set[int], began_before: float) -> list[str]:
    """Whatever ran on this machine as one of these users before that moment, and still does.

    What is dead and waits for the machine's first process to notice does not run.
    """

    def found() -> list[str]:
        numbers = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
        return [
            f"{pid} of user {_user(pid)}: {_status(pid, 'Name').strip()}"
            for pid in numbers
            if _user(pid) in users
            and _began(pid) < began_before
            and "Z" not in _status(pid, "State")
        ]

    return _in_the_end(found)


def _began(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return float("inf")
    return int(fields[19]) / os.sysconf("SC_CLK_TCK")


def _user(pid: int) -> int | None:
    line = _status(pid, "Uid")
    return int(line.split()[0]) if line else None


def _depth(pid: int) -> int:
    return len(_status(pid, "NSpid").split())


def _memory(name: str) -> int:
    return int(_status(os.getpid(), name).split()[0]) << 10


def _start_of_peak() -> int:
    """From now on the peak counts anew; what is held at this moment."""
    Path("/proc/self/clear_refs").write_text("5")
    return _memory("VmRSS")


def _status(pid: int, name: str) -> str:
    try:
        lines = Path(f"/proc/{pid}/status").read_text(errors="replace").splitlines()
    except OSError:
        return ""
    return next((line.partition(":")[2] for line in lines if line.startswith(f"{name}:")), "")
