"""What a process gives up is gone, as the kernel tells it afterwards; each case is a process of its own."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from skips import needs_root
from steelyard.sandbox.inside import confine

PROLOGUE = "import errno, os, resource, sys\nfrom steelyard.sandbox.inside import confine as c\n"
STATUS = "print({k: v.split()[0] for k, v in (r.split(':', 1) for r in open('/proc/self/status')) if k[:3] in ('Cap', 'NoN')})\n"
SETS = ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")


def told(program: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", PROLOGUE + program, *arguments],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@needs_root
def test_all_five_sets_of_capabilities_are_empty() -> None:
    said = ast.literal_eval(told("c.no_new_privileges(); c.drop_capabilities()\n" + STATUS))
    assert {name: int(said[name], 16) for name in SETS} == dict.fromkeys(SETS, 0)
    assert said["NoNewPrivs"] == "1"


LOSE_SETPCAP = (
    "os.setgid(65534); os.setuid(65534)\n"  # a user has no capability, but the bounding set stays
)


@needs_root
def test_a_bounding_set_that_must_stay_can_give_nothing_back() -> None:
    said = ast.literal_eval(
        told(LOSE_SETPCAP + "c.no_new_privileges(); c.drop_capabilities()\n" + STATUS)
    )
    assert int(said["CapBnd"], 16) > 0
    assert {int(said[name], 16) for name in SETS if name != "CapBnd"} == {0}


@needs_root
def test_a_bounding_set_that_could_give_back_is_an_error() -> None:
    program = (
        LOSE_SETPCAP
        + "try: c.drop_capabilities()\nexcept OSError as e: print(e.errno == errno.EPERM, e)"
    )
    assert told(program).startswith("True [Errno 1] drop capability 0")


@needs_root
def test_nothing_that_was_given_up_comes_back(tmp_path: Path) -> None:
    program = (
        "p = sys.argv[1]\n"
        "c.no_new_privileges(); c.drop_capabilities()\n"
        "for what in (lambda: c.unshare(c.CLONE_NEWNS), lambda: c.mount('tmpfs', p, 'tmpfs'), lambda: c.umount(p)):\n"
        " try: what(); print('done')\n"
        " except OSError as e: print(e.errno == errno.EPERM, e.strerror)"
    )
    assert [line.split(":")[0] for line in told(program, str(tmp_path)).splitlines()] == [
        "True unshare 0x20000",
        f"True mount tmpfs at {tmp_path}",
        f"True umount {tmp_path}",
    ]


@needs_root
def test_a_mount_is_seen_in_its_own_namespace_alone(tmp_path: Path) -> None:
    program = (
        "c.unshare(c.CLONE_NEWNS); c.mount('', '/', '', c.MS_REC | c.MS_PRIVATE)\n"
        "p = sys.argv[1]; c.mount('tmpfs', p, 'tmpfs', c.MS_NOSUID | c.MS_NODEV | c.MS_NOEXEC, 'size=1m,mode=700')\n"
        "open(p + '/inside', 'w').close(); s = os.statvfs(p); print(s.f_blocks * s.f_frsize, s.f_flag & 14)\n"
        "c.umount(p); print(os.listdir(p))"
    )
    assert told(program, str(tmp_path)).split("\n") == ["1048576 14", "[]"]
    assert os.listdir(tmp_path) == []


def test_limits_are_hard() -> None:
    program = (
        "c.set_rlimits({'nproc': 20000, 'fsize': 1 << 20, 'nofile': 64})\n"
        "names = ['FSIZE', 'NOFILE', 'CORE', 'MEMLOCK', 'MSGQUEUE']\n"
        "print([resource.getrlimit(getattr(resource, 'RLIMIT_' + name)) for name in names])\n"
        "c.set_rlimits({'nofile': 128}); print(resource.getrlimit(resource.RLIMIT_NOFILE))"
    )
    said = told(program).splitlines()
    assert ast.literal_eval(said[0]) == [(1 << 20, 1 << 20), (64, 64), (0, 0), (0, 0), (0, 0)]
    assert said[1] == "(64, 64)", "a limit is never raised"


def test_the_stack_is_left_and_address_space_only_limited_if_asked() -> None:
    program = (
        "n = [resource.RLIMIT_STACK, resource.RLIMIT_AS]; a = [resource.getrlimit(x) for x in n]; c.set_rlimits({})\n"
        "print(a == [resource.getrlimit(x) for x in n]); c.set_rlimits({'as': 1 << 32}); print(resource.getrlimit(n[1]))"
    )
    assert told(program).splitlines() == ["True", f"({1 << 32}, {1 << 32})"]


@pytest.mark.parametrize(
    ("call", "error"),
    [
        ("c.set_rlimits({'patience': 1})", "there is no limit named patience"),
        ("c.install_filter(b'')", "0 bytes are no filter"),
        ("c.install_filter(b'1234567')", "7 bytes are no filter"),
        (
            "c.no_new_privileges(); c.install_filter(b'\\xff' * 8)",
            "install filter: Invalid argument",
        ),
    ],
)
def test_what_cannot_be_done_is_told(call: str, error: str) -> None:
    assert error in told(f"try:\n {call}\nexcept OSError as e: print(e.errno == errno.EINVAL, e)")


def test_a_process_can_be_closed_to_others_and_ends_with_its_parent() -> None:
    program = (
        "import ctypes, time\nread, write = os.pipe()\nparent = os.fork()\n"
        "if parent == 0:\n"
        " if os.fork() == 0:\n"
        "  c.die_with_parent(); c.dumpable(False)\n"
        "  os.write(write, b'dumpable %d' % ctypes.CDLL(None).prctl(3)); time.sleep(60)\n"
        " time.sleep(60)\n"
        "print(os.read(read, 16))\n"
        "os.close(write); os.kill(parent, 9); os.waitpid(parent, 0); print(os.read(read, 1))"
    )
    assert told(program).splitlines() == ["b'dumpable 0'", "b''"]


def test_the_module_is_at_home_in_any_python() -> None:
    """It is sent into boxes as text, so it leans on the standard library alone and on old syntax."""
    tree = ast.parse(Path(confine.__file__).read_text(encoding="utf-8"), feature_version=(3, 8))
    names = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    assert names <= sys.stdlib_module_names
