"""The leaderboard from the store: who counts, in which order, and how often it is worked out."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection, insert

from arenas import CHALLENGE
from histories import join, play, varied
from steelyard.arena import library
from steelyard.arena.board import Filter, Place, leaderboard, make_board, record_of
from steelyard.arena.challenge import Challenge, load_challenge
from steelyard.arena.kept import LAG, Kept, stamp
from steelyard.metrics.ability import UNKNOWN, Played, fit_ratings
from steelyard.store.database import Database
from steelyard.store.schema import RATINGS

ADDING = load_challenge(CHALLENGE)
CHALLENGES = {
    "adding": ADDING,
    "maze": varied(ADDING, "maze", category="paths", difficulty="legendary"),
    "riddle": varied(ADDING, "riddle", category="paths", difficulty="newcomer", static=True),
}


def offered(connection: Connection) -> dict[str, Challenge]:
    for challenge in CHALLENGES.values():
        library.add(connection, challenge, now=0)
    return CHALLENGES


def season(connection: Connection) -> None:
    """Ada is good and proves it, Bo draws, Cy looks and leaves; Di is only ever late at a riddle that has no seeds."""
    on = offered(connection)
    ada, bo, cy, di = (join(connection, name) for name in ("Ada", "Bo", "Cy", "Di"))
    play(connection, ada, on["adding"], 1000, now=10, verified=True, memoryless=True)
    play(connection, ada, on["adding"], 300, now=20)
    play(connection, ada, on["maze"], 800, now=30, verified=True)
    play(connection, bo, on["maze"], 500, now=40)
    play(connection, bo, on["adding"], 700, now=50)
    play(connection, cy, on["maze"], None, now=60)
    play(connection, di, on["riddle"], None, now=70)
    for turn in range(5):
        play(connection, di, on["riddle"], 1000, now=80 + turn, verified=True)


def named(places: list[Place]) -> dict[str, Place]:
    return {place.name: place for place in places}


def test_abilities_are_those_of_the_fit(database: Database) -> None:
    database.write_now(season)
    board = database.read_now(lambda c: make_board(c, Filter()))
    played = [
        ("Ada", "adding", 1, True),
        ("Ada", "adding", 2, False),
        ("Ada", "maze", 1, True),
        ("Bo", "maze", 1, False),
        ("Bo", "adding", 1, True),
        ("Cy", "maze", 1, False),
        ("Di", "riddle", 1, False),
    ]
    strengths = {"adding": 1000, "maze": 1400, "riddle": 800}
    fitted = fit_ratings([Played(*one) for one in played], declared=strengths)
    for place in board.places:
        assert place.ability == pytest.approx(fitted.agents[place.name], abs=1e-4)
    assert set(board.difficulties) == set(strengths)
    for slug, rated in board.difficulties.items():
        assert rated == pytest.approx(fitted.challenges[slug], abs=1e-4)
    assert [place.name for place in board.places[:2]] == ["Ada", "Bo"]


@pytest.mark.parametrize(
    ("which", "records"),
    [
        (
            Filter(),
            {"Ada": (3, 2, 0, 1), "Bo": (2, 1, 1, 0), "Cy": (1, 0, 0, 1), "Di": (6, 5, 0, 1)},
        ),
        (Filter(verified=True), {"Ada": (2, 2, 0, 0), "Di": (5, 5, 0, 0)}),
        (Filter(memoryless=True), {"Ada": (1, 1, 0, 0)}),
        (
            Filter(first_attempt=True),
            {"Ada": (2, 2, 0, 0), "Bo": (2, 1, 1, 0), "Cy": (1, 0, 0, 1), "Di": (1, 0, 0, 1)},
        ),
        (Filter(category="arithmetic"), {"Ada": (2, 1, 0, 1), "Bo": (1, 1, 0, 0)}),
        (Filter(category="paths", verified=True), {"Ada": (1, 1, 0, 0), "Di": (5, 5, 0, 0)}),
        (Filter(category="overall"), {}),
    ],
)
def test_filters(database: Database, which: Filter, records: dict[str, tuple[int, ...]]) -> None:
    database.write_now(season)
    places = database.read_now(lambda c: leaderboard(c, which))
    assert {p.name: (p.match_count, p.wins, p.draws, p.losses) for p in places} == records


def test_where_no_seed_changes_a_challenge_later_wins_are_no_evidence(database: Database) -> None:
    database.write_now(season)
    proven = named(database.read_now(lambda c: leaderboard(c, Filter(verified=True))))
    assert proven["Di"].ability == UNKNOWN
    assert (
        named(database.read_now(lambda c: leaderboard(c, Filter())))["Di"].ability.lower
        < UNKNOWN.lower
    )


def test_elo_is_that_of_the_ledger_in_the_scope_that_is_asked_for(database: Database) -> None:
    database.write_now(season)
    for which in (Filter(), Filter(category="paths"), Filter(category="paths", verified=True)):
        for place in database.read_now(lambda c, which=which: leaderboard(c, which)):
            record = database.read_now(lambda c, place=place: record_of(c, place.agent_id))
            assert place.elo == (
                record["elo"] if which.category is None else record["categories"][which.category]
            )


def test_equal_ones_share_a_rank_and_stand_by_name(database: Database) -> None:
    def play_alike(connection: Connection) -> None:
        on = offered(connection)
        for name in ("Zed", "Yan", "Abe"):
            play(connection, join(connection, name), on["adding"], 1000, now=1)
        play(connection, join(connection, "Best"), on["maze"], 1000, now=2)
        play(connection, join(connection, "Last"), on["adding"], 0, now=3)

    database.write_now(play_alike)
    places = database.read_now(lambda c: leaderboard(c, Filter()))
    assert [(place.rank, place.name) for place in places] == [
        (1, "Best"),
        (2, "Abe"),
        (2, "Yan"),
        (2, "Zed"),
        (5, "Last"),
    ]


def test_nobody_played(database: Database) -> None:
    assert database.read_now(lambda c: leaderboard(c, Filter())) == []


def test_a_board_is_made_again_when_somebody_has_played(database: Database) -> None:
    database.write_now(season)
    kept = Kept(clock=lambda: 0.0)
    first = database.read_now(lambda c: kept.get(c, Filter()))
    assert database.read_now(lambda c: kept.get(c, Filter())) is first
    database.write_now(lambda c: play(c, join(c, "Eve"), CHALLENGES["adding"], 1000, now=500))
    assert "Eve" in named(database.read_now(lambda c: kept.get(c, Filter())))
    assert database.read_now(lambda c: kept.difficulty(c, "maze")) is not None
    assert database.read_now(lambda c: kept.difficulty(c, "nothing")) is None


def test_a_board_that_takes_long_is_not_made_for_every_match(database: Database) -> None:
    database.write_now(season)
    times = iter([0.0, 2.0, 2.0, 2.0 + 2 * LAG - 0.1, 2.0 + 2 * LAG, 2.0 + 2 * LAG, 20.0, 20.0])
    kept = Kept(clock=lambda: next(times))
    first = database.read_now(lambda c: kept.get(c, Filter()))
    database.write_now(lambda c: play(c, join(c, "Eve"), CHALLENGES["adding"], 1000, now=500))
    assert database.read_now(lambda c: kept.get(c, Filter())) is first
    assert "Eve" in named(database.read_now(lambda c: kept.get(c, Filter())))


def test_an_event_whose_number_is_lower_than_the_last_is_noticed(database: Database) -> None:
    """In PostgreSQL numbers are given out before transactions end."""
    database.write_now(season)
    before = database.read_now(stamp)
    if database.embedded:  # there is one writer, and numbers only rise
        assert before == (24, 0)
        return
    row = {
        "match_id": "late",
        "agent_id": "late",
        "scope": "overall",
        "sequence": 1,
        "result": "win",
        "opponent": 1,
        "k": 1,
        "bonus": "1",
        "before": 1,
        "after": 1,
        "at": 1,
        "id": -1,
    }

    def late(connection: Connection) -> None:
        connection.exec_driver_sql(
            "SET LOCAL session_replication_role = replica"
        )  # no foreign keys for this row
        connection.execute(insert(RATINGS).values(row))

    database.write_now(late)
    assert database.read_now(stamp) != before
