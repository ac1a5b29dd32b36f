"""One model over many samples: plan, ask, keep, score, judge, tell.

The names load their modules when first used: a list of runs needs no event loop.

>>> sorted(__all__)
['Doors', 'JudgeDoor', 'Options', 'Outcome', 'Run', 'RunPlan', 'SampleRow', 'open_run', 'run_benchmark']
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from steelyard.runs.judging import JudgeDoor
    from steelyard.runs.opened import Run, open_run
    from steelyard.runs.plan import RunPlan
    from steelyard.runs.run import Options, Outcome, run_benchmark
    from steelyard.runs.sample_row import SampleRow
    from steelyard.runs.session import Doors

__all__ = [
    "Doors",
    "JudgeDoor",
    "Options",
    "Outcome",
    "Run",
    "RunPlan",
    "SampleRow",
    "open_run",
    "run_benchmark",
]
_HOMES = {
    "JudgeDoor": "judging",
    "RunPlan": "plan",
    "Doors": "session",
    "Run": "opened",
    "open_run": "opened",
    "SampleRow": "sample_row",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'steelyard.runs' has no attribute {name!r}")
    return getattr(importlib.import_module(f"steelyard.runs.{_HOMES.get(name, 'run')}"), name)
