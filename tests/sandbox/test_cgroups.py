"""Control groups: the kernel's own where they can be made, and version 2's rules on a tree of plain files."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

import skips
from steelyard.errors import SandboxError
from steelyard.sandbox.cgroup import Counters, Group, GroupV2
from steelyard.sandbox.cgroups import Cgroups, Mount, owner, read_mounts, read_own

MB = 1 << 20
CGROUPS = Cgroups.find()
NUMBERS = count()
real = pytest.mark.skipif(CGROUPS is None, reason=skips.CGROUPS)


@pytest.fixture
def group() -> Iterator[Group]:
    assert CGROUPS is not None
    made = CGROUPS.make(f"test-{next(NUMBERS)}")
    made.set_limits(64 * MB, 16, 1.0)
    yield made
    made.kill()
    made.remove()


def start(group: Group, program: str) -> subprocess.Popen[bytes]:
    """A program that begins only when it is in the group."""
    waiting = subprocess.Popen(
        [sys.executable, "-c", f"input()\n{program}"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    group.add(waiting.pid)
    assert waiting.stdin is not None
    waiting.stdin.write(b"\n")
    waiting.stdin.flush()
    return waiting


def finished(process: subprocess.Popen[bytes]) -> int:
    process.communicate(timeout=20)
    return process.returncode


@real
def test_memory_is_limited_for_children_too(group: Group) -> None:
    program = "import os\nif os.fork() == 0:\n a = bytearray(200 << 20)\n os._exit(0)\nraise SystemExit(os.wait()[1])"
    assert finished(start(group, program)) == signal.SIGKILL
    counted = group.counters()
    assert counted.oom_kills >= 1
    assert counted.memory_failures >= 1
    assert counted.peak_memory is not None
    assert 32 * MB < counted.peak_memory <= 64 * MB


@real
def test_what_fits_is_left_alone_and_the_peak_starts_anew(group: Group) -> None:
    assert finished(start(group, "a = bytearray(40 << 20)")) == 0
    first = group.counters()
    assert (first.oom_kills, first.pids_refused) == (0, 0)
    assert first.peak_memory is not None
    assert first.peak_memory > 40 * MB
    group.reset_peak()
    assert finished(start(group, "a = bytearray(1 << 20)")) == 0
    second = group.counters().peak_memory
    assert second is not None
    assert second < 30 * MB


@real
def test_processes_are_limited_and_refusals_counted(group: Group) -> None:
    program = "import os, time\ntry:\n while True:\n  if os.fork() == 0: time.sleep(30)\nexcept BlockingIOError: os._exit(7)"
    assert finished_without_pipe(start(group, program)) == 7
    assert group.counters().pids_refused >= 1
    assert len(group.processes()) == 15
    group.kill()
    assert group.processes() == []


def finished_without_pipe(process: subprocess.Popen[bytes]) -> int:
    """As `finished`, where children keep the pipe open."""
    code = process.wait(timeout=20)
    for pipe in (process.stdin, process.stdout):
        assert pipe is not None
        pipe.close()
    return code


@real
def test_a_fork_bomb_is_ended(group: Group) -> None:
    bomb = (
        "import os, signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True:\n try:\n  os.fork()\n  os.setsid()\n"
        " except OSError: pass"
    )
    process = start(group, bomb)
    deadline = time.monotonic() + 10
    while not group.counters().pids_refused:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    seen = group.processes()
    begin = time.monotonic()
    group.kill()
    assert time.monotonic() - begin < 2
    assert finished(process) == -signal.SIGKILL
    assert group.processes() == []
    assert len(seen) > 1


@real
def test_a_killed_group_takes_limits_and_work_again(group: Group) -> None:
    group.kill()
    assert int((group.folders["pids"] / "pids.max").read_text()) == 0, (
        "nothing may be born behind the hunter's back"
    )
    group.set_limits(64 * MB, 4, 1.0)
    assert finished(start(group, "import subprocess; subprocess.run(['true'], check=True)")) == 0


@real
def test_what_is_started_around_a_group_is_in_it_from_its_first_moment(group: Group) -> None:
    shell = "echo $$ >&2; cat /proc/self/cgroup"
    with group.around() as joined:
        process = subprocess.run(["sh", "-c", shell], capture_output=True, text=True, check=True)
        assert os.getpid() not in group.processes(), "nobody kills himself by killing the group"
    name = group.folders["pids"].name
    assert process.stdout.count(name) == (len(set(group.folders.values())) if joined else 0)
    assert name not in Path("/proc/thread-self/cgroup").read_text()
    assert joined == (CGROUPS is not None and CGROUPS.version == 1 and CGROUPS._ours)


@real
def test_processor_time_is_limited(group: Group) -> None:
    if "cpu" not in group.folders:
        pytest.skip(f"{skips.CGROUPS}: no cpu controller")
    group.set_limits(64 * MB, 16, 0.2)
    program = "import time; e = time.monotonic() + 1\nwhile time.monotonic() < e: pass\nprint(time.process_time())"
    out = start(group, program).communicate(timeout=30)[0]
    assert float(out) < 0.6


@real
def test_limits_can_be_lowered_and_raised(group: Group) -> None:
    for memory in (128 * MB, 32 * MB, 256 * MB):
        group.set_limits(memory, 8, 0.5)
        file = (
            "memory.limit_in_bytes"
            if "memory.limit_in_bytes" in os.listdir(group.folders["memory"])
            else "memory.max"
        )
        assert int((group.folders["memory"] / file).read_text()) == memory


@real
def test_a_process_that_is_gone_cannot_be_added(group: Group) -> None:
    gone = subprocess.Popen(["true"])
    gone.wait()
    with pytest.raises(SandboxError, match=r"cgroup\.procs"):
        group.add(gone.pid)


@real
def test_a_group_in_use_is_not_removed() -> None:
    assert CGROUPS is not None
    made = CGROUPS.make("busy")
    process = start(made, "import time; time.sleep(60)")
    with pytest.raises(SandboxError, match="in use"):
        made.remove(0.05)
    made.kill()
    finished(process)
    made.remove()
    made.remove()  # that it is gone already is no failure
    assert not any(folder.exists() for folder in made.folders.values())


@real
def test_names_are_told_apart(group: Group) -> None:
    assert CGROUPS is not None
    with pytest.raises(SandboxError, match="is no name"):
        CGROUPS.make("../up")
    made = CGROUPS.make("twice")
    with pytest.raises(SandboxError, match="File exists"):
        CGROUPS.make("twice")
    made.remove()


def alive(pid: int) -> bool:
    """Whether it runs; what is dead and waits to be noticed does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@real
def test_what_a_killed_owner_left_is_removed_and_only_that(group: Group) -> None:
    program = (
        "import subprocess, time; from steelyard.sandbox.cgroups import Cgroups\n"
        "g = Cgroups.open().make('left'); p = subprocess.Popen(['sleep', '300'], stdout=subprocess.DEVNULL); g.add(p.pid)\n"
        "print(p.pid, g.folders['memory'], flush=True); time.sleep(60)"
    )
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    pid, folder = child.stdout.readline().split()
    Cgroups.open()
    assert Path(folder).is_dir(), "its owner lives"
    child.kill()
    child.communicate()
    Cgroups.open()  # or somebody else who has just opened theirs: what counts is that it goes
    deadline = time.monotonic() + 10
    while (Path(folder).exists() or alive(int(pid))) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not Path(folder).exists()
    assert not alive(int(pid))
    assert all(mine.is_dir() for mine in group.folders.values())


@skips.needs_root
def test_without_rights_the_reason_is_told() -> None:
    program = (
        "import os; from steelyard.errors import SandboxError; from steelyard.sandbox.cgroups import Cgroups\n"
        "os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
        "assert Cgroups.find() is None\ntry: Cgroups.open()\nexcept SandboxError as why: print(why)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert "control group" in done.stdout


def unified() -> Path | None:
    mounts = read_mounts(Path("/proc/self/mountinfo").read_text())
    return next(
        (mount.point for mount in mounts if mount.version == 2 and os.access(mount.point, os.W_OK)),
        None,
    )


@pytest.mark.skipif(
    os.geteuid() != 0 or unified() is None,
    reason=f"{skips.CGROUPS}: no tree of version 2 to write to",
)
def test_version_2_ends_all_at_one_stroke() -> None:
    top = unified()
    assert top is not None
    folder = top / f"{owner()}-stroke"
    folder.mkdir()
    group = GroupV2({"memory": folder, "pids": folder})
    try:
        process = start(group, "import os, time\nfor _ in range(5): os.fork()\ntime.sleep(60)")
        deadline = time.monotonic() + 10
        while len(group.processes()) < 32 and time.monotonic() < deadline:
            time.sleep(0.01)
        assert len(group.processes()) == 32
        group.kill()
        assert group.processes() == []
        assert finished(process) == -signal.SIGKILL
    finally:
        group.kill()
        group.remove()


def test_mounts_and_own_groups_are_read() -> None:
    text = (
        "22 1 0:1 / / rw - ext4 /dev/a rw\n"
        "35 31 0:32 /box /sys/fs/with\\040space rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
        "41 31 0:38 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw,nsdelegate\n"
    )
    first, second = read_mounts(text)
    assert first == Mount(
        "/box", Path("/sys/fs/with space"), 1, frozenset({"rw", "cpu", "cpuacct"})
    )
    assert (second.version, second.point) == (2, Path("/sys/fs/cgroup"))
    own = read_own("4:memory:/a:b/c\n2:cpu,cpuacct:/x\n0::/user.slice\n")
    assert own == {"memory": "/a:b/c", "cpu": "/x", "cpuacct": "/x", "": "/user.slice"}


@pytest.mark.parametrize(
    ("root", "own", "folder"),
    [
        ("/", "/a/b", "a/b"),
        ("/a", "/a/b", "b"),
        ("/a", "/a", "."),
        ("/a", "/other", "."),
        ("/", "/gone", "."),
        ("/", "/../x", "."),
    ],
)
def test_our_own_folder_is_found(tmp_path: Path, root: str, own: str, folder: str) -> None:
    for part in ("a/b", "b"):
        (tmp_path / part).mkdir(parents=True)
    assert Mount(root, tmp_path, 2, frozenset()).folder(own) == tmp_path / folder


def test_counters_of_no_group_are_noughts() -> None:
    assert Counters() == Counters(oom_kills=0, memory_failures=0, pids_refused=0, peak_memory=None)
