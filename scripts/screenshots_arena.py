"""Make the pictures of the arena in docs/images again: every kind of page, wide and narrow, light and dark.

python scripts/screenshots_arena.py
"""

from __future__ import annotations

import sys
import tempfile
import time

from pictures import ROOT, Shot, chromium, take

sys.path.insert(0, str(ROOT / "tests"))

from servers import serving  # the tests' own season is what is shown
from world import World, make_world


def shots(world: World) -> list[Shot]:
    """What is shown."""
    match, going = (
        f"/matches/{world.matches['ferry-ledger draw']}",
        f"/matches/{world.matches['active']}",
    )
    agent = f"/agents/{world.agents['Old Hand']}"
    return [
        Shot("arena-leaderboard", "/", height=960),
        Shot("arena-leaderboard-dark", "/?verified=true", dark=True),
        Shot("arena-leaderboard-phone", "/", width=390, height=844),
        Shot("arena-challenges", "/challenges", height=620),
        Shot("arena-challenge", "/challenges/ferry-ledger", height=1180),
        Shot("arena-challenge-dark", "/challenges/lantern-posts", height=1180, dark=True),
        Shot("arena-agent", agent, height=1040),
        Shot("arena-agent-phone-dark", agent, width=390, height=844, dark=True),
        Shot("arena-match", match, height=1000),
        Shot("arena-match-dark", match, height=1000, dark=True),
        Shot("arena-match-phone", match, width=390, height=1100),
        Shot("arena-match-live", going, height=560),
    ]


def main() -> None:
    """Play a season, serve it, and look at it."""
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        store = f"{folder}/arena.db"
        world = make_world(store, end=time.time_ns() // 1000, hostile=False)
        with serving(store, challenges=()) as server:
            for shot in shots(world):
                take(browser, server.url, shot)


if __name__ == "__main__":
    main()
