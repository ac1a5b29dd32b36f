"""Small builders for the tests of specs that run programs."""

from __future__ import annotations

from typing import Any

from spec.specs import dimension

TASK: dict[str, Any] = {
    "kind": "function",
    "entry_point": "f",
    "limits": {"wall_s": 2},
    "cases": [[[1], 2], {"args": [0], "expected": 1, "group": "edge", "weight": 3}, [[5], 6]],
}
RIGHT = "def f(x):\n    return x + 1\n"
SPEED = dimension(
    "speed", 0.2, primitive="time_decay", time_limit_secs=10, requires={"correctness": 1}
)
SCRIPT = """
import json
def score(submission, truth):
    got, want = json.load(open(submission)).get("x"), json.load(open(truth))["x"]
    return {"a": 1000 if got == want else 0, "b": {"score": 250 if isinstance(got, int) else 0, "reason": "a whole number"}}
"""


def suite(**more: Any) -> dict[str, Any]:
    how = {"scorer": "tests", "field": "code", "ground_truth_field": "suite", **more}
    return {
        "type": "test-suite",
        "dimensions": [
            dimension("correctness", 0.5, **how),
            dimension("edge", 0.3, **how, group="edge"),
            SPEED,
        ],
    }


def by_script(source: Any = SCRIPT, **more: Any) -> dict[str, Any]:
    dimensions = [
        {"name": name, "weight": 0.5, "scorer": "script", "script": source, **more}
        for name in ("a", "b")
    ]
    return {"type": "custom-script", "dimensions": dimensions}
