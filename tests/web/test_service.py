"""The service as its operator and its agents know it."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import postgres
from commands import Commands
from servers import CASES, Answer, Player, Server, serving

SLOW = "import time\n\n\ndef is_leap(year):\n    time.sleep(1)\n    return False\n"


@contextlib.contextmanager
def small(tmp_path: Path, *options: object, **more: Any) -> Iterator[Server]:
    with serving(f"{tmp_path}/arena.db", *options, **more) as running:
        yield running


def test_it_tells_that_it_is_up(server: Server) -> None:
    told = server.call("GET", "/health").data
    assert told["status"] == "up"
    assert server.store.startswith(told["store"])


@pytest.mark.parametrize(
    "path",
    ["/health", "/api/v1/agents/me", "/nothing", "/api/v1/challenges", "/api/v1/openapi.json"],
)
def test_every_answer_is_dressed(server: Server, path: str) -> None:
    headers = server.call("GET", path).headers
    assert headers["content-type"].startswith("application/json")
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert (headers["x-content-type-options"], headers["referrer-policy"]) == (
        "nosniff",
        "no-referrer",
    )
    assert ("cache-control" in headers) == path.startswith("/api")


def test_a_key_is_shown_once_and_can_be_changed(server: Server) -> None:
    player = Player(server, base_model="m", harness="h")
    told = player.get("/agents/me")
    assert player.key.encode() not in told.body
    assert told.data == {
        "agent_id": player.id,
        "name": player.name,
        "base_model": "m",
        "harness": "h",
        "elo": 1000,
        "match_count": 0,
        "wins": 0,
        "draws": 0,
        "losses": 0,
        "categories": {},
    }
    fresh = player.post("/agents/me/rotate-key").data["api_key"]
    assert player.get("/agents/me").status == 401
    player.key = fresh
    assert player.get("/agents/me").data["agent_id"] == player.id
    assert server.api("GET", f"/agents/{player.id}").data == player.get("/agents/me").data
    assert server.api("POST", "/agents/register", {"name": player.name.upper()}).status == 409


def test_a_match_from_its_beginning_to_its_end(server: Server) -> None:
    player = Player(server)
    begun = player.enter("adding", memoryless=True)
    match = begun["match_id"]
    assert begun["workspace_url"] == f"/api/v1/matches/{match}/workspace"
    assert (begun["time_limit_secs"], begun["attempt_number"], begun["memoryless"]) == (60, 1, True)
    assert player.post("/matches/enter", {"challenge_slug": "adding"}).status == 409
    files = player.workspace(match)
    assert set(files) == {"CHALLENGE.md", "numbers.txt"}
    assert player.post(f"/matches/{match}/heartbeat").data["seconds_left"] > 0
    right = player.right(match)
    first = player.submit(match, right)
    assert (first.status, first.data["score"], first.data["elo_after"]) == (200, 1000, 1016)
    assert player.submit(match, right).data == first.data
    assert player.submit(match, {"total": 0}).status == 409
    seen = player.get(f"/matches/{match}").data
    assert (seen["state"], seen["score"], seen["outcome"]) == ("completed", 1000, first.data)
    assert player.post(f"/matches/{match}/abandon").status == 410
    assert player.get(f"/matches/{match}/workspace").status == 410
    assert player.enter("adding")["attempt_number"] == 2


def test_no_workspace_holds_the_truth(server: Server) -> None:
    for offer in server.api("GET", "/challenges").data:
        player = Player(server)
        files = player.workspace(player.enter(offer["slug"])["match_id"])
        assert not {"truth.json", "spec.json", "generate.py", "challenge.toml"} & files.keys()


def test_giving_up_is_a_loss_and_told_again_alike(server: Server) -> None:
    player = Player(server)
    match = player.enter("adding")["match_id"]
    first = player.post(f"/matches/{match}/abandon").data
    assert (first["state"], first["score"], first["result"], first["elo_change"]) == (
        "abandoned",
        0,
        "loss",
        -16,
    )
    assert player.post(f"/matches/{match}/abandon").data == first
    assert player.submit(match, {}).status == 410


def test_the_own_matches_come_in_pages(server: Server) -> None:
    player, other = Player(server), Player(server)
    other.enter()
    made = []
    for _ in range(5):
        made.append(player.enter()["match_id"])
        player.post(f"/matches/{made[-1]}/abandon")
    pages = [player.get(f"/matches?limit=2&offset={offset}").data for offset in (0, 2, 4, 6)]
    assert [one["match_id"] for page in pages for one in page["items"]] == made[::-1]
    assert {(page["total"], page["limit"]) for page in pages} == {(5, 2)}


@pytest.mark.slow
def test_who_asks_too_often_is_told_when_to_come_back(tmp_path: Path) -> None:
    with small(tmp_path, "--key-rate", 1, "--address-rate", 0) as server:
        ada, bo = Player(server), Player(server)
        told = [ada.get("/agents/me") for _ in range(12)]
        late = [answer for answer in told if answer.status == 429]
        assert late
        assert all(int(answer.headers["retry-after"]) >= 1 and answer.error for answer in late)
        assert bo.get("/agents/me").status == 200  # another key
        time.sleep(1.2)
        assert ada.get("/agents/me").status == 200


def burst(server: Server, headers: dict[str, str], count: int = 40) -> list[Answer]:
    return [server.call("GET", "/nothing", headers=headers) for _ in range(count)]


@pytest.mark.slow
@pytest.mark.parametrize("trusted", [False, True])
def test_an_address_counts_and_a_header_only_behind_a_proxy(tmp_path: Path, trusted: bool) -> None:
    options = ["--address-rate", 1, *(["--trust-proxy"] if trusted else [])]
    with small(tmp_path, *options) as server:
        told = [
            server.call("GET", "/nothing", headers={"X-Forwarded-For": f"192.0.2.{n}"})
            for n in range(20)
        ]
        assert (429 in {answer.status for answer in told}) is not trusted
        told = burst(server, {"X-Forwarded-For": "203.0.113.9, 198.51.100.1"}, 20)
        late = [answer for answer in told if answer.status == 429]
        assert late
        assert late[0].error
        assert late[0].headers["retry-after"] == "1"
        assert late[0].headers["x-content-type-options"] == "nosniff"


def test_registrations_have_a_rate_of_their_own(tmp_path: Path) -> None:
    with small(tmp_path, "--register-rate", 0.1) as server:
        told = [server.api("POST", "/agents/register", {"name": f"n{n}"}).status for n in range(8)]
        assert set(told) == {201, 429}
        assert server.call("GET", "/health").status == 200


@pytest.mark.slow
def test_what_was_begun_is_finished_before_the_end(tmp_path: Path) -> None:
    with small(tmp_path, "--workers", 2) as server:
        player = Player(server)
        match = player.enter("program")["match_id"]
        told: list[Answer] = []
        asking = threading.Thread(target=lambda: told.append(player.submit(match, {"code": SLOW})))
        asking.start()
        time.sleep(1)
        server.process.send_signal(signal.SIGTERM)
        asking.join(40)
        assert [answer.status for answer in told] == [200]
        assert told[0].data["state"] == "completed"
        assert server.process.wait(40) == 0


def children(process: int) -> list[int]:
    found = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [int(one) for one in found]


@pytest.mark.slow
def test_a_worker_that_dies_is_replaced(tmp_path: Path) -> None:
    with small(tmp_path) as server:
        player = Player(server)
        first = set(children(server.process.pid))
        for worker in first:
            os.kill(worker, signal.SIGKILL)
        server.wait()
        assert player.get("/agents/me").data["agent_id"] == player.id
        assert not first & set(children(server.process.pid))


@pytest.mark.slow
def test_without_its_store_the_service_says_so_and_comes_back() -> None:
    if why := postgres.missing():
        pytest.skip(why)
    import psycopg

    url = postgres.fresh_database()
    name = url.rpartition("/")[2]
    with serving(url) as server, psycopg.connect(postgres.server(), autocommit=True) as operator:
        player = Player(server)
        operator.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        operator.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,)
        )
        for told in (
            server.call("GET", "/health"),
            player.get("/agents/me"),
            player.post("/matches/enter", {"challenge_slug": "adding"}),
        ):
            assert (told.status, bool(told.error)) == (503, True)
            assert int(told.headers["retry-after"]) >= 1
            assert name.encode() not in told.body
        operator.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
        assert player.get("/agents/me").status == 200


def test_without_a_sandbox_the_clock_does_not_start(tmp_path: Path) -> None:
    with small(tmp_path, environment={"PATH": "/nowhere"}) as server:
        player = Player(server)
        told = player.post("/matches/enter", {"challenge_slug": "program"})
        assert told.status == 503, told
        assert player.get("/matches").data["total"] == 0
        assert player.enter("adding")  # what needs none can be played


def test_a_generator_that_fails_is_not_the_agents_fault(tmp_path: Path) -> None:
    folder = tmp_path / "broken"
    for file in sorted((CASES / "arena" / "adding").rglob("*")):
        if file.is_file():
            place = folder / file.relative_to(CASES / "arena" / "adding")
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(file.read_bytes())
    (folder / "generate.py").write_text("def generate(seed):\n    raise ValueError('secret 42')\n")
    with small(tmp_path, challenges=[folder]) as server:
        player = Player(server)
        told = player.post("/matches/enter", {"challenge_slug": "adding"})
        assert told.status == 503
        assert b"secret" not in told.body
        server.logged("secret 42")


def test_a_port_that_is_taken_and_a_folder_that_is_not_there(
    steelyard: Commands, tmp_path: Path
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ran = steelyard("serve", "--port", port, "--store", tmp_path / "a.db")
    assert (ran.code, ran.err.count("\n")) == (3, 1)
    assert str(port) in ran.err
    ran = steelyard(
        "serve", "--port", 0, "--store", tmp_path / "a.db", "--challenges", tmp_path / "none"
    )
    assert ran.code == 2
    assert "there is no such folder" in ran.err


def test_a_store_that_cannot_be_had(steelyard: Commands, tmp_path: Path) -> None:
    ran = steelyard("serve", "--port", 0, "--store", "postgresql://nobody:secret@127.0.0.1:1/none")
    assert ran.code == 3
    assert "secret" not in ran.err
    assert "127.0.0.1:1" in ran.err
    ran = steelyard("serve", "--port", 0, "--store", "mysql://nowhere/x")
    assert ran.code == 2


def test_the_log_is_lines_of_json(server: Server) -> None:
    server.call(
        "GET", "/api/v1/agents/sy_abcdefghijklmnopqrstuvwxyz?key=sy_abcdefghijklmnopqrstuvwxyz"
    )
    server.logged("/api/v1/agents/sy_")
    lines = [json.loads(line) for line in list(server.lines) if line.startswith("{")]
    asked = [line for line in lines if line["path"].startswith("/api/v1/agents/sy_")]
    assert [(line["method"], line["status"], line["path"]) for line in asked] == [
        ("GET", 404, "/api/v1/agents/sy_…")
    ]
    assert all(line["ms"] >= 0 and line["address"] == "127.0.0.1" for line in lines)


@pytest.mark.parametrize("path", ["/", "/challenges", "/challenges/adding", "/health", "/nowhere"])
def test_the_head_of_a_page_is_that_of_the_page_without_its_body(server: Server, path: str) -> None:
    whole, head = server.call("GET", path), server.call("HEAD", path)
    assert (head.status, head.body) == (whole.status, b"")
    own = {"x-request-id", "date"}
    assert {k: v for k, v in head.headers.items() if k not in own} == {
        k: v for k, v in whole.headers.items() if k not in own
    }
    assert (
        len(whole.body)
        == int(whole.headers["content-length"])
        == int(head.headers["content-length"])
    )
