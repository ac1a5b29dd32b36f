"""Small builders for the tests of specs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

CASES = Path(__file__).parent.parent / "cases" / "spec"
SEED: dict[str, Any] = {
    "type": "deterministic",
    "dimensions": [
        {
            "name": "accuracy",
            "weight": 0.6,
            "primitive": "exact_match_ratio",
            "field": "answers",
            "ground_truth_field": "expected_answers",
        },
        {"name": "speed", "weight": 0.2, "primitive": "time_decay", "time_limit_secs": 300},
        {
            "name": "coverage",
            "weight": 0.2,
            "primitive": "coverage_ratio",
            "field": "attempted",
            "ground_truth_field": "all_questions",
        },
    ],
}
TRUTH = {"expected_answers": ["a", "b", "c", "d"], "all_questions": [1, 2, 3, 4]}


def dimension(name: str, weight: Any, **more: Any) -> dict[str, Any]:
    """An exact_match dimension over the field of its own name."""
    if "primitive" not in more and "scorer" not in more:
        more["primitive"] = "exact_match"
    if more.get("primitive") not in {"time_decay", "token_efficiency", "call_efficiency"}:
        more.setdefault("field", name)
    return {"name": name, "weight": weight, **more}


def free(*dimensions: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A spec of any number of dimensions."""
    return {"profile": "free", "dimensions": list(dimensions), **more}


def cases(name: str, **how: Any) -> Any:
    """A table of cases."""
    return json.loads((CASES / f"{name}.json").read_text(encoding="utf-8"), **how)
