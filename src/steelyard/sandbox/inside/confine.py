"""The system calls by which a process gives up what it could do, each raising OSError that says what failed.

This module runs inside the box: the standard library alone, Python 3.8 or newer. The order that holds everywhere:
namespaces and mounts first (they need capabilities), then `set_rlimits`, `no_new_privileges`, `drop_capabilities`,
and `install_filter` last, because the filter forbids most of the others.
"""

from __future__ import annotations

import ctypes
import errno
import os
import resource

CLONE_NEWTIME = 0x00000080
CLONE_NEWNS = 0x00020000
CLONE_NEWCGROUP = 0x02000000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_RDONLY = 0x1
MS_NOSUID = 0x2
MS_NODEV = 0x4
MS_NOEXEC = 0x8
MS_REMOUNT = 0x20
MS_NOATIME = 0x400
MS_BIND = 0x1000
MS_MOVE = 0x2000
MS_REC = 0x4000
MS_PRIVATE = 0x40000
MS_SLAVE = 0x80000

MNT_FORCE = 0x1
MNT_DETACH = 0x2

# What no program in a box has a use for. A caller's own limits come on top and win; the stack is left as it is.
STRICT = {"core": 0, "nofile": 256, "msgqueue": 0, "memlock": 0, "rtprio": 0}

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_SET_SECCOMP = 22
_PR_CAPBSET_READ = 23
_PR_CAPBSET_DROP = 24
_PR_SET_NO_NEW_PRIVS = 38
_PR_GET_NO_NEW_PRIVS = 39
_PR_CAP_AMBIENT = 47
_PR_CAP_AMBIENT_CLEAR_ALL = 4
_SECCOMP_MODE_FILTER = 2
_CAPABILITY_VERSION_3 = 0x20080522
_CAPABILITIES = 64  # as many as the two words of a set can hold
_INSTRUCTION_BYTES = 8  # of a struct sock_filter

_bounding: list[int] = []  # asked once, since it takes a call for each

_libc = ctypes.CDLL(None, use_errno=True)
_libc.prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4
_libc.unshare.argtypes = [ctypes.c_int]
_libc.setns.argtypes = [ctypes.c_int, ctypes.c_int]
_libc.mount.argtypes = [
    ctypes.c_char_p,
    ctypes.c_char_p,
    ctypes.c_char_p,
    ctypes.c_ulong,
    ctypes.c_char_p,
]
_libc.umount2.argtypes = [ctypes.c_char_p, ctypes.c_int]
_libc.fork.argtypes = []
_libc.capset.argtypes = [ctypes.c_void_p, ctypes.c_void_p]


class _CapabilityHeader(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("pid", ctypes.c_int)]


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p)]


def _check(result: int, what: str) -> int:
    """The result of a call into libc; an OSError that names the call if it failed."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def _prctl(what: str, option: int, *arguments: int) -> int:
    padded = list(arguments) + [0] * (4 - len(arguments))
    return _check(_libc.prctl(option, *padded), what)


def unshare(flags: int) -> None:
    """This process lives in new namespaces, those of the CLONE_NEW* flags."""
    _check(_libc.unshare(flags), f"unshare {flags:#x}")


def enter(namespace: int, kind: int) -> None:
    """This process, or for a pid namespace its next child, lives in the namespace of that open file."""
    _check(_libc.setns(namespace, kind), f"setns {kind:#x}")


def fork() -> int:
    """Like `os.fork`, but nothing is made ready for threads in the copy, which takes as long again as the forking itself.

    For a process that has one thread, in whose copy none will ever be started; what that forks with `os.fork` is as usual.
    """
    return _check(_libc.fork(), "fork")


def mount(source: str, target: str, kind: str = "", flags: int = 0, data: str = "") -> None:
    """``target`` shows a file system: ``mount("tmpfs", "/box", "tmpfs", MS_NOSUID, "size=64m")``."""
    texts = [os.fsencode(text) if text else None for text in (source, target, kind, data)]
    result = _libc.mount(texts[0], texts[1], texts[2], flags, texts[3])
    _check(result, f"mount {kind or source or hex(flags)} at {target}")


def umount(target: str, flags: int = MNT_DETACH) -> None:
    """``target`` no longer shows what was mounted there."""
    _check(_libc.umount2(os.fsencode(target), flags), f"umount {target}")


def dumpable(on: bool) -> None:
    """Whether processes of the same user may look into this one: trace it, or read its /proc files."""
    _prctl("set dumpable", _PR_SET_DUMPABLE, int(on))


def die_with_parent(signal: int = 9) -> None:
    """This process gets the signal when the thread that forked it has ended."""
    _prctl("set parent death signal", _PR_SET_PDEATHSIG, signal)


def no_new_privileges() -> None:
    """From here on no program that is executed, setuid or not, has more rights than this process."""
    _prctl("set no_new_privs", _PR_SET_NO_NEW_PRIVS, 1)


def drop_capabilities() -> None:
    """All five sets of capabilities are empty.

    Emptying the bounding set needs CAP_SETPCAP. Without it the other four are emptied, and the bounding set may stay only
    if no_new_privs is on: it can then give nothing back, whatever is executed. Otherwise this raises EPERM.
    """
    _clear_bounding()
    _prctl("clear ambient capabilities", _PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL)
    header = _CapabilityHeader(_CAPABILITY_VERSION_3, 0)
    nothing = (ctypes.c_uint32 * 6)()
    _check(_libc.capset(ctypes.byref(header), ctypes.byref(nothing)), "capset")


def bounding_set() -> list[int]:
    """The capabilities that the bounding set of this process held when it was first asked; it can only have lost some since."""
    if not _bounding:
        _bounding.extend(
            number
            for number in range(_CAPABILITIES)
            if _libc.prctl(_PR_CAPBSET_READ, number, 0, 0, 0) == 1
        )
    return _bounding


def _clear_bounding() -> None:
    for capability in bounding_set():
        try:
            _prctl(f"drop capability {capability}", _PR_CAPBSET_DROP, capability)
        except OSError as failed:
            if failed.errno != errno.EPERM or not _prctl("get no_new_privs", _PR_GET_NO_NEW_PRIVS):
                raise
            return


def install_filter(program: bytes) -> None:
    """Every system call of this process and its children is judged by the filter, an array of struct sock_filter."""
    length, rest = divmod(len(program), _INSTRUCTION_BYTES)
    if rest or not length:
        raise OSError(errno.EINVAL, f"install filter: {len(program)} bytes are no filter")
    buffer = ctypes.create_string_buffer(program, len(program))
    described = _Program(length, ctypes.cast(buffer, ctypes.c_void_p))
    _prctl("install filter", _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.addressof(described))


def set_rlimits(limits: dict[str, int]) -> None:
    """Hard and soft limits by the names that `resource` has for them: ``{"nproc": 64, "fsize": 1 << 26}``.

    Those of STRICT hold unless named. A limit that is already lower stays, since only root could raise it.
    """
    for name, wanted in {**STRICT, **limits}.items():
        number = getattr(resource, "RLIMIT_" + name.upper(), None)
        if number is None:
            raise OSError(errno.EINVAL, f"set limit: there is no limit named {name}")
        hard = resource.getrlimit(number)[1]
        value = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        try:
            resource.setrlimit(number, (value, value))
        except (OSError, ValueError) as failed:
            raise OSError(errno.EPERM, f"set limit {name} to {value}: {failed}") from failed
