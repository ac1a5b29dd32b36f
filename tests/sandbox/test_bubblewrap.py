"""Bubblewrap holds what it runs: one candidate knows nothing of the host, of another, or of the one before."""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from skips import needs_root
from steelyard.errors import SandboxError
from steelyard.sandbox import Bubblewrap, Job, Limits, Outcome, bubblewrap
from steelyard.sandbox.inside import values

QUICK = Limits(wall_s=5, memory_mb=128, pids=16, output_bytes=100_000, disk_mb=8)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Bubblewrap]:
    with Bubblewrap() as made:
        yield made


def python(
    sandbox: Bubblewrap, source: str, limits: Limits = QUICK, stdin: bytes = b"", **job: object
) -> Outcome:
    made = Job(
        argv=("python3", "program.py"), files={"program.py": source.encode()}, stdin=stdin, **job
    )  # type: ignore[arg-type]
    return sandbox.start(made, limits).finish()


def test_a_command_gets_its_input_and_gives_output_files_and_exit_code(sandbox: Bubblewrap) -> None:
    source = (
        "import sys\nprint(sys.stdin.read().upper())\nprint('e', file=sys.stderr)\n"
        "open('o.txt', 'w').write('left')\nsys.exit(3)"
    )
    outcome = python(sandbox, source, stdin="é".encode(), collect=("o.txt", "missing.txt"))
    assert (outcome.stdout, outcome.stderr, outcome.exit_code) == ("É\n".encode(), b"e\n", 3)
    assert outcome.files == {"o.txt": b"left"}
    assert (outcome.limit, outcome.signal, outcome.violation) == (None, None, False)


LOOK = """
import json, os
def can(what):
    try:
        return what() or True
    except OSError as failed:
        return failed.errno
print(json.dumps({
    "pid": os.getpid(), "uid": os.getuid(), "environment": sorted(os.environ), "root": sorted(os.listdir("/")),
    "processes": sorted(n for n in os.listdir("/proc") if n.isdigit()), "home": os.listdir(os.path.expanduser("~")),
    "tmp": os.listdir("/tmp"), "shm": os.listdir("/dev/shm"),
    "write_root": can(lambda: open("/x", "w")), "write_usr": can(lambda: open("/usr/x", "w")),
    "write_proc": can(lambda: open("/proc/self/oom_score_adj", "w").write("0")),
    "sysctl": os.path.exists("/proc/sys"), "fds": sorted(int(n) for n in os.listdir("/proc/self/fd")),
    "init": can(lambda: open("/proc/1/environ").read()), "memory": can(lambda: open("/proc/1/mem", "rb")),
}))
"""


def test_a_candidate_sees_an_empty_world(sandbox: Bubblewrap) -> None:
    seen = json.loads(python(sandbox, LOOK).stdout)
    assert seen["pid"] == 2
    assert seen["uid"] == 1000
    assert seen["environment"] == [
        "HOME",
        "LANG",
        "PATH",
        "PYTHONDONTWRITEBYTECODE",
        "PYTHONHASHSEED",
        "TMPDIR",
    ]
    links = {"bin", "sbin", "lib", "lib32", "lib64", "libx32"}
    assert set(seen["root"]) - links == {"box", "dev", "etc", "mnt", "proc", "tmp", "usr"}
    assert seen["processes"] == ["1", "2"]
    assert (seen["home"], seen["tmp"], seen["shm"]) == (["program.py"], [], [])
    assert not seen["sysctl"]
    for refused in ("write_root", "write_usr", "write_proc", "init", "memory"):
        assert seen[refused] in (1, 13, 30), refused  # not permitted, denied, read-only
    assert seen["fds"] == [0, 1, 2, 3]  # the last is the listing itself


DEAF = """
import signal, time
for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
time.sleep(60)
"""
GREEDY_CHILDREN = """
import os, time
for _ in range(8):
    if os.fork() == 0:
        x = bytearray(4 * 10**7)
        time.sleep(3)
        os._exit(0)
for _ in range(8):
    os.wait()
"""


@pytest.mark.parametrize(
    ("source", "limits", "limit"),
    [
        ("while True: pass", Limits(wall_s=0.5), "time"),
        ("import time; time.sleep(60)", Limits(wall_s=0.5), "time"),
        (DEAF, Limits(wall_s=0.5), "time"),
        ("print('x' * 10**6)", QUICK, "output"),
        ("import sys\nwhile True: sys.stderr.write('x' * 1000)", QUICK, "output"),
        ("x = [bytearray(10**7) for _ in range(60)]", QUICK, "memory"),
        (GREEDY_CHILDREN, QUICK, "memory"),
        (
            "import os, time\nfor _ in range(40):\n if os.fork() == 0: time.sleep(9)",
            QUICK,
            "process",
        ),
        ("open('/tmp/x', 'wb').write(b'x' * 10**8)", QUICK, "disk"),
        ("open('/dev/shm/x', 'wb').write(b'x' * 10**8)", QUICK, "disk"),
        ("for i in range(10**5): open(f'/box/{i}', 'w').close()", QUICK, "disk"),
    ],
)
def test_a_limit_ends_the_run_and_is_named(
    sandbox: Bubblewrap, source: str, limits: Limits, limit: str
) -> None:
    assert python(sandbox, source, limits).limit == limit


def test_a_forbidden_system_call_is_a_violation(sandbox: Bubblewrap) -> None:
    outcome = python(sandbox, "import ctypes; ctypes.CDLL(None).ptrace(0, 0, 0, 0)")
    assert outcome.violation


def test_a_daemon_ends_with_its_program(sandbox: Bubblewrap) -> None:
    mark = f"steelyard-{time.monotonic_ns()}"
    source = (
        "import os, sys, time\n"
        "if os.fork() == 0:\n os.setsid()\n if os.fork() == 0:\n"
        f"  os.execvp('python3', ['python3', '-c', 'import time; time.sleep(50)', '{mark}'])\n os._exit(0)\n"
        "time.sleep(0.3); print('done')"
    )
    outcome = python(sandbox, source)
    assert (outcome.stdout, outcome.limit) == (b"done\n", None)
    left = [path for path in Path("/proc").glob("[0-9]*/cmdline") if mark.encode() in _read(path)]
    assert not left


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def test_nothing_of_one_candidate_is_there_for_the_next(sandbox: Bubblewrap) -> None:
    leave = "import os\nfor d in ('/tmp', '/box', '/dev/shm'): open(d + '/left', 'w').write('x')\nos.system('ipcmk -M 100')"
    python(sandbox, leave)
    seen = json.loads(python(sandbox, LOOK).stdout)
    assert (seen["home"], seen["tmp"], seen["shm"]) == (["program.py"], [], [])


SWALLOWED = """
import threading, time
try:
    for _ in range(40):
        threading.Thread(target=time.sleep, args=(0.3,)).start()
except RuntimeError:
    pass
"""


def test_without_control_groups_threads_count_and_the_record_says_what_is_not_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bubblewrap, "_find_cgroups", lambda: (None, "for this test"))
    with Bubblewrap() as uncounted:
        assert python(uncounted, SWALLOWED).limit == "process"
        few = SWALLOWED.replace("range(40)", f"range({QUICK.pids - 1})")
        assert python(uncounted, few).limit is None
        described = uncounted.describe()
    assert (described["cgroups"], described["without_cgroups"]) == (False, "for this test")
    assert (described["sampled"], described["not_kept"]) == (["memory_mb", "pids"], ["cpus"])


def uid_on_the_host(pid_of_sleeper: int) -> int:
    return Path(f"/proc/{pid_of_sleeper}").stat().st_uid


@needs_root
def test_candidates_at_the_same_time_have_different_uids(sandbox: Bubblewrap) -> None:
    mark = f"12.{time.monotonic_ns() % 10**9}"
    job = Job(argv=("sleep", mark))
    boxes = [sandbox.start(job, QUICK) for _ in range(2)]
    try:
        uids: list[int] = []
        until = time.monotonic() + 5
        while len(uids) < 2 and time.monotonic() < until:
            uids = [
                path.stat().st_uid
                for path in Path("/proc").glob("[0-9]*/cmdline")
                if _read(path) == f"sleep\0{mark}\0".encode()
            ]
        assert len(set(uids)) == 2
        assert 0 not in uids
    finally:
        for box in boxes:
            box.stop()


@pytest.mark.slow
@pytest.mark.parametrize("told", [False, True])
def test_a_box_ends_itself_when_its_grader_is_silent(sandbox: Bubblewrap, told: bool) -> None:
    """From the moment on at which there is something to run: one that waits for its program may wait."""
    box = sandbox.start(Job(worker="function"), Limits(wall_s=0.3))
    if told:
        source = "while True: pass"
        box.send(values.dumps({"load": {"source": source, "entry_point": "f", "alternatives": []}}))
    until = time.monotonic() + 1.5
    kinds: list[bytes] = []
    while b"X" not in kinds and time.monotonic() < until:
        kinds += [kind for kind, _ in box._link.frames(until)]
    assert kinds[:2] == (
        [b"B", b"X"] if told else []
    )  # what the box says last may come with its end
    box.stop()


def test_a_slot_that_was_killed_is_replaced(sandbox: Bubblewrap) -> None:
    box = sandbox.start(Job(argv=("sleep", "50")), QUICK)
    box._host.kill()
    with pytest.raises(SandboxError, match="without saying how"):
        box.finish()
    assert python(sandbox, "print(1)").stdout == b"1\n"


def test_slots_outlive_the_thread_that_asked_for_them() -> None:
    with Bubblewrap() as sandbox:
        thread = threading.Thread(target=sandbox.warm, args=(1,))
        thread.start()
        thread.join()
        time.sleep(0.1)
        slot = sandbox._idle[0]
        assert python(sandbox, "print(1)").stdout == b"1\n"
        assert sandbox._idle == [slot]


def test_a_closed_sandbox_leaves_nothing_and_starts_nothing() -> None:
    sandbox = Bubblewrap()
    sandbox.warm(2)
    pids = [slot._prepared.process.pid for slot in sandbox._idle]
    sandbox.close()
    assert not [pid for pid in pids if Path(f"/proc/{pid}").exists()]
    with pytest.raises(SandboxError, match="closed"):
        sandbox.start(Job(argv=("true",)), QUICK)


def test_a_program_that_does_not_exist_is_told(sandbox: Bubblewrap) -> None:
    outcome = sandbox.start(Job(argv=("no-such-program",)), QUICK).finish()
    assert (outcome.exit_code, outcome.stderr) == (
        127,
        b"no-such-program: No such file or directory\n",
    )


def test_files_that_do_not_fit_are_our_failure_and_not_the_candidates(sandbox: Bubblewrap) -> None:
    with pytest.raises(SandboxError, match="No space left"):
        sandbox.start(Job(argv=("true",), files={"big": b"x" * 9_000_000}), QUICK).finish()
    assert python(sandbox, "print(1)").stdout == b"1\n"


def test_when_the_grader_is_killed_everything_ends() -> None:
    source = (
        "import sys, time\nfrom steelyard.sandbox import Bubblewrap, Job, Limits\n"
        "box = Bubblewrap().start(Job(argv=('sleep', '77.{0}')), Limits(wall_s=60))\nprint('started', flush=True)\nbox.finish()"
    ).replace("{0}", str(os.getpid()))
    import sys

    with subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE) as grader:
        assert grader.stdout is not None
        assert grader.stdout.readline() == b"started\n"
        time.sleep(0.2)
        grader.kill()
    mark = f"sleep\x0077.{os.getpid()}\x00".encode()
    until = time.monotonic() + 3
    left = [Path()]
    while left and time.monotonic() < until:
        left = [path for path in Path("/proc").glob("[0-9]*/cmdline") if _read(path) == mark]
    assert not left


@pytest.mark.parametrize(
    "attack",
    [
        "for n in range(1, 65):\n try: os.kill(1, n)\n except OSError: pass",
        "for what in range(16):\n try: resource.prlimit(1, what, (0, 0))\n except OSError: pass",
        "for what in range(16):\n try: resource.prlimit(1, what, (1, 1))\n except (OSError, ValueError): pass",
        "try: os.setpriority(os.PRIO_PROCESS, 1, 19)\nexcept PermissionError: pass",
        "try: os.setpriority(os.PRIO_USER, 0, 19)\nexcept PermissionError: pass",
        "try: os.sched_setscheduler(1, os.SCHED_IDLE, os.sched_param(0))\nexcept PermissionError: pass",
        "try: os.sched_setaffinity(1, [0])\nexcept PermissionError: pass",
        "os.chmod('/box', 0); os.chmod('/tmp', 0)",
        "for n in range(3, 300):\n try: os.close(n)\n except OSError: pass",
    ],
)
def test_a_candidate_cannot_make_its_failure_look_like_ours(
    sandbox: Bubblewrap, attack: str
) -> None:
    source = f"import os, resource, time\n{attack}\nprint('x' * 50_000)\nfor _ in range(3 * 10**6): pass\nraise SystemExit(4)"
    outcome = python(sandbox, source, collect=("program.py",))
    assert (outcome.exit_code, outcome.limit, len(outcome.stdout)) == (4, None, 50_001)


def test_a_slot_that_will_not_take_the_limits_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    with Bubblewrap() as sandbox:
        sandbox.warm(1)
        (slot,) = sandbox._idle

        def refuse(*_: object) -> None:
            raise SandboxError(
                "control group: cannot write memory.limit_in_bytes: Device or resource busy"
            )

        monkeypatch.setattr(slot, "begin", refuse)
        assert python(sandbox, "print(1)").stdout == b"1\n"
        assert not slot.alive
