"""Stores for the benchmark of the arena: fresh ones, with agents whose matches wait for their submission."""

from __future__ import annotations

import contextlib
import http.client
import itertools
import json
import os
import socket
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import insert

from steelyard.arena import agents, library
from steelyard.arena.challenge import Challenge
from steelyard.arena.generation import generate
from steelyard.arena.match import SECOND, Match, State
from steelyard.arena.service import now
from steelyard.store.database import open_database
from steelyard.store.schema import AGENTS, MATCHES

SCRIPTS = Path(__file__).parent.parent / "scripts"
SLUG, SEED = "ferry-ledger", 7
# The whole truth of that seed.
ANSWER = {
    "total": 136940,
    "altered": ["E003", "E009", "E038", "E042", "E048", "E055"],
    "clerk": "Ciril",
}
BODY = json.dumps({"answer": ANSWER, "metadata": {"model_id": "model-7b", "harness_id": "loop"}})
_LOGS_AHEAD = 4
_NUMBERS = itertools.count(1)


@contextlib.contextmanager
def opened(kind: str, folder: Path) -> Iterator[Callable[[], str]]:
    """Makes a new store at each call."""
    if kind == "sqlite":
        yield lambda: f"sqlite:///{folder}/arena-{next(_NUMBERS)}.db"
        return
    cluster = str(folder / "cluster")
    made = subprocess.run(
        ["sh", SCRIPTS / "start_postgres.sh", cluster], capture_output=True, text=True, check=False
    )
    if made.returncode:
        raise SystemExit(made.stderr.strip())
    try:
        yield lambda: _database(made.stdout.strip())
    finally:
        subprocess.run(["sh", SCRIPTS / "stop_postgres.sh", cluster], check=False)


def _database(server: str) -> str:
    import psycopg

    name = f"arena_{next(_NUMBERS)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return f"{server.rsplit('/', 1)[0]}/{name}"


def matches(store: str, file: Path, count: int) -> Path:
    """Enter so many matches of as many agents, and write the submissions to them."""
    database = open_database(store)
    challenge = database.read_now(lambda connection: library.current(connection, SLUG))
    made = generate(challenge, SEED)
    truth, moment = msgspec.json.encode(made.truth), now()
    rows = [_one(challenge, truth, moment) for _ in range(count)]
    with database.engine.begin() as connection:
        connection.execute(insert(AGENTS), [agent for agent, _, _ in rows])
        connection.execute(insert(MATCHES), [match for _, match, _ in rows])
        if database.embedded:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    with file.open("w") as lines:
        for _, match, key in rows:
            lines.write(json.dumps([f"/api/v1/matches/{match['id']}/submit", key, BODY]) + "\n")
    return file


def _one(
    challenge: Challenge, truth: bytes, moment: int
) -> tuple[dict[str, Any], dict[str, Any], str]:
    name, key = os.urandom(8).hex(), agents.new_key()
    agent = {
        "id": f"ag_{name}",
        "name": name,
        "name_key": name,
        "base_model": "model-7b",
        "harness": "loop",
        "key_hash": agents.hash_key(key),
        "created_at": moment,
    }
    match = Match(
        id=f"m_{os.urandom(12).hex()}",
        agent_id=agent["id"],
        slug=SLUG,
        version=challenge.about.version,
        seed=SEED,
        attempt=1,
        memoryless=False,
        state=State.ACTIVE,
        entered_at=moment,
        deadline=moment + 3600 * SECOND,
        submitted_at=None,
        submission_digest=None,
        lease=None,
        lease_until=None,
        tries=0,
        finished_at=None,
        score=None,
        result=None,
        verified=None,
        scorer=challenge.scorer,
        failure=None,
    )
    return agent, {**msgspec.structs.asdict(match), "truth": truth}, key


def settle(store: str) -> None:
    """Make a new server of PostgreSQL like one that has run for a while, before anything is measured.

    Such a one writes its log into files that it has had before. One that is new makes each of them first, and whoever
    commits then waits a tenth of a second or two; so a few are made ahead.
    """
    database = open_database(store)
    if not database.embedded:
        with database.engine.connect().execution_options(
            isolation_level="AUTOCOMMIT"
        ) as connection:
            for _ in range(_LOGS_AHEAD):
                connection.exec_driver_sql(
                    "SELECT pg_logical_emit_message(true, 'steelyard', 'next'), pg_switch_wal()"
                )
            connection.exec_driver_sql("CHECKPOINT")
    database.close()


def bare_requests(file: Path, count: int) -> Path:
    """Submissions of the same size for the bare handler."""
    with file.open("w") as lines:
        for _ in range(count):
            lines.write(
                json.dumps([f"/submit/m_{os.urandom(12).hex()}", agents.new_key(), BODY]) + "\n"
            )
    return file


def head(file: Path, count: int) -> Path:
    """The first lines of it, in a file of their own."""
    short = file.with_suffix(".head")
    with file.open() as lines:
        short.write_text("".join(itertools.islice(lines, count)))
    return short


def sync_ms(folder: Path, times: int = 50) -> float:
    """How long the disk takes to make 4 kB durable: the median."""
    found = []
    handle = os.open(folder / "sync", os.O_CREAT | os.O_WRONLY)
    for _ in range(times):
        os.write(handle, b"x" * 4096)
        begun = time.perf_counter()
        os.fsync(handle)
        found.append(1000 * (time.perf_counter() - begun))
    os.close(handle)
    return statistics.median(found)


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def answers(port: int, process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Whether something answers there before the time is over."""
    until = time.monotonic() + seconds
    while time.monotonic() < until and process.poll() is None:
        with contextlib.suppress(OSError, http.client.HTTPException):
            line = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            line.request("GET", "/health")
            line.getresponse().read()
            return True
        time.sleep(0.1)
    return False
