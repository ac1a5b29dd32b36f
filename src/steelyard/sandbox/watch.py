"""Memory and processes of a box as /proc tells them, for where no control group counts them.

This is the weaker tier: it looks now and then, so a short peak may go unseen, and memory that no process has mapped (a file in
a tmpfs, a shared segment that nobody is attached to) is not in it; the sizes of the tmpfs bound the first.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

_PAGE = os.sysconf("SC_PAGE_SIZE")


def resident(pids: Iterable[int]) -> int:
    """Bytes of memory that the processes hold together; pages that they share count once where that can be read.

    A process that has ended holds nothing.
    """
    return sum(_resident(pid) for pid in pids)


def descendants(pid: int) -> list[int]:
    """All that the process has started, and what those have started, without itself, in the order of generations.

    A process whose parent has ended goes to the first process of its pid namespace. In a box that one is a descendant too,
    so that whoever daemonises himself there is still found.
    """
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            children.setdefault(_parent(name), []).append(int(name))
    found: list[int] = []
    row = [pid]
    while row:
        row = [child for parent in row for child in children.pop(parent, ())]
        found += row
    return found


def _resident(pid: int) -> int:
    """The proportional share if we may read it, else all pages that are resident."""
    for line in _read(f"/proc/{pid}/smaps_rollup").splitlines():
        if line.startswith(b"Pss:"):
            return int(line.split()[1]) * 1024
    pages = _read(f"/proc/{pid}/statm").split()
    return int(pages[1]) * _PAGE if pages else 0


def _parent(name: str) -> int:
    """The parent's number; 0 for a process that has ended since, which is nobody's child then."""
    fields = _read(f"/proc/{name}/stat").rpartition(b")")[2].split(None, 2)
    return int(fields[1]) if fields else 0


def _read(path: str) -> bytes:
    """What the file says; nothing if the process has ended or is not ours to look into."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return os.read(file, 1 << 14)
    except OSError:
        return b""
    finally:
        os.close(file)
