"""`steelyard arena sweep`, beside a running service and without one."""

from __future__ import annotations

import json
from pathlib import Path

from commands import Commands
from ledgers import make_overdue
from servers import Player, serving


def test_a_round_by_hand(steelyard: Commands, tmp_path: Path) -> None:
    store = tmp_path / "arena.db"
    with serving(str(store), "--sweep-seconds", 30) as server:
        player = Player(server)
        make_overdue(str(store), player.enter("blink")["match_id"])
        ran = steelyard("arena", "sweep", "--store", store, "--json")
        assert (ran.code, json.loads(ran.out)) == (0, {"expired": 1, "silent": 0, "taken_over": 0})
        assert player.get("/agents/me").data["losses"] == 1
    assert (
        steelyard("arena", "sweep", "--store", store).out == "expired 0, silent 0, taken over 0\n"
    )


def test_no_store_is_made_by_accident(steelyard: Commands, tmp_path: Path) -> None:
    ran = steelyard("arena", "sweep", "--store", tmp_path / "other.db")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert not (tmp_path / "other.db").exists()
    (tmp_path / "empty.db").touch()
    assert steelyard("arena", "sweep", "--store", tmp_path / "empty.db").code == 2
