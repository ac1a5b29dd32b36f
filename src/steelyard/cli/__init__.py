"""The command line: one file a command group."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # as typing has it, which takes long enough to load for a Ctrl-C
if TYPE_CHECKING:
    from collections.abc import Callable


def main() -> None:
    """Run the command; every way it can end is an exit code and, at most, a line that says why."""
    try:
        try:
            # Inside, since loading takes long enough for a Ctrl-C as well.
            _load()()
        finally:
            ignore_interrupts()
    except KeyboardInterrupt:
        ignore_interrupts()
        sys.exit(130)


def ignore_interrupts() -> None:
    """From here on Ctrl-C changes nothing: the end has begun, and one more would only break into what is said there."""
    import signal
    import threading

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _load() -> Callable[[], None]:
    """The command. While it loads a Ctrl-C ends the process at once, also where Python would only tell of it and go on."""
    import signal
    import threading

    usual = signal.getsignal(signal.SIGINT)
    ours = (
        usual is signal.default_int_handler
        and threading.current_thread() is threading.main_thread()
    )
    if ours:
        signal.signal(signal.SIGINT, _leave)
    try:
        from steelyard.cli.app import run
    finally:
        if ours:
            signal.signal(signal.SIGINT, usual)
    return run


def _leave(*_: object) -> None:
    import os

    os._exit(130)
