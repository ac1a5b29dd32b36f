"""Every rating follows from the settled matches; whatever was tampered with is found."""

from __future__ import annotations

import json
import random

import pytest
from sqlalchemy import Connection, text

from arenas import CHALLENGE, Clock
from commands import Commands
from histories import join, play, varied
from steelyard.arena import library
from steelyard.arena.challenge import load_challenge
from steelyard.arena.replay import replay
from steelyard.store.database import Database


def season(connection: Connection, now: int = 1_000_000) -> list[str]:
    """Three agents at two challenges of two categories, with every kind of end; the names of the matches."""
    easy = load_challenge(CHALLENGE)
    hard = varied(easy, "maze", category="paths", difficulty="legendary")
    for challenge in (easy, hard):
        library.add(connection, challenge, now=now)
    dice = random.Random(7)
    agents = [join(connection, name) for name in ("ada", "bo", "cy")]
    return [
        play(
            connection,
            dice.choice(agents),
            dice.choice([easy, hard]),
            dice.choice([1000, 700, 699, 400, 399, None]),
            now=now + turn * 10,
            verified=dice.random() < 0.5,
            memoryless=dice.random() < 0.5,
        )
        for turn in range(120)
    ]


@pytest.fixture
def played(database: Database) -> list[str]:
    return database.write_now(season)


def unguarded(connection: Connection, change: str) -> None:
    """What somebody does who owns the database and takes the guards away first."""
    if connection.dialect.name == "sqlite":
        for verb in ("update", "delete"):
            connection.execute(text(f"DROP TRIGGER ratings_no_{verb}"))
    else:
        connection.execute(text("DROP TRIGGER ratings_only_grow ON ratings"))
    connection.execute(text(change))


def test_what_was_played_replays(database: Database, played: list[str]) -> None:
    found = database.read_now(replay)
    assert found.ok, found.differences
    assert (found.matches, found.events) == (len(played), 2 * len(played))
    assert found.ratings == 9  # three agents, overall and in two categories


def test_an_arena_in_which_nobody_played_replays(database: Database) -> None:
    found = database.read_now(replay)
    assert (found.ok, found.matches, found.events, found.ratings) == (True, 0, 0, 0)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            "UPDATE ratings SET after = after + 1 WHERE match_id = '{}' AND scope = 'overall'",
            "after is",
        ),
        (
            "UPDATE ratings SET before = before + 1 WHERE match_id = '{}' AND scope <> 'overall'",
            "before is",
        ),
        ("UPDATE ratings SET bonus = '9' WHERE match_id = '{}'", "bonus is 9"),
        ("UPDATE ratings SET bonus = 'much' WHERE match_id = '{}'", "bonus is much"),
        ("UPDATE ratings SET k = 64 WHERE match_id = '{}'", "k is 64"),
        ("UPDATE ratings SET opponent = 3000 WHERE match_id = '{}'", "opponent is 3000"),
        ("UPDATE ratings SET at = 1 WHERE match_id = '{}'", "at is 1"),
        ("UPDATE ratings SET sequence = sequence + 500 WHERE match_id = '{}'", "sequence is"),
        (
            "UPDATE ratings SET scope = 'category:else' WHERE match_id = '{}' AND scope <> 'overall'",
            "is no rating",
        ),
        ("DELETE FROM ratings WHERE match_id = '{}' AND scope = 'overall'", "has 0 events"),
        ("DELETE FROM ratings WHERE match_id = '{}'", "has 0 events"),
        (
            "UPDATE matches SET score = 1000, result = 'win' WHERE id = '{}' AND result <> 'win'",
            "result is loss",
        ),
        ("UPDATE matches SET score = 1000 WHERE id = '{}'", "1000 points are a win"),
        ("UPDATE matches SET score = 5000 WHERE id = '{}'", "score is 5000"),
        ("UPDATE matches SET state = 'active' WHERE id = '{}'", "was rated"),
        ("UPDATE matches SET outcome = NULL WHERE id = '{}'", "the agent was told"),
    ],
)
def test_whatever_was_changed_is_found(
    database: Database, played: list[str], change: str, told: str
) -> None:
    lost = database.read_now(
        lambda c: (
            c.execute(text("SELECT id FROM matches WHERE result = 'loss' AND state = 'completed'"))
            .scalars()
            .first()
        )
    )
    database.write_now(lambda connection: unguarded(connection, change.format(lost)))
    found = database.read_now(replay)
    assert any(told in difference.what for difference in found.differences), found.differences
    assert {
        one.match_id for one in found.differences if one.match_id and "sequence" not in one.what
    } >= {lost}


def test_the_fault_of_one_event_is_not_told_of_all_that_follow(
    database: Database, played: list[str]
) -> None:
    change = (
        f"UPDATE ratings SET after = after + 1 WHERE match_id = '{played[3]}' AND scope = 'overall'"
    )
    database.write_now(lambda connection: unguarded(connection, change))
    events = [
        one
        for one in database.read_now(replay).differences
        if one.match_id and "told" not in one.what
    ]
    assert len(events) == 2  # the event itself, and the next one, which starts elsewhere


@pytest.mark.parametrize("verb", ["UPDATE ratings SET after = 3000", "DELETE FROM ratings"])
def test_the_guards_are_there_and_name_their_reason(
    database: Database, played: list[str], verb: str
) -> None:
    from steelyard.errors import StoreError

    with pytest.raises(StoreError, match="only grows"):
        database.write_now(lambda connection: connection.execute(text(verb)))
    assert database.read_now(replay).ok


def test_the_command(
    steelyard: Commands, store_url: str, database: Database, played: list[str], clock: Clock
) -> None:
    ran = steelyard("arena", "replay", "--store", store_url)
    assert (ran.code, ran.out) == (0, "matches: 120; events: 240; ratings: 9; all agree\n")
    change = f"UPDATE ratings SET after = after + 1 WHERE match_id = '{played[-1]}' AND scope = 'overall'"
    database.write_now(lambda connection: unguarded(connection, change))
    ran = steelyard("arena", "replay", "--store", store_url, "--json")
    told = json.loads(ran.out)
    assert (ran.code, told["ok"], told["matches"]) == (1, False, 120)
    assert any(
        one["match_id"] == played[-1] and "after" in one["what"] for one in told["differences"]
    )
    assert "differences" in steelyard("arena", "replay", "--store", store_url).out
