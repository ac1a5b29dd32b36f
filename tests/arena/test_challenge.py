"""A challenge that cannot be played is not loaded, and everything that is wrong with it is told at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from challenges import ADDING, table, write_challenge
from steelyard.arena.challenge import from_archive, load_challenge
from steelyard.arena.gates import check_challenge
from steelyard.arena.generation import generate
from steelyard.errors import DataError, SpecError


@pytest.mark.parametrize("case", table("unloadable"), ids=lambda case: case["name"])
def test_what_is_wrong_is_told_with_its_path(case: dict[str, Any], tmp_path: Path) -> None:
    folder = write_challenge(tmp_path / "adding", case)
    with pytest.raises(SpecError) as wrong:
        load_challenge(folder)
    lines = str(wrong.value).splitlines()
    assert len(lines) == len(case["says"]), lines
    for said in case["says"]:
        assert any(line.startswith(f"{folder}: {said}") for line in lines), lines


@pytest.mark.slow
@pytest.mark.parametrize("case", table("ungenerated"), ids=lambda case: case["name"])
def test_a_generator_that_makes_no_match_is_told_of(case: dict[str, Any], tmp_path: Path) -> None:
    folder = write_challenge(tmp_path / "adding", {"files": {"generate.py": case["source"]}})
    report = check_challenge(load_challenge(folder))
    assert not report.ok
    assert str(report.faults[0]).startswith(case["says"]), report.faults


def test_a_generator_that_does_not_end_is_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("steelyard.arena.trial.PATIENCE", 0.5)
    source = "import time\ndef generate(seed): time.sleep(3600)"
    report = check_challenge(
        load_challenge(write_challenge(tmp_path / "a", {"files": {"generate.py": source}}))
    )
    told = ["generate.py: seed 0: generate(0) has not ended after 0.5 s"]
    assert [str(fault) for fault in report.faults] == told


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there is no such folder"):
        load_challenge(tmp_path / "nowhere")
    folder = write_challenge(tmp_path / "adding")
    (folder / "link").symlink_to("/etc/passwd")
    with pytest.raises(DataError, match="is a link"):
        load_challenge(folder)


def test_an_archive_is_the_same_challenge() -> None:
    known = load_challenge(ADDING)
    again = from_archive(known.archive())
    assert (again.about, again.digest, again.scorer) == (known.about, known.digest, known.scorer)
    assert generate(again, 7) == generate(known, 7)
    assert known.archive() == again.archive()


def test_the_limits_of_both_files_hold(tmp_path: Path) -> None:
    spec = {
        **msgspec.json.decode((ADDING / "spec.json").read_bytes()),
        "constraints": {"token_budget": 900},
    }
    case = {
        "about": {"constraints": {"maxLlmCalls": 3, "tokenBudget": 900}},
        "files": {"spec.json": msgspec.json.encode(spec).decode()},
    }
    challenge = load_challenge(write_challenge(tmp_path / "adding", case))
    assert challenge.constraints == {"max_llm_calls": 3, "token_budget": 900}


def test_a_truth_is_what_the_store_gives_back(tmp_path: Path) -> None:
    source = (
        "from decimal import Decimal\n"
        "def generate(seed):\n"
        "    truth = {'total': (seed, Decimal('0.10')), 'largest': 1.5}\n"
        "    return {'files': {'n': b'\\x00'}, 'truth': truth}"
    )
    made = generate(
        load_challenge(write_challenge(tmp_path / "a", {"files": {"generate.py": source}})),
        2**53 - 1,
    )
    assert made.truth == {"total": [2**53 - 1, 0.1], "largest": 1.5}
    assert msgspec.json.decode(msgspec.json.encode(made.truth)) == made.truth
    assert sorted(made.files) == ["CHALLENGE.md", "n"]


def test_a_static_truth_that_is_no_json(tmp_path: Path) -> None:
    case = {"without": ["generate.py"], "files": {"truth.json": "{"}, "about": {"static": True}}
    with pytest.raises(SpecError, match=r"truth.json: is no JSON"):
        generate(load_challenge(write_challenge(tmp_path / "a", case)), 0)
