"""The challenges that come with the package: they pass every gate, and every seed can be won."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from challenges import CASES, write_challenge
from commands import Commands
from servers import Player, serving
from steelyard.arena.challenge import load_challenge
from steelyard.arena.gates import check_challenge
from steelyard.arena.generation import Workspace, generate
from steelyard.arena.publish import bundled
from steelyard.arena.trial import Trial

SEEDS = [*range(60), 2**53 - 1, 2**52 + 1]
TYPES = {
    "ferry-ledger": "deterministic",
    "clockmaker": "test-suite",
    "lantern-posts": "custom-script",
}


def made(slug: str) -> dict[int, Workspace]:
    challenge = load_challenge(next(folder for folder in bundled() if folder.name == slug))
    return {seed: generate(challenge, seed) for seed in SEEDS}


def test_there_is_one_of_each_type() -> None:
    found = {folder.name: load_challenge(folder) for folder in bundled()}
    assert {name: one.spec.type for name, one in found.items()} == TYPES
    assert all(one.slug == name for name, one in found.items())
    assert len({one.about.category for one in found.values()}) == len(found)


@pytest.mark.slow
@pytest.mark.parametrize("folder", bundled(), ids=lambda folder: folder.name)
def test_it_passes_every_gate(folder: Path) -> None:
    report = check_challenge(load_challenge(folder))
    assert not report.faults


@pytest.mark.parametrize("folder", bundled(), ids=lambda folder: folder.name)
def test_what_is_told_is_what_is_scored(folder: Path) -> None:
    """The fields of the example in the text are those that win, and the weights are told as points."""
    challenge = load_challenge(folder)
    text = challenge.files["CHALLENGE.md"].decode()
    one = generate(challenge, 7)
    answer: Any = Trial(challenge, None, {7: one}).answer(7)
    for field in answer:
        assert f'"{field}"' in text
    for dimension in challenge.spec.dimensions:
        assert re.search(rf"\b{round(1000 * dimension.weight)}\b", text), dimension.name
    for name in set(one.files) - {"CHALLENGE.md"}:
        assert f"`{name}`" in text


def test_the_ledger_has_one_culprit_and_wrong_amounts() -> None:
    for one in made("ferry-ledger").values():
        lines = [line.split(",") for line in one.files["ledger.csv"].decode().splitlines()[1:]]
        signed = {line[0]: line[6] for line in lines}
        clerks = [signed[name] for name in one.truth["altered"]]
        count = {clerk: clerks.count(clerk) for clerk in clerks}
        assert max(count, key=lambda clerk: count[clerk]) == one.truth["clerk"]
        assert sorted(count.values())[-1] > sum(count.values()) / 2
        assert sum(int(line[7]) for line in lines) != one.truth["total"]


def test_the_calendar_can_be_walked() -> None:
    """The answer walks from month to month; the tests were made by arithmetic. Other seeds' answers pass nothing."""
    for seed, one in (calendars := made("clockmaker")).items():
        space: dict[str, Any] = {}
        exec(one.answer["code"], space)
        cases = one.truth["tests"]["cases"]
        assert all(space["later"](*case["args"]) == case["expected"] for case in cases), seed
        assert {case["group"] for case in cases} == {"within a year", "years", "far"}
        assert any(case["args"][1] < 0 for case in cases)
    assert len({one.files["calendar.json"] for one in calendars.values()}) == len(SEEDS)


def test_the_town_can_be_lit() -> None:
    for one in made("lantern-posts").values():
        town, plan = one.truth, one.answer["lanterns"]
        posts = [town["sites"][name] for name in plan]
        assert len(plan) == town["best"]
        for house in town["houses"].values():
            near = min((house[0] - post[0]) ** 2 + (house[1] - post[1]) ** 2 for post in posts)
            assert near <= town["reach"] ** 2


def test_an_empty_store_gets_them_and_they_can_be_played(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/arena.db"
    with serving(store, "--bundled", challenges=[]) as server:
        assert [one["slug"] for one in server.api("GET", "/challenges").data] == sorted(TYPES)
        player = Player(server)
        for slug in TYPES:
            assert player.workspace(player.enter(slug)["match_id"])
    with serving(store, "--bundled", challenges=[CASES / "adding"]) as server:
        assert len(server.api("GET", "/challenges").data) == 4
        assert sum("published" in line for line in server.lines) == 1


def test_serve_refuses_what_a_gate_refuses(steelyard: Commands, tmp_path: Path) -> None:
    bad = write_challenge(tmp_path / "bad", {"without": ["examples/win/both.json"]})
    ran = steelyard(
        "serve", "--port", 0, "--store", tmp_path / "a.db", "--no-bundled", "--challenges", bad
    )
    assert ran.code == 2
    assert "bad: examples/win: is missing" in ran.err
