"""How fast a run is: `steelyard eval run` with journal, scoring and evidence, beside a bare aiohttp loop and the peers.

    python benchmarks/eval_loop.py [--items 2000] [--peer-items 200] [--concurrency 64] [--rounds 3] [--no-peers] [--smoke]
                                   [--json]

All of them ask one scripted endpoint on loopback the same questions: one that answers at once, and one that takes 50 ms. Samples
a second are over the whole run, with its start; what a further sample takes is the difference of a run over all
items and one over a quarter of them. The peers are slow, so that they get fewer items, once: their time for all is
what they took for those, and for every further one what such a one took. Each must find all right answers, and no more.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any

from scoring_measure import Cost, cache_bytecode, run

HERE = Path(__file__).parent
STEELYARD = str(Path(sys.executable).with_name("steelyard"))
PEERS = HERE.parent / ".venv-peers" / "bin" / "python"
LATENCIES = {"instant": 0.0, "50 ms": 0.05}
SLOW = ("inspect-ai", "lm-eval")


def make_problems(folder: Path, items: int, counts: set[int]) -> None:
    """Sums, of which the endpoint gets every third wrong: all, and a folder for each count of them."""
    rows = [
        {"id": f"s{n}", "question": f"What is {n} + {n % 97}?", "target": str(n + n % 97)}
        for n in range(items)
    ]
    for count in counts:
        (folder / str(count)).mkdir()
        (folder / str(count) / "problems.jsonl").write_text(
            "".join(json.dumps(row) + "\n" for row in rows[:count])
        )
        shutil.copy(HERE / "eval_bench.py", folder / str(count) / "bench.py")
    answers = {row["question"]: row["target"] if n % 3 else "-1" for n, row in enumerate(rows)}
    for label, delay in LATENCIES.items():
        (folder / f"{label}.json").write_text(json.dumps({"answers": answers, "delay": delay}))


@contextmanager
def endpoint(plan: Path) -> Iterator[str]:
    """The scripted endpoint, in a process of its own."""
    command = [STEELYARD, "serve-mock", "--plan", str(plan)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield next(
                word for word in process.stdout.readline().split() if word.startswith("http://")
            )
        finally:
            process.kill()


def command_of(name: str, url: str, data: Path, concurrency: int, out: Path) -> list[str]:
    """How each contender is started."""
    problems, many = str(data / "problems.jsonl"), str(concurrency)
    match name:
        case "steelyard":
            asked = [
                "--model-url",
                url,
                "--model-id",
                "mock",
                "--concurrency",
                many,
                "--output",
                str(out / "run"),
                "--json",
            ]
            return [STEELYARD, "eval", "run", "--bench", str(data / "bench.py"), *asked]
        case "bare aiohttp":
            return [
                sys.executable,
                str(HERE / "eval_bare.py"),
                url,
                problems,
                many,
                str(out / "out.jsonl"),
            ]
        case "inspect-ai":
            return [
                str(PEERS),
                str(HERE / "peers" / "eval_inspect.py"),
                url,
                problems,
                many,
                str(out),
            ]
        case _:
            return [str(PEERS), str(HERE / "peers" / "eval_lm.py"), url, problems, many, str(out)]


def measure(name: str, url: str, data: Path, concurrency: int, *, right: int) -> Cost:
    """One run, which must have come to the right result."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        told = out / "told"
        command = command_of(name, url, data, concurrency, out)
        quoted = " ".join(f"'{word}'" for word in command)
        cost = run(["sh", "-c", f"exec {quoted} >'{told}'"])
        found = right_answers(name, told.read_text(), out)
    assert found == right, f"{name} counts {found} right answers, and not {right}"
    return cost


def right_answers(name: str, told: str, out: Path) -> int:
    if name == "steelyard":
        scores = (out / "run" / "scores.jsonl").read_text().splitlines()
        return sum('"correct":true' in line.replace(" ", "") for line in scores)
    found: int = json.loads(told.splitlines()[-1])["right"]
    return found


def fresh(folder: Path) -> Path:
    """A folder for a run that nobody looks at: it is there to have everything compiled."""
    return Path(tempfile.mkdtemp(dir=folder))


def contenders(peers: bool) -> list[str]:
    names = ["steelyard", "bare aiohttp"]
    if peers and PEERS.exists():
        names += SLOW
    return names


def sizes(name: str, options: argparse.Namespace) -> tuple[int, int]:
    """How many items a contender gets, and the quarter of them."""
    most = min(options.items, options.peer_items) if name in SLOW else options.items
    return most, most // 4


def compare(folder: Path, options: argparse.Namespace) -> list[dict[str, Any]]:
    """Every contender in turn, round after round, so that a busy minute of the machine meets them all."""
    costs: dict[tuple[str, str, int], list[Cost]] = {}
    names = contenders(not options.no_peers)
    turns = [
        (name, count)
        for turn, name in product(range(options.rounds), names)
        if turn == 0 or name not in SLOW
        for count in sizes(name, options)
    ]
    for label in LATENCIES:
        with endpoint(folder / f"{label}.json") as url:
            for name in names if label == next(iter(LATENCIES)) else ():
                run(
                    command_of(
                        name,
                        url,
                        folder / str(sizes(name, options)[1]),
                        options.concurrency,
                        fresh(folder),
                    )
                )
            for name, count in turns:
                right = sum(1 for n in range(count) if n % 3)
                cost = measure(name, url, folder / str(count), options.concurrency, right=right)
                costs.setdefault((label, name, count), []).append(cost)
    return [row(costs, label, name, options) for label in LATENCIES for name in names]


def row(
    costs: dict[tuple[str, str, int], list[Cost]],
    label: str,
    name: str,
    options: argparse.Namespace,
) -> dict[str, Any]:
    most, quarter = sizes(name, options)
    whole, part = costs[label, name, most], costs[label, name, quarter]
    further = statistics.median(cost.cpu for cost in whole) - statistics.median(
        cost.cpu for cost in part
    )
    seconds, less = (min(cost.seconds for cost in found) for found in (whole, part))
    for_all = seconds + max(0.0, seconds - less) / (most - quarter) * (options.items - most)
    return {
        "endpoint": label,
        "contender": name,
        "items": most,
        "samples_per_second": options.items / for_all,
        "microseconds_per_further_sample": further / (most - quarter) * 1e6,
        "megabytes": max(cost.megabytes for cost in whole),
    }


def show(rows: list[dict[str, Any]]) -> None:
    print(f"{'endpoint':10}{'':14}{'samples/s':>11}{'of bare':>9}{'CPU/sample':>13}{'memory':>10}")
    for entry in rows:
        bare = next(
            r
            for r in rows
            if r["endpoint"] == entry["endpoint"] and r["contender"] == "bare aiohttp"
        )
        share = entry["samples_per_second"] / bare["samples_per_second"]
        print(
            f"{entry['endpoint']:10}{entry['contender']:14}{entry['samples_per_second']:>11,.0f}{share:>9.0%}"
            f"{entry['microseconds_per_further_sample']:>10,.0f} µs{entry['megabytes']:>7,.0f} MB"
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--items", type=int, default=2000)
    parser.add_argument("--peer-items", type=int, default=200)
    parser.add_argument("--concurrency", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--no-peers", action="store_true")
    parser.add_argument("--smoke", action="store_true", help="small, once, without the peers")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.smoke:
        options.items, options.rounds, options.no_peers = 400, 1, True
    with tempfile.TemporaryDirectory() as folder:
        cache_bytecode(Path(folder) / "bytecode")
        make_problems(
            Path(folder),
            options.items,
            {n for name in contenders(True) for n in sizes(name, options)},
        )
        rows = compare(Path(folder), options)
    print(json.dumps(rows, indent=2)) if options.json else show(rows)


if __name__ == "__main__":
    main()
