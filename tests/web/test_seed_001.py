"""Every rule of the document on scoring, asked of the running service, on both databases."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Any

import pytest

from ledgers import make_overdue
from servers import Player, Server

YES = {"word": "yes", "again": "yes"}
# What the document shows: 900, 780, 690 and 760 points.
SHOWN = {
    "correctness": (9, 10),
    "speed": (39, 50),
    "methodology": (69, 100),
    "completeness": (19, 25),
}


def ones(right: int, of: int) -> list[int]:
    return [1] * right + [0] * (of - right)


def log(tokens: int = 100, calls: int = 1, tools: int = 0) -> list[dict[str, Any]]:
    said = [
        {
            "type": "llm_call",
            "model": "m",
            "input_tokens": tokens // calls,
            "output_tokens": 0,
            "at_ms": 1,
        }
    ] * calls
    return said + [{"type": "tool_call", "tool": "t", "at_ms": 1}] * tools


def played(server: Server, slug: str, answer: Any, **entry: Any) -> dict[str, Any]:
    metadata = entry.pop("metadata", {})
    player = entry.pop("player", None) or Player(server)
    match = player.enter(slug, **entry)["match_id"]
    player.workspace(match)
    told = player.submit(match, answer, **metadata)
    assert told.status == 200, told
    return dict(told.data)


def test_the_breakdown_that_the_document_shows(server: Server) -> None:
    told = played(server, "breakdown", {name: ones(*share) for name, share in SHOWN.items()})
    assert told["score"] == 823
    assert told["score_breakdown"] == {
        "correctness": {"score": 900, "weight": 0.5, "weighted": 450},
        "speed": {"score": 780, "weight": 0.2, "weighted": 156},
        "methodology": {"score": 690, "weight": 0.15, "weighted": 103.5},
        "completeness": {"score": 760, "weight": 0.15, "weighted": 114},
    }
    points = told["score_breakdown"]["correctness"]
    assert {type(points[name]) for name in ("score", "weighted")} == {int}  # 900, not 900.0
    assert told["result"] == "win"
    fields = {
        "score",
        "score_breakdown",
        "result",
        "elo_before",
        "elo_after",
        "elo_change",
        "opponent_elo",
        "verified",
        "trajectory_validation",
        "submission_warnings",
        "constraint_violations",
        "harness_warning",
    }
    assert fields <= told.keys()


@pytest.mark.parametrize(
    ("points", "total", "result"),
    [
        ((1000, 1000, 1000), 1000, "win"),
        ((700, 700, 700), 700, "win"),  # whatever the weights, seven hundred is seven hundred
        ((1000, 999, 571), 699, "draw"),  # 100 + 199.8 + 399.7 = 699.5: the fraction is dropped
        ((400, 400, 400), 400, "draw"),
        ((399, 400, 400), 399, "loss"),  # 399.9
        ((0, 0, 0), 0, "loss"),
    ],
)
def test_totals_and_results(
    server: Server, points: tuple[int, ...], total: int, result: str
) -> None:
    names = ("correctness", "completeness", "precision")
    told = played(server, "shares", {n: ones(p, 1000) for n, p in zip(names, points, strict=True)})
    assert (told["score"], told["result"]) == (total, result)
    assert [told["score_breakdown"][name]["score"] for name in names] == list(points)


def test_dimensions_have_label_description_and_color(server: Server) -> None:
    offer = server.api("GET", "/challenges/breakdown").data
    shown = {
        one["name"]: (one["label"], one["color"], one["weight"]) for one in offer["dimensions"]
    }
    assert shown["correctness"] == ("Correctness", "emerald", 0.5)
    assert shown["speed"] == ("Speed", "sky", 0.2)
    assert shown["methodology"] == ("Methodology", "purple", 0.15)
    assert shown["completeness"] == ("Completeness", "gold", 0.15)
    assert all(one["description"] for one in offer["dimensions"])


@pytest.mark.parametrize("pause", [0, 1.0])
def test_speed_is_what_is_left_of_the_time(server: Server, pause: float) -> None:
    player = Player(server)
    match = player.enter("rush")["match_id"]
    time.sleep(pause)
    told = player.submit(match, {"word": "yes"}).data
    seen = player.get(f"/matches/{match}").data
    used = (
        datetime.fromisoformat(seen["submitted_at"]) - datetime.fromisoformat(seen["entered_at"])
    ).total_seconds()
    assert told["score_breakdown"]["speed"]["score"] == pytest.approx(
        1000 * (1 - used / 10), abs=0.3
    )
    assert pause <= used < 10


def test_the_same_submission_scores_the_same(server: Server) -> None:
    answer = {name: ones(*share) for name, share in SHOWN.items()}
    first, second = (played(server, "breakdown", answer) for _ in range(2))
    same = ("score", "score_breakdown", "result", "elo_change", "challenge")
    assert [first[name] for name in same] == [second[name] for name in same]


@pytest.mark.parametrize(
    ("body", "total", "state"),
    [
        ("import calendar\nis_leap = calendar.isleap\n", 1000, "completed"),
        (
            "def is_leap(year):\n    return year % 4 == 0\n",
            520,
            "completed",
        ),  # 0.7 × 600 + 0.3 × 333.3
        ("def is_leap(year:\n", 0, "completed"),
        ("raise SystemExit(0)\n", 0, "completed"),
    ],
)
def test_a_suite_of_tests_scores_code(server: Server, body: str, total: int, state: str) -> None:
    told = played(server, "program", {"code": body})
    assert (told["score"], told["state"], told["sandbox"]["backend"]) == (
        total,
        state,
        "bubblewrap",
    )


def test_a_script_of_the_challenge_scores(server: Server) -> None:
    assert played(server, "script", {"points": 900})["score"] == 700


@pytest.mark.parametrize("points", [1001, -1, "many", None])
def test_a_script_that_fails_is_never_a_score(server: Server, points: Any) -> None:
    player = Player(server)
    told = played(server, "script", {"points": points}, player=player)
    assert (told["state"], told["score"], told["result"], told["elo_after"]) == (
        "failed",
        None,
        None,
        None,
    )
    assert told["failure"]
    assert player.get("/agents/me").data["match_count"] == 0


EFFICIENT = {"token_efficiency", "call_efficiency"}


def test_efficiency_counts_for_verified_matches_alone(server: Server) -> None:
    told = played(server, "frugal", {"word": "yes"})
    assert told["verified"] is False
    assert {told["score_breakdown"][name]["score"] for name in EFFICIENT} == {0}
    told = played(server, "frugal", {"word": "yes"}, metadata={"replay_log": log()})
    assert told["verified"] is True
    assert all(told["score_breakdown"][name]["score"] > 0 for name in EFFICIENT)
    told = played(server, "frugal", {"word": "yes"}, metadata={"replay_log": [{"type": "nap"}]})
    assert (told["verified"], told["trajectory_validation"]["valid"]) == (False, False)
    assert {told["score_breakdown"][name]["score"] for name in EFFICIENT} == {0}


def test_limits_that_were_exceeded_are_told(server: Server) -> None:
    told = played(
        server,
        "frugal",
        {"word": "yes"},
        metadata={"replay_log": log(tokens=4000, calls=2, tools=9)},
    )
    assert {one["constraint"] for one in told["constraint_violations"]} >= {
        "token_budget",
        "max_tool_calls",
    }


def test_only_the_agent_that_entered_submits(server: Server) -> None:
    ada, bo = Player(server), Player(server)
    match = ada.enter()["match_id"]
    for path in ("submit", "heartbeat", "abandon"):
        assert bo.post(f"/matches/{match}/{path}", {"answer": 1}).status == 403
    for path in ("", "/workspace"):
        assert bo.get(f"/matches/{match}{path}").status == 403
    assert ada.submit(match, ada.right(match)).data["score"] == 1000


def test_an_expired_match_takes_nothing(server: Server) -> None:
    player = Player(server)
    match = player.enter("blink")["match_id"]
    time.sleep(1.3)
    late = player.submit(match, YES)
    assert (late.status, "expired" in late.error) == (410, True)
    seen = player.get(f"/matches/{match}").data
    assert (seen["state"], seen["score"], seen["result"]) == ("expired", 0, "loss")
    assert player.post(f"/matches/{match}/heartbeat").status == 410
    assert player.get(f"/matches/{match}/workspace").status == 410
    assert player.get("/agents/me").data["losses"] == 1


def test_a_match_expires_also_when_nobody_asks(server: Server) -> None:
    player = Player(server)
    make_overdue(server.store, player.enter("blink")["match_id"])
    until = time.monotonic() + 20
    while player.get("/agents/me").data["match_count"] == 0:  # a look at oneself ends no match
        assert time.monotonic() < until
        time.sleep(0.2)
    assert player.get("/agents/me").data["losses"] == 1


@pytest.mark.parametrize(
    ("answer", "total", "severities"),
    [
        (
            {"word": "yes", "number": 7},
            1000,
            ["warning"],
        ),  # the number is no string, which is only told
        ({"word": 1, "number": 7}, 500, ["error", "warning"]),
        ({"number": 7}, 500, ["error", "warning"]),
    ],
)
def test_the_format_is_checked(
    server: Server, answer: Any, total: int, severities: list[str]
) -> None:
    told = played(server, "formal", answer)
    assert told["score"] == total
    assert sorted(one["severity"] for one in told["submission_warnings"]) == severities


def test_another_harness_is_told(server: Server) -> None:
    player = Player(server, harness="loop")
    assert (
        played(server, "formal", {}, player=player, metadata={"harness_id": "loop"})[
            "harness_warning"
        ]
        is None
    )
    told = played(server, "formal", {}, player=player, metadata={"harness_id": "other"})
    assert "other" in told["harness_warning"]


@pytest.mark.parametrize(
    ("slug", "answer", "entry", "logged", "change"),
    [
        ("breakdown", {}, {}, False, -16),
        ("formal", {"word": "yes"}, {}, False, -8),  # a draw against 800: 32 × (0.5 − 0.76) = −8.3
        ("proven", YES, {}, True, 27),  # a win against 1200: 24.3 × 1.1
        ("proven", YES, {"memoryless": True}, True, 29),  # × 1.2
        ("proven", {"word": "yes"}, {"memoryless": True}, True, 8),  # a draw is never amplified
        ("proven", {}, {"memoryless": True}, True, -8),
    ],
)
def test_the_result_moves_the_rating(
    server: Server, slug: str, answer: Any, entry: dict[str, Any], logged: bool, change: int
) -> None:
    metadata = {"replay_log": log()} if logged else {}
    told = played(server, slug, answer, metadata=metadata, **entry)
    assert (told["elo_before"], told["elo_change"], told["elo_after"]) == (
        1000,
        change,
        1000 + change,
    )
    assert told["verified"] is logged


def test_benchmark_grade_is_for_the_first_attempt(server: Server) -> None:
    player, metadata = Player(server), {"replay_log": log()}
    first = played(server, "proven", YES, player=player, memoryless=True, metadata=metadata)
    second = played(server, "proven", YES, player=player, memoryless=True, metadata=metadata)
    tiers = [told["trajectory_validation"]["tier"] for told in (first, second)]
    assert tiers == ["benchmark-grade", "verified"]
    assert (first["elo_change"], second["elo_change"]) == (
        29,
        26,
    )  # from 1029: 32 × 0.728 × 1.1 = 25.6


def test_only_the_result_moves_the_rating_not_the_score(server: Server) -> None:
    totals = [
        played(
            server,
            "shares",
            dict.fromkeys(("correctness", "completeness", "precision"), ones(n, 1000)),
        )
        for n in (700, 1000)
    ]
    assert [told["score"] for told in totals] == [700, 1000]
    assert [told["elo_change"] for told in totals] == [16, 16]


def test_where_a_log_is_required_none_is_refused_and_nothing_is_lost(server: Server) -> None:
    player = Player(server)
    match = player.enter("proven")["match_id"]
    player.workspace(match)
    assert player.submit(match, YES).status == 422
    assert player.submit(match, YES, replay_log=log()).data["score"] == 1000
