"""How much memory a run takes, and what goes over its files afterwards, as there are more samples.

    python benchmarks/eval_memory.py [--counts 1000 10000 100000] [--only run,judged] [--json]

Every command is a process of its own, and its figure is the most memory that it or a process of its own has held at any moment.
Models answer from a file or are a scripted endpoint on loopback; all questions are different and have about 300 characters.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path

COMMAND = [sys.executable, "-m", "steelyard"]
# The file that a benchmark's own lines are put into; FLIPPED finds right what the other finds wrong, and the other way round.
BENCH = """
from steelyard import exact_match, full, needs_judge, scorer, zero
from steelyard.bench import benchmark


@benchmark(name="sums", dataset="problems.jsonl", prompt="{{question}}", target_field="target"{more})
@scorer
def sums(sample):
    {body}
"""
EXACT = "return exact_match(sample)"
FLIPPED = "return zero('right before') if exact_match(sample).correct else full()"
JUDGED = "return needs_judge(sample)"
VERDICT = 'Evidence: sum\nReason: it answers\n{tag} {"score": 5}'
REPEATS = 4
CASES = (
    "run",
    "resume",
    "rescore",
    "rescore flips",
    "report",
    "report timings",
    "http",
    "repeats",
    "clusters",
    "judged",
    "resume judged",
    "rejudge",
    "rejudge offline",
)


class Scene:
    """Problems, recorded replies and an endpoint for so many samples, in a folder of their own."""

    def __init__(self, folder: Path, count: int) -> None:
        self.folder, self.count, self.url, self._known = folder, count, "", dict[str, float]()
        self._write()
        self._bench("bench.py", EXACT)
        self._bench("flipped.py", FLIPPED)
        self._bench("judged.py", JUDGED)
        self._bench("clusters.py", EXACT, ', cluster_field="passage"')

    def _write(self) -> None:
        """Nothing of it is held: what is started from a process is said to have held as much as that."""
        with ExitStack() as stack:
            names = ("problems.jsonl", "replies.jsonl", "plan.json")
            problems, replies, plan = (
                stack.enter_context((self.folder / name).open("w")) for name in names
            )
            plan.write(
                '{"rules": ['
                + json.dumps({"contains": "work-", "text": VERDICT})
                + '], "answers": {'
            )
            for n in range(self.count):
                asked, target = (
                    f"What is {n} + {n % 97}? " + f"word{n} " * 30,
                    f"The sum is {n + n % 97}.",
                )
                said = target if n % 3 else "The sum is unknown."
                row = {"id": f"s{n}", "question": asked, "target": target, "passage": f"p{n // 2}"}
                problems.write(json.dumps(row) + "\n")
                replies.write(json.dumps({"id": f"s{n}", "text": said}) + "\n")
                plan.write(f"{', ' if n else ''}{json.dumps(asked)}: {json.dumps(said)}")
            plan.write("}}")

    def _bench(self, name: str, body: str, more: str = "") -> None:
        (self.folder / name).write_text(BENCH.format(body=body, more=more))

    def measure(self, case: str) -> float:
        """The peak of one command, in megabytes."""
        if case not in self._known:
            self._known[case] = self._measured(case)
        return self._known[case]

    def _measured(self, case: str) -> float:
        at_once = ["--concurrency", "64"]
        asked = ["--model-url", self.url, "--model-id", "m", *at_once]
        judged = [*self.recorded, "--judge-url", self.url, "--judge-id", "j", *at_once]
        other = ["--judge-url", self.url, "--judge-id", "other", *at_once]
        several = [
            "--repeats",
            str(REPEATS),
            "--max-problems",
            str(self.count // REPEATS),
            "--seed",
            "1",
        ]
        runs = {
            "run": ("bench.py", self.recorded),
            "judged": ("judged.py", judged),
            "clusters": ("clusters.py", self.recorded),
            "http": ("bench.py", asked),
            "repeats": ("bench.py", [*asked, *several]),
        }
        if case in runs:
            return self.run(runs[case][0], case, runs[case][1])
        if case.startswith("resume"):
            source = "judged" if case == "resume judged" else "run"
            return self.resumed(runs[source][0], source, runs[source][1])
        source, command = {
            "rescore": ("run", ["rescore", "--output", "rescored", "--quiet"]),
            "rescore flips": ("run", ["rescore", "--bench", "flipped.py", "--json"]),
            "report": ("run", ["report"]),
            "report timings": ("run", ["report", "--timings"]),
            "rejudge": ("judged", ["rejudge", *other, "--output", "rejudged", "--quiet"]),
            "rejudge offline": (
                "judged",
                ["rejudge", "--offline", "--output", "reread", "--quiet"],
            ),
        }[case]
        return self.peak("eval", *command, self.done(source))

    @property
    def recorded(self) -> list[str]:
        """The options for replies from a file."""
        return ["--recorded", "replies.jsonl"]

    def run(self, bench: str, output: str, options: list[str], *more: str) -> float:
        """The peak of a run."""
        return self.peak(
            "eval", "run", "--bench", bench, *options, "--output", output, "--quiet", *more
        )

    def done(self, name: str) -> str:
        """A run that other commands go over; it is made where it is not there."""
        self.measure(name)
        return name

    def resumed(self, bench: str, source: str, options: list[str]) -> float:
        """The peak of going on with a run that was ended half way."""
        whole, half = self.folder / self.done(source), self.folder / f"half-{source}"
        half.mkdir()
        about = json.loads((whole / "run.json").read_text(encoding="utf-8"))
        del about["journal"]  # which only a run that stopped in order has
        (half / "run.json").write_text(json.dumps(about), encoding="utf-8")
        with (
            (whole / "journal.jsonl").open("rb") as lines,
            (half / "journal.jsonl").open("wb") as kept,
        ):
            kept.writelines(islice(lines, self.count))
        return self.run(bench, half.name, options, "--resume")

    def peak(self, *args: str) -> float:
        """The most megabytes that any process of the command has held."""
        with (self.folder / "told.txt").open("wb") as told:
            started = subprocess.Popen(
                [*COMMAND, *args], cwd=self.folder, stdout=told, stderr=subprocess.STDOUT
            )
            _, status, usage = os.wait4(started.pid, 0)
        started.returncode = os.waitstatus_to_exitcode(status)
        if started.returncode:
            sys.exit(
                f"{' '.join(args)} ended with {started.returncode}: {(self.folder / 'told.txt').read_text()[-2000:]}"
            )
        return usage.ru_maxrss / 1024


@contextmanager
def endpoint(plan: Path) -> Iterator[str]:
    """The scripted endpoint, in a process of its own."""
    with subprocess.Popen(
        [*COMMAND, "serve-mock", "--plan", str(plan)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield next(
                word for word in process.stdout.readline().split() if word.startswith("http://")
            )
        finally:
            process.kill()


def measured(count: int, cases: list[str]) -> dict[str, float]:
    """The peak of each command over so many samples."""
    with tempfile.TemporaryDirectory() as folder:
        scene = Scene(Path(folder), count)
        with endpoint(scene.folder / "plan.json") as url:
            scene.url = url
            return {case: scene.measure(case) for case in cases}


def main() -> None:
    """Print a table: a row for each command, a column for each number of samples."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--counts", nargs="+", type=int, default=[1_000, 10_000, 100_000])
    parser.add_argument("--only", default=",".join(CASES))
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    cases = options.only.split(",")
    found = {count: measured(count, cases) for count in options.counts}
    if options.json:
        print(json.dumps(found))
        return
    print("| command | " + " | ".join(f"{count:,}" for count in found) + " |")
    print("|---|" + "--:|" * len(found))
    for case in cases:
        print(
            f"| {case} | " + " | ".join(f"{peaks[case]:.1f} MB" for peaks in found.values()) + " |"
        )


if __name__ == "__main__":
    main()
