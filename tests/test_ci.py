"""Where CI is set, a skipped test is a failure."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
TESTS = "import pytest\n\ndef test_runs(): pass\n\n@pytest.mark.skip\ndef test_does_not(): pass\n"


@pytest.mark.parametrize(("ci", "code"), [("", 0), ("1", 1)])
def test_a_skip_fails_in_ci_alone(ci: str, code: int, tmp_path: Path) -> None:
    for helper in ("conftest.py", "commands.py"):
        shutil.copy(HERE / helper, tmp_path / helper)
    (tmp_path / "test_sample.py").write_text(TESTS)
    env = {**os.environ, "CI": ci}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", tmp_path]
    done = subprocess.run(
        command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stdout + done.stderr
    assert ("which is a failure here" in done.stdout) is bool(code)
