"""The processes that come from one process, as /proc tells them."""

from __future__ import annotations

import os


def descendants(pid: int) -> list[int]:
    """All that the process has started, and what those have started, without itself, in the order of generations.

    A process whose parent has ended goes to the first process of its pid namespace. In a box that one is a descendant too,
    so that whoever daemonises himself there is still found.
    """
    told = (
        _told_children if os.path.exists(f"/proc/{pid}/task/{pid}/children") else _seen_children()
    )
    found: list[int] = []
    row = [pid]
    while row:
        row = [child for parent in row for child in told(parent)]
        found += row
    return found


def living(pid: int) -> list[int]:
    """Its descendants without those that have ended and only wait for somebody to notice."""
    return [one for one in descendants(pid) if _state(one) not in (b"Z", b"X", b"")]


def _state(pid: int) -> bytes:
    return _read(f"/proc/{pid}/stat").rpartition(b")")[2].strip()[:1]


def _told_children(pid: int) -> list[int]:
    """As the kernel lists them, thread by thread."""
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return []  # it has ended
    return [
        int(child)
        for thread in threads
        for child in _read(f"/proc/{pid}/task/{thread}/children").split()
    ]


class _seen_children:  # noqa: N801 - is called like the function that it stands in for
    """As the parents of all processes show, for kernels that keep no lists."""

    def __init__(self) -> None:
        self._children: dict[int, list[int]] = {}
        for name in os.listdir("/proc"):
            if name.isdigit():
                self._children.setdefault(_parent(name), []).append(int(name))

    def __call__(self, pid: int) -> list[int]:
        return self._children.pop(pid, [])


def _parent(name: str) -> int:
    """The parent's number; 0 for a process that has ended since, which is nobody's child then."""
    fields = _read(f"/proc/{name}/stat").rpartition(b")")[2].split(None, 2)
    return int(fields[1]) if fields else 0


def _read(path: str) -> bytes:
    """What the file says; nothing if the process has ended or is not ours to look into."""
    try:
        with open(path, "rb") as file:
            return file.read(1 << 14)
    except OSError:
        return b""
