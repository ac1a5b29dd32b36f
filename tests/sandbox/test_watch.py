"""What /proc tells of a box: all of its processes, also those that were left by their parents."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from skips import needs_root
from steelyard.sandbox.watch import _seen_children, descendants


@pytest.fixture
def family() -> Iterator[subprocess.Popen[bytes]]:
    program = "import os, time\nos.fork(); os.fork();\nos.write(1, b'.\\n'); time.sleep(60)"
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, start_new_session=True
    )
    assert process.stdout is not None
    try:
        assert [process.stdout.readline() for _ in range(4)] == [b".\n"] * 4
        yield process
    finally:
        os.killpg(process.pid, 9)
        process.communicate()


def test_children_of_children_are_found(family: subprocess.Popen[bytes]) -> None:
    found = descendants(family.pid)
    assert len(found) == 3
    assert family.pid not in found
    assert family.pid in descendants(os.getpid())


def test_who_has_ended_has_no_children() -> None:
    process = subprocess.Popen(["true"])
    process.wait()
    assert descendants(process.pid) == []


def test_both_ways_of_looking_agree(family: subprocess.Popen[bytes]) -> None:
    seen, row = _seen_children(), [family.pid]
    found: list[int] = []
    while row:
        row = [child for parent in row for child in seen(parent)]
        found += row
    assert sorted(found) == sorted(descendants(family.pid))


@needs_root
def test_a_daemon_in_a_pid_namespace_is_found() -> None:
    program = (
        "import os, time\nfrom steelyard.sandbox.inside import confine\nconfine.unshare(confine.CLONE_NEWPID)\n"
        "if os.fork() == 0:\n if os.fork() == 0:\n  os.setsid()\n  if os.fork(): os._exit(0)\n  print('.', flush=True)\n"
        "  time.sleep(60)\n time.sleep(60)\ntime.sleep(60)"
    )
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    found = descendants(process.pid)
    # The namespace's first process, its child that has ended and waits to be reaped, and the daemon.
    assert len(found) == 3
    os.kill(found[0], 9)
    process.kill()
    process.communicate()
