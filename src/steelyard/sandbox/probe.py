"""The program of the self-test: inside a box, it tries what must not be possible, and says what was.

It is sent into the box as source, as a candidate's is: the standard library alone, Python 3.8 or newer. It changes nothing,
even where it gets through: files are opened and not written, and only where the box has mounts of its own would one be made.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import signal
import socket
import stat
from collections.abc import Callable, Iterator, Mapping
from typing import Any

CLONE_NEWNS = 0x00020000
CLONE_NEWUSER = 0x10000000
SETTINGS = (
    "/proc/sys/kernel/core_pattern",
    "/proc/sysrq-trigger",
    "/sys/kernel/uevent_helper",
    "/proc/sys/kernel/hostname",
)
PLACES = ("/", "/etc", "/usr", "/usr/bin", "/var", "/dev", "/proc", "/sys")
SECONDS = 0.5


def network(outside: Mapping[str, Any]) -> bool:
    """A listener of the grader's on this machine can be reached."""
    with socket.socket() as link:
        link.settimeout(SECONDS)
        return link.connect_ex(("127.0.0.1", outside["port"])) == 0


def local_sockets(outside: Mapping[str, Any]) -> bool:
    """A listener without a file, which only a network namespace hides, can be reached."""
    with socket.socket(socket.AF_UNIX) as link:
        link.settimeout(SECONDS)
        return link.connect_ex("\0" + outside["socket"]) == 0


def host_files(outside: Mapping[str, Any]) -> bool:
    """A file that everybody on this machine may read can be read."""
    with open(outside["file"]) as file:
        return bool(file.read() == outside["content"])


def password_file(outside: Mapping[str, Any]) -> bool:
    """The file of passwords can be read."""
    return os.access("/etc/shadow", os.R_OK)


def home(outside: Mapping[str, Any]) -> bool:
    """The grader's home folder, the very same one, is there."""
    seen = os.stat(outside["home"])
    return bool([seen.st_dev, seen.st_ino] == outside["home_is"])


def root(outside: Mapping[str, Any]) -> bool:
    """This process is root, here or one namespace further out."""
    own = os.geteuid()
    with open("/proc/self/uid_map") as file:
        rows = [[int(number) for number in line.split()] for line in file]
    return own == 0 or any(
        here <= own < here + count and there + own - here == 0 for here, there, count in rows
    )


def processes(outside: Mapping[str, Any]) -> bool:
    """The grader's own process is in sight, or a signal would find it."""
    pid = outside["pid"]
    try:
        with open(f"/proc/{pid}/stat") as file:
            # A process of the box may have the same number, but it began later.
            return bool(file.read().rsplit(")", 1)[1].split()[19] == outside["began"])
    except OSError:
        os.kill(pid, 0)
        return True


def mounts(outside: Mapping[str, Any]) -> bool:
    """A file system can be mounted."""
    return bool(ctypes.CDLL(None).mount(b"tmpfs", b"/tmp", b"tmpfs", 0, None) == 0)


def namespaces(outside: Mapping[str, Any]) -> bool:
    """A user namespace, in which everybody is root, can be made."""
    return bool(ctypes.CDLL(None).unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0)


def kernel_settings(outside: Mapping[str, Any]) -> bool:
    """A setting of the kernel can be opened for writing."""
    return any(_opens(path) for path in SETTINGS)


def devices(outside: Mapping[str, Any]) -> bool:
    """A disk or the memory of the machine is there as a device."""
    return any(
        stat.S_ISBLK(os.lstat(entry.path).st_mode) or entry.name in {"mem", "kmem", "port", "kvm"}
        for entry in os.scandir("/dev")
    )


def system_files(outside: Mapping[str, Any]) -> bool:
    """The system's own folders can be written to."""
    return any(os.access(path, os.W_OK) for path in PLACES)


def environment(outside: Mapping[str, Any]) -> bool:
    """A variable of the grader's environment has come in; only their digests are known here."""
    return any(_digest(pair) in outside["environment"] for pair in _pairs())


def _pairs() -> Iterator[bytes]:
    yield from (name + b"=" + value for name, value in os.environb.items())
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                yield from file.read().split(b"\0")
        except OSError:
            continue  # it cannot be read, as it should be


def _digest(pair: bytes) -> str:
    return hashlib.sha256(pair).hexdigest()


def _opens(path: str) -> bool:
    try:
        os.close(os.open(path, os.O_WRONLY))
    except OSError:
        return False
    return True


PROBES: tuple[Callable[[Mapping[str, Any]], bool], ...] = (
    network,
    local_sockets,
    host_files,
    password_file,
    home,
    root,
    processes,
    mounts,
    namespaces,
    kernel_settings,
    devices,
    system_files,
    environment,
)


def gets_through(probe: Callable[[Mapping[str, Any]], bool], outside: Mapping[str, Any]) -> bool:
    """Whether the probe gets through; it runs in a process of its own, which a filter may kill.

    Only a refusal is a wall that held: a probe that ends in any other way has shown nothing, and counts as through.
    """
    pid = os.fork()
    if pid == 0:
        through = True
        try:
            through = probe(outside)
        except OSError:
            through = False
        finally:
            os._exit(int(through))
    status = os.waitpid(pid, 0)[1]
    return status != 0 and not (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGSYS)


def try_everything(outside: str) -> str:
    """Which probes were tried, and whether each got through; what is outside comes as JSON, and so does the answer."""
    told = json.loads(outside)
    return json.dumps({probe.__name__: gets_through(probe, told) for probe in PROBES})
