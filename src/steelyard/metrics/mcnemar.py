"""McNemar's test: whether two sets of 0/1 answers to the same problems differ more than chance would have it."""

from __future__ import annotations

import math

import msgspec

from steelyard.metrics.whole import whole

_NOTHING = 1e-20


class McNemar(msgspec.Struct, frozen=True, kw_only=True):
    """The two-sided p-values; only the pairs that differ count.

    ``exact`` never rejects more often than it says. ``mid_p`` takes half of the chance of what was seen, and comes
    closer to the level that was asked for.
    """

    losses: int
    gains: int
    exact: float
    mid_p: float


def mcnemar(losses: int, gains: int) -> McNemar:
    """The test for so many pairs that went from right to wrong, and so many that went from wrong to right.

    >>> mcnemar(2, 8).exact
    0.109375
    >>> mcnemar(0, 0).mid_p
    1.0
    """
    losses, gains = whole("losses", losses), whole("gains", gains)
    if losses < 0 or gains < 0:
        raise ValueError(f"losses and gains are {losses} and {gains}; neither can be negative")
    changed, fewer = losses + gains, min(losses, gains)
    if (
        losses == gains
    ):  # nothing lies nearer to the middle, and there is one such outcome and not two
        mid = 1 - half_mass(fewer, changed) / 2 if changed else 1.0
        return McNemar(losses=losses, gains=gains, exact=1.0, mid_p=mid)
    exact = min(1.0, 2 * half_tail(fewer, changed))
    return McNemar(
        losses=losses, gains=gains, exact=exact, mid_p=max(0.0, exact - half_mass(fewer, changed))
    )


def half_mass(k: int, n: int) -> float:
    """The chance of exactly k heads in n throws of a fair coin.

    >>> half_mass(1, 2)
    0.5
    """
    if n <= 1000:
        return math.comb(n, k) / (1 << n)
    return math.exp(
        math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) - n * math.log(2)
    )


def half_tail(k: int, n: int) -> float:
    """The chance of at most k heads in n throws of a fair coin, for k up to n/2.

    >>> half_tail(2, 10)
    0.0546875
    """
    term = half_mass(k, n)
    terms = [term]
    for heads in range(k, 0, -1):
        term *= heads / (n - heads + 1)
        terms.append(term)
        if term < terms[0] * _NOTHING:
            break
    return math.fsum(terms)
