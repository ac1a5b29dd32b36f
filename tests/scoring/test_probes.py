"""Right answers in odd wrappings, wrong answers that look right: one row a probe, half of them wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from steelyard.registry import SCORERS
from steelyard.scoring import ScorerInput

CASES = Path(__file__).parent.parent / "cases" / "probes"


def _probes() -> list[Any]:
    rows = []
    for file in sorted(CASES.glob("*.jsonl")):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
            rows.append(pytest.param(file.stem, json.loads(line), id=f"{file.stem}:{number}"))
    return rows


@pytest.mark.parametrize(("name", "probe"), _probes())
def test_probe(name: str, probe: dict[str, Any]) -> None:
    sample = ScorerInput(probe["response"], probe["target"], probe.get("metadata", {}))
    score = SCORERS.get(name).bind(probe.get("params"))(sample)
    assert score.correct is probe["correct"], f"{probe.get('why')}: {score!r}"
    assert score.value == float(probe["correct"]) or score.value is None
    if score.span is not None:
        start, end = score.span
        verbatim = sample.response[start:end]
        assert verbatim == score.extracted or len(verbatim) == len(score.extracted) == 1


def test_there_are_enough_probes() -> None:
    probes = [row.values[1] for row in _probes()]
    wrong = sum(not probe["correct"] for probe in probes)
    assert len(probes) >= 400
    assert wrong >= 0.4 * len(probes)
