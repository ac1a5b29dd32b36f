"""How often the default interval of a report holds the truth: worked out where it can be, else by simulation.

    python benchmarks/coverage.py             the tables of docs/guide/metrics.md, in about ten minutes
    python benchmarks/coverage.py --others    shapes that are not in the guide: the last table of decision 0012
    python benchmarks/coverage.py --smoke     few simulations of few shapes, to see that it works

The truth p is drawn evenly from 0..1, and the samples of a cluster hang together in one of five ways (coverage_worlds.py).
Where there are few ways in which clusters can come out, all are gone through; else so many are drawn at each of 200 truths
below one half, and those above are their mirror image.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from coverage_arrays import intervals, kinds, sizes_of
from coverage_worlds import WORLDS, chances
from scipy import special, stats

from steelyard.metrics import wilson_interval

COUNTS = (20, 100, 1000)
SHAPES = {
    20: ("10 x 2", "5 x 4", "4 x 5", "2 x 10", "10 unequal", "4 unequal", "2 + 18"),
    100: (
        "50 x 2",
        "20 x 5",
        "10 x 10",
        "5 x 20",
        "2 x 50",
        "20 unequal",
        "10 unequal",
        "25 + 75 x 1",
    ),
    1000: (
        "500 x 2",
        "200 x 5",
        "100 x 10",
        "50 x 20",
        "20 x 50",
        "10 x 100",
        "100 unequal",
        "20 unequal",
    ),
}
OTHERS = {
    20: ("5 + 15 x 1", "10 + 10 x 1", "3 unequal"),
    21: ("3 x 7",),
    60: ("3 x 20", "15 x 4"),
    100: (
        "12 unequal",
        "6 unequal",
        "10 + 90 x 1",
        "40 + 60 x 1",
        "50 + 50 x 1",
        "2 x 20 + 60 x 1",
        "10 x 5 + 50 x 1",
    ),
    105: ("7 x 15",),
    200: ("4 x 50",),
    1000: ("40 x 25", "5 x 200", "30 unequal", "7 unequal", "250 + 750 x 1"),
}
ALIKE = (0.0, 0.05, 0.1, 0.3, 0.5, 0.8, 1.0)
# Right and wrong are alike to every interval and world, so that one half of the truths tells all.
TRUTHS = (np.arange(200) + 0.5) / 400
SPOTS = np.array(
    [
        0.002,
        0.005,
        0.01,
        0.015,
        0.02,
        0.025,
        0.03,
        0.04,
        0.05,
        0.06,
        0.075,
        0.09,
        0.1,
        0.125,
        0.15,
        0.175,
        0.2,
        0.225,
        0.25,
        0.3,
        0.35,
        0.4,
        0.45,
        0.5,
    ]
)
ALL_SPOTS = np.arange(1, 201) / 400  # where nothing need be drawn
MOST_OUTCOMES = 200_000


class Spot(NamedTuple):
    """Where coverage is looked at: a way to hang together, how much, and the truths."""

    world: str
    alike: float
    truths: Any


class Outcomes(NamedTuple):
    """Ways in which clusters can come out: the log of the orders each can have, and how many clusters of each count."""

    orders: Any
    many: Any
    lower: Any
    upper: Any


def without_clusters(n: int) -> tuple[float, float]:
    """The coverage of Wilson's interval, averaged over all p and at the worst p: worked out, not simulated."""
    bounds = [wilson_interval(right, n) for right in range(n + 1)]
    right = np.arange(n + 1)
    lower, upper = (np.array([getattr(one, name) for one in bounds]) for name in ("lower", "upper"))
    inside = special.betainc(right + 1, n - right + 1, upper) - special.betainc(
        right + 1, n - right + 1, lower
    )
    edges = np.concatenate([upper + 1e-12, lower - 1e-12])
    held = [
        stats.binom.pmf(right, n, p)[(lower <= p) & (p <= upper)].sum() for p in edges if 0 < p < 1
    ]
    return float(inside.sum() / (n + 1)), float(min(held))


@functools.cache
def outcomes(sizes: tuple[int, ...]) -> Outcomes | None:
    """All ways in which equally large clusters can come out, or None where there are too many of them."""
    (size, count), *others = kinds(sizes)
    if others or math.comb(count + size, size) > MOST_OUTCOMES:
        return None
    bars = np.array(
        list(itertools.combinations(range(count + size), size)), dtype=np.int64
    ).reshape(-1, size)
    ends = np.column_stack([np.full(len(bars), -1), bars, np.full(len(bars), count + size)])
    many = np.diff(ends, axis=1) - 1
    orders = special.gammaln(count + 1) - special.gammaln(many + 1).sum(axis=1)
    counts = np.arange(size + 1)
    lower, upper = intervals(sizes, np.column_stack([many @ counts, many @ counts**2]))
    return Outcomes(orders, many.astype(float), lower, upper)


def worked_out(sizes: tuple[int, ...], found: Outcomes, spot: Spot) -> Any:
    """The coverage at each truth."""
    (size, _), *_ = kinds(sizes)
    held = []
    for truths in np.array_split(
        spot.truths, max(1, len(spot.truths) * len(found.many) // 2_000_000)
    ):
        with np.errstate(divide="ignore"):
            logs = np.maximum(np.log(chances(spot.world, size, truths, spot.alike)), -1e4)
        weights = np.exp(found.orders[:, None] + found.many @ logs.T)
        inside = (found.lower[:, None] <= truths) & (truths <= found.upper[:, None])
        held.append((weights * inside).sum(axis=0))
    return np.concatenate(held)


def simulated(sizes: tuple[int, ...], spot: Spot, draws: int, dice: np.random.Generator) -> Any:
    """The share of simulations at each truth whose interval holds it."""
    sums = []
    for size, count in kinds(sizes):
        counts = np.arange(size + 1)
        each = chances(spot.world, size, spot.truths, spot.alike)
        drawn = dice.multinomial(count, each, (draws, len(spot.truths)))
        sums += [drawn @ counts, drawn @ counts**2]
    lower, upper = intervals(sizes, np.stack(sums, axis=-1).reshape(draws * len(spot.truths), -1))
    every = np.tile(spot.truths, draws)
    return ((lower <= every) & (every <= upper)).reshape(draws, -1).mean(axis=0)


def coverage(sizes: tuple[int, ...], spot: Spot, draws: int, dice: np.random.Generator) -> Any:
    """The coverage at each truth of the spot, worked out if it can be."""
    found = outcomes(sizes)
    return worked_out(sizes, found, spot) if found else simulated(sizes, spot, draws, dice)


def averages(sizes: tuple[int, ...], draws: int, dice: np.random.Generator) -> Any:
    """The coverage in each world (down) for each correlation (across), averaged over p."""
    means = np.zeros((len(WORLDS), len(ALIKE)))
    for (row, world), (column, alike) in itertools.product(enumerate(WORLDS), enumerate(ALIKE)):
        same = row > 0 and alike in {0, 1}  # all worlds are one there
        spot = Spot(world, alike, TRUTHS)
        means[row, column] = means[0, column] if same else coverage(sizes, spot, draws, dice).mean()
    return means


def edge(n: int) -> float:
    """Where the coverage of Wilson's interval is lowest: just below the lower bound that one right sample has."""
    lower = wilson_interval(1, n).lower or 0.0
    step = 10.0 ** (math.ceil(math.log10(lower)) - 2)
    return round(math.floor(lower / step) * step, 9)


def worst(sizes: tuple[int, ...], draws: int, dice: np.random.Generator) -> tuple[float, Spot]:
    """The lowest coverage of one truth, and where: few draws find the places, many measure the lowest two dozen."""
    found, truths = (
        [],
        np.union1d(ALL_SPOTS if outcomes(sizes) else SPOTS, [edge(sum(sizes)), edge(len(sizes))]),
    )
    for world, alike in itertools.product(WORLDS, ALIKE):
        if alike in {0, 1} and world != "beta":
            continue
        held = coverage(sizes, Spot(world, alike, truths), max(1, draws // 40), dice)
        found += [
            (share, world, alike, p)
            for share, p in zip(held.tolist(), truths.tolist(), strict=True)
        ]
    spots = [Spot(world, alike, np.array([p])) for _, world, alike, p in sorted(found)[:24]]
    shares = [float(coverage(sizes, spot, draws, dice)[0]) for spot in spots]
    return min(zip(shares, spots, strict=True), key=lambda one: one[0])


def rows(shapes: dict[int, tuple[str, ...]], draws: int, seed: int) -> Iterator[str]:
    """The table of clusters, a line for each shape. ``draws`` are those at one truth, for the worst of them."""
    for n, told in [(each, told) for each in shapes for told in shapes[each]]:
        sizes = sizes_of(told, n)
        dice = np.random.default_rng([seed, n, len(sizes), max(sizes)])
        means = averages(sizes, max(1, draws // 400), dice)
        lowest, spot = worst(sizes, draws, dice)
        name = f"{told}, {min(sizes)} to {max(sizes)}" if told.endswith("unequal") else told
        yield (
            f"| {n:,} | {name} | {' | '.join(f'{mean:.1%}' for mean in means.mean(axis=1))} | {means.min():.1%} to "
            f"{means.max():.1%} | {lowest:.1%} ({spot.world} {spot.alike:g}, p = {spot.truths[0]:g}) |"
        )


def main() -> None:
    """Print the tables."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--smoke", action="store_true", help="few simulations of twenty samples")
    reader.add_argument(
        "--draws", type=int, default=40_000, help="at the worst truth; half for averages"
    )
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--n", type=int, choices=COUNTS, help="these samples alone")
    reader.add_argument("--others", action="store_true", help="shapes that are not in the guide")
    asked = reader.parse_args()
    draws, counts = (
        (400, (20,)) if asked.smoke else (asked.draws, (asked.n,) if asked.n else COUNTS)
    )
    print("| samples | averaged over p | at the worst p |\n|--:|--:|--:|")
    for n in counts:
        mean, lowest = without_clusters(n)
        print(f"| {n:,} | {mean:.1%} | {lowest:.1%} |")
    print(f"\n| n | clusters | {' | '.join(WORLDS)} | least and most covered | worst p |")
    print(f"|--:|---|{'--:|' * len(WORLDS)}--:|--:|")
    for row in rows(OTHERS if asked.others else {n: SHAPES[n] for n in counts}, draws, asked.seed):
        print(row, flush=True)


if __name__ == "__main__":
    main()
