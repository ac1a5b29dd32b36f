"""Reasons for which a test may be skipped, and the tests that an early Python 3.11 cannot pass."""

from __future__ import annotations

import os
import sys

import pytest

CGROUPS = "needs control groups"
DOCKER = "needs a Docker daemon"
ROOT = "needs root"
BROKEN_RE = "re of Python 3.11.0 to 3.11.4 miscompiles atomic groups"

# The start of every reason that STEELYARD_ORDINARY_USER=1 accepts. Other skips fail the session there.
ALLOWED = (CGROUPS, DOCKER, ROOT, BROKEN_RE)

# Fixed in Python 3.11.5. The blocks are the ones in which at least one row is read differently.
_BROKEN_RE_TESTS = {
    "tests/scoring/test_probes.py::test_probes": (
        "answer_line:2351-2400",
        "exact_match:101-150",
        "exact_match:1551-1600",
        "exact_match:2051-2100",
        "fuzzy_match:1901-1950",
        "fuzzy_match:2101-2150",
        "fuzzy_match:3751-3800",
        "fuzzy_match:4251-4300",
        "fuzzy_match:4601-4650",
        "fuzzy_match:7001-7050",
        "fuzzy_match:7201-7250",
        "fuzzy_match:7251-7300",
        "fuzzy_match:8701-8750",
        "fuzzy_match:8901-8950",
        "fuzzy_match:9201-9250",
        "fuzzy_match:9301-9350",
        "fuzzy_match:9501-9550",
        "fuzzy_match:9601-9650",
        "fuzzy_match:10101-10150",
        "fuzzy_match:10801-10850",
    ),
    "tests/text/test_normal.py::test_articles_go_before_a_word": (
        "vitamin a and the b-vitamin and the b",
        "the A-Team-a team",
    ),
}

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason=ROOT)


def skip_broken_re(items: list[pytest.Item]) -> None:
    """Skip the tests whose result depends on the defect, on the versions of Python that have it."""
    if sys.version_info >= (3, 11, 5):
        return
    for item in items:
        name, _, block = item.nodeid.partition("[")
        if block.removesuffix("]") in _BROKEN_RE_TESTS.get(name, ()):
            item.add_marker(pytest.mark.skip(reason=BROKEN_RE))


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
