"""The corpus: programs in folders whose names are the verdicts allowed, and the tasks that they are graded by.

The first lines of a program say what it attacks and how it is run: ``# task: add`` names a file in ``tasks``;
``# runs: always`` puts it among those that every test run takes; ``# only: bubblewrap`` spares the other backends;
``# after:`` and ``# beside:`` name a program that is run before it, or at the same time; ``# shows:`` names the weakness
that it finds, and ``# trusts: exit code`` says that it passes wherever an exit code of 0 is a pass.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
_HEADER = re.compile(r"# (task|runs|only|after|beside|shows|trusts|Attack|Honest): (.+)")


class Program(NamedTuple):
    """One program of the corpus."""

    name: str
    allowed: frozenset[str]
    header: dict[str, str]

    @property
    def source(self) -> str:
        return (HERE / self.name).read_text(encoding="utf-8")

    @property
    def task(self) -> dict[str, Any]:
        return task(self.header["task"])

    @property
    def always(self) -> bool:
        return self.header.get("runs") == "always"

    def runs_on(self, backend: str) -> bool:
        return self.header.get("only", backend) == backend

    @property
    def hostile(self) -> bool:
        return "Attack" in self.header


@cache
def task(name: str) -> dict[str, Any]:
    """The task of that name, as it is written."""
    found: dict[str, Any] = json.loads(
        (HERE / "tasks" / f"{name}.json").read_text(encoding="utf-8")
    )
    return found


def program(name: str) -> Program:
    """The program in that file, as ``accepted/addition.py``."""
    header: dict[str, str] = {}
    for line in (HERE / name).read_text(encoding="utf-8").splitlines():
        found = _HEADER.fullmatch(line)
        if not found:
            break
        header[found[1]] = found[2]
    return Program(name, frozenset(name.split("/")[0].split("+")), header)


def programs() -> list[Program]:
    """All of them, in order."""
    found = [path for kind in ("py", "sh") for path in HERE.glob(f"*/*.{kind}")]
    return [program(f"{path.parent.name}/{path.name}") for path in sorted(found)]
