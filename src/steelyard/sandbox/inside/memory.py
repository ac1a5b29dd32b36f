"""The processes of this pid namespace and the memory they hold, for boxes whose control group the grader cannot see."""

from __future__ import annotations

import _socket
import os
import stat

_PIPE = 65536  # bytes that a pipe holds, or one direction of a terminal
_TERMINALS = 5  # the major number of the device that makes them
_MOST_FILES = 256  # that a process which does not want to be looked at may have open
_OVERDRAWN = 65536  # by how much the last message exceeds the buffer that it is put into
_PAGE = os.sysconf("SC_PAGE_SIZE")
_PEAKS = ("/sys/fs/cgroup/memory.peak", "/sys/fs/cgroup/memory/memory.max_usage_in_bytes")
_EVENTS = ("/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control")

_room: list[int] = []  # asked once


def held(more_than: int, sockets_before: int = 0) -> int:
    """The bytes that all processes but this one hold together, worked out exactly only above ``more_than``.

    Pages that a fork shares count once for each process in the quick sum; the exact one divides them. What the kernel holds
    for a program in pipes and sockets, those ``sockets_before`` aside, belongs to no process: each counts as if it were full.
    """
    places = _places()
    kept = in_sockets(sockets_before)
    quick = kept + sum(size + len(_files(place)) * _PIPE for place, size in places.items())
    return quick if quick <= more_than else kept + _in_pipes(places) + sum(map(_share, places))


def in_sockets(before: int) -> int:
    """The bytes that the kernel may hold in sockets, those aside that were there before."""
    return max(0, sockets() - before) * _socket_room()


def sockets() -> int:
    """How many there are in this network namespace, those included that are closed and whose last words nobody has read."""
    try:
        with open("/proc/self/net/sockstat") as file:
            return int(file.readline().split()[2])  # sockets: used 7
    except (OSError, ValueError, IndexError):
        return 0


def peak() -> int | None:
    """The most bytes that the control group which is shown here has held, as a container's is; None where that is not told."""
    for path in _PEAKS:
        try:
            with open(path, "rb") as file:
                return int(file.read(64))
        except (OSError, ValueError):
            continue
    return None


def kills() -> int | None:
    """How many processes of that control group the kernel has killed for memory; None where that is not told."""
    for path in _EVENTS:
        try:
            with open(path) as file:
                lines = [line.split() for line in file]
            return next(int(line[1]) for line in lines if line[0] == "oom_kill")
        except (OSError, ValueError, IndexError, StopIteration):
            continue
    return None


def tasks() -> int:
    """The number of processes and threads beside this process, as a control group counts them."""
    return sum(1 + len(_threads(pid)) for pid in _pids())


def _pids() -> list[str]:
    return [name for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]


def _places() -> dict[str, int]:
    """Where in /proc each process is told of that has memory, and how much of that is resident.

    One whose first thread has ended tells nothing itself, though others may go on: they are asked.
    """
    found = {}
    for pid in _pids():
        size, place = _resident(pid), pid
        if not size:
            size, place = max(((_resident(task), task) for task in _threads(pid)), default=(0, pid))
        if size:
            found[place] = size
    return found


def _threads(pid: str) -> list[str]:
    try:
        return [
            f"{pid}/task/{number}" for number in os.listdir(f"/proc/{pid}/task") if number != pid
        ]
    except OSError:
        return []  # it has ended


def _resident(place: str) -> int:
    try:
        with open(f"/proc/{place}/statm") as file:
            fields = file.read().split()
    except OSError:
        return 0  # it has ended
    return int(fields[1]) * _PAGE if len(fields) > 1 else 0


def _share(place: str) -> int:
    try:
        with open(f"/proc/{place}/smaps_rollup") as file:
            lines = file.readlines()
    except OSError:
        lines = []  # it has ended, or does not want to be looked at: then all that it maps is its own
    shares = [int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:")]
    return shares[0] if shares else _resident(place)


def _socket_room() -> int:
    """What a socket holds if it is full: as much as one that nobody has enlarged."""
    if not _room:
        fresh = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
        _room.append(fresh.getsockopt(_socket.SOL_SOCKET, _socket.SO_SNDBUF) + _OVERDRAWN)
        fresh.close()
    return _room[0]


def _files(place: str) -> list[str]:
    try:
        return os.listdir(f"/proc/{place}/fd")
    except FileNotFoundError:
        return []  # it has ended
    except OSError:
        return [""] * _MOST_FILES


def _in_pipes(places: dict[str, int]) -> int:
    """What the pipes and terminals of these processes can hold; one that several have open counts once."""
    pipes, more = set(), 0
    for place in places:
        for name in _files(place):
            try:
                found = os.stat(f"/proc/{place}/fd/{name}" if name else "")
            except OSError:
                more += not name  # hidden, or closed in the meantime
                continue
            if stat.S_ISFIFO(found.st_mode):
                pipes.add((found.st_dev, found.st_ino))
            elif stat.S_ISCHR(found.st_mode) and os.major(found.st_rdev) == _TERMINALS:
                more += 2
    return (len(pipes) + more) * _PIPE
