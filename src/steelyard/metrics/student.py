"""Student's t distribution, as far as an interval needs it."""

from __future__ import annotations

import functools
import math
from statistics import NormalDist

_SERIES_UP_TO = 200


@functools.lru_cache(maxsize=1024)
def t_quantile(probability: float, degrees: int) -> float:
    """What Student's t with these degrees of freedom stays below with this probability (1/2 or more).

    >>> round(t_quantile(0.975, 9), 4)
    2.2622
    """
    z = NormalDist().inv_cdf(probability)
    if degrees > _SERIES_UP_TO:
        return _from_normal(z, degrees)
    low, high = 0.0, max(z, 1.0)
    while _within(high, degrees) < 2 * probability - 1:
        low, high = high, high * 2
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (
            (middle, high) if _within(middle, degrees) < 2 * probability - 1 else (low, middle)
        )
    return (low + high) / 2


def t_between(probability: float, degrees: float) -> float:
    """The same for degrees that need not be whole, 1 or more: between its neighbours, straight in 1 / degrees.

    >>> t_between(0.975, 9.0) == t_quantile(0.975, 9)
    True
    """
    whole = math.floor(degrees)
    low, high = t_quantile(probability, whole), t_quantile(probability, whole + 1)
    return low + (high - low) * (1 / whole - 1 / degrees) * whole * (whole + 1)


def _within(t: float, degrees: int) -> float:
    """The chance of lying in -t..t: the finite series for whole degrees of freedom."""
    angle = math.atan2(t, math.sqrt(degrees))
    sine, cosine = math.sin(angle), math.cos(angle)
    term = total = cosine if degrees % 2 else 1.0
    for step in range(3 if degrees % 2 else 2, degrees, 2):
        term *= cosine * cosine * (step - 1) / step
        total += term
    if degrees % 2 == 0:
        return sine * total
    return 2 / math.pi * (angle + (sine * total if degrees > 1 else 0.0))


def _from_normal(z: float, degrees: int) -> float:
    """The expansion around the normal quantile; for many degrees its error is below 1e-9."""
    s = z * z
    return z * (
        1
        + (s + 1) / 4 / degrees
        + ((5 * s + 16) * s + 3) / 96 / degrees**2
        + (((3 * s + 19) * s + 17) * s - 15) / 384 / degrees**3
        + ((((79 * s + 776) * s + 1482) * s - 1920) * s - 945) / 92160 / degrees**4
    )
