"""More rules of the document on scoring, asked of the running service, on both databases."""

from __future__ import annotations

import json
import math
import time
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from challenges import write_challenge
from commands import Commands
from servers import CASES, Player, Server

YES = {"word": "yes", "again": "yes"}
# The seven keys of the document: key, label, description, colour.
CORE: list[list[str]] = json.loads(
    (CASES / "seeds" / "dimensions.json").read_text(encoding="utf-8")
)
SIX = ("correctness", "precision", "code_quality", "analysis", "methodology", "completeness")
LEAP = "def is_leap(year):\n    return year % 4 == 0\n"


def steps(*, calls: int = 1, tokens: int = 100, tools: int = 0) -> list[dict[str, Any]]:
    call = {
        "type": "llm_call",
        "model": "m",
        "input_tokens": tokens,
        "output_tokens": 0,
        "at_ms": 1,
    }
    return [call] * calls + [{"type": "tool_call", "tool": "t", "at_ms": 1}] * tools


def played(
    server: Server,
    slug: str,
    answer: Any,
    *,
    player: Player | None = None,
    log: Any = None,
    **entry: Any,
) -> Any:
    player = player or Player(server)
    match = player.enter(slug, **entry)["match_id"]
    player.workspace(match)
    told = player.submit(match, answer, **({"replay_log": log} if log is not None else {}))
    assert told.status == 200, told
    return told.data


def lists(**right: int) -> dict[str, list[int]]:
    return {name: [1] * right.get(name, 10) + [0] * (10 - right.get(name, 10)) for name in SIX}


# Dimensions and weights


def test_every_challenge_has_two_to_six_dimensions_whose_weights_sum_to_one(server: Server) -> None:
    for offer in server.api("GET", "/challenges").data:
        assert 2 <= len(offer["dimensions"]) <= 6
        assert math.isclose(sum(one["weight"] for one in offer["dimensions"]), 1, abs_tol=1e-9)


def dimension(name: str, weight: float) -> dict[str, Any]:
    return {"name": name, "weight": weight, "primitive": "exact_match", "field": "total"}


@pytest.mark.parametrize(
    ("dimensions", "told"),
    [
        ([dimension("correctness", 0.5), dimension("analysis", 0.4)], "sum"),
        ([dimension("correctness", 0.5), dimension("analysis", 0.499)], "sum"),
        ([dimension("correctness", 1.5), dimension("analysis", -0.5)], "weight"),
        ([dimension("correctness", 1)], "dimensions"),
        ([dimension(f"d{n}", weight) for n, weight in enumerate([0.4, *[0.1] * 6])], "dimensions"),
        ([dimension("correctness", 0.5), dimension("correctness", 0.5)], "correctness"),
        (
            [
                dimension("correctness", 0.5),
                {"name": "token_efficiency", "weight": 0.5, "primitive": "token_efficiency"},
            ],
            "token_budget",
        ),
    ],
)
def test_what_breaks_the_rules_is_not_published(
    server: Server, steelyard: Commands, tmp_path: Path, dimensions: list[dict[str, Any]], told: str
) -> None:
    spec = json.dumps({"type": "deterministic", "dimensions": dimensions})
    folder = write_challenge(
        tmp_path / "c", {"about": {"slug": "broken"}, "files": {"spec.json": spec}}
    )
    ran = steelyard("arena", "publish", folder, "--store", server.store)
    assert ran.code == 2, ran
    assert told in ran.err
    assert server.api("GET", "/challenges/broken").status == 404


def test_the_seven_core_keys_bring_label_description_and_colour(server: Server) -> None:
    offers = [server.api("GET", f"/challenges/{slug}").data for slug in ("palette", "breakdown")]
    found = {
        one["name"]: [one["name"], one["label"], one["description"], one["color"]]
        for offer in offers
        for one in offer["dimensions"]
    }
    assert len(CORE) == 7
    assert [found[key[0]] for key in CORE] == CORE


def test_a_challenge_may_describe_a_key_in_its_own_words(server: Server) -> None:
    own, usual = (
        {one["name"]: one for one in server.api("GET", f"/challenges/{slug}").data["dimensions"]}
        for slug in ("palette", "breakdown")
    )
    assert own["correctness"]["description"] == "How many of the ones are ones."
    assert own["correctness"]["label"] == usual["correctness"]["label"]
    assert own["methodology"]["description"] == usual["methodology"]["description"]


@pytest.mark.parametrize("name", SIX)
def test_each_dimension_is_scored_by_itself(server: Server, name: str) -> None:
    whole, less = (played(server, "palette", lists(**right)) for right in ({}, {name: 4}))
    changed = {key for key in SIX if whole["score_breakdown"][key] != less["score_breakdown"][key]}
    assert (changed, less["score_breakdown"][name]["score"]) == ({name}, 400)
    weight = less["score_breakdown"][name]["weight"]
    assert (whole["score"], less["score"]) == (1000, round(1000 - 600 * weight))


def test_the_total_is_the_weighted_sum_without_its_fraction(server: Server) -> None:
    told = played(
        server,
        "palette",
        lists(correctness=7, precision=3, code_quality=9, analysis=1, methodology=5),
    )
    parts = told["score_breakdown"].values()
    assert all(math.isclose(part["weighted"], part["score"] * part["weight"]) for part in parts)
    assert told["score"] == math.floor(round(sum(part["weighted"] for part in parts), 6)) == 610


# Speed


def used(player: Player, match: str) -> float:
    seen = player.get(f"/matches/{match}").data
    moments = [datetime.fromisoformat(seen[name]) for name in ("entered_at", "submitted_at")]
    return (moments[1] - moments[0]).total_seconds()


def test_at_nine_tenths_of_the_time_speed_is_a_tenth_and_late_perfection_loses_to_early_parts(
    server: Server,
) -> None:
    early, late = Player(server), Player(server)
    partial = early.submit(early.enter("sprint")["match_id"], {"ones": [1, 1, 1, 0]}).data
    match = late.enter("sprint")["match_id"]
    time.sleep(1.8)
    perfect = late.submit(match, {"ones": [1, 1, 1, 1]}).data
    speed = perfect["score_breakdown"]["speed"]["score"]
    assert speed <= 100
    assert speed == pytest.approx(1000 * (1 - used(late, match) / 2), abs=1.5)
    assert perfect["score_breakdown"]["correctness"]["score"] == 1000
    assert (partial["score"] > perfect["score"], partial["result"], perfect["result"]) == (
        True,
        "win",
        "draw",
    )


# Evaluators


@pytest.mark.parametrize(
    ("slug", "answer"),
    [("palette", lists(analysis=3)), ("program", {"code": LEAP}), ("script", {"points": 640})],
)
def test_evaluators_of_every_type_are_deterministic(server: Server, slug: str, answer: Any) -> None:
    first, second = (played(server, slug, answer) for _ in range(2))
    same = ("score", "score_breakdown", "reasons", "result", "elo_change", "challenge")
    assert [first[name] for name in same] == [second[name] for name in same]


# Efficiency


@pytest.mark.parametrize(
    ("log", "tokens", "calls"),
    [
        (steps(tokens=100), 900, 900),  # 100 of 1,000 tokens; one of ten calls
        (steps(calls=5, tokens=100), 500, 500),
        (steps(tokens=0, tools=1), 1000, 750),  # one of four tool calls is the worse share
        (steps(tokens=1000), 0, 900),
        (steps(tokens=1500, tools=4), 0, 0),  # beyond the budget is never less than nothing
    ],
)
def test_efficiency_is_what_is_left_of_the_limits(
    server: Server, log: Any, tokens: int, calls: int
) -> None:
    told = played(server, "frugal", {"word": "yes"}, log=log)
    shares = told["score_breakdown"]
    assert (shares["token_efficiency"]["score"], shares["call_efficiency"]["score"]) == (
        tokens,
        calls,
    )
    assert told["score"] == 400 + (3 * tokens + 3 * calls) // 10


def test_where_there_is_no_such_dimension_a_log_brings_none(server: Server) -> None:
    told = played(server, "proven", YES, log=steps())
    assert set(told["score_breakdown"]) == {"correctness", "completeness"}


def test_a_log_without_a_download_is_not_believed(server: Server) -> None:
    player = Player(server)
    match = player.enter("frugal")["match_id"]
    told = player.submit(match, {"word": "yes"}, replay_log=steps()).data
    assert (told["verified"], told["score"]) == (False, 400)
    assert "never downloaded" in told["trajectory_validation"]["errors"][0]
    assert told["trajectory_validation"]["tier"] == "unverified"


# Responses and ratings


def test_every_answer_about_a_log_says_what_it_proves(server: Server) -> None:
    told = [
        played(server, "frugal", {"word": "yes"}, log=log)["trajectory_validation"]
        for log in (None, steps())
    ]
    assert [one["tier"] for one in told] == ["unverified", "verified"]
    assert "not proven" in told[1]["meaning"]
    assert "nothing for efficiency" in told[0]["meaning"]


@pytest.mark.parametrize(
    ("memoryless", "log", "change"),
    [
        (False, None, 16),
        (True, None, 16),
        (False, steps(), 18),
        (True, steps(), 19),
    ],  # 16, × 1.1, × 1.2
)
def test_the_bonus_of_a_win(server: Server, memoryless: bool, log: Any, change: int) -> None:
    told = played(server, "palette", lists(), log=log, memoryless=memoryless)
    assert (told["result"], told["elo_change"], told["opponent_elo"]) == ("win", change, 1000)


def test_the_score_is_kept_for_analytics_and_boards(server: Server) -> None:
    player = Player(server)
    told = played(server, "palette", lists(correctness=6), player=player)
    assert told["score"] == 880
    assert player.get(f"/matches/{told['match_id']}").data["score"] == 880
    lines = [json.loads(line) for line in server.api("GET", "/export").body.splitlines()]
    kept = [line for line in lines if told["match_id"] in {line.get("id"), line.get("match_id")}]
    assert any(line.get("score") == 880 for line in kept)
    assert player.name in {
        row["name"] for row in server.api("GET", "/leaderboard?limit=200").data["items"]
    }
