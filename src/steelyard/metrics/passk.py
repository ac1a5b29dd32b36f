"""pass@k: the chance that at least one of k attempts, drawn from n with c right ones, is right."""

from __future__ import annotations

import math
from fractions import Fraction

from steelyard.metrics.whole import whole

_EXACT_FACTORS = 20_000
# The nodes and weights of Gauss's rule with three points on -1..1.
_NODES = ((-math.sqrt(0.6), 5 / 9), (0.0, 8 / 9), (math.sqrt(0.6), 5 / 9))


def pass_at_k(n: int, c: int, k: int) -> float:
    """The unbiased estimate 1 - C(n-c, k) / C(n, k), worked out in integers and rounded once.

    Impossible arguments are a ValueError that says why.

    >>> pass_at_k(n=8, c=3, k=1)
    0.375
    >>> pass_at_k(n=8, c=3, k=4)
    0.9285714285714286
    """
    n, c, k = whole("n", n), whole("c", c), whole("k", k)
    _refuse_impossible(n, c, k)
    if c == 0:
        return 0.0
    if n - c < k:
        return 1.0
    # C(n-c, k) / C(n, k) is the same with c and k exchanged, so the smaller one counts the factors.
    few, many = sorted((c, k))
    if few * many > 40 * n:
        return 1.0  # all draws fail with a chance below exp(-40), which no float next to 1 can show
    if few <= _EXACT_FACTORS:
        return float(1 - Fraction(math.perm(n - many, few), math.perm(n, few)))
    return -math.expm1(_log_miss(n, few, many))


def _refuse_impossible(n: int, c: int, k: int) -> None:
    if n < 1:
        raise ValueError(f"n is {n}; there must be at least one attempt")
    if not 0 <= c <= n:
        raise ValueError(f"c is {c}; between 0 and n = {n} attempts can be right")
    if not 1 <= k <= n:
        raise ValueError(f"k is {k}; between 1 and n = {n} attempts can be drawn")


def _log_miss(n: int, few: int, many: int) -> float:
    """The sum of log(1 - many / (n - j)) for j < few, as an integral.

    It is only asked for where few and many are below n / 500, so the terms hardly bend: the error is
    far below that of a float.
    """
    unit = 2**30
    total = 0.0
    for node, weight in _NODES:
        place = int((few * (node + 1) - 1) / 2 * unit)
        total += weight * math.log1p(-(many * unit) / (n * unit - place))
    return total * few / 2
