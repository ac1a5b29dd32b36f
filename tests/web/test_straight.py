"""The straight way of a submission and the framework's tell the same; and lines of the log that are written together."""

from __future__ import annotations

import asyncio
import json
import os

import pytest

from servers import Answer, Player, Server
from steelyard.web.logs import WRITER, Asked, RequestLog

DRESS = (
    "content-type",
    "cache-control",
    "content-security-policy",
    "x-content-type-options",
    "connection",
)
WRONG = [
    b"",
    b"{",
    b'{"answer": 1, "answer": 2}',
    b'{"answer": 1, "score": 7}',
    b'\xef\xbb\xbf{"answer": 1}',
    b"\xff",
]


def both_ways(server: Server, path: str, body: bytes, key: str | None) -> tuple[Answer, Answer]:
    """The answers to a body of a known length, and to one that comes in pieces without telling how long it is."""
    straight = server.api("POST", path, body, key)
    pieces = server.api("POST", path, _pieces(body), key, headers={"Transfer-Encoding": "chunked"})
    return straight, pieces


def _pieces(body: bytes) -> bytes:
    half = len(body) // 2
    parts = [part for part in (body[:half], body[half:]) if part]
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


def alike(one: Answer, other: Answer) -> None:
    assert (one.status, one.body) == (other.status, other.body)
    assert [one.headers.get(name) for name in DRESS] == [other.headers.get(name) for name in DRESS]


def test_a_submission_is_answered_alike_whichever_way_it_comes(server: Server) -> None:
    player = Player(server)
    match = player.enter()["match_id"]
    body = json.dumps({"answer": player.right(match), "metadata": {"note": "é"}}).encode()
    straight, pieces = both_ways(server, f"/matches/{match}/submit", body, player.key)
    alike(straight, pieces)
    assert (straight.status, straight.data["result"]) == (200, "win")
    large = json.dumps({"answer": 1, "metadata": {"note": "x" * 100_000}}).encode()
    assert server.api("POST", f"/matches/{match}/submit", large, player.key).status == 409


@pytest.mark.parametrize("body", WRONG, ids=range(len(WRONG)))
def test_what_is_wrong_is_told_alike(server: Server, body: bytes) -> None:
    player = Player(server)
    match = player.enter()["match_id"]
    straight, pieces = both_ways(server, f"/matches/{match}/submit", body, player.key)
    alike(straight, pieces)
    assert straight.status in {400, 422}
    for key in (None, "sy_", "sy_" + "A" * 43):
        alike(*both_ways(server, f"/matches/{match}/submit", b'{"answer": 1}', key))


def test_a_length_that_no_body_has_is_refused(server: Server) -> None:
    path, key = "/matches/m_none/submit", Player(server).key
    for length in ("0" * 5000 + "13", "0" * 10 + "13"):
        told = server.api("POST", path, b'{"answer": 1}', key, headers={"Content-Length": length})
        assert told.status in {400, 404}, told
    assert not any('"level":"error"' in line for line in server.lines)


@pytest.mark.parametrize("key", [None, "sy_"])
def test_whoever_has_no_key_is_told_so_before_anybody_looks_into_the_body(
    server: Server, key: str | None
) -> None:
    assert server.api("POST", "/matches/m_none/submit", b"{", key).status == 401


async def noted(**about: str) -> None:
    RequestLog().note(
        Asked(
            **{
                "request": "1",
                "method": "GET",
                "path": "/",
                "status": 404,
                "ms": 1.0,
                "address": "a",
                **about,
            }
        )
    )
    assert WRITER.flush(10)


def test_a_line_holds_nothing_that_a_terminal_heeds_and_no_part_of_a_key(
    capfd: pytest.CaptureFixture[str],
) -> None:
    asyncio.run(noted(path="/\u2028\x9b31m\x85\x7f\u202e", method="M" * 5000))
    asyncio.run(noted(path="/" + "x" * 290 + "sy_" + "k" * 43))
    told = capfd.readouterr().err
    assert told.replace("…", "").isascii()
    assert len(told.splitlines()) == 2
    assert len(told) < 2000
    assert "sy_k" not in told


def test_lines_that_are_written_together_are_whole_and_without_keys(
    capfd: pytest.CaptureFixture[str],
) -> None:
    key = "sy_" + "k" * 43

    async def many() -> None:
        log = RequestLog()
        for number in range(60):
            log.note(
                Asked(
                    request=f"{number:016x}",
                    method="POST",
                    path=f"/{key}/{'é' * 90}",
                    status=200,
                    ms=0.5,
                    address=key,
                )
            )
        assert WRITER.flush(10)

    asyncio.run(many())
    told = capfd.readouterr().err
    assert key not in told
    lines = [json.loads(line) for line in told.splitlines()]
    assert [int(line["request"], 16) for line in lines] == list(range(60))
    assert {(line["process"], line["level"], line["message"]) for line in lines} == {
        (os.getpid(), "info", "request")
    }
