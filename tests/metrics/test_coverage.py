"""The default interval of a report holds the truth in 95 of 100 cases, with and without clusters, as the guide says it does."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest

ROOT = Path(__file__).parent.parent.parent
GUIDE = (ROOT / "docs" / "guide" / "metrics.md").read_text(encoding="utf-8")
WORST = re.compile(r"([\d.]+)% \((\w+) ([\d.]+), p = ([\d.]+)\)")


def load(name: str) -> ModuleType:
    """A script of the benchmarks, with the files that lie beside it; its own name is that of another package."""
    folder = str(ROOT / "benchmarks")
    spec = importlib.util.spec_from_file_location(f"{name}_of_intervals", f"{folder}/{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.insert(0, folder)
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(folder)
    return module


coverage, grades = load("coverage"), load("coverage_grades")


def table(head: str) -> list[list[str]]:
    """The rows of the guide's table whose head begins like that."""
    lines = GUIDE[GUIDE.index(head) :].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def shares(cell: str) -> list[float]:
    return [float(one) / 100 for one in re.findall(r"([\d.]+)%", cell)]


class Row(NamedTuple):
    """A line of the guide: some clusters, and what is said of them."""

    n: int
    told: str
    means: dict[str, float]
    least: float
    most: float
    worst: str

    @property
    def sizes(self) -> tuple[int, ...]:
        return coverage.sizes_of(self.told.split(",")[0], self.n)  # type: ignore[no-any-return]


def row(cells: list[str]) -> Row:
    n, told, *means, between, worst = cells
    found = dict(zip(coverage.WORLDS, (shares(mean)[0] for mean in means), strict=True))
    least, most = shares(between)
    return Row(int(n.replace(",", "")), told, found, least, most, worst)


ROWS = [row(cells) for cells in table("| n | clusters | beta |")]
GRADED = table("| n | clusters | quarters |")


def name(given: Any) -> str:
    return f"{given.n} as {given.told}" if isinstance(given, Row) else str(given)


def test_the_guide_has_every_shape() -> None:
    told = {(one.n, one.told.split(",")[0]) for one in ROWS}
    assert told == {(n, shape) for n, shapes in coverage.SHAPES.items() for shape in shapes}
    assert len(GRADED) == sum(map(len, grades.SHAPES.values()))


@pytest.mark.parametrize(
    "cells", table("| samples | averaged over p |"), ids=lambda cells: cells[0]
)
def test_without_clusters_it_is_95_in_100(cells: list[str]) -> None:
    mean, worst = coverage.without_clusters(int(cells[0].replace(",", "")))
    assert mean == pytest.approx(0.95, abs=0.01)
    assert [mean, worst] == pytest.approx([shares(cell)[0] for cell in cells[1:]], abs=0.0006)


def test_with_clusters_it_is_95_in_100() -> None:
    """In every shape, however samples hang together; that the guide's figures are right is the next test's to see."""
    every = {mean: f"{one.told}, {world}" for one in ROWS for world, mean in one.means.items()}
    assert max(abs(mean - 0.95) for mean in every) < 0.0091
    assert min(one.least for one in ROWS) > 0.9
    named = GUIDE[GUIDE.index("Every average over the correlations") :].split("most of them\n")[0]
    ends = [min(every), max(every), min(one.least for one in ROWS), max(one.most for one in ROWS)]
    assert shares(named)[1:] == pytest.approx(ends)
    for shape in re.findall(r"the mixture in ([\dx ]+)", named):
        assert any(each == f"{shape}, mixture" for each in (every[ends[0]], every[ends[1]]))


@pytest.mark.slow
@pytest.mark.parametrize("given", ROWS, ids=name)
def test_the_averages_of_the_guide_are_right(given: Row) -> None:
    """Drawn anew, also where the guide has worked them out; so many draws are wrong by an eighth of a point."""
    dice = np.random.default_rng([17, given.n, len(given.sizes)])
    means = drawn_averages(given.sizes, 40, dice)
    averages = dict(zip(coverage.WORLDS, means.mean(axis=1).tolist(), strict=True))
    assert averages == pytest.approx(given.means, abs=0.005)
    assert averages == pytest.approx(dict.fromkeys(coverage.WORLDS, 0.95), abs=0.01)
    # The lowest of many is low by chance too, so the likeliest are drawn once more, and more often.
    ranks = sorted(CELLS, key=lambda cell: means[cell])
    least, most = (again(given.sizes, cells, dice) for cells in (ranks[:3], ranks[-3:]))
    assert min(least) == pytest.approx(given.least, abs=0.007)
    assert max(most) == pytest.approx(given.most, abs=0.007)


# World and correlation, by their places; at 0 and 1 all worlds are one.
CELLS = [
    (row, column)
    for row in range(len(coverage.WORLDS))
    for column, alike in enumerate(coverage.ALIKE)
    if row == 0 or alike not in {0, 1}
]


def drawn_averages(sizes: tuple[int, ...], draws: int, dice: np.random.Generator) -> Any:
    """As the benchmark has them, each world (down) with each correlation (across), but drawn in any case."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coverage, "outcomes", lambda sizes: None)
        return coverage.averages(sizes, draws, dice)


def again(
    sizes: tuple[int, ...], cells: list[tuple[int, int]], dice: np.random.Generator
) -> list[float]:
    """The averages over p of some cells of that table, with 16,000 draws each."""
    worlds = list(coverage.WORLDS)
    spots = [
        coverage.Spot(worlds[row], coverage.ALIKE[column], coverage.TRUTHS) for row, column in cells
    ]
    return [float(coverage.simulated(sizes, spot, 80, dice).mean()) for spot in spots]


@pytest.mark.parametrize("given", ROWS, ids=name)
def test_the_worst_truths_of_the_guide_are_right(given: Row) -> None:
    told = WORST.fullmatch(given.worst)
    assert told is not None
    share, world, alike, p = told.groups()
    spot = coverage.Spot(world, float(alike), np.array([float(p)]))
    found = float(coverage.simulated(given.sizes, spot, 40_000, np.random.default_rng(23))[0])
    assert found == pytest.approx(float(share) / 100, abs=0.008)


@pytest.mark.parametrize("told", ["10 x 2", "5 x 4", "4 x 5", "2 x 10"])
def test_what_is_worked_out_is_what_is_drawn(told: str) -> None:
    sizes = coverage.sizes_of(told, 20)
    for world in coverage.WORLDS:
        spot = coverage.Spot(world, 0.3, np.array([0.05, 0.3]))
        drawn = coverage.simulated(sizes, spot, 20_000, np.random.default_rng(29))
        assert coverage.worked_out(sizes, coverage.outcomes(sizes), spot) == pytest.approx(
            drawn, abs=0.008
        )


@pytest.mark.slow
@pytest.mark.parametrize("cells", GRADED, ids=lambda cells: " as ".join(cells[:2]))
def test_the_grades_of_the_guide_are_right(cells: list[str]) -> None:
    n = int(cells[0].replace(",", ""))
    told = f"{n} x 1" if cells[1] == "none" else cells[1]
    dice = np.random.default_rng([31, n, len(told)])
    found = [
        grades.coverage(told, n, kind, 2_000 if n == 1000 else 4_000, dice)
        for kind in grades.GRADES
    ]
    means = [float(each.mean()) for each in found]
    assert means == pytest.approx([shares(cell)[0] for cell in cells[2:5]], abs=0.007)
    every = np.concatenate(found)
    assert [every.min(), every.max()] == pytest.approx(shares(cells[5]), abs=0.012)
    if cells[1] != "none" and len(grades.sizes_of(told, n)) > 2:
        assert [shares(cell)[0] for cell in cells[2:5]] == pytest.approx([0.95] * 3, abs=0.0101)
        assert means == pytest.approx([0.95] * 3, abs=0.013)


def test_the_plain_interval_of_a_mean_would_not_do() -> None:
    """Near 0 and 1 the usual one, mean and twice its error, is far too short: the measure tells the two apart."""
    sizes, dice = np.full(20, 5), np.random.default_rng(5)
    each = coverage.chances("beta", 5, coverage.TRUTHS, 0.5)
    right = np.stack([dice.choice(6, (20, 20), p=row) for row in each])
    mean = right.sum(axis=2) / 100
    error = np.sqrt(((right - mean[..., None] * sizes[0]) ** 2).sum(axis=2) * 20 / 19) / 100
    held = np.abs(mean - coverage.TRUTHS[:, None]) <= 2.093 * error
    assert held.mean() < 0.925
    spot = coverage.Spot("beta", 0.5, coverage.TRUTHS)
    assert coverage.simulated(tuple(sizes.tolist()), spot, 20, dice).mean() > 0.935
