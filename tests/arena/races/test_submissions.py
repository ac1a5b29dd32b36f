"""Fifty submissions of one match at one moment, to two processes on one store: one is scored and rated."""

from __future__ import annotations

import json
import socket
import threading
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy import select

from ledgers import check_ledger
from servers import Answer, Player, Server, asked
from steelyard.store.database import open_database
from steelyard.store.schema import MATCHES, RATINGS

MANY = 50
LEAP = "def is_leap(year):\n    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)\n"


def at_once(server: Server, path: str, key: str, bodies: Sequence[Any]) -> list[Answer]:
    """The answers to requests whose last bytes are all sent at one moment."""
    barrier = threading.Barrier(len(bodies))
    told: list[Answer | None] = [None] * len(bodies)

    def ask(place: int) -> None:
        body = json.dumps(bodies[place]).encode()
        head = f"POST {path} HTTP/1.1\r\nHost: arena\r\nAuthorization: Bearer {key}\r\nConnection: close\r\n"
        whole = f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
        with socket.create_connection((server.host, server.port), timeout=60) as line:
            line.sendall(whole[:-1])
            barrier.wait(60)
            line.sendall(whole[-1:])
            told[place] = read(line)

    threads = [threading.Thread(target=ask, args=(place,)) for place in range(len(bodies))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(90)
    return [answer for answer in told if answer is not None]


def read(line: socket.socket) -> Answer:
    got = b"".join(iter(lambda: line.recv(65536), b""))
    head, _, body = got.partition(b"\r\n\r\n")
    return Answer(int(head.split()[1]), {}, body)


def stored(server: Server, match_id: str) -> tuple[Any, ...]:
    """The state of the match, how often it was evaluated, and its events."""
    database = open_database(server.store)
    try:
        check_ledger(database)
        row = database.read_now(
            lambda c: c.execute(
                select(MATCHES.c.state, MATCHES.c.tries).where(MATCHES.c.id == match_id)
            ).one()
        )
        scopes = database.read_now(
            lambda c: list(
                c.execute(select(RATINGS.c.scope).where(RATINGS.c.match_id == match_id)).scalars()
            )
        )
        return row.state, row.tries, sorted(scopes)
    finally:
        database.close()


def test_fifty_alike_are_one_and_all_get_its_answer(server: Server) -> None:
    player = Player(server)
    match = player.enter()["match_id"]
    body = {"answer": player.right(match)}
    told = at_once(server, f"/api/v1/matches/{match}/submit", player.key, [body] * MANY)
    assert [answer.status for answer in told] == [200] * MANY
    assert all(answer.data == told[0].data for answer in told)
    assert (told[0].data["result"], told[0].data["elo_after"]) == ("win", 1016)
    assert stored(server, match) == ("completed", 0, ["category:arithmetic", "overall"])
    assert len(asked(server, f"{match}/submit", MANY)) == 2, (
        "both processes must have been asked, or this proves little"
    )


@pytest.mark.slow
def test_of_fifty_different_ones_one_is_taken_and_the_others_are_refused(server: Server) -> None:
    player = Player(server)
    match = player.enter()["match_id"]
    bodies = [{"answer": {"total": number}} for number in range(MANY)]
    told = at_once(server, f"/api/v1/matches/{match}/submit", player.key, bodies)
    assert Counter(answer.status for answer in told) == {200: 1, 409: MANY - 1}
    taken = next(place for place, answer in enumerate(told) if answer.status == 200)
    again = player.post(f"/matches/{match}/submit", bodies[taken])
    assert (again.status, again.data) == (200, told[taken].data)
    assert stored(server, match) == ("completed", 0, ["category:arithmetic", "overall"])


@pytest.mark.slow
def test_programs_that_come_at_once_are_evaluated_once(server: Server) -> None:
    player = Player(server)
    match = player.enter("program")["match_id"]
    bodies = [{"answer": {"code": LEAP}} for _ in range(MANY // 2)]
    told = at_once(server, f"/api/v1/matches/{match}/submit", player.key, bodies)
    assert [answer.status for answer in told] == [200] * len(bodies)
    assert all(answer.data == told[0].data for answer in told)
    assert told[0].data["score"] == 1000
    assert stored(server, match) == ("completed", 1, ["category:trials", "overall"])


@pytest.mark.slow
def test_matches_of_one_agent_that_end_at_once_are_rated_one_after_the_other(
    server: Server,
) -> None:
    player = Player(server)
    slugs = ("adding", "shares", "breakdown", "formal", "frugal")
    going = [player.enter(slug)["match_id"] for slug in slugs]
    barrier, told = threading.Barrier(len(going)), []

    def submit(match: str) -> None:
        barrier.wait(60)
        told.append(player.submit(match, {"total": 1}))

    threads = [threading.Thread(target=submit, args=(match,)) for match in going]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [answer.status for answer in told] == [200] * len(going)
    stored(server, going[0])  # no event was worked out from a rating that another one had moved
    assert player.get("/agents/me").data["match_count"] == len(going)
