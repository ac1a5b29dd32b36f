"""The author's own checker: run in a box of its own, apart from the candidate's, on what the candidate printed.

It is Python and defines ``check(input, output, expected)``, which is called with the paths of three files and
returns True, False, or a share between 0 and 1. A checker that fails has said nothing: that is no fault of the program.
Files that the program wrote are beside them, in the folder ``files``.
"""

from __future__ import annotations

from typing import Any

from steelyard.errors import SandboxError
from steelyard.grading.record import one_line
from steelyard.grading.task import Case, Task
from steelyard.grading.words import how_it_ended
from steelyard.sandbox.box import Box
from steelyard.sandbox.inside import values
from steelyard.sandbox.job import Job, Outcome
from steelyard.sandbox.limits import Limits
from steelyard.sandbox.protocol import Sandbox

CHECKING = Limits(wall_s=30)
_NAMES = ("input", "output", "expected")
_LONGEST = 4096


def check(task: Task, case: Case, outcome: Outcome, sandbox: Sandbox) -> float:
    """The share that the checker gives, from 0 to 1; a SandboxError where it gives none."""
    files = dict(zip(_NAMES, (case.stdin, outcome.stdout, case.stdout or b""), strict=True))
    written = {name: outcome.files[name] for name in case.expect_files if name in outcome.files}
    files |= {f"files/{name}": data for name, data in written.items()}
    box = sandbox.start(Job(worker="function", files=files), CHECKING)
    try:
        loading = {"load": {"source": task.checker, "entry_point": "check", "alternatives": []}}
        _ask(box, loading, "loaded")
        said = _ask(box, {"call": 1, "name": "check", "args": list(_NAMES), "kwargs": {}}, "done")
    finally:
        box.stop()
    return _share(said.get("value"), case)


def _ask(box: Box, message: dict[str, Any], wanted: str) -> dict[str, Any]:
    box.send(values.dumps(message))
    reply = box.receive()
    if reply is None:
        raise SandboxError(f"the checker failed: {how_it_ended(box.finish())}")
    try:
        said = values.loads(reply[:_LONGEST]) if len(reply) <= _LONGEST else {}
    except ValueError:
        said = {}
    if wanted in said:
        return said
    failed = said.get("failed")
    why = f"{failed.get('type')}: {failed.get('text')}" if isinstance(failed, dict) else "it gave no verdict"
    raise SandboxError(f"the checker failed: {one_line(why)}")


def _share(value: object, case: Case) -> float:
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, int | float) and 0 <= value <= 1:
        return float(value)
    raise SandboxError(
        f"the checker failed: for {case.name} it gave neither a truth value nor a number from 0 to 1"
    )
