"""The filter of system calls: read by an interpreter of our own for every machine, and by this kernel for this one."""

from __future__ import annotations

import errno
import json
import os
import platform
import signal
import struct
import subprocess
import sys
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.errors import SandboxError
from steelyard.sandbox.seccomp import (
    ALLOW,
    FOREIGN,
    KILL,
    REFUSE,
    action,
    filter_program,
    read_rules,
)

RULES = read_rules()
MACHINES = sorted(RULES.machines)
HERE = platform.machine()
real = pytest.mark.skipif(
    HERE not in MACHINES or sys.platform != "linux", reason="no filter for this machine"
)

# Children have no rights and no capabilities: if the filter had a hole, the call would still do no harm.
PROLOGUE = """
import ctypes, json, os, sys
from steelyard.sandbox.inside import confine
from steelyard.sandbox.seccomp import filter_program
FILTER = filter_program()  # a child without rights may not be able to read the rules
def confined():
    confine.no_new_privileges()
    confine.drop_capabilities()
    confine.install_filter(FILTER)
"""

CALLER = """
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
def told(number, arguments):
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        if os.geteuid() == 0:
            os.setgroups([]); os.setresgid(65534, 65534, 65534); os.setresuid(65534, 65534, 65534)
        confined()
        result = libc.syscall(*[ctypes.c_long(value) for value in [number, *arguments]])
        os.write(writer, b"%d" % (ctypes.get_errno() if result < 0 else 0))
        os._exit(0)
    os.close(writer)
    said = os.read(reader, 16)
    status = os.waitpid(pid, 0)[1]
    os.close(reader)
    return -os.WTERMSIG(status) if os.WIFSIGNALED(status) else int(said)
print(json.dumps([told(number, arguments) for number, arguments in json.load(sys.stdin)]))
"""


def run(program: bytes, number: int, arguments: tuple[int, ...] = (), *, arch: int) -> int:
    """What a filter answers, by the definition of the instructions."""
    padded = [value & (1 << 64) - 1 for value in (*arguments, *[0] * (6 - len(arguments)))]
    data = struct.pack("=IIQ6Q", number & 0xFFFFFFFF, arch, 0, *padded)
    value, at = 0, 0
    while True:
        code, if_true, if_false, k = struct.unpack_from("=HBBI", program, at * 8)
        at += 1
        if code == 0x06:
            return int(k)
        if code == 0x20:
            value = struct.unpack_from("=I", data, k)[0]
        else:
            holds = {0x15: value == k, 0x25: value > k, 0x35: value >= k, 0x45: bool(value & k)}[
                code
            ]
            at += if_true if holds else if_false


@cache
def asked(*calls: tuple[int, tuple[int, ...]]) -> tuple[int, ...]:
    """What this kernel answers to each call, under the filter: an errno, or minus the signal that ended the child."""
    done = subprocess.run(
        [sys.executable, "-c", PROLOGUE + CALLER],
        input=json.dumps(calls),
        text=True,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return tuple(json.loads(done.stdout))


def number_of(call: str) -> int:
    return RULES.machines[HERE].numbers[call]


UNCONDITIONAL = [
    (call, then) for then, calls in {"kill": RULES.kill, **RULES.refuse}.items() for call in calls
]


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(("call", "then"), UNCONDITIONAL, ids=[call for call, _ in UNCONDITIONAL])
def test_the_program_follows_the_rules(machine: str, call: str, then: str) -> None:
    known = RULES.machines[machine]
    if call in known.numbers:
        assert run(filter_program(machine), known.numbers[call], arch=known.audit) == action(then)


@real
def test_the_kernel_follows_the_rules() -> None:
    calls = [(call, then) for call, then in UNCONDITIONAL if call in RULES.machines[HERE].numbers]
    answers = asked(*[(number_of(call), (0, 0, 0, 0, 0, 0)) for call, _ in calls])
    wanted = [-signal.SIGSYS if then == "kill" else getattr(errno, then) for _, then in calls]
    assert dict(zip(calls, answers, strict=True)) == dict(zip(calls, wanted, strict=True))


AF_VSOCK, AF_NETLINK, AF_PACKET = 40, 16, 17
HIGH = 1 << 32
CASES = [
    ("clone", (0x10000000,), "kill"),  # CLONE_NEWUSER
    ("clone", (0x20000000 | 17,), "kill"),
    ("clone", (0x00020000,), "kill"),
    ("clone", (0x02000000,), "kill"),
    ("clone", (HIGH | 0x10000000,), "kill"),  # the kernel drops the upper half of the flags
    ("socket", (AF_VSOCK, 1, 0), "kill"),
    ("socket", (HIGH | AF_VSOCK, 1, 0), "kill"),
    ("socket", (AF_NETLINK, 3, 0), "EPERM"),
    ("socket", (AF_PACKET, 3, 0), "EPERM"),
    ("socket", (38, 5, 0), "EPERM"),  # AF_ALG
    ("socket", (-1, 1, 0), "EPERM"),
    ("socketpair", (AF_VSOCK, 1, 0, 0), "EPERM"),
    ("ioctl", (0, 0x5412, 0), "EPERM"),  # TIOCSTI
    ("ioctl", (0, HIGH | 0x5412, 0), "EPERM"),  # the upper half does not hide it
    ("ioctl", (0, 0x541C, 0), "EPERM"),  # TIOCLINUX
    ("personality", (0x0040000,), "EPERM"),  # ADDR_NO_RANDOMIZE
    ("setsockopt", (-1, 0, 35, 0, 8), "ENODEV"),  # IP_ADD_MEMBERSHIP
    ("setsockopt", (-1, 41, 20, 0, 20), "ENODEV"),  # IPV6_JOIN_GROUP
    ("setsockopt", (-1, HIGH | 41, HIGH | 20, 0, 20), "ENODEV"),
]
ALLOWED = [
    ("clone", (17,)),
    ("clone", (0x003D0F00,)),  # the flags of a thread
    ("socket", (1, 1, 0)),
    ("socket", (2, 2, 0)),
    ("socket", (10, 1, 0)),
    ("socketpair", (1, 1, 0, 0)),
    ("ioctl", (0, 0x5401, 0)),
    ("personality", (0,)),
    ("personality", (0xFFFFFFFF,)),
]


@pytest.mark.parametrize("machine", MACHINES)
def test_arguments_are_judged(machine: str) -> None:
    known, program = RULES.machines[machine], filter_program(machine)
    for call, arguments, then in CASES:
        assert run(program, known.numbers[call], arguments, arch=known.audit) == action(then), (
            call,
            arguments,
        )
    for call, arguments in ALLOWED:
        assert run(program, known.numbers[call], arguments, arch=known.audit) == ALLOW, (
            call,
            arguments,
        )


@real
def test_the_kernel_judges_arguments() -> None:
    answers = asked(*[(number_of(call), arguments) for call, arguments, _ in CASES])
    assert answers == tuple(
        -signal.SIGSYS if then == "kill" else getattr(errno, then) for *_, then in CASES
    )
    quiet = [
        (number_of(call), arguments)
        for call, arguments in ALLOWED
        if call in {"socket", "personality"}
    ]
    assert set(asked(*quiet)) <= {0, errno.EAFNOSUPPORT}


@real
def test_foreign_and_unknown_numbers() -> None:
    getpid = {"x86_64": 39, "aarch64": 172}[HERE]
    answers = asked(
        (getpid, ()), (FOREIGN + getpid, ()), (RULES.newest + 1, ()), (600, ()), (-1, ())
    )
    assert answers == (0, -signal.SIGSYS, errno.ENOSYS, errno.ENOSYS, -signal.SIGSYS)


@pytest.mark.skipif(HERE != "x86_64", reason="the old gate is x86's")
def test_calls_of_i386_are_killed() -> None:
    body = """
import mmap
gate = mmap.mmap(-1, 4096, prot=7)
gate.write(b"\\xb8\\x14\\x00\\x00\\x00\\xcd\\x80\\xc3")  # mov eax, 20 (getpid); int 0x80; ret
call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(gate)))
confined()
call()
"""
    done = subprocess.run([sys.executable, "-c", PROLOGUE + body], timeout=30, check=False)
    # A kernel without the old gate answers by a fault.
    assert done.returncode in {-signal.SIGSYS, -signal.SIGSEGV}


@given(
    number=st.integers(0, 2**32 - 1),
    arguments=st.lists(st.integers(0, 2**64 - 1), max_size=6),
    machine=st.sampled_from(MACHINES),
    arch=st.integers(0, 2**32 - 1),
)
def test_laws_of_the_filter(number: int, arguments: list[int], machine: str, arch: int) -> None:
    known, program = RULES.machines[machine], filter_program(machine)
    answer = run(program, number, tuple(arguments), arch=known.audit)
    assert answer in {KILL, ALLOW, REFUSE | errno.EPERM, REFUSE | errno.ENOSYS}
    assert run(
        program, number, tuple(value | 7 << 40 for value in arguments), arch=known.audit
    ) == run(program, number, tuple(value & 0xFFFFFFFF for value in arguments), arch=known.audit), (
        "the upper half of an argument never matters"
    )
    if number >= FOREIGN or arch != known.audit:
        foreign = run(
            program, number, tuple(arguments), arch=arch if arch != known.audit else known.audit
        )
        assert foreign == KILL


@given(number=st.integers(0, RULES.newest), machine=st.sampled_from(MACHINES))
def test_what_has_no_rule_is_allowed(number: int, machine: str) -> None:
    known = RULES.machines[machine]
    if number not in known.numbers.values():
        assert run(filter_program(machine), number, arch=known.audit) == ALLOW


def test_what_would_open_a_wall_kills() -> None:
    """The file cannot lose these without a test that says so."""
    doors = """ptrace process_vm_readv process_vm_writev pidfd_getfd mount umount2 pivot_root chroot open_tree move_mount
        fsopen fsconfig fsmount fspick mount_setattr open_tree_attr unshare setns bpf perf_event_open userfaultfd keyctl
        add_key request_key init_module finit_module delete_module kexec_load kexec_file_load reboot swapon swapoff acct
        quotactl settimeofday clock_settime adjtimex clock_adjtime sethostname setdomainname iopl ioperm
        open_by_handle_at vhangup modify_ldt"""
    assert set(doors.split()) <= set(RULES.kill)
    assert {"clone3", "io_uring_setup", "io_uring_enter", "io_uring_register"} <= set(
        RULES.refuse["ENOSYS"]
    )
    assert {"kcmp", "name_to_handle_at", "fanotify_init"} <= set(RULES.refuse["EPERM"])


def test_every_name_is_known_somewhere() -> None:
    names = {call for call, _ in UNCONDITIONAL} | {
        rule.call for rule in RULES.arguments + RULES.uncounted_arguments
    }
    names |= set(RULES.uncounted)
    for machine in RULES.machines.values():
        assert set(machine.numbers) <= names
        assert len(set(machine.numbers.values())) == len(machine.numbers)
    assert names == {name for machine in RULES.machines.values() for name in machine.numbers}


@pytest.mark.parametrize("machine", sorted(RULES.machines))
@pytest.mark.parametrize("call", RULES.uncounted)
def test_memory_of_no_process_is_refused_only_where_nobody_counts_it(
    machine: str, call: str
) -> None:
    known = RULES.machines[machine]
    number, arch = known.numbers[call], known.audit
    assert run(filter_program(machine, counted=False), number, arch=arch) == action("ENOSYS")
    assert run(filter_program(machine), number, arch=arch) == ALLOW


SOL_SOCKET, IPPROTO_IP = 1, 0
BUFFERS = (7, 8, 32, 33, HIGH | 7)  # SO_SNDBUF, SO_RCVBUF, and what root may force
UNCHANGED = [("setsockopt", (3, SOL_SOCKET, name, 0, 4), "nothing") for name in BUFFERS]
ENLARGED = ("fcntl", (3, 1031, 1 << 20), "EPERM")  # F_SETPIPE_SZ
AS_USUAL = [
    ("setsockopt", (3, SOL_SOCKET, 2, 0, 4)),  # SO_REUSEADDR
    ("setsockopt", (3, IPPROTO_IP, 33, 0, 4)),  # IP_MULTICAST_TTL
    ("setsockopt", (7, 6, 7, 0, 4)),  # TCP_SYNCNT
    ("setsockopt", (3, 41, 26, 0, 4)),  # IPV6_V6ONLY
    ("fcntl", (3, 1032)),  # F_GETPIPE_SZ
]


@pytest.mark.parametrize("machine", MACHINES)
def test_pipes_are_enlarged_only_where_somebody_counts_them_and_sockets_nowhere(
    machine: str,
) -> None:
    known = RULES.machines[machine]
    counted, program = filter_program(machine), filter_program(machine, counted=False)
    for call, arguments, then in [*UNCHANGED, ENLARGED]:
        assert run(program, known.numbers[call], arguments, arch=known.audit) == action(then), (
            call,
            arguments,
        )
    for call, arguments, then in UNCHANGED:
        assert run(counted, known.numbers[call], arguments, arch=known.audit) == action(then)
    assert run(counted, known.numbers["fcntl"], ENLARGED[1], arch=known.audit) == ALLOW
    for call, arguments in AS_USUAL:
        assert run(program, known.numbers[call], arguments, arch=known.audit) == ALLOW, (
            call,
            arguments,
        )


def test_other_machines_are_refused() -> None:
    with pytest.raises(SandboxError, match="no system call filter for riscv64"):
        filter_program("riscv64")
    assert filter_program("arm64") == filter_program("aarch64")


HONEST = {
    "threads": "import threading; t = [threading.Thread(target=sum, args=([1],)) for _ in range(8)]; "
    "[x.start() for x in t]; [x.join() for x in t]",
    "fork": "import multiprocessing as m; p = m.get_context('fork').Pool(2); assert p.map(abs, [-1, -2]) == [1, 2]; p.close()",
    "spawn": "import multiprocessing as m; p = m.get_context('spawn').Process(target=print); p.start(); p.join(); "
    "assert p.exitcode == 0",
    "shared": "from multiprocessing import shared_memory as s; b = s.SharedMemory(create=True, size=9); b.close(); b.unlink()",
    "subprocess": "import subprocess; assert subprocess.run(['sh', '-c', 'echo hi'], capture_output=True).stdout == b'hi\\n'",
    "spawned": "import os; p = os.posix_spawn('/bin/true', ['true'], {}); assert os.waitpid(p, 0)[1] == 0",
    "asyncio": "import asyncio\nasync def f():\n p = await asyncio.create_subprocess_exec('true'); return await p.wait()\n"
    "assert asyncio.run(f()) == 0",
    "loopback": "import socket; s = socket.create_server(('127.0.0.1', 0)); c = socket.create_connection(s.getsockname()); "
    "c.close(); s.close()",
    "names": "import socket; assert socket.getaddrinfo('localhost', 80)",
    "server": "import asyncio\nasync def f():\n s = await asyncio.start_server(lambda r, w: w.close(), '127.0.0.1', 0)\n"
    " r, w = await asyncio.open_connection(*s.sockets[0].getsockname()); assert await r.read() == b''\n"
    "asyncio.run(f())",
    "numpy": "import numpy as n; assert (n.ones((300, 300)) @ n.ones((300, 300)))[0, 0] == 300",
    "terminal": "import os, sys; os.isatty(0); import pty; a, b = os.openpty(); os.ttyname(b)",
    "sqlite": "import sqlite3, tempfile\nwith tempfile.TemporaryDirectory() as d:\n"
    " c = sqlite3.connect(d + '/a'); c.execute('create table t (x)'); c.commit(); c.close()",
    "compiler": "import shutil, subprocess\nif shutil.which('cc'):\n subprocess.run(['cc', '-x', 'c', '-o', '/dev/null', '-'], "
    "input=b'int main(void){return 0;}', check=True)",
}


@real
@pytest.mark.parametrize("name", HONEST)
def test_honest_programs_run(name: str) -> None:
    # multiprocessing's spawn runs the main module again, which therefore must be none.
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", f"{PROLOGUE}\nconfined()\n{HONEST[name]}"],
        timeout=60,
        capture_output=True,
        check=False,
        env={**os.environ, "OMP_NUM_THREADS": "2"},
    )
    assert done.returncode == 0, done.stderr.decode()
