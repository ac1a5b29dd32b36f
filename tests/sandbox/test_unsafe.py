"""Without a sandbox: the same outcomes for honest programs, some limits, and nothing left behind."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from steelyard.sandbox import Job, Limits, Unsandboxed, run

TIGHT = Limits(wall_s=5, memory_mb=64, disk_mb=8, output_bytes=65536)
CASES: list[tuple[str, dict[str, Any]]] = [
    ("print(input())", {"exit_code": 0, "stdout": b"hello\n"}),
    ("import sys; sys.exit(3)", {"exit_code": 3}),
    ("import os; os.abort()", {"signal": signal.SIGABRT}),
    (
        "import os; print(os.listdir('.'), os.environ['HOME'] == os.getcwd())",
        {"stdout": b"['program.py'] True\n"},
    ),
    ("x = bytearray(1 << 30)", {"exit_code": 1}),
    ("open('f', 'wb').write(bytes(1 << 24))", {"exit_code": 1}),
    ("while True: print('x' * 65536)", {"limit": "output"}),
    ("import ctypes; ctypes.CDLL(None).ptrace(0, 0, 0, 0)", {"violation": True}),
]


def python(source: str, **more: Any) -> Job:
    return Job(argv=("python3", "program.py"), files={"program.py": source.encode()}, **more)


def running(marker: str) -> list[str]:
    """The processes that have the marker among their arguments."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if marker.encode() in (folder / "cmdline").read_bytes().split(b"\0"):
                found.append(folder.name)
        except OSError:
            continue
    return found


@pytest.mark.parametrize(
    ("source", "wanted"), CASES, ids=[str(number) for number in range(len(CASES))]
)
def test_an_end_is_told_for_what_it_is(source: str, wanted: dict[str, Any]) -> None:
    with Unsandboxed() as sandbox:
        outcome = run(sandbox, python(source, stdin=b"hello\n"), TIGHT)
    assert {name: getattr(outcome, name) for name in wanted} == wanted
    assert outcome.limit == wanted.get("limit")


@pytest.mark.parametrize(
    ("ending", "limit"),
    [
        ("exit 0", None),
        ("kill -9 $$", None),
        ("sleep 60", "time"),
        ("exec 1>&- 2>&-; sleep 60", "time"),
    ],
)
def test_nothing_survives(ending: str, limit: str | None) -> None:
    marker = f"86{time.monotonic_ns() % 10**9}"  # seconds that nobody else sleeps
    script = f"(setsid setsid sleep {marker} &) ; (trap '' TERM; sleep {marker}) & {ending}"
    with Unsandboxed() as sandbox:
        outcome = run(sandbox, Job(argv=("sh", "-c", script)), Limits(wall_s=0.5))
        assert outcome.limit == limit
        assert not running(marker)


def test_closing_ends_what_runs() -> None:
    marker = f"87{time.monotonic_ns() % 10**9}"
    sandbox = Unsandboxed()
    sandbox.start(Job(argv=("sleep", marker)), Limits())
    until = time.monotonic() + 5
    while not running(marker) and time.monotonic() < until:
        time.sleep(0.02)
    assert running(marker)
    sandbox.close()
    assert not running(marker)


def test_its_folder_is_gone() -> None:
    with Unsandboxed() as sandbox:
        folder = run(
            sandbox, python("import os; open('x', 'w'); print(os.getcwd(), end='')"), TIGHT
        ).stdout.decode()
        assert not os.path.exists(folder)


def test_a_worker_is_spoken_to() -> None:
    with Unsandboxed() as sandbox:
        box = sandbox.start(Job(worker="function"), TIGHT)
        box.send(
            json.dumps(
                {"load": {"source": "def double(x): return 2 * x", "entry_point": "double"}}
            ).encode()
        )
        assert "loaded" in json.loads(box.receive() or b"{}")
        box.send(json.dumps({"call": 1, "name": "double", "args": [21], "kwargs": {}}).encode())
        assert json.loads(box.receive() or b"{}")["value"] == 42
        box.finish()


def test_every_record_says_that_nothing_held() -> None:
    assert Unsandboxed().describe()["unsafe"] is True
