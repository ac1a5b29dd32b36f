"""Which process is meant: a number is given away again, and means another process in another pid namespace.

With the moment at which the process began it is one process for all time, which whatever it leaves behind can be named after.
"""

from __future__ import annotations

from pathlib import Path


def began(pid: int) -> int | None:
    """When the process was started, in ticks since the machine was; None if there is no such process.

    >>> began(0) is None
    True
    """
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return None
    return int(text.rpartition(")")[2].split()[19])  # a program's name may hold spaces and brackets


def pid_namespace() -> int:
    """The namespace in which our numbers of processes mean something."""
    return Path("/proc/self/ns/pid").stat().st_ino


def still_runs(pid: int, moment: int) -> bool:
    """Whether the process of that number is the one that began then."""
    return began(pid) == moment
