"""The gates: each one broken on purpose, and everything that they find told at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from challenges import ADDING, table, write_challenge
from steelyard.arena.challenge import load_challenge
from steelyard.arena.gate_probes import probes
from steelyard.arena.gates import GATES, check_challenge
from steelyard.arena.trial import begin_trial
from steelyard.errors import SpecError
from steelyard.spec.running import sandbox_for

REFUSED = table("refused")


def faults(folder: Path, gate: str) -> list[Any]:
    challenge = load_challenge(folder)
    trial, wrong = begin_trial(challenge, sandbox_for(challenge.spec, None))
    assert not wrong, wrong
    return list(GATES[gate](trial))


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: f"{case['gate']}: {case['name']}")
def test_a_gate_refuses_what_it_is_for(case: dict[str, Any], tmp_path: Path) -> None:
    found = faults(write_challenge(tmp_path / "adding", case), case["gate"])
    assert all(fault.gate == case["gate"] for fault in found)
    told = [str(fault) for fault in found if fault.level == "error"]
    assert bool(told) is bool(case["says"]), told
    for said in case["says"]:
        assert any(said in line for line in told), told


def test_every_gate_is_broken_by_a_case() -> None:
    assert {case["gate"] for case in REFUSED if case["says"]} == set(GATES)


def test_a_good_challenge_passes() -> None:
    report = check_challenge(load_challenge(ADDING))
    assert report.ok
    assert not report.faults
    report.tell()


def test_everything_is_told_at_once(tmp_path: Path) -> None:
    case = {
        "without": ["generate.py", "examples/win/both.json"],
        "about": {"static": True, "time_limit_secs": 60},
        "files": {
            "truth.json": '{"total": 7, "largest": 7}',
            "examples/wins/a.json": "{}",
            "workspace/a.txt": '{"total": 7, "largest": 7}',
            "spec.json": '{"dimensions": [{"name": "correctness", "weight": 0.5, "primitive": "exact_match", '
            '"field": "total"}, {"name": "speed", "weight": 0.5, "primitive": "time_decay", "time_limit_secs": 60}]}',
        },
    }
    report = check_challenge(load_challenge(write_challenge(tmp_path / "adding", case)))
    assert {fault.gate for fault in report.faults} == {
        "policies",
        "lint",
        "examples",
        "probes",
        "leaks",
    }
    with pytest.raises(SpecError) as refused:
        report.tell("the-folder")
    assert len(str(refused.value).splitlines()) == sum(
        fault.level == "error" for fault in report.faults
    )
    assert all(line.startswith("the-folder: ") for line in str(refused.value).splitlines())


@pytest.mark.parametrize(
    ("disclosure", "ok"), [("full", False), ("breakdown", True), ("score", True)]
)
def test_a_static_challenge_gives_no_reasons(disclosure: str, ok: bool, tmp_path: Path) -> None:
    case = {
        "without": ["generate.py"],
        "about": {"static": True, "disclosure": disclosure},
        "files": {"truth.json": '{"total": 7828, "largest": 970}'},
    }
    report = check_challenge(load_challenge(write_challenge(tmp_path / "adding", case)))
    assert report.ok is ok, report.faults
    assert ok or str(report.faults[0]).startswith("challenge.toml.disclosure: is 'full'")


def test_a_verbatim_text_is_a_warning(tmp_path: Path) -> None:
    source = (
        "def generate(seed):\n"
        "    names = [f'Person number {n + seed} of the long list' for n in range(50)]\n"
        "    return {'files': {'n.txt': '\\n'.join(names)}, 'truth': {'total': names[7], 'largest': 1}}"
    )
    found = faults(write_challenge(tmp_path / "a", {"files": {"generate.py": source}}), "leaks")
    assert [(fault.level, fault.path) for fault in found] == [("warning", "n.txt")]


def test_what_the_probes_are() -> None:
    names = [probe.name for probe in probes()]
    assert len(set(names)) == len(names)
    kinds = (
        "an empty object",
        "null",
        "a tenth of the answer",
        "NaN",
        "a huge text",
        "files that shadow modules",
        "a program that prints a verdict",
        "a program that crashes the interpreter",
    )
    assert set(kinds) <= set(names)
