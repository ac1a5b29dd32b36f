"""A store that is locked, full or gone, seen by an agent: told with 503, nothing half stored, and answered later."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from ledgers import answered_is_kept, check_ledger
from servers import Answer, Player, serving
from sites import FREE
from steelyard.arena.replay import replay
from steelyard.arena.service import Arena
from steelyard.errors import StoreError
from steelyard.store.database import open_database
from steelyard.web.app import guarded

FREELY = ("--address-rate", 0, "--key-rate", 0, "--register-rate", 0, "--sweep-seconds", 0.2)
SMALL = 3 * 2**20
LONG = "x" * 200_000


def check_refusal(told: Answer) -> None:
    assert told.status == 503, told
    assert told.error == "the arena cannot do this now; nothing was lost, try again later"
    assert int(told.headers["retry-after"]) > 0


@pytest.mark.slow
def test_a_store_that_somebody_keeps_locked_is_told_and_nothing_is_lost(tmp_path: Path) -> None:
    file = tmp_path / "arena.db"
    with serving(f"sqlite:///{file}?timeout=0.5", *FREELY) as server:
        player = Player(server)
        match = player.enter()["match_id"]
        answer = player.right(match)
        holder = sqlite3.connect(file, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        check_refusal(player.submit(match, answer))
        check_refusal(player.post("/matches/enter", {"challenge_slug": "shares"}))
        check_refusal(server.api("POST", "/agents/register", {"name": "late"}))
        assert (
            player.get(f"/matches/{match}").data["state"] == "active"
        )  # whoever only looks is not kept
        server.logged("StoreError", "database is locked")
        holder.execute("ROLLBACK")
        holder.close()
        told = player.submit(match, answer)
        assert (told.status, told.data["result"]) == (200, "win")
        assert player.get("/matches").data["total"] == 1
        assert server.api("POST", "/agents/register", {"name": "late"}).status == 201


def small_disk(place: Path) -> list[str]:
    """A command before another one, which then sees a disk of its own at that place."""
    alone = (
        ["unshare", "--mount"] if os.getuid() == 0 else ["unshare", "--map-root-user", "--mount"]
    )
    mount = f'mount -t tmpfs -o size={SMALL} none "$0" && exec "$@"'
    return [*alone, "sh", "-c", mount, str(place)]


@pytest.mark.slow
def test_a_full_disk_is_told_and_what_was_answered_is_kept(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    answered = []
    with serving(f"sqlite:///{disk}/arena.db", *FREELY, inside=small_disk(disk)) as server:
        player = Player(server)
        for number in range(40):
            entered = player.post("/matches/enter", {"challenge_slug": "adding"})
            if entered.status != 201:
                break
            match = entered.data["match_id"]
            told = player.submit(match, {"total": number}, note=LONG)
            if told.status != 200:
                break
            answered.append((match, told.data))
        refused = told if entered.status == 201 else entered
        check_refusal(refused)
        server.logged("StoreError", "full")
        assert len(answered) > 2
        if entered.status == 201:
            found = player.get(f"/matches/{match}").data
            assert (found["state"], found["score"]) == ("active", None)
        assert player.get("/agents/me").data["match_count"] == len(answered)
        kept = tmp_path / "kept"
        shutil.copytree(Path(f"/proc/{server.process.pid}/root") / disk.relative_to("/"), kept)
    database = open_database(str(kept / "arena.db"))
    check_ledger(database)
    answered_is_kept(database, answered)
    assert database.read_now(replay).differences == []
    database.close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)  # where a single thread writes
def test_a_service_that_cannot_write_any_more_does_not_say_that_it_is_up(arena: Arena) -> None:
    def end(_: Any) -> None:
        raise SystemExit

    with TestClient(guarded(arena, FREE)) as client:
        assert client.get("/health").status_code == 200
        with pytest.raises(StoreError):
            arena.database.write_now(end)
        assert client.get("/health").status_code == 503


@pytest.mark.parametrize("missing", ["jinja2", "litestar", "granian", "sqlalchemy"])
def test_what_is_not_installed_is_named_in_one_line(tmp_path: Path, missing: str) -> None:
    program = (
        f"import sys; sys.modules[{missing!r}] = None; sys.argv = ['steelyard', 'serve', '--port', '0']; "
        "from steelyard.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 3
    assert (
        done.stderr.strip()
        .splitlines()[-1]
        .endswith(f"the arena needs {missing}: pip install 'steelyard[arena]'")
    )
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())
