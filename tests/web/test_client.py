"""The client of agents, against the running service on both databases."""

from __future__ import annotations

import itertools
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from relays import losing
from servers import Server, serving
from steelyard import ArenaClient, DataError, EngineError, ReplayTracker, RuleError
from steelyard.arena.heartbeats import Heartbeats

NUMBERS = itertools.count(1)


def client_of(server: Server, url: str = "", **about: str) -> ArenaClient:
    client = ArenaClient(url or server.url)
    client.register(f"client {next(NUMBERS)} {server.port}", **about)
    return client


def right(folder: Path) -> dict[str, int]:
    numbers = [int(line) for line in (folder / "numbers.txt").read_text().split()]
    return {"total": sum(numbers), "largest": max(numbers)}


def solver(folder: Path, tracker: ReplayTracker) -> dict[str, int]:
    assert "CHALLENGE.md" in {path.name for path in folder.iterdir()}
    with tracker.llm_call(model="m-1", input_tokens=40) as call:
        call.update(output_tokens=2)
    tracker.tool_call(tool="sum", duration_ms=1)
    return right(folder)


def test_a_match_is_played_in_one_call(server: Server) -> None:
    client = client_of(server, base_model="m-1", harness="loop")
    told = client.compete("adding", solver, memoryless=True, model_id="m-1", harness_id="loop")
    assert (told["score"], told["result"], told["state"], told["harness_warning"]) == (
        1000,
        "win",
        "completed",
        None,
    )
    assert told["verified"] is True
    assert told["trajectory_validation"]["tier"] == "benchmark-grade"
    assert told["trajectory_validation"]["warnings"] == []
    me = client.me()
    assert (me["elo"], me["match_count"], me["base_model"]) == (told["elo_after"], 1, "m-1")
    assert client.match(told["match_id"])["outcome"] == told
    assert [one["match_id"] for one in client.matches()["items"]] == [told["match_id"]]
    names = [
        row["name"]
        for row in client.leaderboard(
            verified=True, memoryless=True, first_attempt=True, limit=200
        )["items"]
    ]
    assert me["name"] in names


def test_the_steps_one_by_one(server: Server, tmp_path: Path) -> None:
    client = client_of(server)
    assert "adding" in {one["slug"] for one in client.challenges()}
    assert client.challenge("adding")["time_limit_secs"] == 60
    match = client.enter("adding")
    folder = client.workspace(match["match_id"], tmp_path / "work" / "here")
    assert client.heartbeat(match["match_id"])["seconds_left"] > 0
    assert client.match(match["match_id"])["outcome"] is None
    told = client.submit(match["match_id"], right(folder), model_id="m", note="kept, not read")
    assert (told["score"], told["verified"]) == (1000, False)
    assert (
        client.submit(match["match_id"], right(folder), model_id="m", note="kept, not read") == told
    )
    with pytest.raises(RuleError, match="something else was submitted") as refused:
        client.submit(match["match_id"], {"total": 0})
    assert refused.value.status == 409
    second = client.enter("adding")
    assert client.abandon(second["match_id"])["state"] == "abandoned"


def test_an_answer_that_was_lost_on_the_way_is_no_second_submission(
    server: Server, tmp_path: Path
) -> None:
    with losing(server, "/submit", times=3) as relay:
        client = client_of(server, relay.url)
        match = client.enter("adding")["match_id"]
        told = client.submit(match, right(client.workspace(match, tmp_path / "w")))
        assert (told["score"], told["elo_change"]) == (1000, 16)
        assert sum(path.endswith("/submit") for path in relay.passed) == 4
        assert client.me()["match_count"] == 1


@pytest.mark.slow
def test_a_submission_outlives_a_restart_of_the_server(tmp_path: Path) -> None:
    store, told = f"{tmp_path}/arena.db", []
    with serving(store) as first:
        client, port = client_of(first), first.port
        match = client.enter("adding")["match_id"]
        answer = right(client.workspace(match, tmp_path / "w"))
    sending = threading.Thread(target=lambda: told.append(client.submit(match, answer)))
    sending.start()
    time.sleep(0.5)
    assert sending.is_alive()
    with serving(store, "--port", port):
        sending.join(30)
        assert [one["score"] for one in told] == [1000]


@pytest.mark.slow
def test_whoever_is_told_to_slow_down_does(tmp_path: Path) -> None:
    with serving(f"{tmp_path}/arena.db", "--key-rate", 2) as server:
        client = client_of(server)
        begun = time.monotonic()
        assert {client.me()["match_count"] for _ in range(11)} == {0}
        assert time.monotonic() - begun > 0.9  # eight at once, and two a second


def test_entering_is_never_asked_for_twice(server: Server) -> None:
    with losing(server, "/enter", times=1) as relay:
        client = client_of(server, relay.url)
        with pytest.raises(EngineError, match="does not answer"):
            client.enter("adding")
        assert [one["state"] for one in client.matches()["items"]] == ["active"]


@pytest.mark.slow
def test_what_runs_long_is_waited_for(server: Server) -> None:
    code = "import time\n\n\ndef is_leap(year):\n    time.sleep(0.3)\n    return year % 4 == 0\n"
    told = client_of(server).compete("program", lambda folder, tracker: {"code": code})
    assert (told["state"], told["score"], told["verified"]) == ("completed", 520, False)


def beats_of(server: Server, match_id: str) -> list[str]:
    return [
        line
        for line in list(server.lines)
        if f"{match_id}/heartbeat" in line and '"status":200' in line
    ]


def eventually(so: Callable[[], bool], seconds: float = 20) -> bool:
    """Whether it is so before long; on a busy machine a thread may wait for its turn."""
    until = time.monotonic() + seconds
    while not so() and time.monotonic() < until:
        time.sleep(0.02)
    return so()


def test_a_long_match_shows_signs_of_life_by_itself(server: Server) -> None:
    client, beats = client_of(server), []
    match = client.enter("watch")
    assert match["heartbeat_secs"] == 10
    with client.heartbeats({**match, "heartbeat_secs": 0.1}):
        assert eventually(lambda: len(beats_of(server, match["match_id"])) >= 3)
    with Heartbeats(lambda: beats.append(1), 0.02):
        assert eventually(lambda: len(beats) > 3)
    held = len(beats)
    time.sleep(0.1)
    assert held == len(beats)
    told = client.submit(match["match_id"], {"word": "yes", "again": "yes"})
    assert told["score"] == 1000


@pytest.mark.parametrize("wrong", [EngineError("away"), RuleError("over", status=410)])
def test_signs_of_life_go_on_after_a_loss_and_end_with_the_match(wrong: Exception) -> None:
    tried: list[int] = []

    def beat() -> None:
        tried.append(1)
        raise wrong

    with Heartbeats(beat, 0.02):
        time.sleep(0.3)
    assert (len(tried) > 1) is isinstance(wrong, EngineError)


@pytest.mark.parametrize(
    ("do", "status"),
    [
        (lambda c: c.challenge("none"), 404),
        (lambda c: c.challenge("../agents/me"), 404),
        (lambda c: c.enter("none"), 404),
        (lambda c: c.enter("No Slug"), 422),
        (lambda c: c.match("m_none"), 404),
        (lambda c: c.match("../agents/me?x="), 404),
        (lambda c: c.submit("m_none", {}), 404),
        (lambda c: c.submit("m_none", {}, model_id=7), 422),
        (lambda c: c.leaderboard(limit=1000), 422),
        (lambda c: ArenaClient(c.base_url).me(), 401),
        (lambda c: ArenaClient(c.base_url, "sy_wrong").enter("adding"), 401),
        (lambda c: c.register(c.me()["name"]), 409),
    ],
)
def test_what_the_rules_forbid_is_told_with_its_status(
    server: Server, do: Any, status: int
) -> None:
    with pytest.raises(RuleError) as refused:
        do(client_of(server))
    assert (refused.value.status, bool(refused.value.message)) == (status, True)


@pytest.mark.parametrize("answer", [float("nan"), {1, 2}, b"x", object()])
def test_what_json_cannot_say_is_not_sent(server: Server, answer: Any) -> None:
    client = client_of(server)
    match = client.enter("adding")["match_id"]
    with pytest.raises(DataError, match="cannot be said in JSON"):
        client.submit(match, answer)
    assert client.match(match)["state"] == "active"


def test_a_folder_with_something_in_it_is_left_alone_and_the_clock_does_not_run(
    server: Server, tmp_path: Path
) -> None:
    client = client_of(server)
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(DataError, match="is not empty"):
        client.compete("adding", solver, folder=tmp_path)
    with pytest.raises(DataError, match="is no folder"):
        client.compete("adding", solver, folder=tmp_path / "mine.txt")
    assert client.matches()["total"] == 0
    told = client.compete("adding", solver, folder=tmp_path / "new")
    assert told["score"] == 1000
    assert (tmp_path / "new" / "numbers.txt").exists()


def test_a_solver_that_fails_leaves_the_match_to_be_finished(server: Server) -> None:
    client = client_of(server)
    with pytest.raises(ZeroDivisionError):
        client.compete("adding", lambda folder, tracker: 1 // 0)
    with pytest.raises(RuleError, match="still active"):
        client.enter("adding")


def test_another_key_is_used_from_then_on(server: Server) -> None:
    client = ArenaClient(server.url)
    first = client.register(f"careful {server.port}")["api_key"]
    assert client.rotate_key()["api_key"] != first
    assert client.me()["name"] == f"careful {server.port}"
    with pytest.raises(RuleError, match="not known"):
        ArenaClient(server.url, first).me()


def test_playing_needs_neither_a_database_nor_a_web_framework() -> None:
    code = (
        "import sys, steelyard; steelyard.ArenaClient, steelyard.ReplayTracker; print(*sys.modules)"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"sqlalchemy", "litestar", "granian", "alembic", "jinja2", "numpy", "aiohttp"} & set(
        loaded
    )


def test_a_client_never_shows_its_key(server: Server) -> None:
    client = ArenaClient(server.url)
    key = client.register(f"secretive {server.port}")["api_key"]
    assert key not in repr(client)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "127.0.0.1:8000",
        "ftp://host",
        "http://",
        "http://u:p@host",
        "http://host?x=1",
        "http://host:x",
    ],
)
def test_an_address_that_is_none_is_told(address: str) -> None:
    with pytest.raises(DataError, match="is no address of an arena"):
        ArenaClient(address)


@pytest.mark.slow
def test_nobody_there_is_told_soon() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        client = ArenaClient(f"http://127.0.0.1:{free.getsockname()[1]}")
        begun = time.monotonic()
        with pytest.raises(EngineError, match="does not answer: Connection refused"):
            client.challenges()
    assert time.monotonic() - begun < 10
