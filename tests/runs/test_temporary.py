"""A temporary folder that is full: the message names it, and not the file that was to be written."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from commands import Commands

BENCH = """
from steelyard import exact_match, scorer
from steelyard.bench import benchmark


@benchmark(name="long", dataset="long.jsonl", prompt="{question}", target_field="target")
@scorer
def long(sample):
    return exact_match(sample)
"""
PROBLEMS = 600
PAGE = 4096


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A benchmark whose rows do not fit into memory, and replies to it that cannot be packed."""
    made, dice = tmp_path_factory.mktemp("long"), random.Random(1)
    (made / "bench.py").write_text(BENCH, encoding="utf-8")
    problems = [
        {"id": f"p{n}", "question": dice.randbytes(2000).hex(), "target": "4"}
        for n in range(PROBLEMS)
    ]
    replies = [{"id": f"p{n}", "text": dice.randbytes(1000).hex()} for n in range(PROBLEMS)]
    for name, told in (("long.jsonl", problems), ("replies.jsonl", replies)):
        (made / name).write_text("".join(json.dumps(row) + "\n" for row in told), encoding="utf-8")
    return made


@pytest.fixture
def run(folder: Path, steelyard: Commands) -> Path:
    out = folder / "out"
    if not out.exists():
        recorded = ("--recorded", folder / "replies.jsonl", "--output", out, "-q")
        assert steelyard("eval", "run", "--bench", folder / "bench.py", *recorded).code == 0
    return out


def with_room(size: int, place: Path, *args: object) -> subprocess.CompletedProcess[str]:
    """The command, with a temporary folder of that size."""
    place.mkdir()
    alone = (
        ["unshare", "--mount"] if os.getuid() == 0 else ["unshare", "--map-root-user", "--mount"]
    )
    mount = f'mount -t tmpfs -o size={size} none "$0" && exec "$@"'
    command = [
        *alone,
        "sh",
        "-c",
        mount,
        str(place),
        sys.executable,
        "-m",
        "steelyard",
        *map(str, args),
    ]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "TMPDIR": str(place)},
    )


def check_told(ran: subprocess.CompletedProcess[str], place: Path) -> None:
    assert ran.returncode == 3, ran
    (line,) = ran.stderr.strip().splitlines()
    assert f"the temporary folder {place} (TMPDIR names another): No space left on device" in line
    assert "report.html" not in line


# First the rows do not fit, then what is known of the samples, at last the blocks of the page.
@pytest.mark.parametrize("size", [PAGE, 300 * PAGE, 640 * PAGE, 1100 * PAGE])
def test_scoring_again_names_the_folder_that_is_full(run: Path, tmp_path: Path, size: int) -> None:
    place = tmp_path / "small"
    check_told(with_room(size, place, "eval", "rescore", run, "-o", tmp_path / "new"), place)


@pytest.mark.parametrize("size", [PAGE, 100 * PAGE, 1100 * PAGE])
def test_a_page_names_the_folder_that_is_full(run: Path, tmp_path: Path, size: int) -> None:
    place = tmp_path / "small"
    args = ("eval", "report", run, "--format", "html", "-o", tmp_path / "page.html")
    check_told(with_room(size, place, *args), place)
