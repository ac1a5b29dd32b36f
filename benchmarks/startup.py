"""How long it takes to begin: the package, the command's help, and a bare interpreter beside them.

    python benchmarks/startup.py [--runs 15]

Each row is started afresh, in turn with the others, and the fastest and the median run are shown.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from pathlib import Path

COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "import steelyard": [sys.executable, "-c", "import steelyard"],
    "import msgspec": [sys.executable, "-c", "import msgspec"],
    "first exact_match": [
        sys.executable,
        "-c",
        "import steelyard as s; s.exact_match(s.ScorerInput(response='a', target='a'))",
    ],
    "import typer": [sys.executable, "-c", "import typer"],
    "steelyard --help": [str(Path(sys.executable).with_name("steelyard")), "--help"],
}
LIMITS = {"import steelyard": 150, "steelyard --help": 300}


def milliseconds(command: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return (time.perf_counter() - began) * 1000


def measure(runs: int) -> dict[str, list[float]]:
    taken: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(runs):
        for name, command in COMMANDS.items():
            taken[name].append(milliseconds(command))
    return taken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=15)
    taken = measure(parser.parse_args().runs)
    bare = min(taken["python -c pass"])
    print(f"{'':20}{'fastest':>10}{'median':>10}{'over bare':>11}{'limit':>8}")
    for name, times in taken.items():
        limit = f"{LIMITS[name]} ms" if name in LIMITS else "–"
        fast, middle = min(times), statistics.median(times)
        print(f"{name:20}{fast:>7.0f} ms{middle:>7.0f} ms{fast - bare:>8.0f} ms{limit:>8}")


if __name__ == "__main__":
    main()
