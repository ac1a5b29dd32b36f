"""What the candidate sees: new namespaces, an empty folder of its own, a /proc with its own processes only."""

from __future__ import annotations

import _socket
import fcntl
import os
import struct

from . import confine

BOX = "/box"
_SIOCSIFFLAGS = 0x8914
_IFF_UP = 1
_OWN = confine.CLONE_NEWNS | confine.CLONE_NEWCGROUP
_SHARED = (
    confine.CLONE_NEWIPC | confine.CLONE_NEWUTS
)  # with the zygote, if nobody was there before and nobody will be
_PLAIN = confine.MS_NOSUID | confine.MS_NODEV
_TCP = (
    "tcp_rmem",
    "tcp_wmem",
)  # how large a connection's buffers grow of themselves: by default to tens of megabytes
_SMALL = b"4096 65536 131072"


def forbid_user_namespaces() -> None:
    """Nobody in this user namespace can make another one, in which it would be root again."""
    confine.mount("proc", "/mnt", "proc", _PLAIN | confine.MS_NOEXEC)
    try:
        _write("/mnt/sys/user/max_user_namespaces", b"0")
    finally:
        confine.umount("/mnt")


def build(disk_mb: int, *, network: bool, once: bool) -> None:
    """The namespaces, the files and the /proc of one candidate; nothing of another one is there.

    A slot that is used ``once`` has new namespaces for network, messages and host name already, which are this candidate's alone.
    Connections get small buffers: control groups of the first version do not count those as memory either.
    """
    _be_the_first_to_go()
    net = 0 if network or once else confine.CLONE_NEWNET
    confine.unshare(_OWN | (0 if once else _SHARED) | net)
    confine.mount("none", "/", "", confine.MS_REC | confine.MS_PRIVATE)
    _make_folders(disk_mb)
    if not network:
        _bound_connections()
    _mount_proc()
    if net:
        _raise_loopback()


def _be_the_first_to_go() -> None:
    """Where memory runs out, the candidate's processes are killed and not the zygote."""
    try:
        _write("/proc/self/oom_score_adj", b"1000")
    except PermissionError:
        return  # somebody has set it higher already, or forbids it: the limit itself holds all the same


def _write(path: str, text: bytes) -> None:
    """Without the layers of a file object, of which a forked process would have to copy the memory."""
    number = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(number, text)
    finally:
        os.close(number)


def _make_folders(disk_mb: int) -> None:
    """One file system of that size behind all three places that can be written to."""
    files = max(1024, 64 * disk_mb)
    confine.mount("tmpfs", "/mnt", "tmpfs", _PLAIN, f"size={disk_mb}m,nr_inodes={files},mode=0755")
    for name, place in (("box", BOX), ("tmp", "/tmp"), ("shm", "/dev/shm")):
        os.mkdir("/mnt/" + name, 0o700)
        confine.mount("/mnt/" + name, place, "", confine.MS_BIND)
    confine.umount("/mnt")


def _bound_connections() -> None:
    """The settings are reached by a /proc that the candidate's own is mounted over, since taking it away takes milliseconds."""
    confine.mount("proc", "/proc", "proc", _PLAIN | confine.MS_NOEXEC)
    for name in _TCP:
        try:
            _write("/proc/sys/net/ipv4/" + name, _SMALL)
        except FileNotFoundError:
            return  # no connections here, or a kernel older than 4.15, where they are no namespace's own


def _mount_proc() -> None:
    flags = _PLAIN | confine.MS_NOEXEC | confine.MS_RDONLY
    try:
        confine.mount("proc", "/proc", "proc", flags, "subset=pid")
    except OSError:  # a kernel older than 5.8 knows no subset
        confine.mount("proc", "/proc", "proc", flags)


def _raise_loopback() -> None:
    """A program may talk to itself, as on any machine without a network."""
    any_socket = _socket.socket(_socket.AF_INET, _socket.SOCK_DGRAM)
    fcntl.ioctl(any_socket.fileno(), _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", _IFF_UP))
    any_socket.close()
