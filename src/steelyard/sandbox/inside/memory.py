"""How many processes this pid namespace has, and how much memory they hold, for boxes that no control group can be had for."""

from __future__ import annotations

import os

_PAGE = os.sysconf("SC_PAGE_SIZE")


def held(more_than: int) -> int:
    """The bytes that all processes but this one hold together, worked out exactly only above ``more_than``.

    Pages that a fork shares count once for each process in the quick sum; the exact one divides them.
    """
    pids = _pids()
    quick = sum(map(_resident, pids))
    return quick if quick <= more_than else sum(map(_share, pids))


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
