"""Targets that the scorer cannot read: told with file and line, and a reason to stop where one asks for that."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from commands import Commands

BAD = {"numeric_match": "none", "multichoice_regex": "Z"}
GOOD = {"numeric_match": "7", "multichoice_regex": "B"}


def rows(path: Path, *targets: tuple[Any, str]) -> Path:
    path.write_text(
        "".join(
            json.dumps({"response": response, "target": target}) + "\n"
            for response, target in targets
        )
    )
    return path


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("scorer", BAD)
def test_they_are_named_and_stay_unscored(
    scorer: str, workers: int, steelyard: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("steelyard.batch.run.SMALL", 0)
    target, good = BAD[scorer], GOOD[scorer]
    path = rows(
        tmp_path / "in.jsonl",
        (good, good),
        ("x", target),
        (None, target),
        (target, target),
        ("x", good),
    )
    ran = steelyard("score", "--scorer", scorer, path, "--json", "--workers", workers)
    told = json.loads(ran.out)
    assert (ran.code, told["unscored"], told["bad_lines"], told["scored"]) == (1, 3, 0, 2)
    lines = ran.err.splitlines()
    assert len(lines) == 3
    for line, number in zip(lines, (2, 3, 4), strict=True):
        assert line.startswith(f"unscored row: {path}:{number}: the target '{target}' ")
    assert sum(told["unscored_reasons"].values()) == 3


@pytest.mark.parametrize("response", ["x", None])
@pytest.mark.parametrize("scorer", BAD)
def test_strict_stops_there(
    scorer: str, response: str | None, steelyard: Commands, tmp_path: Path
) -> None:
    target, good = BAD[scorer], GOOD[scorer]
    path = rows(tmp_path / "in.jsonl", (good, good), (response, target), ("x", target))
    ran = steelyard("score", "--scorer", scorer, path, "--strict", "-o", tmp_path / "out.jsonl")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"error: {path}:2: the target '{target}' ")
    assert [
        json.loads(line)["line"] for line in (tmp_path / "out.jsonl").read_text().splitlines()
    ] == [1]


def test_only_the_first_are_printed(steelyard: Commands, tmp_path: Path) -> None:
    path = rows(tmp_path / "in.jsonl", *[("x", "none")] * 23)
    ran = steelyard("score", "--scorer", "numeric_match", path)
    assert (ran.code, len(ran.err.splitlines()), ran.err.splitlines()[-1]) == (
        1,
        21,
        "… and 3 more unscored rows",
    )


def test_other_rows_without_a_score_stop_nothing(steelyard: Commands, tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text('{"error": "timed out", "target": "none"}\n{"response": "7", "target": "7"}\n')
    ran = steelyard("score", "--scorer", "numeric_match", path, "--strict")
    assert (ran.code, ran.err) == (1, "")
