"""Right answers in odd wrappings, wrong answers that look right: one row a probe, half of them wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from steelyard.registry import SCORERS
from steelyard.scoring import ScorerInput

CASES = Path(__file__).parent.parent / "cases" / "probes"
TOGETHER = 50  # a test for each of the thousands of rows takes longer to report than to run


def _probes(file: Path) -> list[Any]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def _stretches() -> Iterator[Any]:
    for file in sorted(CASES.glob("*.jsonl")):
        probes = list(enumerate(_probes(file), start=1))
        for first in range(0, len(probes), TOGETHER):
            stretch = probes[first : first + TOGETHER]
            yield pytest.param(
                file.stem, stretch, id=f"{file.stem}:{stretch[0][0]}-{stretch[-1][0]}"
            )


@pytest.mark.parametrize(("name", "stretch"), list(_stretches()))
def test_probes(name: str, stretch: list[tuple[int, dict[str, Any]]]) -> None:
    faults = {
        f"line {number}": fault for number, probe in stretch if (fault := _fault(name, probe))
    }
    assert faults == {}


def _fault(name: str, probe: dict[str, Any]) -> str:
    sample = ScorerInput(probe["response"], probe["target"], probe.get("metadata", {}))
    score = SCORERS.get(name).bind(probe.get("params"))(sample)
    if score.correct is not probe["correct"] or score.value not in {float(probe["correct"]), None}:
        return f"{probe.get('why', 'misread')}: {probe['response']!r} for {probe['target']!r}: {score!r}"
    if score.span is None:
        return ""
    verbatim = sample.response[slice(*score.span)]
    exact = verbatim == score.extracted or len(verbatim) == len(score.extracted) == 1
    return "" if exact else f"{score.extracted!r} is not verbatim {verbatim!r}"


def test_a_probe_that_is_misread_is_told() -> None:
    assert "for 'B'" in _fault(
        "multichoice_regex", {"response": "A", "target": "B", "correct": True}
    )


def test_there_are_enough_probes() -> None:
    probes = [probe for file in CASES.glob("*.jsonl") for probe in _probes(file)]
    wrong = sum(not probe["correct"] for probe in probes)
    assert len(probes) >= 400
    assert wrong >= 0.4 * len(probes)
