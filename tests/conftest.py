"""What holds for all tests."""

from __future__ import annotations

import os
import signal

import hypothesis
import pytest

import skips
from commands import Commands

ALL_PASSED = 0

# How long an example takes depends on who else is at work; tests assert no times. Where CI is set the examples are the same
# for the same code: whether a change may land depends on the change. New ones are tried wherever somebody works.
hypothesis.settings.register_profile(
    "untimed", deadline=None, derandomize=bool(os.environ.get("CI"))
)
hypothesis.settings.load_profile("untimed")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "slow: left out of `make test`; `make slow` and `make test-all` run it"
    )
    # What a shell starts in the background ignores Ctrl-C, and so would every command that a test starts and interrupts.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def steelyard(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Commands:
    """``steelyard("score", "--help")`` runs that command and gives its code, output and errors."""
    return Commands(monkeypatch, capsys)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests recorded as their summary."""
    for report in terminalreporter.getreports("passed"):
        for name, text in report.user_properties:
            if name == "summary":
                terminalreporter.write_line(str(text))


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Fail the session for a skip that is not allowed: a test that did not run proves nothing."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    refused = skips.refused_skips(skipped)
    if refused and exitstatus == ALL_PASSED:
        reporter.write_line(f"skipped, which is a failure here: {', '.join(refused)}", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
