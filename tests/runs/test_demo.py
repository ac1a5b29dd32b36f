"""What ``make demo`` runs last: a real model on this machine over a bundled benchmark, with nobody else to ask."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from runs.support import results
from steelyard.models.pull import pull_model

MAKEFILE = Path(__file__).parents[2] / "Makefile"
FEW = "3"
NOWHERE = "http://127.0.0.1:9"


def demo_commands() -> tuple[list[str], list[str]]:
    """The arguments of the last two commands of ``make demo``, but over fewer problems."""
    recipe = MAKEFILE.read_text(encoding="utf-8").partition("\ndemo:")[2].partition("\n\n")[0]
    run, verify = re.findall(r"\$\(BIN\)/steelyard (.*)", recipe)[-2:]
    words = shlex.split(run)
    words[words.index("--max-problems") + 1] = FEW
    return words, shlex.split(verify)


def test_the_demo_runs_without_a_network(tmp_path: Path) -> None:
    pull_model()  # as the demo's installation does; it stays in the user's cache
    words, verify = demo_commands()
    assert not {"--model-url", "--recorded"} & set(words)
    proxies = dict.fromkeys(
        ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"),
        NOWHERE,
    )
    done = subprocess.run(
        [sys.executable, "-m", "steelyard", *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        env={**os.environ, **proxies},
    )
    assert done.returncode == 0, done.stderr
    assert "no --model-url: asking the embedded model smollm2" in done.stderr
    folder = tmp_path / "runs" / "demo"
    head = results(folder)["headline"]
    assert (head["scored"], head["total"]) == (int(FEW), int(FEW))
    for shown in ("scored / total      3 / 3", "report     runs/demo/report.html"):
        assert shown in done.stdout
    if head["correct"] < head["total"]:
        assert "failures" in done.stdout
    assert (folder / "report.html").stat().st_size > 0
    again = subprocess.run(
        [sys.executable, "-m", "steelyard", *verify],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        env={**os.environ, **proxies},
    )
    assert again.returncode == 0, again
    assert again.stdout.endswith("\nreproduced\n")
