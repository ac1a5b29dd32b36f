"""Killed at random moments under load: what was answered is kept, and the ledger is whole."""

from __future__ import annotations

import contextlib
import http.client
import os
import random
import re
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select, text

from ledgers import answered_is_kept, check_ledger
from servers import Answer, Player, Server, serving
from steelyard.arena.replay import replay
from steelyard.store.database import Database, open_database
from steelyard.store.schema import MATCHES

OPTIONS = (
    "--workers",
    2,
    "--address-rate",
    0,
    "--key-rate",
    0,
    "--register-rate",
    0,
    "--sweep-seconds",
    0.3,
    "--lease-seconds",
    2,
)
PLAYERS = 5
LEAP = "def is_leap(year):\n    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)\n"
MATCH = re.compile(r"m_[0-9a-f]{24}")
PATIENCE = 120.0


class Load:
    """Agents that enter and submit all the time, and insist until they are answered."""

    def __init__(self) -> None:
        self.server: Server | None = None
        self.answered: list[tuple[str, dict[str, Any]]] = []
        self.wrong: list[Any] = []
        self._over = threading.Event()
        self._threads = [
            threading.Thread(target=self._play, args=(number,)) for number in range(PLAYERS)
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join(PATIENCE)
        assert not any(thread.is_alive() for thread in self._threads)

    def wait_for_more(self, before: int) -> None:
        """Until something was answered beyond that: a kill of what does nothing would prove little."""
        until = time.monotonic() + PATIENCE
        while len(self.answered) <= before and not self.wrong:
            assert time.monotonic() < until, "nothing goes on between two kills"
            time.sleep(0.02)

    def _play(self, number: int) -> None:
        try:
            player = self._insist(
                lambda: Player(self._up(), f"agent {number} {time.monotonic_ns()}")
            )
            while player is not None and not self._over.is_set():
                self._match(player, "program" if number == 0 else "adding")
        except (
            AssertionError,
            LookupError,
        ) as wrong:  # told by the thread that waits, with what the server says of it
            lines = self.server.lines if self.server is not None else []
            self.wrong.append((wrong, [line for line in lines if "bug" in line][-3:]))

    def _match(self, player: Player, slug: str) -> None:
        entered = self._asked(player, "/matches/enter", {"challenge_slug": slug}, {201, 409})
        if entered is None:
            return
        # Whoever was killed between its commit and its answer has left a match: it is named, and played.
        match = (
            entered.data["match_id"] if entered.status == 201 else MATCH.findall(entered.error)[0]
        )
        answer = {"code": LEAP} if slug == "program" else {"total": random.randrange(10)}
        told = self._asked(player, f"/matches/{match}/submit", {"answer": answer}, {200, 410})
        if told is not None and told.status == 200 and told.data["state"] == "completed":
            self.answered.append((match, told.data))

    def _asked(self, player: Player, path: str, body: Any, wanted: set[int]) -> Answer | None:
        def ask() -> Answer | None:
            player.server = self._up()
            told = player.post(path, body)
            if told.status in {202, 503}:
                return None
            assert told.status in wanted, told
            return told

        return self._insist(ask)

    def _up(self) -> Server:
        if self.server is None:
            raise ConnectionRefusedError("nobody is there")
        return self.server

    def _insist(self, ask: Callable[[], Any]) -> Any:
        """The answer, however often it takes: whose evaluators are killed again and again waits long. None when all is over."""
        while not self._over.is_set():
            with contextlib.suppress(OSError, http.client.HTTPException):
                if (told := ask()) is not None:
                    return told
            time.sleep(0.05)
        return None


def workers(server: Server) -> list[int]:
    pid = server.process.pid
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def kill_some(server: Server, dice: random.Random) -> None:
    """One worker or both, at once and without a word."""
    found = workers(server)
    for pid in dice.sample(found, dice.randint(1, len(found))) if found else ():
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def one_life(store: str, load: Load, dice: random.Random) -> None:
    """A server that is killed twice: some of its workers, which are replaced, and then all of it.

    Before the first kill there may be no time to do anything; before the second something has been done in any case.
    """
    with serving(store, *OPTIONS) as server:
        load.server = server
        time.sleep(dice.uniform(0.1, 1.2))
        kill_some(server, dice)
        so_far = len(load.answered)
        load.wait_for_more(so_far)
        time.sleep(dice.uniform(0.0, 0.6))
        load.server = None
        os.killpg(server.process.pid, signal.SIGKILL)


def evaluating(database: Database) -> int:
    going = select(func.count()).select_from(MATCHES).where(MATCHES.c.state == "evaluating")
    return database.read_now(lambda connection: int(connection.execute(going).scalar_one()))


@pytest.mark.slow
@pytest.mark.parametrize("lives", [8, pytest.param(50, marks=pytest.mark.slow)])
def test_whatever_moment_it_is_killed_at_nothing_is_lost_or_counted_twice(
    store_url: str, lives: int
) -> None:
    seed = random.randrange(10**6)
    dice, load = random.Random(seed), Load()
    load.start()
    try:
        for _ in range(lives):
            one_life(store_url, load, dice)
            if load.wrong:
                break
    finally:
        load.stop()
    assert not load.wrong, (seed, load.wrong)
    assert len(load.answered) >= lives, "there was hardly a load"
    assert len({match for match, _ in load.answered}) == len(load.answered)
    with serving(store_url, *OPTIONS):
        database = open_database(store_url)
        until = (
            time.monotonic() + 2 + 0.3 + 20
        )  # the lease, a round of the sweep, and the evaluation on a busy machine
        while evaluating(database) and time.monotonic() < until:
            time.sleep(0.1)
        assert evaluating(database) == 0, seed
        check_ledger(database)
        answered_is_kept(database, load.answered)
        assert database.read_now(replay).differences == [], seed
        database.close()


def throw_out(database: Database) -> None:
    """End half of the connections that the workers have to the database, in the middle of whatever they do."""
    own = text(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
        "AND pid <> pg_backend_pid() AND random() < 0.5"
    )
    database.read_now(lambda connection: connection.execute(own).all())


@pytest.mark.parametrize("store_url", ["postgresql"], indirect=True)
@pytest.mark.parametrize("rounds", [15, pytest.param(150, marks=pytest.mark.slow)])
def test_whatever_moment_connections_are_lost_at_it_goes_on(store_url: str, rounds: int) -> None:
    seed = random.randrange(10**6)
    dice, load = random.Random(seed), Load()
    with serving(store_url, *OPTIONS) as server:
        load.server = server
        database = open_database(store_url)
        load.start()
        try:
            for _ in range(rounds):
                so_far = len(load.answered)
                load.wait_for_more(so_far)
                time.sleep(dice.uniform(0.0, 0.2))
                throw_out(database)
        finally:
            load.stop()
        assert not load.wrong, (seed, load.wrong)
        assert len({match for match, _ in load.answered}) == len(load.answered)
        check_ledger(database)
        answered_is_kept(database, load.answered)
        assert database.read_now(replay).differences == [], seed
        database.close()
