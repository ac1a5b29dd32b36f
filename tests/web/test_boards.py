"""What anybody may see: the leaderboard, a challenge in numbers, the export."""

from __future__ import annotations

import json
from typing import Any

import pytest

from servers import Player, Server

YES = {"word": "yes", "again": "yes"}
LOG = [{"type": "llm_call", "model": "m", "input_tokens": 1, "output_tokens": 1}]


@pytest.fixture(scope="module")
def players(server: Server) -> dict[str, Player]:
    """Three who play: one wins twice with a log, one wins once without, one gives up."""
    made = {name: Player(server, name) for name in ("Ada", "Bo", "Cy")}
    for slug in ("adding", "watch"):
        match = made["Ada"].enter(slug, memoryless=True)["match_id"]
        right = made["Ada"].right(match) if slug == "adding" else YES
        made["Ada"].workspace(match)
        assert made["Ada"].submit(match, right, replay_log=LOG).data["verified"]
    match = made["Bo"].enter()["match_id"]
    assert made["Bo"].submit(match, made["Bo"].right(match)).data["result"] == "win"
    made["Cy"].post(f"/matches/{made['Cy'].enter()['match_id']}/abandon")
    return made


def board(server: Server, query: str = "") -> Any:
    return server.api("GET", f"/leaderboard{query}").data


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", ["Ada", "Bo", "Cy"]),
        ("?verified=true", ["Ada"]),
        ("?memoryless=true&first_attempt=true", ["Ada"]),
        ("?category=arithmetic", ["Ada", "Bo", "Cy"]),
        ("?category=trials", ["Ada"]),
        ("?category=nothing", []),
        ("?limit=1&offset=1", ["Bo"]),
    ],
)
def test_the_leaderboard(
    server: Server, players: dict[str, Player], query: str, names: list[str]
) -> None:
    told = board(server, query)
    assert [row["name"] for row in told["items"]] == names
    assert told["total"] == (3 if "limit" in query else len(names))


def test_a_row_tells_where_its_agent_stands(server: Server, players: dict[str, Player]) -> None:
    for row in board(server)["items"]:
        me = players[row["name"]].get("/agents/me").data
        assert {name: row[name] for name in ("elo", "match_count", "wins", "draws", "losses")} == {
            name: me[name] for name in ("elo", "match_count", "wins", "draws", "losses")
        }
        assert row["ability"]["lower"] < row["ability"]["value"] < row["ability"]["upper"]


def test_a_rating_over_time(server: Server, players: dict[str, Player]) -> None:
    ada = players["Ada"]
    told = server.api("GET", f"/agents/{ada.id}/ratings").data
    assert (told["total"], [step["sequence"] for step in told["items"]]) == (2, [1, 2])
    first, second = told["items"]
    assert (first["elo_before"], first["elo_after"]) == (1000, second["elo_before"])
    assert second["elo_after"] == ada.get("/agents/me").data["elo"]
    assert {step["challenge_slug"] for step in told["items"]} == {"adding", "watch"}
    one = server.api("GET", "/agents/Ada/ratings?category=trials&limit=1").data
    assert (one["total"], one["items"][0]["challenge_slug"], one["items"][0]["result"]) == (
        1,
        "watch",
        "win",
    )
    assert server.api("GET", f"/agents/{ada.id}/ratings?offset=2").data["items"] == []
    assert server.api("GET", "/agents/nobody/ratings").status == 404


def test_who_is_equal_shares_a_rank_and_a_board_is_made_again_when_somebody_plays(
    server: Server, players: dict[str, Player]
) -> None:
    before = board(server)["total"]
    twins = [Player(server, name) for name in ("Zed", "Yan")]
    for twin in twins:
        twin.post(f"/matches/{twin.enter('formal')['match_id']}/abandon")
    told = board(server)
    assert told["total"] == before + 2
    rows = [row for row in told["items"] if row["name"] in {"Zed", "Yan"}]
    assert [row["name"] for row in rows] == ["Yan", "Zed"]
    assert rows[0]["rank"] == rows[1]["rank"]


def test_a_challenge_in_numbers(server: Server, players: dict[str, Player]) -> None:
    told = server.api("GET", "/challenges/adding/analytics").data
    assert (told["matches"], told["agents"], told["wins"], told["losses"]) == (3, 3, 2, 1)
    assert (sum(told["distribution"]), told["distribution"][9], told["distribution"][0]) == (
        3,
        2,
        1,
    )
    assert told["pass_at_1"]["value"] == pytest.approx(2 / 3)
    assert told["pass_at_1"]["lower"] < 2 / 3 < told["pass_at_1"]["upper"]
    assert server.api("GET", "/challenges/nothing/analytics").status == 404
    empty = server.api("GET", "/challenges/breakdown/analytics").data
    assert (empty["matches"], empty["mean_score"], empty["pass_at_1"]["value"]) == (0, None, None)


def test_the_export_holds_what_is_public_and_nothing_else(
    server: Server, players: dict[str, Player]
) -> None:
    active = players["Bo"].enter("watch")["match_id"]
    told = server.api("GET", "/export")
    assert told.headers["content-type"].startswith("application/x-ndjson")
    lines = [json.loads(line) for line in told.body.splitlines()]
    kinds = {
        kind: [line for line in lines if line["kind"] == kind]
        for kind in ("agent", "challenge", "match", "rating")
    }
    assert {"Ada", "Bo", "Cy"} <= {line["name"] for line in kinds["agent"]}
    assert len(kinds["rating"]) == 2 * len(kinds["match"])
    assert active not in {line["id"] for line in kinds["match"]}
    hidden = {"key_hash", "truth", "submission", "seed", "archive", "outcome"}
    assert not any(hidden & line.keys() for line in lines)
    assert all(player.key.encode() not in told.body for player in players.values())
