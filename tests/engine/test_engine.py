"""Engines: results in order, errors that name the item, an interrupt that stops between items."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from steelyard.engine import InProcess, Interrupt, usable_cores
from steelyard.errors import DataError, EngineError

# Workers are forked, which a process with threads must not do; so these programs run on their own.
HEAD = (
    "from steelyard.engine import *\nfrom steelyard.errors import *\nimport os, sys, time, signal\n"
)


def program(body: str, *, folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "program.py").write_text(HEAD + body)
    command = [sys.executable, folder / "program.py"]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_results_come_in_order_however_long_each_takes(tmp_path: Path) -> None:
    ran = program(
        "def build():\n    return lambda n: (time.sleep(0.02 * (n % 3)), n * n)[1]\n"
        "engine = LocalProcesses(build, workers=3)\n"
        "assert list(engine.map(range(20))) == [n * n for n in range(20)]\n"
        "assert list(engine.map([])) == []\n"
        "engine.close(); engine.close()\nprint('done')\n",
        folder=tmp_path,
    )
    assert ran.stdout == "done\n", ran.stderr


def test_few_items_are_taken_ahead_of_a_slow_one(tmp_path: Path) -> None:
    ran = program(
        "taken = []\n"
        "def items():\n    for n in range(1000):\n        taken.append(n)\n        yield n\n"
        "engine = LocalProcesses(lambda: lambda n: time.sleep(0.5 if n == 0 else 0), workers=2)\n"
        "next(engine.map(items()))\nprint(len(taken) <= 9, len(taken))\nengine.close()\n",
        folder=tmp_path,
    )
    assert ran.stdout.startswith("True"), ran.stdout + ran.stderr


@pytest.mark.parametrize(
    ("work", "told"),
    [
        (
            "os.kill(os.getpid(), signal.SIGKILL)",
            "a worker process was killed by signal 9 while scoring item-1",
        ),
        ("os._exit(0)", "a worker process ended with exit code 0 while scoring item-1"),
        ("sys.exit(0)", "a worker process failed while scoring item-1: SystemExit: 0 (PROGRAM:6)"),
        (
            "raise KeyboardInterrupt",
            "a worker process failed while scoring item-1: KeyboardInterrupt (PROGRAM:6)",
        ),
        (
            "raise GeneratorExit",
            "a worker process failed while scoring item-1: GeneratorExit (PROGRAM:6)",
        ),
        (
            "1 / 0",
            "a worker process failed while scoring item-1: ZeroDivisionError: division by zero (PROGRAM:6)",
        ),
        ("return lambda: 1", "a worker process failed while scoring item-1: "),
    ],
)
def test_a_worker_that_dies_is_told_with_its_item(work: str, told: str, tmp_path: Path) -> None:
    ran = program(
        f"def work(item):\n    if item == 'item-1':\n        {work}\n    time.sleep(0.2)\n    return item\n"
        "engine = LocalProcesses(lambda: work, workers=2)\n"
        "try:\n    print(list(engine.map(['item-0', 'item-1', 'item-2'])))\n"
        "except EngineError as failed:\n    print(failed)\n"
        "engine.close()\n",
        folder=tmp_path,
    )
    assert ran.stdout.startswith(told.replace("PROGRAM", str(tmp_path / "program.py"))), ran.stderr
    assert ran.stdout.count("\n") == 1
    assert "Traceback" not in ran.stderr


def test_a_death_is_told_with_the_line_where_it_is_watched(tmp_path: Path) -> None:
    ran = program(
        "class Work:\n    place = None\n    def __call__(self, item):\n"
        "        for self.place.value in range(1, 9):\n            if self.place.value == 4:\n                os._exit(7)\n"
        "engine = LocalProcesses(Work, workers=1, watch=True)\n"
        "try:\n    list(engine.map(['item-1']))\nexcept EngineError as failed:\n    print(failed)\nengine.close()\n",
        folder=tmp_path,
    )
    assert (
        ran.stdout == "a worker process ended with exit code 7 while scoring item-1, at line 4\n"
    ), ran.stderr


def test_a_death_in_the_middle_of_a_result_is_told_as_such(tmp_path: Path) -> None:
    ran = program(
        "def work(item):\n    frame = sys._getframe()\n"
        "    while 'pipe' not in frame.f_locals:\n        frame = frame.f_back\n"
        "    os.write(frame.f_locals['pipe'].fileno(), (1000).to_bytes(4, 'big') + b'begun')\n    os._exit(7)\n"
        "engine = LocalProcesses(lambda: work, workers=1)\n"
        "try:\n    list(engine.map(['item-1']))\nexcept EngineError as failed:\n    print(failed)\nengine.close()\n",
        folder=tmp_path,
    )
    assert ran.stdout == "a worker process ended with exit code 7 while scoring item-1\n", (
        ran.stderr
    )


def test_one_item_can_be_done_apart(tmp_path: Path) -> None:
    ran = program(
        "MAIN = os.getpid()\nprint(run_apart(lambda: lambda n: (n, os.getpid() == MAIN), 7))\n"
        "try:\n    run_apart(lambda: lambda n: os._exit(0), 7, doing='loading')\n"
        "except EngineError as failed:\n    print(failed)\n",
        folder=tmp_path,
    )
    assert ran.stdout == "(7, False)\na worker process ended with exit code 0 while loading 7\n", (
        ran.stderr
    )


def test_an_error_crosses_the_process_whole(tmp_path: Path) -> None:
    ran = program(
        "def work(item):\n    raise DataError('no good', file='a.jsonl', line=3)\n"
        "engine = LocalProcesses(lambda: work, workers=2)\n"
        "try:\n    list(engine.map([1]))\nexcept DataError as wrong:\n    print(wrong, wrong.line)\nengine.close()\n",
        folder=tmp_path,
    )
    assert ran.stdout == "a.jsonl:3: no good 3\n", ran.stderr


def test_workers_end_with_their_main_process(tmp_path: Path) -> None:
    ran = program(
        "engine = LocalProcesses(lambda: lambda n: os.getpid(), workers=2)\n"
        "print(*set(engine.map(range(8))), flush=True)\nos.kill(os.getpid(), signal.SIGKILL)\n",
        folder=tmp_path,
    )
    workers = [int(word) for word in ran.stdout.split()]
    assert workers
    deadline = time.monotonic() + 20
    while any(alive(worker) for worker in workers) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(alive(worker) for worker in workers)


@pytest.mark.slow
def test_a_busy_worker_ends_with_its_main_process(tmp_path: Path) -> None:
    """A program that was ended by a signal leaves nobody in the middle of an item."""
    body = (
        "def work(n):\n    os.write(2, b'%d\\n' % os.getpid())\n    while True: time.sleep(0.01)\n"
        "engine = LocalProcesses(lambda: work, workers=2)\n"
        "signal.signal(signal.NUMBER, signal.SIG_DFL)\n"  # whoever runs the tests may have it ignored
        "signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.NUMBER))\nsignal.alarm(2)\n"
        "list(engine.map(range(2)))\n"
    )
    for number in ("SIGTERM", "SIGHUP"):
        ran = program(body.replace("NUMBER", number), folder=tmp_path)
        workers = [int(word) for word in ran.stderr.split()]
        assert (len(workers), ran.returncode) == (2, -getattr(signal, number))
        deadline = time.monotonic() + 20
        while any(alive(worker) for worker in workers) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not any(alive(worker) for worker in workers)


@pytest.mark.parametrize(
    "start",
    [
        "multiprocessing.Process(target=time.sleep, args=(600,)).start()",
        "os.fork() or time.sleep(600)",
    ],
)
@pytest.mark.parametrize(
    "end", ["engine.close()", "sys.exit()", "os.kill(os.getpid(), signal.SIGKILL)"]
)
def test_what_the_work_has_forked_ends_with_its_worker(
    start: str, end: str, tmp_path: Path
) -> None:
    body = (
        f"import multiprocessing\ndef work(n):\n    {start}\n    children = f'/proc/self/task/{{os.getpid()}}/children'\n"
        "    return os.getpid(), *map(int, open(children).read().split())\n"
        "engine = LocalProcesses(lambda: work, workers=2)\n"
        "for done in engine.map(range(4)):\n    print(*done, flush=True)\n" + end
    )
    ran = program(body, folder=tmp_path)
    known = {int(word) for word in ran.stdout.split()}
    assert len(known) == 2 + 4, ran.stderr
    deadline = time.monotonic() + 20
    while any(alive(process) for process in known) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(alive(process) for process in known)


def test_a_worker_that_dies_is_told_while_what_it_forked_lives(tmp_path: Path) -> None:
    """What it has forked in another thread lives on, and must not hold the pipe."""
    ran = program(
        "import threading\ndef work(n):\n"
        "    forking = threading.Thread(target=lambda: os.fork() or (os.close(1), os.close(2), time.sleep(5)))\n"
        "    forking.start()\n    forking.join()\n    os._exit(7)\n"
        "engine, began = LocalProcesses(lambda: work, workers=1), time.monotonic()\n"
        "try:\n    list(engine.map(['item-1']))\nexcept EngineError as failed:\n"
        "    print(failed, time.monotonic() - began < 4)\nengine.close()\n",
        folder=tmp_path,
    )
    assert ran.stdout == "a worker process ended with exit code 7 while scoring item-1 True\n", (
        ran.stderr
    )


def test_an_interrupt_loses_nothing_that_is_whole(tmp_path: Path) -> None:
    ran = program(
        "interrupt = Interrupt()\n"
        "class Engine(LocalProcesses):\n    def _collect(self, busy, idle, ready):\n"
        "        super()._collect(busy, idle, ready)\n        interrupt.requested = len(ready) == 4\n"
        "engine = Engine(lambda: lambda n: (time.sleep(0 if n else 0.5), n)[1], workers=4, interrupt=interrupt)\n"
        "print(list(engine.map(range(4))))\nengine.close()\n",
        folder=tmp_path,
    )
    assert ran.stdout.startswith("[0, 1, 2, 3"), ran.stderr


def alive(process: int) -> bool:
    """Whether the process runs; one that only waits to be reaped does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_what_a_worker_prints_does_not_reach_standard_output(tmp_path: Path) -> None:
    ran = program(
        "def work(n):\n    print('noise', flush=True)\n    os.write(1, b'more\\n')\n"
        "engine = LocalProcesses(lambda: work, workers=1)\n"
        "list(engine.map([1]))\nengine.close()\n",
        folder=tmp_path,
    )
    assert (ran.stdout, ran.stderr) == ("", "noise\nmore\n")


def test_in_process_names_what_ended_the_program() -> None:
    def leave(item: str) -> str:
        raise SystemExit(0)

    with pytest.raises(EngineError, match=r"SystemExit: 0 while scoring item-1"):
        list(InProcess(lambda: leave).map(["item-1"]))


def test_errors_pass_through_in_process() -> None:
    def refuse(item: str) -> str:
        raise DataError("no good")

    with pytest.raises(DataError, match="no good"):
        list(InProcess(lambda: refuse).map(["item-1"]))


def interrupting(interrupt: Interrupt, at: int) -> Callable[[int], int]:
    def work(item: int) -> int:
        if item == at:
            os.kill(os.getpid(), signal.SIGINT)
        return item

    return work


def test_an_interrupt_drops_the_item_at_hand() -> None:
    with Interrupt() as interrupt:
        engine = InProcess(lambda: interrupting(interrupt, 3), interrupt=interrupt)
        assert list(engine.map(range(10))) == [0, 1, 2]
        assert interrupt.requested


def test_an_interrupt_while_a_result_is_written_waits() -> None:
    seen = []
    with Interrupt() as interrupt:
        for result in InProcess(lambda: str, interrupt=interrupt).map(range(10)):
            if result == "2":
                os.kill(os.getpid(), signal.SIGINT)
            seen.append(result)
    assert seen == ["0", "1", "2"]


def test_an_interrupt_while_waiting_for_input_ends_the_wait() -> None:
    def items() -> Iterator[int]:
        yield 0
        os.kill(os.getpid(), signal.SIGINT)
        raise AssertionError("the wait went on")

    with Interrupt() as interrupt:
        assert list(InProcess(lambda: abs, interrupt=interrupt).map(items())) == [0]


def test_the_handler_is_put_back() -> None:
    before = signal.getsignal(signal.SIGINT)
    with Interrupt():
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before


def test_there_is_a_core() -> None:
    assert 1 <= usable_cores() <= (os.cpu_count() or 1)
