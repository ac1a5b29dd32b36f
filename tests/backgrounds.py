"""Commands that a page leaves running, each ended with everything that it started."""

from __future__ import annotations

import contextlib
import functools
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path

_LONGEST_START, _LONGEST_END = 60.0, 30.0
_RUNNING: list[subprocess.Popen[bytes]] = []


def start(
    command: list[str], folder: Path, env: Mapping[str, str], *, until: Callable[[str], bool]
) -> None:
    """Start the command, and wait until what it has printed is what was told."""
    printed = folder / f".background-{len(_RUNNING)}"
    with printed.open("wb") as out:
        process = subprocess.Popen(command, cwd=folder, env=env, stdout=out, start_new_session=True)
    _RUNNING.append(process)
    deadline = time.monotonic() + _LONGEST_START
    while not until(shown := printed.read_text(encoding="utf-8")):
        assert process.poll() is None, f"it ended with\n{shown}"
        assert time.monotonic() < deadline, f"it printed\n{shown}"
        time.sleep(0.05)


def end() -> None:
    """End what was started; first asked, then made to."""
    while _RUNNING:
        process = _RUNNING.pop()
        _signal(process, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_LONGEST_END)
        _signal(process, signal.SIGKILL)
        process.wait(_LONGEST_END)


def _signal(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, number)


@functools.cache
def port(folder: Path) -> int:
    """A port that was free a moment ago, the same for all commands in a folder."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
