"""A benchmark, an endpoint, and the commands over both."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from judge.scripted import verdict
from steelyard.models.mock import MockServer
from steelyard.models.mock_plan import Plan, Rule

BENCH = """
from steelyard import needs_judge, numeric_match, scorer
from steelyard.bench import benchmark

ROWS = [{"q": f"What is {n} + {n}?", "target": 2 * n, "kind": "open" if n % 5 == 0 else "closed"} for n in range(60)]


@benchmark(name="mixed", dataset=ROWS, prompt="{q}", target_field="target", category_field="kind")
@scorer
def mixed(sample):
    return needs_judge(sample) if sample.metadata["kind"] == "open" else numeric_match(sample)
"""
OPEN, TOTAL = 12, 60
# The judge is asked about the canary sample as well.
JUDGE_CALLS = OPEN + 1
VERDICT = verdict(5, "it answers", "Answer")
JUDGED = Rule(contains="work-", text=VERDICT)
ANSWERS = {f"What is {n} + {n}?": f"Answer: {2 * n if n % 3 else 2 * n + 1}" for n in range(TOTAL)}
PLAN = Plan(answers=ANSWERS, rules=(JUDGED,))
# In order of completion, or measured: the only files that may differ between two runs of the same.
OWN_ORDER = {"journal.jsonl", "timings.jsonl", "run.json"}


class Bench(NamedTuple):
    """The benchmark's file and the endpoint."""

    file: Path
    server: MockServer

    def args(self, output: Path, *more: object, judge: bool = True) -> list[str]:
        """The arguments of ``steelyard`` for a run into that folder."""
        url = self.server.url
        fixed = [
            "eval",
            "run",
            "--bench",
            self.file,
            "--model-url",
            url,
            "--model-id",
            "m",
            "--output",
            output,
            "--concurrency",
            8,
            "-q",
        ]
        judged = ["--judge-url", url, "--judge-id", "j"] if judge else []
        return [str(part) for part in (*fixed, *judged, *more)]

    def plan(self, *rules: Rule, **more: Any) -> None:
        """Let the endpoint go by other rules from now on."""
        self.server.script.plan = Plan(answers=ANSWERS, rules=(*rules, JUDGED), **more)

    def prompts(self, since: int = 0) -> list[str]:
        """What the model was asked, the judge left out, from that request on."""
        return [
            prompt
            for number, _, _, prompt in self.server.requests
            if number > since and prompt in ANSWERS
        ]


def files(folder: Path) -> dict[str, bytes]:
    """Every file of a run that must be the same however it came about."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name not in OWN_ORDER}


def rows(path: Path) -> list[dict[str, Any]]:
    """The lines of a file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def results(folder: Path) -> dict[str, Any]:
    """What the run came to."""
    found: dict[str, Any] = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    return found


class Nursery:
    """Starts the command again and again without the cost of loading it: each is a fork of a process that has."""

    def __init__(self, folder: Path) -> None:
        script = Path(__file__).with_name("nursery.py")
        self._out = folder / "nursery.txt"
        self._process = subprocess.Popen(
            [sys.executable, str(script), str(self._out)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def start(self, args: list[str], *, largest_file: int = 0) -> int:
        """The id of a process that runs the command."""
        return int(self._say({"args": args, "largest_file": largest_file}))

    def wait(self, pid: int) -> int:
        """How that process ended: its exit code, or minus the signal that ended it."""
        return os.waitstatus_to_exitcode(int(self._say({"wait": pid})))

    def printed(self) -> str:
        """All that was printed so far."""
        return self._out.read_text(encoding="utf-8")

    def _say(self, what: dict[str, Any]) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(what) + "\n")
        self._process.stdin.flush()
        return self._process.stdout.readline()

    def close(self) -> None:
        """End it."""
        self._process.communicate(timeout=30)
