"""How long the bootstrap takes and how much memory, beside scipy.stats.bootstrap, in one run.

    python benchmarks/stats.py             1,000 to 100,000 scores, 10,000 resamples, three rounds
    python benchmarks/stats.py --smoke     small data, to see that it works

Each contender works in a process of its own, on the same scores. Its time is that of the processor, since the machine may
have other things to do, and both use one core; its memory is what the call adds to what was there before, and at least a
megabyte. The two must agree about the bounds, else the script fails. scipy draws all resamples at once unless it is given
a batch; where that would take more than a gigabyte it is given one.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from statistics import median
from typing import Any

import numpy as np

SIZES = (1_000, 10_000, 100_000)
KINDS = ("0/1", "steps", "graded")
RESAMPLES = 10_000
MOST_BYTES = 1_000_000_000
BATCH = 100
# Less than this cannot be told from chance, and counts as this much.
LEAST_BYTES = 1_000_000


def scores(kind: str, n: int) -> Any:
    """The scores, the same for everybody: right or wrong, one of eleven grades, or any number in 0..1."""
    dice = np.random.default_rng([n, KINDS.index(kind)])
    if kind == "0/1":
        return (dice.random(n) < 0.7).astype(float)
    return dice.integers(0, 11, n) / 10 if kind == "steps" else dice.random(n) ** 2


def ours(values: Any, resamples: int) -> tuple[float, float]:
    """The bounds by Steelyard."""
    from steelyard.metrics import bootstrap_ci

    found = bootstrap_ci(values, resamples=resamples)
    return found.lower, found.upper


def theirs(values: Any, resamples: int) -> tuple[float, float]:
    """The bounds by scipy, in batches where it has to be."""
    from scipy import stats

    batch = BATCH if len(values) * resamples * 8 > MOST_BYTES else None
    found = stats.bootstrap(
        (values,), np.mean, n_resamples=resamples, batch=batch, method="percentile", rng=1
    )
    return float(found.confidence_interval.low), float(found.confidence_interval.high)


CONTENDERS = {"steelyard": ours, "scipy": theirs}


def work(name: str, kind: str, n: int, resamples: int) -> None:
    """What a contender's own process does: once on little data, so that everything is loaded, then measured."""
    contender, values = CONTENDERS[name], scores(kind, n)
    contender(scores(kind, 50), 100)
    before, begun = peak(), time.process_time()
    bounds = contender(values, resamples)
    seconds = time.process_time() - begun
    print(
        json.dumps(
            {"seconds": seconds, "bytes": max(peak() - before, LEAST_BYTES), "bounds": bounds}
        )
    )


def peak() -> int:
    """The most memory that this process has had, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def measure(name: str, kind: str, n: int, resamples: int) -> dict[str, Any]:
    """One round of one contender."""
    args = [sys.executable, __file__, "--work", name, kind, str(n), "--resamples", str(resamples)]
    found: dict[str, Any] = json.loads(
        subprocess.run(args, capture_output=True, text=True, check=True).stdout
    )
    return found


def compare(kind: str, n: int, resamples: int, rounds: int) -> str:
    """One line of the table."""
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in CONTENDERS}
    for _ in range(rounds):
        for name in CONTENDERS:
            found[name].append(measure(name, kind, n, resamples))
    values = scores(kind, n)
    error = float(values.std()) / n**0.5
    for mine, other in zip(
        found["steelyard"][0]["bounds"], found["scipy"][0]["bounds"], strict=True
    ):
        # Four times what two such draws differ by on average.
        if abs(mine - other) > 20 / resamples**0.5 * error:
            raise SystemExit(
                f"{kind}, {n}: the bounds {mine} and {other} differ by more than chance explains"
            )
    seconds = {name: median(one["seconds"] for one in rows) for name, rows in found.items()}
    memory = {name: median(one["bytes"] for one in rows) for name, rows in found.items()}
    batch = f"{BATCH}" if n * resamples * 8 > MOST_BYTES else "all"
    return (
        f"| {kind} | {n:,} | {seconds['steelyard']:.3f} s | {memory['steelyard'] / 1e6:.0f} MB | {batch} "
        f"| {seconds['scipy'] / seconds['steelyard']:.1f} × | {memory['scipy'] / memory['steelyard']:.1f} × |"
    )


def main() -> None:
    """Print the table."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--smoke", action="store_true", help="small data, one round")
    reader.add_argument("--rounds", type=int, default=3)
    reader.add_argument("--resamples", type=int, default=RESAMPLES)
    reader.add_argument("--work", nargs=3, metavar=("NAME", "KIND", "N"), help=argparse.SUPPRESS)
    asked = reader.parse_args()
    if asked.work:
        work(asked.work[0], asked.work[1], int(asked.work[2]), asked.resamples)
        return
    sizes, resamples, rounds = (
        ((1_000,), 2_000, 1) if asked.smoke else (SIZES, asked.resamples, asked.rounds)
    )
    print(
        "| scores | how many | processor time | memory | scipy's batch | scipy's time beside it | scipy's memory beside it |"
    )
    print("|---|--:|--:|--:|--:|--:|--:|")
    for kind in KINDS:
        for n in sizes:
            print(compare(kind, n, resamples, rounds), flush=True)


if __name__ == "__main__":
    main()
