"""How often the interval of grades between 0 and 1 holds the truth, by simulation.

    python benchmarks/coverage_grades.py             the table of docs/guide/metrics.md, in about half a minute
    python benchmarks/coverage_grades.py --smoke     few simulations, to see that it works

The truth p is drawn evenly from 0..1; the chances of clusters follow a beta distribution around it, and each sample has a grade
that is drawn around its cluster's chance.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from coverage_arrays import COMPARED, graded, kinds, singles, sizes_of

from steelyard.metrics import mean_interval
from steelyard.metrics.clusters import Clusters

SHAPES = {
    20: ("20 x 1", "10 x 2", "4 x 5", "2 x 10", "4 unequal"),
    100: ("100 x 1", "50 x 2", "20 x 5", "10 x 10", "5 x 20", "10 unequal"),
    1000: ("1000 x 1", "200 x 5", "100 x 10", "20 x 50"),
}
ALIKE = (0.0, 0.1, 0.3, 0.5, 0.8)
TINY = 1e-9


def around(chance: Any, spread: float, dice: np.random.Generator) -> Any:
    """Drawn from a beta distribution with that mean; the greater the spread, the nearer to 0 and 1."""
    odds = (1 - spread) / spread
    return np.nan_to_num(
        dice.beta(np.maximum(chance * odds, TINY), np.maximum((1 - chance) * odds, TINY))
    )


GRADES: dict[str, Callable[[Any, np.random.Generator], Any]] = {
    "quarters": lambda chance, dice: dice.binomial(4, chance) / 4,
    "smooth": lambda chance, dice: np.round(around(chance, 0.2, dice), 3),
    "mostly 0 or 1": lambda chance, dice: np.round(around(chance, 0.6, dice), 3),
}


def draw(
    sizes: tuple[int, ...], alike: float, grades: str, truth: Any, dice: np.random.Generator
) -> tuple[Any, Any]:
    """The sum of each cluster in thousandths, and the squares of all samples in millionths, a row for each truth."""
    chance = np.repeat(truth[:, None], len(sizes), axis=1)
    if alike:
        chance = around(chance, alike, dice)
    drawn = np.rint(1000 * GRADES[grades](np.repeat(chance, sizes, axis=1), dice)).astype(np.int64)
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    return np.add.reduceat(drawn, starts, axis=1), (drawn**2).sum(axis=1)


def held(sizes: tuple[int, ...], sums: Any, squares: Any, truth: Any) -> float:
    """The share of truths that the interval holds; in arrays, and some of them compared with the code of reports."""
    alone = max(sizes) == 1
    lower, upper = singles(sums.sum(axis=1), squares, len(sizes)) if alone else graded(sizes, sums)
    for place in np.linspace(0, len(truth) - 1, COMPARED).astype(int).tolist():
        found = reported(sizes, sums[place], int(squares[place]))
        if not np.allclose(
            [lower[place], upper[place]], [found.lower, found.upper], atol=1e-7, rtol=0
        ):
            raise AssertionError(
                f"{sums[place]}: {lower[place]}..{upper[place]} in arrays, {found} in reports"
            )
    return float(((lower <= truth) & (truth <= upper)).mean())


def reported(sizes: tuple[int, ...], row: Any, square: int) -> Any:
    """The interval that reports have for the sums of these clusters."""
    if max(sizes) == 1:
        return mean_interval(len(sizes), float(row.sum()) / 1000, square / 1e6)
    return clustered([(size, count, row[np.array(sizes) == size]) for size, count in kinds(sizes)])


def clustered(sums: list[tuple[int, int, Any]]) -> Any:
    """The interval that reports have for these sums of clusters, in thousandths."""
    given = {
        size: (count, Fraction(int(each.sum()), 1000), Fraction(int((each**2).sum()), 10**6))
        for size, count, each in sums
    }
    return Clusters.of_sums(given, binary=False).interval()


def coverage(told: str, n: int, grades: str, draws: int, dice: np.random.Generator) -> Any:
    """The coverage for each correlation; samples that stand alone have none, and are drawn as often as all others."""
    sizes = sizes_of(told, n)
    spots = [(alike, draws) for alike in ALIKE] if max(sizes) > 1 else [(0.0, draws * len(ALIKE))]
    found = []
    for alike, each in spots:
        truth = dice.random(each)
        found.append(held(sizes, *draw(sizes, alike, grades, truth, dice), truth))
    return np.array(found)


def main() -> None:
    """Print the table."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--smoke", action="store_true", help="few simulations of twenty samples")
    reader.add_argument("--draws", type=int, default=4_000)
    asked = reader.parse_args()
    draws, shapes = (100, {20: SHAPES[20]}) if asked.smoke else (asked.draws, SHAPES)
    print(
        f"| n | clusters | {' | '.join(GRADES)} | least and most covered |\n|--:|---|{'--:|' * len(GRADES)}--:|"
    )
    for n, told in [(each, told) for each in shapes for told in shapes[each]]:
        dice = np.random.default_rng([1, n, len(told)])
        found = [coverage(told, n, grades, draws, dice) for grades in GRADES]
        every = np.concatenate(found)
        name = "none" if told.endswith(" x 1") else told
        means = " | ".join(f"{one.mean():.1%}" for one in found)
        print(f"| {n:,} | {name} | {means} | {every.min():.1%} to {every.max():.1%} |", flush=True)


if __name__ == "__main__":
    main()
