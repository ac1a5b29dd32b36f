"""The processes of this pid namespace and the memory they hold, for boxes whose control group the grader cannot see."""

from __future__ import annotations

import os

_PAGE = os.sysconf("SC_PAGE_SIZE")
_PEAKS = ("/sys/fs/cgroup/memory.peak", "/sys/fs/cgroup/memory/memory.max_usage_in_bytes")


def held(more_than: int) -> int:
    """The bytes that all processes but this one hold together, worked out exactly only above ``more_than``.

    Pages that a fork shares count once for each process in the quick sum; the exact one divides them.
    """
    pids = _pids()
    quick = sum(map(_resident, pids))
    return quick if quick <= more_than else sum(map(_share, pids))


def peak() -> int | None:
    """The most bytes that the control group which is shown here has held, as a container's is; None where that is not told."""
    for path in _PEAKS:
        try:
            with open(path, "rb") as file:
                return int(file.read(64))
        except (OSError, ValueError):
            continue
    return None


def processes() -> int:
    """How many there are beside this one."""
    return len(_pids())


def _pids() -> list[str]:
    return [name for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]


def _resident(pid: str) -> int:
    try:
        with open(f"/proc/{pid}/statm") as file:
            fields = file.read().split()
    except OSError:
        return 0  # it has ended
    return int(fields[1]) * _PAGE if len(fields) > 1 else 0


def _share(pid: str) -> int:
    try:
        with open(f"/proc/{pid}/smaps_rollup") as file:
            lines = file.readlines()
    except OSError:
        lines = []  # it has ended, or does not want to be looked at: then all that it maps is its own
    shares = [int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:")]
    return shares[0] if shares else _resident(pid)
