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

@pytest.mark.skip(reason={reason!r})
def test_does_not(): pass
"""


@pytest.mark.parametrize("ci", ["", "1"])
@pytest.mark.parametrize("ordinary", ["", "1"])
@pytest.mark.parametrize(
    "reason", ["unconditional skip", *skips.ALLOWED, f"{skips.DOCKER}: none answers"]
)
def test_a_skip_fails_unless_it_is_allowed(
    ci: str, ordinary: str, reason: str, tmp_path: Path
) -> None:
    for helper in ("conftest.py", "commands.py", "skips.py"):
        shutil.copy(HERE / helper, tmp_path / helper)
    (tmp_path / "test_sample.py").write_text(TESTS.format(reason=reason))
    listed = reason.startswith(skips.ALLOWED)
    code = int(not listed if ordinary else bool(ci))
    env = {**os.environ, "CI": ci, "STEELYARD_ORDINARY_USER": ordinary}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", tmp_path]
    done = subprocess.run(
        command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stdout + done.stderr
    assert ("which is a failure here" in done.stdout) is bool(code)


@pytest.mark.parametrize(("version", "skipped"), [((3, 11, 4), True), ((3, 11, 5), False)])
def test_only_early_versions_skip_what_their_re_misreads(
    version: tuple[int, int, int], skipped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Named:
        def __init__(self, nodeid: str) -> None:
            self.nodeid, self.reasons = nodeid, []

        def add_marker(self, mark: pytest.MarkDecorator) -> None:
            self.reasons.append(mark.kwargs["reason"])

    listed = Named("tests/scoring/test_probes.py::test_probes[exact_match:101-150]")
    other = Named("tests/scoring/test_probes.py::test_probes[exact_match:151-200]")
    monkeypatch.setattr(sys, "version_info", version)
    skips.skip_broken_re([listed, other])
    assert (listed.reasons, other.reasons) == ([skips.BROKEN_RE] * skipped, [])
