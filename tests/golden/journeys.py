"""The cases that need a server: runs of a benchmark, and matches in the arena."""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

UNKEPT = {".db", ".db-wal", ".db-shm", ".log"}  # a store and a server's log are read by commands
# The address is part of a run's signature, so the port is always the same one.
MOCK_PORT = 47_311
MOCK = f"http://127.0.0.1:{MOCK_PORT}/v1"
PATIENCE = 120.0


class Journey:
    """Runs commands in a folder, and collects what they print with their exit codes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.printed: dict[str, str] = {}
        self._codes: list[str] = []

    def run(self, *args: str) -> None:
        """Run a command of ``steelyard``; keep its standard output and its exit code."""
        command = [sys.executable, "-m", "steelyard", *args]
        env = {**os.environ, "NO_COLOR": "1", "COLUMNS": "100"}
        # A process of its own: other tests register scorers of theirs in this one.
        ran = subprocess.run(command, cwd=self.folder, env=env, stdout=subprocess.PIPE, check=False)
        number = len(self._codes) + 1
        self._codes.append(f"{ran.returncode}  {number}. steelyard {' '.join(args)}")
        self.printed["exit_codes.txt"] = "\n".join([*self._codes, ""])
        if ran.stdout:
            self.printed[f"stdout-{number}.txt"] = ran.stdout.decode()

    def keep(self, name: str, value: Any) -> None:
        """Keep a value as JSON."""
        self.printed[name] = json.dumps(value, indent=2, ensure_ascii=False, sort_keys=True) + "\n"


def wait_for(log: Path, pattern: str, process: subprocess.Popen[bytes]) -> re.Match[str]:
    """Wait until a line of the log has the pattern."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if found := re.search(pattern, log.read_text(encoding="utf-8")):
            return found
        if process.poll() is not None:
            break
        time.sleep(0.05)
    raise AssertionError(log.read_text(encoding="utf-8"))


@contextmanager
def server(folder: Path, pattern: str, *args: str) -> Iterator[re.Match[str]]:
    """Run a serving command until the block ends; gives what the pattern found in its output."""
    log = folder / f"{args[0]}.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "steelyard", *args], stdout=out, stderr=out, cwd=folder
        )
    try:
        yield wait_for(log, pattern, process)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE)


@contextmanager
def mock_endpoint(folder: Path) -> Iterator[None]:
    """The scripted endpoint at its fixed port, once no other test run uses it."""
    args = ("serve-mock", "--plan", "mock.json", "--port", str(MOCK_PORT))
    until = time.monotonic() + PATIENCE
    while True:
        started = server(folder, "mock endpoint is on", *args)
        try:
            started.__enter__()
            break
        except AssertionError:
            if time.monotonic() > until:
                raise
            time.sleep(1)
    try:
        yield
    finally:
        started.__exit__(None, None, None)


def run_arguments(bench: str, output: str, *more: str) -> list[str]:
    return [
        *(
            "eval",
            "run",
            "--bench",
            bench,
            "--model-url",
            MOCK,
            "--model-id",
            "m",
            "--output",
            output,
        ),
        *("--timeout", "300", "--json", *more),
    ]


def play_runs(journey: Journey) -> None:
    """Runs with and without a judge, one killed and resumed, and all that reads runs."""
    judged = ("--judge-url", MOCK, "--judge-id", "j", "--repeats", "2")
    with mock_endpoint(journey.folder):
        kill_in_the_middle(journey.folder, run_arguments("sums.py", "killed", *judged))
        journey.run(*run_arguments("sums.py", "killed", *judged, "--resume"))
        journey.run(*run_arguments("sums.py", "judged", *judged))
        journey.run(*run_arguments("closed.py", "closed"))
        journey.run(*run_arguments("closed.py", "seeded", "--seed", "5"))
    journey.run("eval", "rescore", "judged", "--json")
    journey.run("eval", "rescore", "judged", "--bench", "sums.py", "-o", "rescored", "--json")
    journey.run("compare", "closed", "seeded", "--allow", "all", "--json")
    journey.run(
        "gate", "closed", "seeded", "--policy", "policy.toml", "--json", "--junit", "gate.xml"
    )
    journey.run("gate", "closed", "closed", "--margin", "0.1", "--json")
    journey.run("gate", "closed", "closed", "--margin", "0.5", "--json")
    journey.run("plan", "--effect", "0.05", "--from", "judged", "--json")
    journey.run("eval", "list", ".", "--json")


def kill_in_the_middle(folder: Path, args: list[str]) -> None:
    """Start a run that the endpoint leaves hanging on one sample, and kill it there."""
    process = subprocess.Popen(
        [sys.executable, "-m", "steelyard", *args],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    journal = folder / args[args.index("--output") + 1] / "journal.jsonl"
    until = time.monotonic() + PATIENCE
    while not (journal.exists() and journal.read_bytes().count(b'"attempt"') >= 40):
        assert time.monotonic() < until
        assert process.poll() is None
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.wait(PATIENCE)


def play_arena(journey: Journey) -> None:
    """Three agents play six matches each; then the store is replayed and exported."""
    args = (
        "--store",
        "arena.db",
        "--port",
        "0",
        "--no-bundled",
        "--no-gates",
        "--challenges",
        "counting",
    )
    with server(journey.folder, r"the arena is at (http://\S+)", "serve", *args) as found:
        call = Caller(found[1])
        journey.keep("openapi.json", call("GET", "/openapi.json"))
        keys = [
            call("POST", "/agents/register", {"name": name})["data"]["api_key"] for name in "ABC"
        ]
        for turn, counts in enumerate(ANSWERS):
            key = keys[turn % len(keys)]
            match = call("POST", "/matches/enter", {"challenge_slug": "counting"}, key)["data"]
            told = call(
                "POST", f"/matches/{match['match_id']}/submit", {"answer": {"counts": counts}}, key
            )
            journey.keep(f"submit-{turn + 1:02}.json", told)
        journey.keep("leaderboard.json", call("GET", "/leaderboard"))
    journey.run("arena", "replay", "--store", "arena.db", "--json")
    journey.run(
        "arena",
        "export",
        "--store",
        "arena.db",
        "--truth",
        "--submissions",
        "--out",
        "export.jsonl",
    )


ANSWERS: list[Any] = [
    *([3, 1, 2, 5], [3, 1, 2, 4], [0, 0, 0, 0], [3, 1, 2, 5], [3, 1, 0, 0], []),
    *([3, 1, 2], [3, 1, 2, 5], "many", [5, 2, 1, 3], [3, 1, 2, 5], [3, 1, 2, 5]),
]


class Caller:
    """Calls the arena's API."""

    def __init__(self, url: str) -> None:
        self._url = url

    def __call__(self, method: str, path: str, body: Any = None, key: str | None = None) -> Any:
        headers = {"Content-Type": "application/json"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self._url}/api/v1{path}", data, headers, method=method)
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)


def list_names(journey: Journey) -> None:
    """The public names of the package and of its parts."""
    import steelyard

    names: dict[str, list[str]] = {"steelyard": sorted(steelyard.__all__)}
    for part in pkgutil.iter_modules(steelyard.__path__):
        if part.ispkg:
            module = importlib.import_module(f"steelyard.{part.name}")
            if public := getattr(module, "__all__", None):
                names[module.__name__] = sorted(public)
    journey.keep("names.json", names)
