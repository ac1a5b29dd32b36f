"""Programs that lint hands in: ones that do nothing, and ones that always give the same."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from importlib import resources
from typing import Any, Literal

import msgspec

from steelyard.scoring.suite import Suite, read_suite
from steelyard.spec.field import MISSING
from steelyard.spec.model import Dimension

# A suite in which each case is a run of its own gets fewer programs, so that lint does not take for ever.
_MOST_RUNS = 600
_PROSE = "I would first read the input, and then compute the answer from it."


@functools.cache
def _data() -> dict[str, dict[str, list[str]]]:
    path = resources.files("steelyard") / "data" / "lint_programs.json"
    return msgspec.json.decode(path.read_bytes(), type=dict[str, dict[str, list[str]]])


def programs(dimension: Dimension, want: Any, kind: Literal["empty", "constant"]) -> Iterator[str]:
    """The programs of a kind for the suite of a dimension, which is its own or the ground truth."""
    suite = read_suite(dimension.params.get("task", None if want is MISSING else want))
    if kind == "empty":
        yield _PROSE
    runs = 1 if suite.task is None or suite.task.kind == "function" else len(suite.members)
    yield from list(_written(suite, kind))[: max(1, _MOST_RUNS // runs)]


def _written(suite: Suite, kind: str) -> Iterator[str]:
    stdio = suite.task is not None and suite.task.kind == "stdio"
    known = _data().get(suite.language if stdio else "function", {})
    for body in known.get(kind, ()):
        yield body if stdio else _function(_entry_point(suite), body)


def _entry_point(suite: Suite) -> str:
    return suite.task.entry_point if suite.task is not None else suite.legacy[0].entry_point


def _function(entry_point: str, body: str) -> str:
    *owner, name = entry_point.split(".")
    if not owner:
        return f"def {name}(*args, **kwargs):\n    {body}\n"
    return f"class {owner[0]}:\n    def {name}(self, *args, **kwargs):\n        {body}\n"
