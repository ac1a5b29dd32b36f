"""How often the gate is wrong, and whether plans keep their word: the tables of docs/guide/gate.md.

python benchmarks/gate.py [--smoke]
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator

import numpy as np
from gate_worlds import Uneven, World, go_rate, uneven_rates

from steelyard.metrics.noninferiority import critical_value, outcomes
from steelyard.metrics.paired import Sums, statistic
from steelyard.metrics.power import gate_power
from steelyard.metrics.power_search import problems_needed
from steelyard.metrics.power_spread import assumed

MARGINS = (0.02, 0.05, 0.1)
SIZES = (20, 50, 100, 200, 500, 1000)


def exact_sizes(sizes: tuple[int, ...], points: int) -> Iterator[tuple[str, ...]]:
    """One 0/1 attempt a problem: the largest chance of a wrong GO over all shares of pairs that differ, counted."""
    for n in sizes:
        yield (
            str(n),
            *(f"{rate:.1%}" for margin in MARGINS for rate in worst_rates(n, margin, points)),
        )


def worst_rates(n: int, margin: float, points: int) -> tuple[float, float]:
    """With the gate's critical value, and with the usual one."""
    rates = []
    for gain in np.linspace(0, (1 - margin) / 2, points):
        lost, gained, chances = outcomes(n, gain + margin, float(gain))
        found = statistic(Sums(lost, gained, lost + gained, n), -margin)
        rates.append(
            [
                float(chances[found > critical].sum())
                for critical in (critical_value(n, margin), 1.645)
            ]
        )
    return max(gate for gate, _ in rates), max(usual for _, usual in rates)


def worlds(problems: int) -> list[tuple[str, World]]:
    """The worlds that are drawn, with what is said of them."""
    return [
        ("4 repeats", World(problems, repeats=4)),
        ("8 repeats, base 0.2, unsteady", World(problems, base=0.2, repeats=8, consistency=0.3)),
        (
            "2 repeats, steady, all shared",
            World(problems, base=0.9, repeats=2, consistency=1.0, shared=1.0),
        ),
        ("clusters of 4, half alike", World(problems, cluster=4, alike=0.5)),
        ("clusters of 10, all alike", World(problems, cluster=10, alike=1.0)),
        (
            "clusters of 5 with 3 repeats",
            World(problems, base=0.95, cluster=5, alike=0.3, repeats=3),
        ),
        ("graded, small steps", World(problems, graded="small steps")),
        ("graded, three levels", World(problems, graded="levels")),
        ("graded, rare and total losses", World(problems, graded="rare and total")),
    ]


def with_error(rate: float, draws: int) -> str:
    """A rate and its standard error, in percent."""
    return f"{rate:.2%} ± {100 * math.sqrt(rate * (1 - rate) / draws):.2f}"


def drawn_sizes(
    sizes: tuple[int, ...], draws: int, found: list[tuple[float, int, int, float]]
) -> Iterator[tuple[str, ...]]:
    """All other worlds: how often a loss of the margin gets through. Each rate goes into ``found`` with where it is."""
    for place in range(len(worlds(20))):
        for margin in MARGINS:
            rates = []
            for n in sizes:
                name, world = worlds(n)[place]
                rate = go_rate(world._replace(loss=margin), margin, draws=draws, seed=n)
                found.append((rate, place, n, margin))
                rates.append(f"{rate:.1%}")
            yield (name, f"{margin:g}", *rates)


def nearest(found: list[tuple[float, int, int, float]], draws: int) -> Iterator[tuple[str, ...]]:
    """The three highest of these rates once more, by new dice and many more draws: the highest of many is so by chance too."""
    for _, place, n, margin in sorted(found)[:-4:-1]:
        name, world = worlds(n)[place]
        rate = go_rate(world._replace(loss=margin), margin, draws=draws, seed=n + 1)
        yield name, f"{margin:g}", str(n), with_error(rate, draws)


UNEVEN = [
    ("1 of 50 questions, the others single", Uneven(1, sizes="one", large=50)),
    ("5% of 20, any passage lost", Uneven(1, share=0.05, large=20)),
    ("5% of 20, only the large ones lost", Uneven(1, share=0.05, large=20, where="half")),
    (
        "10% of 10, only the large ones lost, noise",
        Uneven(1, share=0.1, large=10, where="half", noise=0.05),
    ),
    ("lognormal sizes (0.5), noise", Uneven(1, sizes="lognormal", large=0.5, noise=0.05)),
    (
        "lognormal sizes (1.0), the larger half lost",
        Uneven(1, sizes="lognormal", large=1.0, where="half"),
    ),
]


def uneven_sizes(sizes: tuple[int, ...], draws: int) -> Iterator[tuple[str, ...]]:
    """Passages of unequal size: how often a loss of the margin gets through, and how often the interval holds the truth."""
    for name, world in UNEVEN:
        for margin in MARGINS:
            found = [
                uneven_rates(world._replace(units=n, loss=margin), draws=draws, seed=n)
                for n in sizes
            ]
            yield name, f"{margin:g}", *(f"{go:.1%} / {held:.0%}" for go, held in found)


PLANNED = [
    ("one attempt", World(1)),
    ("one attempt, base 0.9, alike", World(1, base=0.9, consistency=0.9, shared=0.9)),
    ("4 repeats", World(1, repeats=4)),
    ("8 repeats, unsteady", World(1, base=0.9, repeats=8, consistency=0.3)),
    ("clusters of 5", World(1, cluster=5, alike=0.3)),
    ("clusters of 4, 3 repeats", World(1, cluster=4, alike=0.5, repeats=3)),
]


def promises(draws: int) -> Iterator[tuple[str, ...]]:
    """What a plan for 80 % promises, and how often a candidate as good as its base then gets GO."""
    for name, world in PLANNED:
        spread = assumed(
            world.base,
            world.base,
            world.shared * world.consistency,
            world.consistency,
            cluster_size=world.cluster,
            cluster_icc=world.alike,
        )
        for margin in MARGINS:
            found = problems_needed(
                lambda n, s=spread, w=world, m=margin: gate_power(s, n, w.repeats, m), 0.8
            )  # type: ignore[misc]
            problems = -(-(found.problems or 0) // world.cluster) * world.cluster
            rate = go_rate(world._replace(problems=problems), margin, draws=draws, seed=problems)
            yield (
                name,
                f"{margin:g}",
                str(found.problems),
                f"{found.power:.1%}",
                with_error(rate, draws),
            )


def show(title: str, head: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> None:
    """A Markdown table, row by row as it comes."""
    print(f"\n{title}\n\n| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for row in rows:
        print(f"| {' | '.join(row)} |", flush=True)


def main() -> None:
    smoke = "--smoke" in sys.argv
    sizes, draws, points = ((20, 40), 200, 9) if smoke else (SIZES, 20_000, 97)
    small = sizes if smoke else (20, 60, 200, 600)
    head = ("problems", *(cell for margin in MARGINS for cell in (f"margin {margin:g}", "usual")))
    show("wrong GO at most, one attempt", head, exact_sizes(sizes, points))
    found: list[tuple[float, int, int, float]] = []
    head = ("world", "margin", *(f"{n} problems" for n in small))
    show("wrong GO, drawn", head, drawn_sizes(small, draws // 2, found))
    head = ("world", "margin", "problems", "wrong GO")
    show("the three that come nearest to 5 %", head, nearest(found, 10 * draws))
    passages = sizes if smoke else (60, 200, 600)
    show(
        "wrong GO / interval holds, passages of unequal size",
        ("world", "margin", *(f"{n} passages" for n in passages)),
        uneven_sizes(passages, draws // 10),
    )
    show("planned for 80 %", ("world", "margin", "problems", "promised", "GO"), promises(draws))


if __name__ == "__main__":
    main()
