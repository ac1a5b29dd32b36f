"""Submissions a second: scored, rated and durable, beside a bare handler that makes one durable insert.

    python benchmarks/arena.py [--submissions 5000] [--connections 16] [--workers 1] [--rounds 3]
                               [--stores sqlite,postgresql] [--memory 50000] [--smoke] [--json]

The arena is `steelyard serve` with the bundled challenge ferry-ledger, its limits of rate lifted; whoever submits is a process
of its own on the same machine, and both share its cores. Agents and matches are put into the store beforehand. The contenders
take turns.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import arena_store as stores

HERE = Path(__file__).parent
TICK = os.sysconf("SC_CLK_TCK")


def tree(pid: int) -> list[int]:
    """The process and all that it started."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [pid, *(one for child in children for one in tree(int(child)))]


def processor_time(pids: list[int]) -> float:
    """Seconds of processor time that these have used."""
    total = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        total += int(fields[11]) + int(fields[12])
    return total / TICK


def memory(pids: list[int]) -> float:
    """Megabytes that these hold, pages that they share counted once."""
    total = 0
    for pid in pids:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                total += int(line.split()[1])
    return total / 1024


@contextmanager
def running(command: list[str], port: int, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """A server that answers at the port."""
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            command, stdout=log, stderr=log, cwd=HERE, env={**os.environ, **environment}
        )
        try:
            if not stores.answers(port, process, 60):
                log.seek(0)
                raise SystemExit(f"the server does not answer: {log.read().decode()[-2000:]}")
            yield process
        finally:
            end(process)


def end(process: subprocess.Popen[bytes], seconds: float = 60) -> None:
    """End the server and its workers, also where one of them has missed that it is over."""
    process.terminate()
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        for pid in reversed(tree(process.pid)):
            os.kill(pid, signal.SIGKILL)
        process.wait()


def arena_command(store: str, port: int, workers: int) -> list[str]:
    return [
        sys.executable,
        "-m",
        "steelyard",
        "serve",
        "--port",
        str(port),
        "--store",
        store,
        "--workers",
        str(workers),
        "--address-rate",
        "0",
        "--key-rate",
        "0",
        "--register-rate",
        "0",
    ]


def bare_command(port: int, workers: int) -> list[str]:
    return [
        sys.executable,
        "-m",
        "granian",
        "--interface",
        "asgi",
        "--factory",
        "--port",
        str(port),
        "--workers",
        str(workers),
        "--no-ws",
        "--http",
        "1",
        "--no-log",
        "--workers-kill-timeout",
        "5",
        "arena_bare:create",
    ]


def load(port: int, requests: Path, connections: int) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, str(HERE / "arena_load.py"), str(port), str(requests), str(connections)],
        stdout=subprocess.PIPE,
        check=True,
    )
    told: dict[str, Any] = json.loads(done.stdout)
    if set(told["statuses"]) != {"200"}:
        raise SystemExit(f"not every submission was answered with 200: {told['statuses']}")
    return told


def measured(pids: list[int], port: int, requests: Path, connections: int) -> dict[str, Any]:
    """One round: what the client saw, and what the server's processes spent."""
    before = processor_time(pids)
    told = load(port, requests, connections)
    told["server_ms"] = 1000 * (processor_time(pids) - before) / told["requests"]
    return told


def bare_round(style: str, store: str, folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    port = stores.free_port()
    requests = stores.bare_requests(folder / "bare.jsonl", options.submissions)
    environment = {"ARENA_BARE": f"{style} {store}"}
    with running(bare_command(port, options.workers), port, **environment) as process:
        stores.settle(store)
        load(port, stores.head(requests, 200), options.connections)
        return measured(tree(process.pid), port, requests, options.connections)


def arena_round(store: str, folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    port = stores.free_port()
    with running(arena_command(store, port, options.workers), port) as process:
        load(port, stores.matches(store, folder / "warm.jsonl", 200), options.connections)
        stores.settle(store)
        requests = stores.matches(store, folder / "arena.jsonl", options.submissions)
        return measured(tree(process.pid), port, requests, options.connections)


def memory_round(store: str, folder: Path, options: argparse.Namespace) -> list[tuple[int, float]]:
    """The server's memory after each tenth of many submissions."""
    port, tenth = stores.free_port(), options.memory // 10
    with running(arena_command(store, port, options.workers), port) as process:
        found = []
        for number in range(1, 11):
            load(port, stores.matches(store, folder / "memory.jsonl", tenth), options.connections)
            found.append((number * tenth, memory(tree(process.pid))))
        return found


def compared(kind: str, folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    """All contenders on one kind of store, in turns; the median round of each."""
    styles = ["plain", "grouped"] if kind == "sqlite" else ["plain"]
    rounds: dict[str, list[dict[str, Any]]] = {f"bare, {style}": [] for style in styles} | {
        "arena": []
    }
    with stores.opened(kind, folder) as fresh:
        for _ in range(options.rounds):
            for style in styles:
                rounds[f"bare, {style}"].append(bare_round(style, fresh(), folder, options))
            rounds["arena"].append(arena_round(fresh(), folder, options))
        found: dict[str, Any] = {name: median(told) for name, told in rounds.items()}
        if options.memory:
            found["memory"] = memory_round(fresh(), folder, options)
    return found


def median(rounds: list[dict[str, Any]]) -> dict[str, float]:
    names = ("rate", "p50_ms", "p99_ms", "server_ms")
    return {name: statistics.median(told[name] for told in rounds) for name in names}


def show_frame(sync_ms: float, options: argparse.Namespace) -> None:
    print(
        f"{options.submissions:,} submissions over {options.connections} connections, {options.workers} worker(s), median of "
        f"{options.rounds}; load average {os.getloadavg()[0]:.1f}"
    )
    print(f"a sync of this disk takes {sync_ms:.2f} ms", flush=True)


def show(kind: str, found: dict[str, Any]) -> None:
    bare = found["bare, plain"]
    for name, told in found.items():
        if name == "memory":
            print(
                f"  {kind:10} memory   "
                + "  ".join(f"{count:,}: {mb:.0f} MB" for count, mb in told),
                flush=True,
            )
        else:
            print(
                f"  {kind:10} {name:14} {told['rate']:7,.0f}/s   p50 {told['p50_ms']:6.1f} ms   p99 {told['p99_ms']:6.1f} ms   "
                f"{told['server_ms']:5.2f} ms of the server's processor; {told['rate'] / bare['rate']:4.0%} of bare, plain, "
                f"by processor time {bare['server_ms'] / told['server_ms']:5.0%}"
            )


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name, default in (
        ("submissions", 5000),
        ("connections", 16),
        ("workers", 1),
        ("rounds", 3),
        ("memory", 0),
    ):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument(
        "--stores", type=lambda text: text.split(","), default=["sqlite", "postgresql"]
    )
    parser.add_argument(
        "--folder", type=Path, help="where the stores are made; the disk that is measured"
    )
    parser.add_argument("--smoke", action="store_true", help="small data, to see that it works")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.smoke:
        options.submissions, options.rounds, options.memory = 300, 1, 0
    return options


def main() -> None:
    options = read_options()
    with tempfile.TemporaryDirectory(prefix="steelyard-arena-", dir=options.folder) as place:
        folder = Path(place)
        folder.chmod(0o755)
        found: dict[str, Any] = {"sync_ms": stores.sync_ms(folder), "at": time.time()}
        if not options.json:
            show_frame(found["sync_ms"], options)
        for kind in options.stores:
            found[kind] = compared(kind, folder, options)
            if not options.json:
                show(kind, found[kind])
    if options.json:
        print(json.dumps(found))


if __name__ == "__main__":
    main()
