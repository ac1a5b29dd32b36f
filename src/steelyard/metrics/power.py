"""How often a comparison or a gate comes to its end with so many problems: power, before anything is spent."""

from __future__ import annotations

import functools
import math
from statistics import NormalDist

import numpy as np

from steelyard.metrics.mcnemar import half_tail, mcnemar
from steelyard.metrics.noninferiority import critical_value, outcomes
from steelyard.metrics.paired import Sums, statistic
from steelyard.metrics.power_spread import Spread, drawn_units, shape
from steelyard.metrics.student import t_quantile

# Up to so many pairs that differ each outcome is counted; beyond, their number is as good as normal.
_COUNTED = 2_000
_HALVINGS = 50
# Up to so many units the gate is asked about drawn ones; beyond, their mean is as good as normal.
_DRAWN_UNITS = 200


def difference_power(
    spread: Spread, problems: int, repeats: int, effect: float, alpha: float = 0.05
) -> float:
    """How often a comparison finds the effect, two-sided at ``alpha``.

    >>> round(difference_power(Spread(loss=0.10, gain=0.15), 1000, 1, 0.05), 3)
    0.888
    """
    if problems < 2:
        return 0.0
    if spread.counted(repeats) and problems * (spread.loss + spread.gain) <= _COUNTED:
        return _mcnemar_power(problems, spread.loss, spread.gain, alpha)
    units = problems / max(1.0, spread.cluster_size)
    variance = spread.of_unit(repeats)
    if units < 2:
        return 0.0
    if variance <= 0:
        return 1.0
    reach = t_quantile(1 - alpha / 2, max(1, round(units) - 1)) * math.sqrt(
        (variance + effect * effect) / units
    )
    error = math.sqrt(variance / units)
    return NormalDist().cdf((abs(effect) - reach) / error) + NormalDist().cdf(
        (-abs(effect) - reach) / error
    )


def _mcnemar_power(n: int, loss: float, gain: float, alpha: float) -> float:
    lost, gained, chances = outcomes(n, loss, gain)
    power = 0.0
    for row, losses in enumerate(lost[:, 0]):
        for column, gains in enumerate(gained[0]):
            if chances[row, column] > 1e-12 and min(losses, gains) <= most_fewer(
                int(losses + gains), alpha
            ):
                power += float(chances[row, column])
    return power


@functools.lru_cache(maxsize=100_000)
def most_fewer(changed: int, alpha: float) -> int:
    """The most pairs on the smaller side with which so many that differ are significant by mid-p; −1 if none are.

    >>> most_fewer(10, 0.05), mcnemar(1, 9).mid_p < 0.05 < mcnemar(2, 8).mid_p
    (1, True)
    """
    fewer = int(changed / 2 - NormalDist().inv_cdf(1 - alpha / 2) * math.sqrt(changed) / 2) + 2
    fewer = min(fewer, (changed - 1) // 2)
    while (
        fewer >= 0
        and 2 * half_tail(fewer, changed) > alpha
        and mcnemar(fewer, changed - fewer).mid_p > alpha
    ):
        fewer -= 1
    return fewer


def gate_power(
    spread: Spread, problems: int, repeats: int, margin: float, confidence: float = 0.95
) -> float:
    """How often the gate says GO with that margin.

    >>> round(gate_power(Spread(loss=0.1, gain=0.1), 500, 1, 0.05), 3)
    0.791
    """
    if problems < 2:
        return 0.0
    if spread.counted(repeats) and problems * (spread.loss + spread.gain + margin) <= 10 * _COUNTED:
        lost, gained, chances = outcomes(problems, spread.loss, spread.gain)
        found = statistic(Sums(lost, gained, lost + gained, problems), -margin)
        return float(chances[found > critical_value(problems, margin, confidence)].sum())
    units = problems / max(1.0, spread.cluster_size)
    if units < 2:
        return 0.0
    critical = t_quantile(confidence, max(1, round(units) - 1))
    if spread.known(repeats) and units <= _DRAWN_UNITS and spread.gain == spread.loss:
        return _drawn_power(spread, repeats, round(units), margin, critical)
    variance = max(spread.of_unit(repeats), 1e-12)
    step, tails = shape(spread, repeats)
    needed = _needed_mean(variance, step, units, margin, critical)
    # The error is measured too: with few units, or where few of them differ, it comes out larger or smaller.
    error = math.sqrt(variance / units * (1 + critical**2 * (tails - 1) / (4 * units)))
    return NormalDist().cdf((spread.gain - spread.loss - needed) / error)


def _drawn_power(spread: Spread, repeats: int, units: int, margin: float, critical: float) -> float:
    """The share of drawn data sets that the gate lets through: with few units a single one that differs decides."""
    found = drawn_units(spread, repeats, _DRAWN_UNITS)[:, :units]
    lost, gained = np.maximum(-found, 0).sum(axis=1), np.maximum(found, 0).sum(axis=1)
    sums = Sums(lost, gained, (found * found).sum(axis=1), units)
    return float((statistic(sums.with_one_lost(), -margin) > critical).mean())


def _needed_mean(
    variance: float, step: float, units: float, margin: float, critical: float
) -> float:
    """The least mean difference that the gate lets through."""
    size = variance / step
    low, high = -margin, 1.0
    for _ in range(_HALVINGS):
        mean = (low + high) / 2
        apart = max(size, abs(mean))
        sums = Sums(
            units * (apart - mean) / 2, units * (apart + mean) / 2, units * apart * step, units
        )
        passes = statistic(sums.with_one_lost(), -margin) > critical
        low, high = (low, mean) if passes else (mean, high)
    return high
