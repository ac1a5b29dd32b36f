"""A challenge in numbers, by hand."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection, text

from arenas import CHALLENGE
from histories import join, play
from steelyard.arena import library
from steelyard.arena.analytics import analytics
from steelyard.arena.challenge import load_challenge
from steelyard.metrics.ability import Rated
from steelyard.metrics.intervals import wilson_interval
from steelyard.store.database import Database

# The points of each agent's attempts; None is one that was given up.
SEASON = {"Ada": [300, 800, 1000], "Bo": [900, 100], "Cy": [None], "Di": [700, 750, 699, 1000]}


def season(connection: Connection) -> None:
    challenge = load_challenge(CHALLENGE)
    library.add(connection, challenge, now=0)
    for name, attempts in SEASON.items():
        agent = join(connection, name)
        for turn, points in enumerate(attempts):
            play(connection, agent, challenge, points, now=10 + turn)


def test_every_number(database: Database) -> None:
    database.write_now(season)
    told = database.read_now(
        lambda c: analytics(c, "adding", difficulty=Rated(900.0, 700.0, 1100.0))
    )
    assert (told.matches, told.agents, told.wins, told.draws, told.losses) == (10, 4, 6, 1, 3)
    assert told.mean_score == pytest.approx(624.9)
    assert told.distribution == [1, 1, 0, 1, 0, 0, 1, 2, 1, 3]
    assert (told.pass_at_1.value, told.pass_at_1.of) == (0.5, 4)
    wanted = wilson_interval(2, 4)
    assert (told.pass_at_1.lower, told.pass_at_1.upper) == (wanted.lower, wanted.upper)
    assert (told.score.value, told.score.of) == (pytest.approx(624.9), 10)
    assert told.score.lower is not None
    assert told.score.lower < 624.9 < (told.score.upper or 0)
    assert told.difficulty is not None
    assert (told.difficulty.value, told.difficulty.lower, told.difficulty.upper) == (900, 700, 1100)
    # The first k attempts of those who have made so many.
    best = {one.attempts: (one.value, one.of) for one in told.best_of_k}
    assert best == {
        1: (pytest.approx((300 + 900 + 0 + 700) / 4), 4),
        2: (pytest.approx((800 + 900 + 750) / 3), 3),
        3: (pytest.approx((1000 + 750) / 2), 2),
        4: (1000, 1),
    }
    every = {one.attempts: (one.value, one.of) for one in told.pass_hat_k}
    assert every == {1: (0.5, 4), 2: (pytest.approx(1 / 3), 3), 3: (0, 2), 4: (0, 1)}
    curve = {one.attempts: (one.value, one.of) for one in told.learning_curve}
    assert curve == {1: (0.5, 4), 2: (pytest.approx(2 / 3), 3), 3: (0.5, 2), 4: (1, 1)}
    single = told.learning_curve[-1]
    assert (single.lower, single.upper) == (None, None)  # one agent has no interval


def test_a_failure_of_ours_is_no_score(database: Database) -> None:
    """It leaves a hole in its agent's attempts: neither a zero nor closed up."""
    database.write_now(season)

    def break_it(connection: Connection) -> None:
        connection.execute(
            text(
                "UPDATE matches SET state = 'failed', score = NULL, result = NULL WHERE attempt = 2 AND score = 800"
            )
        )

    database.write_now(break_it)
    told = database.read_now(lambda c: analytics(c, "adding"))
    assert (told.matches, told.wins) == (9, 5)
    assert {one.attempts: one.of for one in told.best_of_k} == {1: 4, 2: 2, 3: 1, 4: 1}
    assert {one.attempts: (one.value, one.of) for one in told.learning_curve}[3] == (0.5, 2)


def test_of_nothing_there_is_no_number(database: Database) -> None:
    told = database.read_now(lambda c: analytics(c, "adding"))
    assert (told.matches, told.mean_score, told.pass_at_1.value, told.score.value) == (
        0,
        None,
        None,
        None,
    )
    assert (told.best_of_k, told.pass_hat_k, told.learning_curve, told.difficulty) == (
        [],
        [],
        [],
        None,
    )
