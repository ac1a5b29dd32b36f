"""The command line: one file a command group."""

from __future__ import annotations


def main() -> None:
    """Run the command; every way it can end is an exit code and, at most, a line that says why."""
    from steelyard.cli.app import run

    run()
