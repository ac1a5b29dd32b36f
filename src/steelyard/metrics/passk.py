"""pass@k and pass^k: the chance that at least one of k attempts, or all of them, drawn from n with c right ones, are right."""

from __future__ import annotations

import math

from steelyard.metrics.whole import whole

# Products up to this size are worked out in full; beyond it n is so large that an integral is as good.
_EXACT_FACTORS, _EXACT_BITS = 20_000, 2_000_000
_LEAF = 32
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
    if few <= _EXACT_FACTORS and few * n.bit_length() <= _EXACT_BITS:
        draws = _falling(n, few)
        return (draws - _falling(n - many, few)) / draws  # a division of integers is rounded once
    return -math.expm1(-_miss(n, few, many))


def pass_hat_k(n: int, c: int, k: int) -> float:
    """pass^k, the chance that all of k attempts, drawn from n with c right ones, are right: C(c, k) / C(n, k).

    It is worked out in integers and rounded once. Impossible arguments are a ValueError that says why.

    >>> pass_hat_k(n=8, c=3, k=1), pass_hat_k(n=8, c=6, k=2), pass_hat_k(n=8, c=3, k=4)
    (0.375, 0.5357142857142857, 0.0)
    """
    n, c, k = whole("n", n), whole("c", c), whole("k", k)
    _refuse_impossible(n, c, k)
    if c == n:
        return 1.0
    if c < k:
        return 0.0
    # No wrong one may be drawn: that many factors for the wrong ones, or for the drawn ones, whichever are fewer.
    few, many = sorted((n - c, k))
    if few <= _EXACT_FACTORS and few * n.bit_length() <= _EXACT_BITS:
        return _falling(n - many, few) / _falling(n, few)
    return math.exp(-_miss(n, few, many))


def _refuse_impossible(n: int, c: int, k: int) -> None:
    if n < 1:
        raise ValueError(f"n is {n}; there must be at least one attempt")
    if not 0 <= c <= n:
        raise ValueError(f"c is {c}; between 0 and n = {n} attempts can be right")
    if not 1 <= k <= n:
        raise ValueError(f"k is {k}; between 1 and n = {n} attempts can be drawn")


def _falling(top: int, count: int) -> int:
    """top (top - 1) (top - 2) …, with so many factors, by halves of about the same size."""
    if count <= _LEAF:
        return math.prod(range(top - count + 1, top + 1))
    half = count // 2
    return _falling(top, half) * _falling(top - half, count - half)


def _miss(n: int, few: int, many: int) -> float:
    """Minus the sum of log(1 - many / (n - j)) for j < few, as an integral.

    It is only asked for where few is far below n, so the terms hardly bend: the error is below that of
    a float. The integers are only made floats as quotients, since they may be larger than any float.
    """
    unit = 2**60
    total = 0.0
    for node, weight in _NODES:
        left = n * unit - (few * int((node + 1) / 2 * unit) - unit // 2)
        share = many * unit / left
        if share >= 1:
            return math.inf
        # -log(1 - x) is x times a factor that is 1 for the smallest x.
        factor = -math.log1p(-share) / share if share > 0 else 1.0
        total += weight * (few * many * unit / left) * factor
    return total / 2
