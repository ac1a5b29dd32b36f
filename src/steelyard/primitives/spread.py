"""Keys for sets of which no submission can give very many the same hash.

Python hashes a number by a modulus that everybody knows, so 30,000 multiples of it are compared with each other, one by one.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Hashable
from decimal import Decimal
from typing import Any

_SMALL, _PLACES = 10**18, 18  # whole numbers below this are their own hashes
_CHUNK = 4_000  # digits; Python reads no more of them at once


def spread_set(keys: list[Any]) -> set[Hashable]:
    """The set of the keys; where all are texts, or small whole numbers, which most are, they are taken as they are."""
    kinds = set(map(type, keys))
    if kinds == {str} or (kinds == {int} and min(keys) > -_SMALL and max(keys) < _SMALL):
        return set(keys)
    return set(map(spread, keys))


def spread(known: Hashable) -> Hashable:
    """The key of a JSON value, for a set: equal where it was, with a second hash that nobody can know before.

    >>> spread(10**30) == spread(Decimal("1e30")), spread(Decimal("0.5")) == spread(Decimal("0.50"))
    (True, True)
    """
    if isinstance(known, int):
        return known if -_SMALL < known < _SMALL else (known, known % _modulus())
    if isinstance(known, tuple):
        return tuple(map(spread, known))
    if not isinstance(known, Decimal):
        return known
    if known.adjusted() < _PLACES and known == (whole := int(known)):
        return whole
    return known, _remainder(known)


def _remainder(number: Decimal) -> int:
    """What is left of the number by the secret modulus; the same for all ways to write it."""
    sign, digits, low = number.as_tuple()
    written, rest = "".join(map(str, digits)), 0
    for start in range(0, len(written), _CHUNK):
        chunk = written[start : start + _CHUNK]
        rest = (rest * pow(10, len(chunk), _modulus()) + int(chunk)) % _modulus()
    return (-rest if sign else rest) * pow(10, int(low), _modulus()) % _modulus()


@functools.cache
def _modulus() -> int:
    """A secret number that shares no factor with 10, so that each decimal has a remainder."""
    return 10 * int.from_bytes(os.urandom(8), "big") + 3
