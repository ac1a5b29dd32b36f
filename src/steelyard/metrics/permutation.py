"""The sign-flip test: if neither side is better, each difference could as well have had the other sign."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from steelyard.metrics.whole import whole

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_EXACT_UP_TO = 18
_MANY_SIZES = 512
_CELLS = 2**22
# Sums of the same numbers in another order differ by roundings; they are ties all the same.
_TIE = 1e-9


class SignFlip(msgspec.Struct, frozen=True, kw_only=True):
    """A two-sided p-value; ``exact`` says that every way to flip was counted, else ``draws`` of them were drawn."""

    p: float
    exact: bool
    draws: int
    seed: int = 0


def sign_flip(differences: Any, *, draws: int = 20_000, seed: int = 0) -> SignFlip:
    """The test that the differences lie around zero; those that belong together come as one, as their sum.

    Up to 18 differences that are not zero, every way to flip them is counted. Beyond, so many are drawn, and the p-value
    is never zero: what was seen counts as one of them.

    >>> sign_flip([0.5, 0.25, 0.5, 0.0]).p
    0.25
    """
    values = np.asarray(differences, dtype=np.float64)
    if values.ndim != 1 or not np.isfinite(values).all():
        raise ValueError("differences must be one row of finite numbers")
    draws, seed = whole("draws", draws), whole("seed", seed)
    if draws < 1:
        raise ValueError(f"draws is {draws}; at least one is needed")
    sizes = np.abs(values[values != 0])
    seen = abs(float(values.sum())) - _TIE * float(sizes.sum())
    if len(sizes) <= _EXACT_UP_TO:
        sums = _every_sum(sizes)
        return SignFlip(p=float((np.abs(sums) >= seen).mean()), exact=True, draws=len(sums))
    dice = np.random.Generator(np.random.PCG64(seed))
    as_far = sum(int((np.abs(block) >= seen).sum()) for block in _drawn(sizes, draws, dice))
    return SignFlip(p=(as_far + 1) / (draws + 1), exact=False, draws=draws, seed=seed)


def _every_sum(sizes: Floats) -> Floats:
    sums = np.zeros(1)
    for size in sizes:
        sums = np.concatenate([sums + size, sums - size])
    return sums


def _drawn(sizes: Floats, draws: int, dice: np.random.Generator) -> Any:
    """Blocks of drawn sums. Where many differences have the same size, only how many of them flip is drawn."""
    distinct, counts = np.unique(sizes, return_counts=True)
    grouped = len(distinct) <= _MANY_SIZES
    width = len(distinct) if grouped else len(sizes)
    rows = max(1, _CELLS // width)
    for done in range(0, draws, rows):
        many = min(rows, draws - done)
        if grouped:
            yield (2 * dice.binomial(counts, 0.5, size=(many, width)) - counts) @ distinct
        else:
            bits = dice.integers(0, 256, size=(many, (width + 7) // 8), dtype=np.uint8)
            yield (2.0 * np.unpackbits(bits, axis=1, count=width) - 1.0) @ sizes
