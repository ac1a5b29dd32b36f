"""By simulation: the default interval of a report holds the truth in 95 of 100 cases, with and without clusters."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

SCRIPT = Path(__file__).parent.parent.parent / "benchmarks" / "coverage.py"
SIMULATIONS = 1_500


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("coverage_of_intervals", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


coverage = load()
SETTINGS = [each for each in coverage.settings(coverage.COUNTS) if each.unit == "samples" and each.size <= 10]


@pytest.mark.parametrize("n", coverage.COUNTS)
def test_without_clusters_it_is_95_in_100(n: int) -> None:
    mean, worst = coverage.without_clusters(n)
    assert mean == pytest.approx(0.95, abs=0.01)
    assert worst > 0.8


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: "-".join(str(part) for part in setting))
def test_with_clusters_it_is_95_in_100(setting: Any) -> None:
    """Averaged over p and over correlations, for each number and size of clusters, equal and unequal."""
    dice = np.random.default_rng([7, setting.n, setting.size])
    means = [
        coverage.with_clusters(setting, alike, dice.random(SIMULATIONS), dice) for alike in coverage.ALIKE
    ]
    assert np.mean(means) == pytest.approx(0.95, abs=0.01)


@pytest.mark.parametrize("size", [2, 4, 5])
@pytest.mark.parametrize("world", coverage.WORLDS)
def test_twenty_samples_in_a_handful_of_clusters_are_enough(size: int, world: str) -> None:
    """Whatever the correlation is, and however samples hang together."""
    dice, setting = np.random.default_rng([11, size]), coverage.Setting("samples", 20, size, equal=True)
    means = [
        coverage.with_clusters(setting, alike, dice.random(2_000), dice, world) for alike in coverage.ALIKE
    ]
    assert np.mean(means) == pytest.approx(0.95, abs=0.01)
    assert means == pytest.approx([0.95] * len(means), abs=0.015)


@pytest.mark.parametrize("sizes", [(5, 15), (25, 75), (2, 18), (50, 50), (25, *[1] * 75)])
def test_one_or_two_large_clusters_claim_no_more_than_they_know(sizes: tuple[int, ...]) -> None:
    """Nobody can say from so few how alike their samples are, and no one correlation is met; all together are."""
    dice, found = np.random.default_rng([13, *sizes[:2]]), np.array(sizes)
    held = []
    for alike in coverage.ALIKE:
        truth = dice.random(1_500)
        bounds = coverage.intervals(found, coverage.draw(found, alike, truth, dice))
        held.append(np.mean([lower <= p <= upper for p, (lower, upper) in zip(truth, bounds, strict=True)]))
    assert np.mean(held) == pytest.approx(0.95, abs=0.025)
    assert min(held) > 0.88


def test_the_plain_interval_of_a_mean_would_not_do() -> None:
    """Near 0 and 1 the usual one, mean and twice its error, is far too short: the measure tells the two apart."""
    dice = np.random.default_rng(5)
    setting = coverage.Setting("clusters", 20, 5, equal=False)
    sizes, truth = setting.sizes(), dice.random(3_000)
    right = coverage.draw(sizes, 0.5, truth, dice)
    mean = right.sum(axis=1) / sizes.sum()
    error = np.sqrt(((right - mean[:, None] * sizes) ** 2).sum(axis=1) * 20 / 19) / sizes.sum()
    held = np.abs(mean - truth) <= 2.093 * error
    assert held.mean() < 0.925
    assert coverage.with_clusters(setting, 0.5, truth, dice) > 0.935
