"""Leases of unprivileged users, so that no two boxes ever run as the same one.

The kernel counts processes by user, and lets a user signal and trace its own: a box that shares its user shares those. A lease
is a locked file in a folder that only root can enter, so it holds between processes, and ends with the process that holds it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import pwd
import signal
import stat
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

from steelyard.errors import SandboxError

USERS = range(
    61000, 62000
)  # above what systems give to people, below what they give to services and containers
FOLDERS = (Path("/run/steelyard"), Path("/tmp/steelyard-users"))

_lock = threading.Lock()


class Lease:
    """A user and a group that are nobody else's until the release."""

    def __init__(self, uid: int, gid: int, file: int | None = None) -> None:
        self.uid, self.gid = uid, gid
        self._file, self._owner = file, os.getpid()

    def release(self) -> None:
        """The user is free for the next one; a second time does nothing, nor does a forked child's copy of the lease."""
        file, self._file = self._file, None
        if file is None:
            return
        if os.getpid() == self._owner:
            fcntl.flock(file, fcntl.LOCK_UN)  # a forked child may still hold the file open
        os.close(file)


def lease() -> Lease:
    """A user of our own where we are root; elsewhere the one that we are, since we can be no other."""
    if os.geteuid() != 0:
        return Lease(os.geteuid(), os.getegid())
    with _lock:
        folder = _lock_folder()
        for uid in _known_users():
            file = _try_lock(folder / str(uid))
            if file is None:
                continue
            if _is_free(uid):
                return Lease(uid, uid, file)
            os.close(file)
    raise SandboxError(f"no unprivileged user is free among {USERS.start} to {USERS.stop - 1}")


def _known_users() -> Iterator[int]:
    """Those that exist in this user namespace, as users and as groups."""
    tables = [_mapped("uid_map"), _mapped("gid_map")]
    return (uid for uid in USERS if all(any(uid in span for span in spans) for spans in tables))


def _mapped(table: str) -> list[range]:
    rows = Path("/proc/self", table).read_text(encoding="utf-8").splitlines()
    numbers = [tuple(map(int, row.split())) for row in rows]
    return [range(first, first + length) for first, _, length in numbers]


def _is_free(uid: int) -> bool:
    """Whether the user belongs to no account and runs nothing: what was left over must not meet the next box."""
    try:
        pwd.getpwuid(uid)
    except KeyError:
        return not _runs_something(uid)
    return False


def end_processes_of(uid: int) -> bool:
    """Kills whatever runs as that user, which must be lent; False if nothing does, or if we are not root and lend no users."""
    if os.geteuid() != 0 or not _runs_something(uid):
        return False
    return end_those(_all(), uid)


def end_those(pids: Iterable[int], uid: int) -> bool:
    """Kills those that run as that user; False if there are none among them."""
    found = [pid for pid, _ in _processes_of(uid, pids)]
    for pid in found:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return bool(found)


def _all() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def first_process_of(uid: int) -> int | None:
    """The first process of the pid namespace in which that user, which must be lent, runs something.

    None where there is none: no user is lent unless we are root, and a daemon on another machine runs nothing here.
    """
    if os.geteuid() != 0 or not _runs_something(uid):
        return None
    return next((pid for pid in _all() if is_first_of(uid, pid)), None)


def is_first_of(uid: int, pid: int) -> bool:
    """Whether the process with that number runs as the user, and is the first of a pid namespace."""
    numbers = [_field(status, "NSpid").split() for _, status in _processes_of(uid, [pid])]
    return any(len(seen) > 1 and seen[-1] == "1" for seen in numbers)


def _processes_of(uid: int, among: Iterable[int]) -> Iterator[tuple[int, str]]:
    """The real user counts: a process can hide who owns its files, but not this."""
    for pid in among:
        try:
            status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace")
        except OSError:  # it has ended
            continue
        if _field(status, "Uid").split(None, 1)[0] == str(uid):
            yield pid, status


def _field(status: str, name: str) -> str:
    return status.partition(f"\n{name}:")[2].partition("\n")[0]


def _runs_something(uid: int) -> bool:
    """Asked of the kernel, which sees processes that are not dumpable too; to read all of /proc takes a hundred times as long."""
    try:
        os.getpriority(os.PRIO_USER, uid)
    except ProcessLookupError:
        return False
    return True


def _lock_folder() -> Path:
    """The first folder that is, or can be made, root's alone."""
    for folder in FOLDERS:
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
            found = folder.lstat()
        except OSError:
            continue
        # Anybody may have made one of that name under /tmp first.
        if (
            stat.S_ISDIR(found.st_mode)
            and found.st_uid == os.geteuid()
            and not found.st_mode & 0o077
        ):
            return folder
    raise SandboxError(
        f"no folder for the locks of users: make {FOLDERS[0]}, owned by root, mode 700"
    )


def _try_lock(path: Path) -> int | None:
    """The open, locked file, or None if another holds it."""
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(file)
        return None
    return file
