"""How fast small programs are checked in each sandbox, beside a plain process for each of them.

    python benchmarks/sandbox.py [--smoke] [--rounds 3] [--markdown | --json]

A check loads a function of two lines and calls it once; every answer is looked at. Each way is measured one check at a time
(the time from the wish to the answer, with everything cleared away) and then with two threads (checks a second). All take turns.
On a machine that others use as well, the processor time of a check says more than the clock does; it is told where the control
group `cpuacct` can be had, and not for Docker, whose work is done by its daemon.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, NamedTuple

from steelyard.errors import SandboxError
from steelyard.sandbox import Bubblewrap, Docker, Job, Limits, Sandbox, self_test

THREADS = 2
PYTHON = "/usr/bin/python3"
IMAGE = "steelyard-test"
SCRIPTS = Path(__file__).parent.parent / "scripts"
SOURCE = "def add(a, b):\n    return a + b\n"
PROGRAM = SOURCE + "print(add(2, 3))\n"
LOAD = json.dumps({"load": {"source": SOURCE, "entry_point": "add", "alternatives": []}}).encode()
CALL = json.dumps({"call": 1, "name": "add", "args": [2, 3], "kwargs": {}}).encode()
LIMITS = Limits()
PLAIN, COLD, WARM, DOCKER = "plain process", "bubblewrap, cold", "bubblewrap, forked", "docker run"


class Way(NamedTuple):
    """One way to run a check, and how many of them tell enough: one at a time, and with all threads."""

    name: str
    check: Callable[[], None]
    singles: int
    many: int


class Result(NamedTuple):
    """Seconds of the single checks, by the clock and of the processors, and checks a second with all threads: medians."""

    name: str
    p50: float
    p99: float
    cpu: float | None
    rate: float


class Meter:
    """The processor seconds of this process and all that came of it, whether or not anybody waited for it."""

    def __init__(self) -> None:
        rows = [line.split(":", 2) for line in Path("/proc/self/cgroup").read_text().splitlines()]
        own = [path for _, names, path in rows if "cpuacct" in names.split(",")]
        self._home = Path("/sys/fs/cgroup/cpuacct" + own[0]) if own else None
        self._group = self._home / f"steelyard-benchmark-{os.getpid()}" if self._home else None

    def __enter__(self) -> Meter:
        if self._group:
            try:
                self._group.mkdir()
                (self._group / "cgroup.procs").write_text(str(os.getpid()))
            except OSError:
                self._group = None
        return self

    def __exit__(self, *_: object) -> None:
        if self._group and self._home:
            (self._home / "cgroup.procs").write_text(str(os.getpid()))
            with suppress(OSError):  # what is still ending keeps it; an empty group does no harm
                self._group.rmdir()

    def seconds(self) -> float | None:
        return int((self._group / "cpuacct.usage").read_text()) / 1e9 if self._group else None


def plain() -> None:
    done = subprocess.run([PYTHON, "-I", "-c", PROGRAM], capture_output=True, check=True)
    assert done.stdout == b"5\n"


def called(sandbox: Sandbox) -> Callable[[], None]:
    """The function is called in the prepared interpreter of a box."""

    def check() -> None:
        box = sandbox.start(Job(worker="function"), LIMITS)
        box.send(LOAD)
        assert "loaded" in json.loads(box.receive() or b"{}")
        box.send(CALL)
        assert json.loads(box.receive() or b"{}")["value"] == 5
        box.finish()

    return check


def executed(sandbox: Sandbox) -> Callable[[], None]:
    """A Python of its own is started in a box, as for a task that reads its input and writes its output."""
    job = Job(argv=("python3", "-I", "program.py"), files={"program.py": PROGRAM.encode()})

    def check() -> None:
        assert sandbox.start(job, LIMITS).finish().stdout == b"5\n"

    return check


def bubblewraps(stack: ExitStack, scale: float) -> list[Way]:
    cold, warm = stack.enter_context(Bubblewrap(keep=0)), stack.enter_context(Bubblewrap())
    self_test(warm)
    warm.warm(THREADS)
    return [
        Way(COLD, called(cold), int(60 * scale), int(120 * scale)),
        Way(WARM, called(warm), int(300 * scale), int(1000 * scale)),
        Way("bubblewrap, own Python", executed(warm), int(100 * scale), int(200 * scale)),
    ]


def dockers(stack: ExitStack, scale: float) -> list[Way]:
    """Docker's ways, with the daemon and the image of the tests; none where they cannot be had."""
    started = subprocess.run(
        ["sh", SCRIPTS / "start_docker.sh"], capture_output=True, text=True, check=False
    )
    if started.returncode:
        print(f"docker is not measured: {started.stderr.strip().splitlines()[-1]}", file=sys.stderr)
        return []
    os.environ["DOCKER_HOST"] = started.stdout.strip()
    subprocess.run(
        [PYTHON, SCRIPTS / "make_image.py", "--name", IMAGE], check=True, stdout=subprocess.DEVNULL
    )
    try:
        cold, warm = (
            stack.enter_context(Docker(image=IMAGE)),
            stack.enter_context(Docker(image=IMAGE)),
        )
        warm.warm(2 * THREADS, LIMITS)
    except SandboxError as failed:
        print(f"docker is not measured: {failed}", file=sys.stderr)
        return []
    return [
        Way(DOCKER, called(cold), int(10 * scale), int(16 * scale)),
        Way("docker, started ahead", called(warm), int(10 * scale), int(16 * scale)),
    ]


def seconds(check: Callable[[], None]) -> float:
    began = time.perf_counter()
    check()
    return time.perf_counter() - began


def rate(way: Way) -> float:
    """Checks a second with all threads, over as many checks as the way wants."""
    with ThreadPoolExecutor(THREADS) as threads:
        began = time.perf_counter()
        list(threads.map(lambda _: way.check(), range(max(way.many, THREADS))))
        return max(way.many, THREADS) / (time.perf_counter() - began)


def measure(ways: list[Way], rounds: int, meter: Meter) -> list[Result]:
    singles: dict[str, list[float]] = {way.name: [] for way in ways}
    rates: dict[str, list[float]] = {way.name: [] for way in ways}
    spent: dict[str, list[float]] = {way.name: [] for way in ways}
    for _ in range(rounds):
        for way in ways:
            before = meter.seconds()
            times = [seconds(way.check) for _ in range(max(way.singles, 1))]
            after = meter.seconds()
            if before is not None and after is not None and not way.name.startswith("docker"):
                spent[way.name].append((after - before) / len(times))
            singles[way.name] += times
            rates[way.name].append(rate(way))
    return [
        Result(
            name,
            statistics.median(times),
            sorted(times)[int(0.99 * (len(times) - 1))],
            statistics.median(spent[name]) if spent[name] else None,
            statistics.median(rates[name]),
        )
        for name, times in singles.items()
    ]


def rows(results: list[Result]) -> list[list[str]]:
    """Every result beside the plain process and beside ``docker run``."""
    named = {result.name: result for result in results}
    base, docker = named[PLAIN], named.get(DOCKER)
    table = []
    for one in results:
        beside = f"{one.rate / docker.rate:,.1f} ×" if docker else "–"
        cpu = f"{one.cpu / base.cpu:.2f} ×" if one.cpu and base.cpu else "–"
        table.append(
            [
                one.name,
                f"{one.p50 * 1000:.1f} ms",
                f"{one.p99 * 1000:.1f} ms",
                f"{one.p50 / base.p50:.2f} ×",
                cpu,
                f"{one.rate:,.0f}",
                f"{one.rate / base.rate:.2f} ×",
                beside,
            ]
        )
    return table


def targets(results: list[Result]) -> list[str]:
    named = {result.name: result for result in results}
    cold, warm, plain = named[COLD], named[WARM], named[PLAIN]
    return [
        f"cold start: {cold.p50 / plain.p50:.2f} times a plain process (wanted: at most 4)",
        f"prepared interpreter, forked: {warm.rate:,.0f} checks a second on {THREADS} threads (wanted: at least 150), "
        f"{warm.rate / plain.rate:.2f} times as many as plain processes",
    ]


HEADS = [
    "way",
    "p50",
    "p99",
    "p50 beside plain",
    "processor time beside plain",
    "checks/s",
    "rate beside plain",
    "rate beside docker run",
]


def show(results: list[Result], style: str) -> str:
    if style == "json":
        return json.dumps([result._asdict() for result in results], indent=2)
    if style == "markdown":
        lines = ["| " + " | ".join(cells) + " |" for cells in [HEADS, *rows(results)]]
        return "\n".join([lines[0], "|---" + "|--:" * (len(HEADS) - 1) + "|", *lines[1:]])
    lines = [
        f"{cells[0]:26}" + "".join(f"{cell:>28}" for cell in cells[1:])
        for cells in [HEADS, *rows(results)]
    ]
    return "\n".join([*lines, *targets(results)])


def options() -> Any:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--smoke", action="store_true", help="a few checks of each, to see that it works"
    )
    parser.add_argument("--no-docker", action="store_true")
    parser.add_argument(
        "--markdown", action="store_const", dest="style", const="markdown", default="text"
    )
    parser.add_argument("--json", action="store_const", dest="style", const="json")
    return parser.parse_args()


def main() -> None:
    chosen = options()
    scale = 0.05 if chosen.smoke else 1.0
    with ExitStack() as stack:
        meter = stack.enter_context(Meter())
        ways = [Way(PLAIN, plain, int(100 * scale), int(200 * scale)), *bubblewraps(stack, scale)]
        if not chosen.no_docker:
            ways += dockers(stack, scale)
        print(show(measure(ways, 1 if chosen.smoke else chosen.rounds, meter), chosen.style))


if __name__ == "__main__":
    main()
