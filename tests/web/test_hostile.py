"""What comes from those who mean harm: refused at once, with nothing stored and nothing executed."""

from __future__ import annotations

import json
import socket
import time
from typing import Any

import pytest
from sqlalchemy import func, select

from servers import Answer, Player, Server
from steelyard.store.database import open_database
from steelyard.store.schema import META

QUICK = 3.0  # seconds; a machine that does much else at the same time counts too
MEGABYTE = 1 << 20
DEEP = b"[" * 5000 + b"]" * 5000
SQL = "'; DROP TABLE agents; --"
SCRIPT = "<script>alert(1)</script>"


def counts(server: Server) -> dict[str, int]:
    database = open_database(server.store)
    try:
        return {
            name: database.read_now(
                lambda c, t=table: c.execute(select(func.count()).select_from(t)).scalar_one()
            )
            for name, table in META.tables.items()
        }
    finally:
        database.close()


@pytest.fixture(scope="module")
def ada(server: Server) -> Player:
    return Player(server, "the one who is attacked")


@pytest.fixture(scope="module")
def match(ada: Player) -> str:
    return str(ada.enter("watch")["match_id"])


def refused(answer: Answer, *statuses: int) -> None:
    assert answer.status in statuses, answer
    assert answer.error  # the envelope
    assert b"Traceback" not in answer.body
    assert b"sqlite" not in answer.body.lower()


BODIES: list[tuple[str, Any, tuple[int, ...]]] = [
    ("nothing", b"", (400,)),
    ("no JSON", b"name=x", (400,)),
    ("half", b'{"name": "x"', (400,)),
    ("two values", b'{"name": "x"} {"name": "y"}', (400,)),
    ("a key twice", b'{"name": "x", "name": "y"}', (400,)),
    ("NaN", b'{"name": NaN}', (400,)),
    ("infinity", b'{"name": -Infinity}', (400,)),
    ("not UTF-8", b'{"name": "\xff\xfe"}', (400,)),
    ("half a surrogate", b'{"name": "\\ud800"}', (400, 422)),
    ("a mark of byte order", b'\xef\xbb\xbf{"name": "x"}', (400,)),
    ("deep", b'{"name": ' + DEEP + b"}", (400,)),
    ("deep objects", b'{"a":' * 5000 + b"1" + b"}" * 5000, (400,)),
    ("a number without end", b'{"name": ' + b"9" * 100_000 + b"}", (400,)),
    ("a number beyond floats", b'{"name": 1e999999}', (400, 422)),
    ("an array", b"[]", (422,)),
    ("null", b"null", (422,)),
    ("no name", {}, (422,)),
    ("a name of another type", {"name": ["x"]}, (422,)),
    ("an empty name", {"name": "  "}, (422,)),
    ("a long name", {"name": "x" * 61}, (422,)),
    ("a field nobody knows", {"name": "x", "admin": True}, (422,)),
    ("an id of one's own", {"name": "x", "agent_id": "ag_1", "elo": 3000}, (422,)),
    ("NUL in a name", {"name": "a\0b"}, (422,)),
    ("a name that turns the writing", {"name": "a\u202eb"}, (422,)),
    ("a name with nothing to see", {"name": "\u200b\u200d"}, (422,)),
    ("ten megabytes", b'{"name": "' + b"x" * (10 * MEGABYTE) + b'"}', (413,)),
]


@pytest.mark.parametrize(
    ("body", "statuses"), [row[1:] for row in BODIES], ids=[row[0] for row in BODIES]
)
def test_bodies(server: Server, body: Any, statuses: tuple[int, ...]) -> None:
    before, begun = counts(server), time.monotonic()
    refused(_send(server, "/agents/register", body), *statuses)
    assert time.monotonic() - begun < QUICK
    assert counts(server) == before


def _send(server: Server, path: str, body: Any, key: str | None = None) -> Answer:
    """Send; one that is cut off while it sends a large body may find the line closed, and reads what was answered."""
    try:
        return server.api("POST", path, body, key)
    except (BrokenPipeError, ConnectionResetError):
        sent = body if isinstance(body, bytes) else json.dumps(body).encode()
        return raw(server, _head(f"/api/v1{path}", f"Content-Length: {len(sent)}", key=key))


def _head(path: str, *more: str, method: str = "POST", key: str | None = None) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: arena", *more]
    if key is not None:
        lines.append(f"Authorization: Bearer {key}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def raw(server: Server, sent: bytes, seconds: float = 15) -> Answer:
    """Send bytes as they are, and read one answer."""
    with socket.create_connection((server.host, server.port), timeout=seconds) as line:
        line.sendall(sent)
        return _read(line)


def _read(line: socket.socket) -> Answer:
    got = b""
    while b"\r\n\r\n" not in got:
        piece = line.recv(65536)
        if not piece:
            return Answer(0, {}, got)
        got += piece
    head, _, body = got.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {
        name.lower(): value.strip() for name, _, value in (one.partition(":") for one in lines)
    }
    while len(body) < int(headers.get("content-length", "0")):
        body += line.recv(65536)
    return Answer(int(first.split()[1]), headers, body)


SUBMISSIONS = [row for row in BODIES[:13] if row[0] != "a number beyond floats"] + [
    ("no answer", {}, (422,)),
    ("a field nobody knows", {"answer": 1, "score": 1000}, (422,)),
    ("a log that is none", {"answer": 1, "metadata": {"replay_log": "x"}}, (422,)),
    ("fewer tokens than none", {"answer": 1, "metadata": {"token_count": -1}}, (422,)),
    ("too large", b'{"answer": "' + b"x" * (2 * MEGABYTE) + b'"}', (413,)),
]


@pytest.mark.parametrize(
    ("body", "statuses"), [row[1:] for row in SUBMISSIONS], ids=[row[0] for row in SUBMISSIONS]
)
def test_submissions(
    server: Server, ada: Player, match: str, body: Any, statuses: tuple[int, ...]
) -> None:
    before, begun = counts(server), time.monotonic()
    refused(_send(server, f"/matches/{match}/submit", body, ada.key), *statuses)
    assert time.monotonic() - begun < QUICK
    assert counts(server) == before
    assert ada.get(f"/matches/{match}").data["state"] == "active"


KEYS = [
    "",
    "x",
    "sy_",
    "sy_" + "A" * 43,
    "sy_" + "A" * 5000,
    SQL,
    "sy_" + ("' OR '1'='1" * 4)[:43],
    "null",
]


@pytest.mark.parametrize("key", KEYS, ids=range(len(KEYS)))
def test_keys(server: Server, match: str, key: str) -> None:
    for method, path in (
        ("GET", "/agents/me"),
        ("POST", "/agents/me/rotate-key"),
        ("GET", f"/matches/{match}"),
        ("GET", f"/matches/{match}/workspace"),
        ("POST", f"/matches/{match}/abandon"),
    ):
        told = server.api(method, path, key=key)
        refused(told, 401)
        assert told.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize(
    "told", ["", "Basic eDp5", "Bearer", "bearer", "Token sy_x", "Bearer  ", "Bearer a b"]
)
def test_other_ways_to_authenticate(server: Server, told: str) -> None:
    refused(server.api("GET", "/agents/me", headers={"Authorization": told}), 401)


PATHS = [
    "/api/v1/nothing",
    "/api/v1/matches/none",
    "/api/v1/matches/..%2f..%2fetc%2fpasswd",
    "/api/v1/../../etc/passwd",
    "/api/v1/matches/%00",
    "/api/v1/challenges/%00",
    "/api/v1/challenges/..",
    "/api/v1/challenges/%2e%2e%2fadding",
    "/api/v1/agents/%27%20OR%20%271%27=%271",
    "/api/v1/agents/%F0%9F%92%A9",
    "/api/v1/agents/" + "x" * 5000,
    "/api/v1/challenges/%0d%0aSet-Cookie:%20a=b",
    "/api/v1/agents/%ff%fe",
    "/%",
    "/.env",
    "/api/v2/agents/me",
]


@pytest.mark.parametrize("path", PATHS, ids=range(len(PATHS)))
def test_paths(server: Server, ada: Player, path: str) -> None:
    told = server.call("GET", path, key=ada.key)
    refused(told, 400, 404)
    assert "set-cookie" not in told.headers


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=-1",
        "limit=201",
        "limit=x",
        "limit=1.5",
        "limit=",
        "offset=-1",
        "offset=99999999999999999999",
        "limit=NaN",
        "limit=%00",
        "limit=1e3",
    ],
)
def test_queries(ada: Player, query: str) -> None:
    refused(ada.get(f"/matches?{query}"), 400, 422)


@pytest.mark.parametrize("method", ["DELETE", "PUT", "PATCH", "HEAD", "TRACE", "PROPFIND"])
def test_methods(server: Server, ada: Player, method: str) -> None:
    told = server.api(method, "/agents/me", key=ada.key)
    assert told.status in {400, 405, 501}
    if method not in {"HEAD", "TRACE"}:
        assert told.json["ok"] is False


@pytest.mark.parametrize(
    "slug", [SQL, "../adding", "ADDING", "adding\0", "a" * 61, "", "{{7*7}}", SCRIPT, "adding/"]
)
def test_slugs(server: Server, ada: Player, slug: str) -> None:
    before = counts(server)
    refused(ada.post("/matches/enter", {"challenge_slug": slug}), 404, 422)
    assert counts(server) == before


@pytest.mark.parametrize("memoryless", ["true", "yes", 1, 0, None, [], {}])
def test_what_is_nearly_a_truth_value_is_none(ada: Player, memoryless: Any) -> None:
    refused(ada.post("/matches/enter", {"challenge_slug": "adding", "memoryless": memoryless}), 422)


@pytest.mark.parametrize(
    "name", [SQL, SCRIPT, "{{7*7}}", "${jndi:ldap://x}", "=cmd|' /C calc'!A0", '"onload="x']
)
def test_a_name_is_a_text_whatever_it_says(server: Server, name: str) -> None:
    player = Player(server, name)
    told = player.get("/agents/me")
    assert told.data["name"] == name
    assert told.headers["content-type"].startswith("application/json")
    assert told.headers["x-content-type-options"] == "nosniff"
    assert counts(server)["agents"] > 0  # and the table is still there


def test_a_body_without_a_length_is_bounded_too(server: Server) -> None:
    piece = b"x" * 65536
    chunk = f"{len(piece):x}\r\n".encode() + piece + b"\r\n"
    with socket.create_connection((server.host, server.port), timeout=15) as line:
        line.sendall(_head("/api/v1/agents/register", "Transfer-Encoding: chunked"))
        begun = time.monotonic()
        try:
            for _ in range(160):  # ten megabytes, if it were let
                line.sendall(chunk)
        except (BrokenPipeError, ConnectionResetError):
            pass
        try:
            told = _read(line)
        except ConnectionResetError:
            return  # the line was cut before the answer could be read
        refused(told, 413)
        assert time.monotonic() - begun < QUICK


@pytest.mark.slow
def test_a_body_that_comes_too_slowly_is_cut_off(server: Server) -> None:
    before = counts(server)
    with socket.create_connection((server.host, server.port), timeout=15) as line:
        line.sendall(_head("/api/v1/agents/register", "Content-Length: 30") + b'{"name": ')
        begun = time.monotonic()
        refused(_read(line), 408)
        assert 1.5 < time.monotonic() - begun < 8  # two seconds are set
    assert counts(server) == before


def test_slow_ones_do_not_hold_up_the_others(server: Server) -> None:
    lines = [socket.create_connection((server.host, server.port), timeout=15) for _ in range(60)]
    try:
        for line in lines:
            line.sendall(_head("/api/v1/agents/register", "Content-Length: 30") + b"{")
        begun = time.monotonic()
        assert server.call("GET", "/health").status == 200
        assert time.monotonic() - begun < QUICK
    finally:
        for line in lines:
            line.close()


@pytest.mark.parametrize(
    "sent",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"\x16\x03\x01\x00\xa5\x01",
        b"GET /\r\n\r\n",
        b"\0" * 100,
        _head("/api/v1/agents/register", "Content-Length: 2", "Content-Length: 3") + b"{}",
        _head("/api/v1/agents/register", "Content-Length: -1"),
        _head("/health", "X: " + "y" * 1_000_000, method="GET"),
    ],
)
def test_what_is_no_request(server: Server, sent: bytes) -> None:
    try:
        told = raw(server, sent)
    except (BrokenPipeError, ConnectionResetError):
        return
    assert told.status in {0, 400, 404, 414, 431}


def test_the_server_is_still_there(server: Server, ada: Player, match: str) -> None:
    told = ada.submit(match, {"word": "yes", "again": "yes"})
    assert (told.status, told.data["score"]) == (200, 1000)
    assert not any('"level":"error"' in line for line in server.lines), server.lines


def test_no_key_is_in_the_log(server: Server, ada: Player) -> None:
    server.call("GET", f"/api/v1/agents/{ada.key}", key=ada.key)
    server.logged('"path":"/api/v1/agents/register"')
    server.logged('"path":"/api/v1/agents/sy_…')
    logged = "".join(server.lines)
    assert ada.key not in logged
    assert "Bearer" not in logged
    for line in list(server.lines):
        if line.startswith("{"):
            json.loads(line)
