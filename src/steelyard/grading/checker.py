"""The author's own checker: run in a box of its own, apart from the candidate's, on what the candidate printed.

It is Python and defines ``check(input, output, expected)``, which is called with the paths of three files and
returns True, False, or a share between 0 and 1. Files that the program wrote are beside them, in the folder ``files``.

A checker that fails has said nothing, and that is no fault of the program. But the program chooses the output, and must
not be able to choose that nobody judges it: a checker that fails on this output and can judge another one is sound, and
then the output is at fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import msgspec

from steelyard.errors import SandboxError
from steelyard.grading.call import Failed, Function, call_function
from steelyard.grading.task import Case, Task
from steelyard.sandbox.job import Outcome
from steelyard.sandbox.limits import Limits
from steelyard.sandbox.protocol import Sandbox

CHECKING = Limits(wall_s=30)
_NAMES = ("input", "output", "expected")
_MEGABYTE = 1 << 20


class Checked(NamedTuple):
    """The share that an output gets, and why, where the checker could not say so itself."""

    value: float
    why: str = ""


class _Output(NamedTuple):
    """Something that a program may have left: what it printed, and files."""

    stdout: bytes
    files: Mapping[str, bytes]


def check(task: Task, case: Case, outcome: Outcome, sandbox: Sandbox) -> Checked:
    """What the checker makes of the output; a SandboxError where it can judge no output at all."""
    written = {name: outcome.files[name] for name in case.expect_files if name in outcome.files}
    given = _ask(task, case, _Output(outcome.stdout, written), sandbox)
    if not isinstance(given, Failed):
        return Checked(given)
    for other in _others(case):
        if not isinstance(_ask(task, case, other, sandbox), Failed):
            return Checked(0.0, f"the checker cannot make anything of the output: {given.why}")
    raise SandboxError(f"the checker failed: {given.why}")


def _others(case: Case) -> Iterator[_Output]:
    """Outputs that a sound checker can judge, or one of them at least, the likeliest first."""
    if case.stdout or case.expect_files:
        yield _Output(case.stdout or b"", case.expect_files)
    nothing = dict.fromkeys(case.expect_files, b"")
    yield _Output(b"", nothing)
    yield _Output(b"0\n", nothing)
    yield _Output(case.stdin, nothing)


def _ask(task: Task, case: Case, output: _Output, sandbox: Sandbox) -> float | Failed:
    files = dict(zip(_NAMES, (case.stdin, output.stdout, case.stdout or b""), strict=True))
    files |= {f"files/{name}": data for name, data in output.files.items()}
    given = call_function(Function(task.checker, "check", _NAMES, files), sandbox, _limits(files))
    return given if isinstance(given, Failed) else _share(given.value)


def _limits(files: Mapping[str, bytes]) -> Limits:
    """What is usual, and more room where the files alone would fill it."""
    needed = sum(map(len, files.values())) // _MEGABYTE
    return msgspec.structs.replace(
        CHECKING, disk_mb=CHECKING.disk_mb + 2 * needed, memory_mb=CHECKING.memory_mb + 4 * needed
    )


def _share(value: object) -> float | Failed:
    if isinstance(value, int | float) and 0 <= value <= 1:
        return float(value)
    return Failed("it gave neither a truth value nor a number from 0 to 1")
