"""A user's strictly typed program sees the types of the public names, though they load lazily."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import steelyard
from steelyard import Score, ScorerInput, exact_match, scorer


@scorer
def mine(sample: ScorerInput) -> dict[str, bool]:
    return {"correct": sample.response == sample.target}


reveal_type(exact_match(ScorerInput(response="a", target="b")))
reveal_type(steelyard.load_spec("spec.json").dimensions[0].name)
reveal_type(steelyard.metrics.pass_at_k(n=8, c=3, k=1))
found: Score = mine(ScorerInput("a"))
wrong: int = steelyard.full()
"""


@pytest.mark.slow
def test_a_strict_program_sees_the_types(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--config-file",
        "",
        "--cache-dir",
        tmp_path / "cache",
        "program.py",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    told = [line for line in done.stdout.splitlines() if line.startswith("program.py")]
    assert [line.split(": ", 1)[1] for line in told] == [
        'note: Revealed type is "steelyard.score.Score"',
        'note: Revealed type is "str"',
        'note: Revealed type is "float"',
        'error: Incompatible types in assignment (expression has type "Score", variable has type "int")'
        "  [assignment]",
    ]
