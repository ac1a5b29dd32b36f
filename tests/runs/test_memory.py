"""A run takes hardly more memory for many samples than for few, and so does whatever goes over it afterwards."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

PROBE = Path(__file__).with_name("memory_probe.py")
BENCH = """
from steelyard import exact_match, full, needs_judge, scorer, zero
from steelyard.bench import benchmark


@benchmark(name="sums", dataset="problems.jsonl", prompt="{{question}}", target_field="target", cluster_field="passage")
@scorer
def sums(sample):
    return {score}
"""
SCORES = {
    "bench.py": "exact_match(sample)",
    "flipped.py": "zero('right before') if exact_match(sample).correct else full()",
    "judged.py": "needs_judge(sample)",
}
# With the fewer of them all that has a fixed size has come to it: the words of a page are learned from the first 4,096 samples.
FEW, MANY = 4_500, 12_000
# A judge takes its time; of longer questions fewer are kept, and these runs have no page.
FEW_JUDGED, MANY_JUDGED, LONG = 2_000, 5_000, 100
# A reply or a score for each further sample would take twice as much.
MEGABYTES = 2.5

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="the system does not tell a process its peak"
)


class Scene:
    """So many problems and their recorded replies."""

    def __init__(self, folder: Path, count: int, words: int = 30) -> None:
        self.folder, self.count = folder, count
        folder.mkdir()
        for name, score in SCORES.items():
            (folder / name).write_text(BENCH.format(score=score), encoding="utf-8")
        with (
            (folder / "problems.jsonl").open("w") as problems,
            (folder / "replies.jsonl").open("w") as replies,
        ):
            for n in range(count):
                target = f"The sum is {n + n % 97}."
                asked = f"What is {n} + {n % 97}? " + f"word{n % 1000} " * words
                problems.write(
                    json.dumps(
                        {
                            "id": f"s{n}",
                            "question": asked,
                            "target": target,
                            "passage": f"p{n // 2}",
                        }
                    )
                    + "\n"
                )
                replies.write(
                    json.dumps({"id": f"s{n}", "text": target if n % 3 else "The sum is unknown."})
                    + "\n"
                )

    def peak(self, *args: str) -> float:
        """The most megabytes that the command has held."""
        done = subprocess.run(
            [sys.executable, str(PROBE), "peak.txt", *args],
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return int((self.folder / "peak.txt").read_text()) / 1024

    def run(self, folder: str, *more: str) -> float:
        """The peak of a run with recorded replies."""
        return self.peak(
            "eval",
            "run",
            "--bench",
            "bench.py",
            "--recorded",
            "replies.jsonl",
            "--output",
            folder,
            "-q",
            *more,
        )

    def halve(self, source: str, folder: str) -> None:
        """A run as it is when it is ended half way."""
        (self.folder / folder).mkdir()
        about = json.loads((self.folder / source / "run.json").read_text(encoding="utf-8"))
        del about["journal"]  # which only a run that stopped in order has
        (self.folder / folder / "run.json").write_text(json.dumps(about), encoding="utf-8")
        journal = self.folder / source / "journal.jsonl"
        with (
            journal.open("rb") as lines,
            (self.folder / folder / "journal.jsonl").open("wb") as kept,
        ):
            kept.writelines(islice(lines, self.count))


def check(few: float, many: float) -> None:
    assert many - few < MEGABYTES, f"{few:.1f} MB for few samples, {many:.1f} MB for many"


@pytest.mark.slow
def test_a_run_and_all_that_goes_over_it(tmp_path: Path) -> None:
    scenes = Scene(tmp_path / "few", FEW), Scene(tmp_path / "many", MANY)
    check(*(scene.run("run") for scene in scenes))
    for scene in scenes:
        scene.halve("run", "half")
    check(*(scene.run("half", "--resume") for scene in scenes))
    check(
        *(
            scene.peak("eval", "rescore", "run", "--bench", "flipped.py", "--json")
            for scene in scenes
        )
    )
    check(*(scene.peak("eval", "report", "run", "--timings") for scene in scenes))
    check(*(scene.peak("verify", "run") for scene in scenes))


@pytest.mark.slow
def test_a_judged_run(tmp_path: Path) -> None:
    scenes = Scene(tmp_path / "few", FEW_JUDGED, LONG), Scene(tmp_path / "many", MANY_JUDGED, LONG)
    check(*(scene.peak("judged", "judged.py", "replies.jsonl", "judged") for scene in scenes))
