"""Elo by the rules: a table for every one, laws, and an independent formula."""

from __future__ import annotations

import decimal
import math
from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from steelyard.metrics.elo import FLOOR, OPPONENTS, START, bonus, elo_change, expected

ONE, SOME, MOST = Decimal(1), Decimal("1.1"), Decimal("1.2")
RATINGS = st.integers(FLOOR, 4000)
STRENGTHS = st.sampled_from(sorted(OPPONENTS.values()))
RESULTS = st.sampled_from(["win", "draw", "loss"])
FINISHED = st.integers(0, 100)


def test_the_constants() -> None:
    assert (START, FLOOR) == (1000, 100)
    assert OPPONENTS == {"newcomer": 800, "contender": 1000, "veteran": 1200, "legendary": 1400}


@pytest.mark.parametrize(
    ("rating", "opponent", "result", "finished", "multiplier", "after"),
    [
        # an equal opponent: half of K
        (1000, 1000, "win", 0, ONE, 1016),
        (1000, 1000, "draw", 0, ONE, 1000),
        (1000, 1000, "loss", 0, ONE, 984),
        # K is 32 up to and including the thirtieth match, then 16
        (1000, 1000, "win", 29, ONE, 1016),
        (1000, 1000, "win", 30, ONE, 1008),
        (1000, 1000, "loss", 29, ONE, 984),
        (1000, 1000, "loss", 30, ONE, 992),
        # by hand: E = 1/11 at 400 points below, 10/11 at 400 above
        (1000, 1400, "win", 0, ONE, 1029),  # 32 × 10/11 = 29.09
        (1000, 1400, "draw", 0, ONE, 1013),  # 32 × (1/2 − 1/11) = 13.09
        (1000, 1400, "loss", 0, ONE, 997),  # −32/11 = −2.91
        (1200, 800, "win", 0, ONE, 1203),
        (1200, 800, "draw", 0, ONE, 1187),
        (1200, 800, "loss", 0, ONE, 1171),
        (1000, 1200, "win", 0, ONE, 1024),  # 32 × 0.75975 = 24.31
        (1000, 800, "win", 0, ONE, 1008),  # 32 × 0.24025 = 7.69
        # the bonus, before rounding, on a win alone
        (1000, 1000, "win", 0, SOME, 1018),  # 17.6
        (1000, 1000, "win", 0, MOST, 1019),  # 19.2
        (1000, 1000, "win", 30, SOME, 1009),  # 8.8
        (1000, 1000, "win", 30, MOST, 1010),  # 9.6
        (1000, 1400, "win", 0, SOME, 1032),  # 32.0 exactly: 29.0909… × 1.1
        (1000, 1400, "draw", 0, MOST, 1013),  # a draw that gains is not amplified
        (1000, 800, "draw", 0, MOST, 992),  # nor one that costs: 32 × (0.5 − 0.7597) = −8.31
        (1000, 1000, "loss", 0, MOST, 984),
        # the floor comes last
        (110, 1000, "loss", 0, ONE, 110),  # hardly anything is expected: −0.19 rounds to 0
        (110, 100, "loss", 0, ONE, 100),  # −16.5 would be 93
        (100, 100, "loss", 0, ONE, 100),
        (115, 100, "loss", 0, ONE, 100),
        (117, 100, "loss", 0, ONE, 100),
        (118, 100, "loss", 0, ONE, 101),
    ],
)
def test_every_rule(
    rating: int, opponent: int, result: str, finished: int, multiplier: Decimal, after: int
) -> None:
    change = elo_change(rating, opponent, result, finished=finished, multiplier=multiplier)
    assert (change.before, change.after, change.change) == (rating, after, after - rating)
    assert change.k == (32 if finished < 30 else 16)
    assert change.bonus == (multiplier if result == "win" else 1)


@pytest.mark.parametrize(
    ("verified", "memoryless", "first", "gain"),
    [
        (v, m, f, MOST if v and m and f else SOME if v else ONE)
        for v in (0, 1)
        for m in (0, 1)
        for f in (0, 1)
    ],
)
def test_what_earns_a_bonus(verified: int, memoryless: int, first: int, gain: Decimal) -> None:
    assert (
        bonus(verified=bool(verified), memoryless=bool(memoryless), first_attempt=bool(first))
        == gain
    )


@pytest.mark.parametrize(
    ("exact", "whole"), [("0.5", 1), ("1.5", 2), ("2.5", 3), ("3.4", 3), ("0.4", 0)]
)
def test_halves_go_away_from_zero_on_both_sides(exact: str, whole: int) -> None:
    # Against an equal opponent a win is 16 × the multiplier, so that any gain can be made.
    assert elo_change(1000, 1000, "win", finished=0, multiplier=Decimal(exact) / 16).change == whole
    assert (
        elo_change(1000, 1000, "win", finished=0, multiplier=-Decimal(exact) / 16).change == -whole
    )


def test_a_loss_by_a_half_rounds_down() -> None:
    # 32 × E = 8.5 would need E = 17/64; the nearest gaps on either side land on 8 and 9, and none on a half.
    changes = {elo_change(1000, 1000 + gap, "loss", finished=0).change for gap in range(170, 185)}
    assert changes == {-8, -9}


def test_the_result_is_a_word_that_is_known() -> None:
    with pytest.raises(ValueError, match="'victory'"):
        elo_change(1000, 1000, "victory", finished=0)


@given(RATINGS, STRENGTHS, RESULTS, FINISHED, st.sampled_from([ONE, SOME, MOST]))
def test_it_agrees_with_a_plain_formula(
    rating: int, opponent: int, result: str, finished: int, multiplier: Decimal
) -> None:
    chance = 1 / (1 + math.pow(10, (opponent - rating) / 400))
    exact = (32 if finished < 30 else 16) * ({"win": 1, "draw": 0.5, "loss": 0}[result] - chance)
    exact *= float(multiplier) if result == "win" else 1
    assume(abs(abs(exact) % 1 - 0.5) > 1e-9)  # where floats cannot tell a half from its neighbour
    rounded = math.copysign(math.floor(abs(exact) + 0.5), exact)
    assert elo_change(
        rating, opponent, result, finished=finished, multiplier=multiplier
    ).after == max(100, rating + rounded)


@given(RATINGS, STRENGTHS, FINISHED)
def test_a_better_result_is_never_worth_less(rating: int, opponent: int, finished: int) -> None:
    after = [
        elo_change(rating, opponent, word, finished=finished).after
        for word in ("loss", "draw", "win")
    ]
    assert after == sorted(after)
    assert after[2] >= rating
    assert after[0] <= rating


@given(RATINGS, STRENGTHS, RESULTS, FINISHED)
def test_the_bonus_only_ever_helps_a_win(
    rating: int, opponent: int, result: str, finished: int
) -> None:
    plain, some, most = (
        elo_change(rating, opponent, result, finished=finished, multiplier=gain).after
        for gain in (ONE, SOME, MOST)
    )
    assert plain <= some <= most
    assert result == "win" or plain == most


@given(RATINGS, STRENGTHS, RESULTS, FINISHED)
def test_no_change_is_larger_than_k_and_no_rating_below_the_floor(
    rating: int, opponent: int, result: str, finished: int
) -> None:
    change = elo_change(rating, opponent, result, finished=finished)
    assert abs(change.change) <= change.k
    assert change.after >= FLOOR


@given(RATINGS, RATINGS)
def test_expectations_of_both_sides_are_one(rating: int, opponent: int) -> None:
    assert abs(expected(rating, opponent) + expected(opponent, rating) - 1) < Decimal("1e-35")


def test_the_rating_does_not_depend_on_anybodys_decimal_settings() -> None:
    with decimal.localcontext(prec=2, rounding=decimal.ROUND_DOWN):
        assert elo_change(1000, 1000, "win", finished=0, multiplier=SOME).after == 1018
        assert (
            elo_change(1203, 1400, "loss", finished=3).after
            == elo_change(1203, 1400, "loss", finished=9).after
        )
