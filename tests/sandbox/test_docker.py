"""The sandbox that Docker makes, against a real daemon and an image of this machine's Python."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from docker_daemon import IMAGE, docker, docker_address
from steelyard.errors import SandboxError
from steelyard.sandbox import Docker, Job, Limits, Outcome, run
from steelyard.sandbox.docker_client import Client
from steelyard.sandbox.uids import end_processes_of

pytestmark = pytest.mark.slow

TIGHT = Limits(wall_s=4, memory_mb=64, pids=20, disk_mb=8, output_bytes=65536)
EAT = "x = []\nwhile True: x.append(bytearray(1 << 20))\n"
CASES = [
    ("print(input())", {"exit_code": 0, "stdout": b"hello\n"}),
    ("import sys; sys.exit(3)", {"exit_code": 3}),
    (
        "import ctypes, multiprocessing, sqlite3, ssl, zlib, zoneinfo; zoneinfo.ZoneInfo('Asia/Tokyo')",
        {"exit_code": 0},
    ),
    ("raise SystemError", {"exit_code": 1}),
    ("import os; os.abort()", {"signal": signal.SIGABRT}),
    (
        "import os; print(os.getcwd(), sorted(os.listdir('.')))",
        {"stdout": b"/box ['program.py']\n"},
    ),
    ("import time; time.sleep(60)", {"limit": "time"}),
    ("while True: pass", {"limit": "time"}),
    ("import os, signal; os.kill(os.getpid(), signal.SIGSTOP)", {"limit": "time"}),
    (EAT, {"limit": "memory"}),
    (
        f"import os\nif os.fork() == 0:\n  exec({EAT!r})\nos.wait()",
        {"limit": "memory", "exit_code": 0},
    ),
    ("import os, time\nfor _ in range(40): os.fork() or time.sleep(9)", {"limit": "process"}),
    ("f = open('f', 'wb', 0)\nwhile True: f.write(bytes(65536))", {"limit": "disk"}),
    ("while True: print('x' * 65536)", {"limit": "output"}),
    ("import ctypes; ctypes.CDLL(None).ptrace(0, 0, 0, 0)", {"violation": True}),
    ("import os; os.write(1, b'x'); os.kill(-1, 9)", {"stdout": b"x"}),
    (
        "import os, time\nif os.fork() == 0:\n  os.setsid()\n  if os.fork() == 0: time.sleep(60)",
        {"exit_code": 0},
    ),
]


@pytest.fixture(scope="module", autouse=True)
def address() -> Iterator[str]:
    found = docker_address()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DOCKER_HOST", found)
        yield found


@pytest.fixture(scope="module")
def sandbox(address: str) -> Iterator[Docker]:
    with Docker(image=IMAGE) as opened:
        yield opened


def python(source: str, **more: Any) -> Job:
    return Job(argv=("python3", "program.py"), files={"program.py": source.encode()}, **more)


def limits_of(source: str) -> Limits:
    quick = (
        ("sleep(60)" in source and "setsid" not in source)
        or "while True: pass" in source
        or "SIGSTOP" in source
    )
    return Limits(
        **{
            **{name: getattr(TIGHT, name) for name in TIGHT.__struct_fields__},
            "wall_s": 0.5 if quick else 4,
        }
    )


def open_in(sandbox: Docker) -> set[str]:
    """The containers that this sandbox has; the daemon has those of other sandboxes too."""
    return {container.name for container in list(sandbox._open)}


def there() -> set[str]:
    """All containers that the daemon knows, of whomever."""
    return set(docker("ps", "--all", "--format", "{{.Names}}").split())


@pytest.mark.parametrize(
    ("source", "wanted"), CASES, ids=[str(number) for number in range(len(CASES))]
)
def test_an_end_is_told_for_what_it_is(
    source: str, wanted: dict[str, Any], sandbox: Docker
) -> None:
    limits = limits_of(source)
    outcome = run(sandbox, python(source, stdin=b"hello\n"), limits)
    assert {name: getattr(outcome, name) for name in wanted} == wanted
    assert outcome.limit == wanted.get("limit")
    assert outcome.wall_s < limits.wall_s + 1


def test_the_peak_of_memory_is_that_of_the_container(sandbox: Docker) -> None:
    peaks = [
        run(sandbox, python(f"x = bytearray({size} << 20)"), TIGHT).peak_memory or 0
        for size in (1, 40)
    ]
    assert 40 << 20 < peaks[1] < 100 << 20
    assert peaks[1] - peaks[0] > 30 << 20


def test_nothing_is_left_when_it_is_closed(address: str) -> None:
    with Docker(image=IMAGE, keep=1) as sandbox:
        run(sandbox, python("pass"), TIGHT)
        begun = sandbox.start(python("import time; time.sleep(60)"), TIGHT)
        names = open_in(sandbox)
        assert names & there()
    assert not names & there()
    assert not open_in(sandbox)
    with pytest.raises(SandboxError):
        begun.finish()  # it was ended under it: our doing, and no verdict


def test_a_container_ends_at_once_where_its_daemon_is_slow(
    sandbox: Docker, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = set(sandbox._open)
    box = sandbox.start(python("import time; time.sleep(60)"), TIGHT)
    (container,) = set(sandbox._open) - before
    monkeypatch.setattr(container, "_client", None)  # the daemon is not asked at all
    until = time.monotonic() + 10
    while not container.runs() and time.monotonic() < until:
        time.sleep(0.01)
    assert container.runs()
    container.kill()
    while container.runs() and time.monotonic() < until:
        time.sleep(0.01)
    assert container.runs() is False
    monkeypatch.undo()
    with pytest.raises(SandboxError):
        box.finish()
    assert not end_processes_of(container.uid)


def test_a_container_has_every_wall(sandbox: Docker) -> None:
    before = open_in(sandbox)
    box = sandbox.start(python("import time; time.sleep(60)"), TIGHT)
    (name,) = open_in(sandbox) - before
    shown = json.loads(docker("inspect", name))[0]
    box.stop()
    host = shown["HostConfig"]
    assert host["NetworkMode"] == "none"
    assert host["ReadonlyRootfs"] is True
    assert host["CapDrop"] == ["ALL"]
    assert host["SecurityOpt"] == ["no-new-privileges"]
    assert host["Memory"] == host["MemorySwap"] <= (TIGHT.memory_mb + 32) << 20
    assert host["NanoCpus"] == 1_000_000_000
    assert host["PidsLimit"] <= TIGHT.pids + 8
    assert all("size=8m" in options for options in host["Tmpfs"].values())
    assert host["LogConfig"]["Type"] == "none"
    assert int(shown["Config"]["User"].split(":")[0]) > 0
    assert not host["Binds"]
    assert not host["Privileged"]


def test_candidates_share_neither_user_nor_files(address: str) -> None:
    look = python(
        "import os; print(os.getuid(), os.listdir('/tmp')); open('/tmp/left', 'w'); open('/dev/shm/left', 'w')"
    )
    with Docker(image=IMAGE, keep=2) as sandbox, ThreadPoolExecutor(2) as threads:
        boxes = [sandbox.start(look, TIGHT) for _ in range(2)]
        both = [box.finish().stdout for box in boxes]
        later = list(threads.map(lambda _: run(sandbox, look, TIGHT).stdout, range(3)))
    assert both[0] != both[1], "two at the same time have the same user"
    assert all(said.split()[1] == b"[]" for said in [*both, *later])


def test_a_container_that_waits_is_used_once_and_replaced(address: str) -> None:
    with Docker(image=IMAGE) as sandbox:
        sandbox.warm(2, TIGHT)
        ready = open_in(sandbox)
        assert len(ready) == 2
        assert ready <= there()
        assert run(sandbox, python("print(1)"), TIGHT).stdout == b"1\n"
        sandbox.warm(2, TIGHT)
        new = open_in(sandbox) - ready
        assert len(new) == 1, "one new container stands ready"
        until = time.monotonic() + 10
        while len(ready - there()) != 1 and time.monotonic() < until:
            time.sleep(0.05)
        assert len(ready - there()) == 1, "one of the old ones was used, and is gone"
        other = Limits(memory_mb=48)
        assert run(sandbox, python("print(2)"), other).stdout == b"2\n"
        sandbox.warm(1, other)
        names = ready | new | open_in(sandbox)
    assert not names & there()


def test_one_that_died_while_it_waited_is_passed_over(address: str) -> None:
    with Docker(image=IMAGE) as sandbox:
        sandbox.warm(1, TIGHT)
        docker("kill", *open_in(sandbox))
        time.sleep(0.5)
        assert run(sandbox, python("print(1)"), TIGHT).stdout == b"1\n"


def test_a_worker_is_spoken_to(sandbox: Docker) -> None:
    box = sandbox.start(Job(worker="function"), TIGHT)
    box.send(
        json.dumps(
            {"load": {"source": "def double(x): return 2 * x", "entry_point": "double"}}
        ).encode()
    )
    assert "loaded" in json.loads(box.receive() or b"{}")
    box.send(json.dumps({"call": 1, "name": "double", "args": [21], "kwargs": {}}).encode())
    assert json.loads(box.receive() or b"{}")["value"] == 42
    assert isinstance(box.finish(), Outcome)


def test_files_go_in_and_come_out(sandbox: Docker) -> None:
    job = python(
        "open('out/b', 'w').write(open('in/a').read() * 2)",
        collect=("out/b", "none", "/etc/hostname"),
    )
    job = Job(
        argv=job.argv, files={**job.files, "in/a": b"ab", "out/x": b""}, collect=job.collect[:2]
    )
    assert dict(run(sandbox, job, TIGHT).files) == {"out/b": b"abab"}


GRADER = """
import sys
from steelyard.sandbox import Docker, Job, Limits
sandbox = Docker(image=sys.argv[1], keep=1)
box = sandbox.start(Job(argv=("sleep", "600")), Limits(wall_s=900))
sandbox.warm(1)
print("running", flush=True)
box.finish()
"""


def test_a_grader_that_is_killed_leaves_nothing_that_runs(address: str) -> None:
    command = [sys.executable, "-c", GRADER, IMAGE]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as grader:
        assert grader.stdout is not None
        assert grader.stdout.readline() == "running\n"
        prefix = f"steelyard-{grader.pid}-"
        grader.kill()
    assert not left_after(20, prefix)
    Client().sweep()  # unless somebody else who has just opened a sandbox was faster
    assert not left_after(20, prefix, "--all")


def left_after(seconds: float, prefix: str, *options: str) -> str:
    """The containers of that prefix that are still there when they had so long to go."""
    until = time.monotonic() + seconds
    while (
        left := docker("ps", *options, "--filter", f"name={prefix}", "--quiet")
    ) and time.monotonic() < until:
        time.sleep(0.1)
    return left


def test_what_holds_is_told(sandbox: Docker) -> None:
    run(sandbox, python("pass"), TIGHT)
    told = sandbox.describe()
    assert (told["backend"], told["unsafe"], told["image"]) == ("docker", False, IMAGE)
    assert told["python"].startswith("3.")
    assert os.environ["DOCKER_HOST"] not in json.dumps(told)


def test_a_program_ends_in_time_though_nobody_tells_its_container(sandbox: Docker) -> None:
    before = open_in(sandbox)
    box = sandbox.start(python("while True: pass"), Limits(wall_s=0.5))
    (name,) = open_in(sandbox) - before
    until = time.monotonic() + 5
    while name in docker("ps", "--format", "{{.Names}}").split() and time.monotonic() < until:
        time.sleep(0.05)
    assert time.monotonic() < until, "it runs for as long as nobody says stop"
    assert box.finish().limit == "time"
