"""What a backend is: it starts jobs in boxes, says what it holds them with, and can be closed."""

from __future__ import annotations

from typing import Any, Protocol

from steelyard.sandbox.box import Box
from steelyard.sandbox.job import Job, Outcome
from steelyard.sandbox.limits import Limits


class Sandbox(Protocol):
    """Runs untrusted code; a failure of its own is a SandboxError, and never the candidate's fault."""

    name: str

    def start(self, job: Job, limits: Limits) -> Box:
        """The job begins to run in a box of its own."""
        ...

    def describe(self) -> dict[str, Any]:
        """What holds a candidate, for the record of its verdict."""
        ...

    def warm(self, count: int, limits: Limits | None = None) -> None:
        """So many boxes can be had at once, without waiting, by candidates with these limits."""
        ...

    def close(self) -> None:
        """Nothing of it is left."""
        ...


def run(sandbox: Sandbox, job: Job, limits: Limits) -> Outcome:
    """The outcome of one command, from its start to its end."""
    return sandbox.start(job, limits).finish()
