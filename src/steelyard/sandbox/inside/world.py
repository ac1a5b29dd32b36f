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
_NAMESPACES = confine.CLONE_NEWNS | confine.CLONE_NEWIPC | confine.CLONE_NEWUTS | confine.CLONE_NEWCGROUP
_PLAIN = confine.MS_NOSUID | confine.MS_NODEV


def forbid_user_namespaces() -> None:
    """Nobody in this user namespace can make another one, in which it would be root again."""
    confine.mount("proc", "/mnt", "proc", _PLAIN | confine.MS_NOEXEC)
    try:
        with open("/mnt/sys/user/max_user_namespaces", "w") as file:
            file.write("0")
    finally:
        confine.umount("/mnt")


def build(disk_mb: int, *, network: bool) -> None:
    """The namespaces, the files and the /proc of one candidate; nothing of another one is there."""
    _be_the_first_to_go()
    confine.unshare(_NAMESPACES | (0 if network else confine.CLONE_NEWNET))
    confine.mount("none", "/", "", confine.MS_REC | confine.MS_PRIVATE)
    _make_folders(disk_mb)
    _mount_proc()
    if not network:
        _raise_loopback()


def _be_the_first_to_go() -> None:
    """Where memory runs out, the candidate's processes are killed and not the zygote."""
    try:
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")
    except PermissionError:
        return  # somebody has set it higher already, or forbids it: the limit itself holds all the same


def _make_folders(disk_mb: int) -> None:
    """One file system of that size behind all three places that can be written to."""
    files = max(1024, 64 * disk_mb)
    confine.mount("tmpfs", "/mnt", "tmpfs", _PLAIN, f"size={disk_mb}m,nr_inodes={files},mode=0755")
    for name, place in (("box", BOX), ("tmp", "/tmp"), ("shm", "/dev/shm")):
        os.mkdir("/mnt/" + name, 0o700)
        confine.mount("/mnt/" + name, place, "", confine.MS_BIND)
    confine.umount("/mnt")


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
