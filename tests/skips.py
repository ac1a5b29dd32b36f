"""Reasons for which a test may be skipped."""

from __future__ import annotations

import os

import pytest

CGROUPS = "needs control groups"
DOCKER = "needs a Docker daemon"
ROOT = "needs root"

# The start of every reason that STEELYARD_ORDINARY_USER=1 accepts. Other skips fail the session there.
ALLOWED = (CGROUPS, DOCKER, ROOT)

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason=ROOT)


def refused_skips(skipped: list[pytest.TestReport]) -> list[str]:
    """Names of the skipped tests that fail the session: every one under CI, without CI none.

    STEELYARD_ORDINARY_USER=1 is for a run without root: it refuses skips as CI does, but for those
    whose reason is on the list.
    """
    ordinary = os.environ.get("STEELYARD_ORDINARY_USER") == "1"
    if not ordinary and not os.environ.get("CI"):
        return []
    allowed = ALLOWED if ordinary else ()
    refused = {report.nodeid for report in skipped if not _reason(report).startswith(allowed)}
    return sorted(refused)


def _reason(report: pytest.TestReport) -> str:
    """The reason as the test gives it; pytest stores (file, line, "Skipped: reason")."""
    told = report.longrepr
    text = str(told[2]) if isinstance(told, tuple | list) else str(told)
    return text.removeprefix("Skipped: ")
