"""The command line: one file a command group."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command; every way it can end is an exit code and, at most, a line that says why."""
    try:
        # Inside, since loading takes long enough for a Ctrl-C.
        from steelyard.cli.app import run

        run()
    except KeyboardInterrupt:
        sys.exit(130)
