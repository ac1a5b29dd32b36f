"""Skipped tests fail the session under CI, and for an ordinary user unless the reason is listed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import skips

HERE = Path(__file__).parent
TESTS = """
import pytest

def test_runs(): pass

@pytest.mark.skip(reason="as an example")
def test_does_not(): pass
"""


REASONS = ["unconditional skip", *skips.ALLOWED, f"{skips.DOCKER}: none answers"]


@pytest.mark.parametrize("ci", ["", "1"])
@pytest.mark.parametrize("ordinary", ["", "1"])
@pytest.mark.parametrize("reason", REASONS)
def test_a_skip_is_refused_unless_it_is_allowed(
    ci: str, ordinary: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", ci)
    monkeypatch.setenv("STEELYARD_ORDINARY_USER", ordinary)
    report = pytest.TestReport(
        "test_it", ("test.py", 1, ""), {}, "skipped", ("test.py", 1, f"Skipped: {reason}"), "call"
    )
    listed = reason.startswith(skips.ALLOWED)
    refused = not listed if ordinary else bool(ci)
    assert skips.refused_skips([report]) == ["test_it"] * refused


@pytest.mark.parametrize("ci", ["", "1"])
def test_a_refused_skip_fails_the_session(ci: str, tmp_path: Path) -> None:
    for helper in ("conftest.py", "commands.py", "skips.py"):
        shutil.copy(HERE / helper, tmp_path / helper)
    (tmp_path / "test_sample.py").write_text(TESTS)
    env = {**os.environ, "CI": ci, "STEELYARD_ORDINARY_USER": ""}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", tmp_path]
    done = subprocess.run(
        command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == int(bool(ci)), done.stdout + done.stderr
    assert ("which is a failure here" in done.stdout) is bool(ci)
