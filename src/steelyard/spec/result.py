"""A total becomes a result."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum

from steelyard.errors import DataError
from steelyard.primitives.values import describe, number

SOLO_WIN_THRESHOLD = 700
SOLO_DRAW_THRESHOLD = 400
FULL_MARKS = 1000


class Result(StrEnum):
    """How a match ended."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"


def score_to_result(score: int | float | Decimal) -> Result:
    """Win from 700, draw from 400, else loss.

    >>> score_to_result(823), score_to_result(699), score_to_result(0)
    (<Result.WIN: 'win'>, <Result.DRAW: 'draw'>, <Result.LOSS: 'loss'>)
    """
    points = number(score)
    if points is None or not 0 <= points <= FULL_MARKS:
        raise DataError(f"a score is a number between 0 and {FULL_MARKS}, not {describe(score)}")
    if points >= SOLO_WIN_THRESHOLD:
        return Result.WIN
    return Result.DRAW if points >= SOLO_DRAW_THRESHOLD else Result.LOSS
