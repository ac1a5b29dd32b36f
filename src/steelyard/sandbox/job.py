"""What is to be run, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

Limit = Literal["time", "memory", "output", "process", "disk"]


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """One run: either a worker of ours in the prepared interpreter, or a command with its files and input.

    With ``tests`` the worker will run tests that are written as code, so that an interpreter which has loaded what they need
    is the quicker one; it makes no other difference.

    >>> Job(argv=("python3", "program.py"), files={"program.py": b"print(1)"}).worker is None
    True
    """

    worker: Literal["function", "tester"] | None = None
    argv: tuple[str, ...] = ()
    files: Mapping[str, bytes] = {}
    stdin: bytes = b""
    env: Mapping[str, str] = {}
    collect: tuple[str, ...] = ()
    tests: bool = False


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """How a run ended, as seen from outside; ``limit`` is the one it broke, if any.

    ``wall_s``: from the moment at which the program was let go, on the grader's clock, until nothing of it ran any more.
    ``violation``: the system-call filter ended it. ``garbled``: it wrote into the private channel what is no message.

    Nothing here means a pass: an exit code of 0 is a fact like any other.
    """

    exit_code: int | None = None
    signal: int | None = None
    limit: Limit | None = None
    violation: bool = False
    garbled: bool = False
    stdout: bytes = b""
    stderr: bytes = b""
    files: Mapping[str, bytes] = {}
    wall_s: float = 0.0
    peak_memory: int | None = None
