"""A process that has loaded everything, and forks for each command that it is told to run."""

from __future__ import annotations

import importlib
import json
import os
import resource
import sys

from steelyard.cli import main

for name in (
    "steelyard.judge.rating",
    "steelyard.models.http",
    "steelyard.report.run_files",
    "steelyard.runs.run",
    "aiohttp",
):
    importlib.import_module(name)


def run(args: list[str], largest_file: int, out: str) -> None:
    """Become the command."""
    file = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(file, 1)
    os.dup2(file, 2)
    if largest_file:
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))
    sys.argv = ["steelyard", *args]
    main()


for line in sys.stdin:
    told = json.loads(line)
    if "wait" in told:
        answer = os.waitpid(told["wait"], 0)[1]
    else:
        answer = os.fork()
        if answer == 0:
            sys.stdin.close()
            run(told["args"], told["largest_file"], sys.argv[1])
            sys.exit(0)
    sys.stdout.write(f"{answer}\n")
    sys.stdout.flush()
