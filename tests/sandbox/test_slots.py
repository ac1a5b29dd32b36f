"""Slots: kept for the next candidate or used once, of two kinds, and nothing of one candidate left in them for the next."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

import pytest

from steelyard.sandbox import Box, Bubblewrap, Job, Limits, self_test
from steelyard.sandbox.boot import CALLS, TESTS

QUICK = Limits(wall_s=10, memory_mb=256, pids=16, disk_mb=8)
NAMES = ("pid", "mnt", "net", "ipc", "uts")
SPACES = f"import os\ndef look():\n    return [os.readlink('/proc/self/ns/' + name) for name in {NAMES}]\n"


@pytest.fixture(params=[0, None], ids=["once", "kept"])
def sandbox(request: pytest.FixtureRequest) -> Iterator[Bubblewrap]:
    with Bubblewrap(keep=request.param) as made:
        yield made


def asked(box: Box, source: str, *args: Any) -> Any:
    """What the one function of the source returns in that box."""
    name = source.partition("def ")[2].partition("(")[0]
    for message in (
        {"load": {"source": source, "entry_point": name, "alternatives": []}},
        {"call": 1, "name": name, "args": list(args), "kwargs": {}},
    ):
        box.send(json.dumps(message).encode())
        answer = json.loads(box.receive() or b"{}")
    assert "value" in answer, answer
    return answer["value"]


def called(sandbox: Bubblewrap, source: str, *args: Any, tests: bool = False) -> Any:
    """What it returns in a box of its own."""
    box = sandbox.start(Job(worker="function", tests=tests), QUICK)
    try:
        return asked(box, source, *args)
    finally:
        box.finish()


def test_the_walls_hold_however_often_a_slot_is_used(sandbox: Bubblewrap) -> None:
    assert all(probe.held for probe in self_test(sandbox, QUICK))


def test_every_candidate_has_namespaces_of_its_own(sandbox: Bubblewrap) -> None:
    boxes = [sandbox.start(Job(worker="function"), QUICK) for _ in range(3)]
    found = [asked(box, SPACES) for box in boxes]
    for box in boxes:
        box.finish()
    for name, links in zip(NAMES, zip(*found, strict=True), strict=True):
        assert len({*links, os.readlink(f"/proc/self/ns/{name}")}) == 4, (
            f"somebody shares {name} with another"
        )


def test_a_program_has_what_a_python_has_that_was_started_as_usual(sandbox: Bubblewrap) -> None:
    source = "import sys\ndef look():\n    return [type(exit).__name__, type(help).__name__, [p for p in sys.path if p]]"
    leaver, helper, inside = called(sandbox, source)
    assert (leaver, helper) == ("Quitter", "_Helper")
    usual = json.loads(
        sandbox.start(
            Job(argv=("python3", "-c", "import sys, json; print(json.dumps(sys.path))")), QUICK
        )
        .finish()
        .stdout
    )
    folders = [folder for folder in usual if folder and not folder.endswith(".zip")]
    assert [folder for folder in inside if folder in folders] == folders


def test_a_slot_that_is_used_once_is_gone_with_its_candidate() -> None:
    with Bubblewrap(keep=0) as sandbox:
        box = sandbox.start(Job(argv=("true",)), QUICK)
        (slot,) = sandbox._busy
        box.finish()
        assert not slot.alive
        assert not sandbox._idle
        assert not sandbox._busy


def test_tests_get_an_interpreter_that_has_loaded_what_they_need() -> None:
    with Bubblewrap(keep=2) as sandbox:
        source = "import sys\ndef loaded():\n    return sorted({'unittest', 'asyncio', 'json'} & set(sys.modules))"
        assert called(sandbox, source) == ["json"]
        assert called(sandbox, source, tests=True) == ["asyncio", "json", "unittest"]
        assert [slot.preload for slot in sandbox._idle] == [CALLS, (*CALLS, *TESTS)]
        first = sandbox._idle[0]
        boxes = [sandbox.start(Job(worker="function", tests=True), QUICK) for _ in range(2)]
        for box in boxes:
            box.stop()
        assert not first.alive, "the one that waited longest makes way"
        assert len(sandbox._idle) == 2


HUNT = """
def hunt(half, other):
    wanted = (half + other).encode()
    found = 0
    with open('/proc/self/maps') as maps, open('/proc/self/mem', 'rb', 0) as memory:
        for line in maps.read().splitlines():
            span, mode = line.split()[:2]
            if 'rw' not in mode or '[v' in line:
                continue
            start, end = (int(part, 16) for part in span.split('-'))
            try:
                memory.seek(start)
                found += memory.read(end - start).count(wanted)
            except OSError:
                continue
    return found
"""


def test_nothing_of_a_job_is_in_the_memory_that_the_next_one_gets() -> None:
    mark = "a program's own secret"
    with Bubblewrap(keep=1) as sandbox:
        job = Job(
            argv=("true",), files={"program.py": mark.encode() * 2000}, stdin=mark.encode() * 2000
        )
        sandbox.start(job, QUICK).finish()
        (slot,) = sandbox._idle
        found = called(sandbox, HUNT, mark[:10], mark[10:])
        assert sandbox._idle == [slot], "it was the same slot"
        assert found < 10, "what it has put together itself, and no more"
