"""How often the default interval of a report holds the truth: exactly for single samples, by simulation for clusters.

    python benchmarks/coverage.py             the table of docs/guide/metrics.md, in a few minutes
    python benchmarks/coverage.py --smoke     few simulations, to see that it works

The truth p is drawn evenly from 0..1. Samples of one cluster share a chance of their own, drawn around p (a beta
distribution), so that two of them correlate as much as is asked for. That is one world of three. In ``probit`` clusters
have more or less of a normal trait, and in ``mixture`` some are all alike and the others not alike at all.
"""

from __future__ import annotations

import argparse
import itertools
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from scipy import special, stats

from steelyard.metrics import wilson_interval
from steelyard.metrics.clusters import Clusters

COUNTS = (20, 100, 1000)
SIZES = (2, 5, 10, 50)
ALIKE = (0.0, 0.1, 0.3, 0.5, 0.8, 1.0)
TRUTHS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99)
UNITS = ("samples", "clusters")
WORLDS = ("beta", "probit", "mixture")
# Of 1,000 clusters so many are drawn in all; a tenth of a point needs no more.
MOST_DRAWN = 4_000_000


class Setting(NamedTuple):
    """How many clusters there are and how large they are."""

    unit: str
    n: int
    size: int
    equal: bool

    def sizes(self) -> Any:
        """The size of each cluster; unequal ones are as 1 to 2 to 3 to 4 to 5, and as many samples in all."""
        count = self.n if self.unit == "clusters" else max(2, round(self.n / self.size))
        if self.equal:
            return np.full(count, self.size)
        weights = 1 + np.arange(count) % 5
        ends = np.round(count * self.size * np.cumsum(weights) / weights.sum()).astype(int)
        return np.maximum(1, np.diff(ends, prepend=0))

    def told(self) -> str:
        """The sizes in words."""
        sizes = self.sizes()
        return f"{self.size}" if self.equal else f"{sizes.min()} to {sizes.max()}"


def settings(counts: tuple[int, ...]) -> Iterator[Setting]:
    """All that are looked at: at least two clusters, and no thousand of 50."""
    for unit, n, size, equal in itertools.product(UNITS, counts, SIZES, (True, False)):
        if n >= 2 * size and not (unit == "clusters" and size == max(SIZES)):
            yield Setting(unit, n, size, equal)


def without_clusters(n: int) -> tuple[float, float]:
    """The coverage of Wilson's interval, averaged over all p and at the worst p: worked out, not simulated."""
    bounds = [wilson_interval(right, n) for right in range(n + 1)]
    right = np.arange(n + 1)
    lower, upper = (np.array([getattr(one, name) for one in bounds]) for name in ("lower", "upper"))
    inside = special.betainc(right + 1, n - right + 1, upper) - special.betainc(
        right + 1, n - right + 1, lower
    )
    edges = np.concatenate([upper + 1e-12, lower - 1e-12])
    held = [stats.binom.pmf(right, n, p)[(lower <= p) & (p <= upper)].sum() for p in edges if 0 < p < 1]
    return float(inside.sum() / (n + 1)), float(min(held))


def draw(sizes: Any, alike: float, truth: Any, dice: np.random.Generator, world: str = "beta") -> Any:
    """How many samples of each cluster are right, a row for each truth."""
    shape = (len(truth), len(sizes))
    centre = np.broadcast_to(truth[:, None], shape)
    if alike == 0:
        chance = centre
    elif alike == 1:
        chance = (dice.random(shape) < centre).astype(float)
    elif world == "probit":
        trait = math.sqrt(alike) * dice.standard_normal(shape)
        chance = special.ndtr((special.ndtri(centre) + trait) / math.sqrt(1 - alike))
    elif world == "mixture":
        chance = np.where(dice.random(shape) < alike, dice.random(shape) < centre, centre)
    else:
        odds = (1 - alike) / alike
        chance = np.nan_to_num(
            dice.beta(np.maximum(centre * odds, 1e-9), np.maximum((1 - centre) * odds, 1e-9))
        )
    return dice.binomial(np.broadcast_to(sizes, shape), chance)


def intervals(sizes: Any, right: Any) -> Iterator[tuple[float, float]]:
    """The bounds of each row, by the code that reports use."""
    kinds = sorted(set(sizes.tolist()))
    sums = {kind: right[:, sizes == kind].sum(axis=1).tolist() for kind in kinds}
    squares = {kind: (right[:, sizes == kind] ** 2).sum(axis=1).tolist() for kind in kinds}
    many = {kind: int((sizes == kind).sum()) for kind in kinds}
    for row in range(len(right)):
        found = Clusters.of_sums(
            {kind: (many[kind], sums[kind][row], squares[kind][row]) for kind in kinds}
        ).interval()
        yield found.lower, found.upper


def with_clusters(
    setting: Setting, alike: float, truth: Any, dice: np.random.Generator, world: str = "beta"
) -> float:
    """The share of simulations whose interval holds the truth."""
    sizes = setting.sizes()
    held = 0
    for part in np.array_split(truth, max(1, len(truth) * len(sizes) // 2_000_000)):
        found = intervals(sizes, draw(sizes, alike, part, dice, world))
        held += sum(lower <= p <= upper for p, (lower, upper) in zip(part, found, strict=True))
    return held / len(truth)


def measure(setting: Setting, simulations: int, dice: np.random.Generator) -> tuple[Any, float]:
    """The coverage in each world (down) for each correlation (across), averaged over p; and the lowest at one p."""
    each = min(simulations, MOST_DRAWN // len(setting.sizes()))
    means = [
        [with_clusters(setting, alike, dice.random(each), dice, world) for alike in ALIKE] for world in WORLDS
    ]  # fmt: skip
    lowest = min(
        with_clusters(setting, alike, np.full(max(20, each // 8), truth), dice)
        for alike in ALIKE
        for truth in TRUTHS
    )
    return np.array(means), lowest


def main() -> None:
    """Print the tables."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--smoke", action="store_true", help="few simulations of few settings")
    reader.add_argument("--simulations", type=int, default=8_000)
    reader.add_argument("--seed", type=int, default=1)
    asked = reader.parse_args()
    simulations, counts = (100, (20,)) if asked.smoke else (asked.simulations, COUNTS)
    print("| samples | coverage averaged over p | at the worst p |\n|--:|--:|--:|")
    for n in counts:
        mean, worst = without_clusters(n)
        print(f"| {n:,} | {mean:.1%} | {worst:.1%} |")
    print(f"\n| n | cluster size | clusters | {' | '.join(WORLDS)} | least and most covered | worst p |")
    print("|---|---|--:|--:|--:|--:|--:|--:|")
    for setting in settings(counts):
        dice = np.random.default_rng([asked.seed, setting.n, setting.size, setting.equal])
        means, worst = measure(setting, simulations, dice)
        print(f"| {setting.n:,} {setting.unit} | {setting.told()} | {len(setting.sizes()):,} "
              f"| {' | '.join(f'{mean:.1%}' for mean in means.mean(axis=1))} "
              f"| {means.min():.1%} to {means.max():.1%} | {worst:.1%} |", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
