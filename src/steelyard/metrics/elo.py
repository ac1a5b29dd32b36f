"""Elo: what one match against a challenge of known strength changes in a rating."""

from __future__ import annotations

import functools
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache
from typing import Final, NamedTuple

START: Final = 1000
FLOOR: Final = 100
NEWCOMER_MATCHES: Final = 30
OPPONENTS: Final = {"newcomer": 800, "contender": 1000, "veteran": 1200, "legendary": 1400}

_K_NEWCOMER, _K_SETTLED = 32, 16
_EARNED = {"win": Decimal(1), "draw": Decimal("0.5"), "loss": Decimal(0)}
# Decimals, so that every machine rounds the same change to the same whole number.
_EXACT = Context(prec=40)


class Change(NamedTuple):
    """What a match does to a rating; ``change`` is what is left of it after the floor."""

    before: int
    after: int
    opponent: int
    k: int
    bonus: Decimal

    @property
    def change(self) -> int:
        """How far the rating moved."""
        return self.after - self.before


def bonus(*, verified: bool, memoryless: bool, first_attempt: bool) -> Decimal:
    """What the gain of a win is multiplied with.

    >>> bonus(verified=True, memoryless=True, first_attempt=True)
    Decimal('1.2')
    >>> bonus(verified=False, memoryless=True, first_attempt=True)
    Decimal('1')
    """
    if not verified:
        return Decimal(1)
    return Decimal("1.2") if memoryless and first_attempt else Decimal("1.1")


@functools.lru_cache(
    maxsize=8192
)  # a power of forty digits takes longer than everything else about a match's rating
def expected(rating: int, opponent: int) -> Decimal:
    """The share of the points that this rating is expected to take from that opponent.

    >>> expected(1000, 1000)
    Decimal('0.5')
    """
    return _share(opponent - rating)


@lru_cache(maxsize=8192)
def _share(gap: int) -> Decimal:
    odds = _EXACT.power(Decimal(10), _EXACT.divide(Decimal(gap), Decimal(400)))
    return _EXACT.divide(Decimal(1), _EXACT.add(Decimal(1), odds))


def elo_change(
    rating: int, opponent: int, result: str, *, finished: int, multiplier: Decimal = Decimal(1)
) -> Change:
    """The rating after a match: K × (S − E), the bonus of a win, rounding half away from zero, the floor of 100.

    ``finished`` is how many matches the agent had finished in this rating before.

    >>> elo_change(1000, 1000, "win", finished=0).after
    1016
    >>> elo_change(1000, 1000, "win", finished=0, multiplier=Decimal("1.1")).change
    18
    >>> elo_change(1000, 1400, "draw", finished=30, multiplier=Decimal("1.2")).change
    7
    >>> elo_change(104, 800, "loss", finished=30).after, elo_change(100, 100, "loss", finished=0).change
    (104, 0)
    """
    if result not in _EARNED:
        raise ValueError(f"result is {result!r}; 'win', 'draw' or 'loss' is needed")
    k = _K_NEWCOMER if finished < NEWCOMER_MATCHES else _K_SETTLED
    change = _EXACT.multiply(
        Decimal(k), _EXACT.subtract(_EARNED[result], expected(rating, opponent))
    )
    applied = multiplier if result == "win" else Decimal(1)  # draws and losses are never amplified
    moved = int(_EXACT.multiply(change, applied).quantize(Decimal(1), ROUND_HALF_UP, _EXACT))
    return Change(rating, max(FLOOR, rating + moved), opponent, k, applied)
