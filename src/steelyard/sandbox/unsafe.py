"""No sandbox at all: a plain process with a few limits, for those who have typed that they want it.

The program runs as whoever runs the grader, with the same files, network and processes. Every record says so.
"""

from __future__ import annotations

import contextlib
import platform
import subprocess
import sys
import tempfile
import threading
from importlib.resources import files
from pathlib import Path
from typing import Any

from steelyard.errors import SandboxError
from steelyard.sandbox.boot import ENVIRONMENT, boot_source, greeting, job_frame
from steelyard.sandbox.box import Box
from steelyard.sandbox.job import Job, Limit
from steelyard.sandbox.limits import Limits
from steelyard.sandbox.prepared import Prepared
from steelyard.sandbox.watch import living

_START = 20.0  # seconds for the interpreter to be ready
_END = 2.0
_VIRTUAL = 256 << 20  # an interpreter maps more than it uses


class Bare:
    """One process in a temporary folder, for one job; the `Host` of that job's box."""

    def __init__(self) -> None:
        self._closing = threading.Lock()
        self.closed = False
        with contextlib.ExitStack() as undo:
            home = Path(undo.enter_context(tempfile.TemporaryDirectory(prefix="steelyard-")))
            (home / "box").mkdir()
            (home / "tmp").mkdir()
            own = f"{Path(sys.executable).parent}:{ENVIRONMENT['PATH']}"
            self._env = {
                **ENVIRONMENT,
                "PATH": own,
                "HOME": str(home / "box"),
                "TMPDIR": str(home / "tmp"),
            }
            self._prepared = self._launch()
            undo.callback(self._prepared.close)
            undo.callback(self.kill)
            self._process, self._link = self._prepared.process, self._prepared.link
            self._prepared.wait(
                _START,
                lambda said: f"the process does not start: {said.strip() or 'it did not say why'}",
            )
            self._undo = undo.pop_all()

    def _launch(self) -> Prepared:
        keeper = (files("steelyard.sandbox") / "keeper.py").read_text(encoding="utf-8")
        command = [
            sys.executable,
            "-I",
            "-c",
            keeper,
            sys.executable,
            "-s",
            "-B",
            "-c",
            boot_source(),
        ]
        greets = greeting(namespaces=False)
        return Prepared(
            command, greets, env=self._env, cwd=self._env["HOME"], start_new_session=True
        )

    def begin(self, job: Job, limits: Limits) -> Box:
        """Starts the job; the process is gone when the box has been finished or stopped."""
        rlimits = {"as": (limits.memory_mb << 20) + _VIRTUAL}
        env = {**self._env, **job.env}
        self._link.send(
            b"J", job_frame(job, limits, env=env, folder=self._env["HOME"], rlimits=rlimits)
        )
        return Box(self._link, self, job, limits)

    def kill(self) -> None:
        """Ends the process and everything that came of it."""
        self._process.terminate()
        try:
            self._process.wait(_END)
        except subprocess.TimeoutExpired:
            self._process.kill()

    def runs(self) -> bool:
        """Whether anything but the keeper and the process that relays is there."""
        return len(living(self._process.pid)) > 1

    def limit_hit(self) -> Limit | None:
        """Nobody counts here."""
        return None

    def peak_memory(self) -> int | None:
        """Nobody measures it."""
        return None

    def release(self, *, clean: bool) -> None:
        """Waits for the keeper, which ends what is left."""
        if clean:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_END)
        self.close()

    def close(self) -> None:
        """Nothing of it is left; may be called twice."""
        with self._closing:
            self._undo.close()
            self.closed = True


class Unsandboxed:
    """Runs a candidate as if it were one's own program."""

    name = "none"

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: set[Bare] = set()

    def start(self, job: Job, limits: Limits) -> Box:
        """The job begins to run, in nothing."""
        try:
            bare = Bare()
        except (OSError, subprocess.SubprocessError) as failed:
            raise SandboxError(f"a process cannot be started: {failed}") from failed
        with self._lock:
            self._open = {one for one in self._open if not one.closed} | {bare}
        return bare.begin(job, limits)

    def warm(self, count: int, limits: Limits | None = None) -> None:
        """Nothing is made ahead here."""

    def describe(self) -> dict[str, Any]:
        """That nothing holds a candidate, for the record of its verdict."""
        return {
            "backend": self.name,
            "unsafe": True,
            "cgroups": False,
            "python": platform.python_version(),
        }

    def close(self) -> None:
        """Every process is gone."""
        with self._lock:
            left, self._open = self._open, set()
        for bare in left:
            bare.close()

    def __enter__(self) -> Unsandboxed:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
