"""Power: what was promised before a run is what the run has."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from metrics.worlds import load
from steelyard.metrics.mcnemar import mcnemar
from steelyard.metrics.paired import Sums
from steelyard.metrics.power import difference_power, gate_power, most_fewer
from steelyard.metrics.power_search import problems_needed, units_to_decide
from steelyard.metrics.power_spread import Spread, assumed, drawn_units, shares, unit_chances

worlds = load()
World = worlds.World
DRAWS = 4000
# Two points, and what the dice may add to them.
NEAR = 0.02 + 2.5 * (0.8 * 0.2 / DRAWS) ** 0.5


def spread_of(world: object) -> Spread:
    """What somebody would assume who knows the world."""
    correlation = world.shared * world.consistency  # type: ignore[attr-defined]
    return assumed(
        world.base,
        world.base,
        correlation,
        world.consistency,  # type: ignore[attr-defined]
        cluster_size=world.cluster,
        cluster_icc=world.alike,
    )  # type: ignore[attr-defined]


@pytest.mark.slow
@pytest.mark.parametrize("margin", [0.05, 0.1])
@pytest.mark.parametrize(
    "world",
    [
        World(1),
        World(1, base=0.9, consistency=0.9, shared=0.9),
        World(1, repeats=4),
        World(1, base=0.9, repeats=8, consistency=0.3),
        World(1, base=0.5, repeats=2, consistency=0.9, shared=0.5),
        World(1, cluster=5, alike=0.3),
        World(1, cluster=4, alike=0.5, repeats=3),
        World(1, base=0.8, repeats=3, consistency=0.9, shared=1.0),
        World(1, cluster=20, alike=0.2, repeats=2),
    ],
    ids=lambda world: "-".join(str(part) for part in world if part),
)
def test_the_gate_goes_as_often_as_was_promised(world: object, margin: float) -> None:
    spread = spread_of(world)
    repeats, cluster = world.repeats, world.cluster  # type: ignore[attr-defined]
    found = problems_needed(lambda n: gate_power(spread, n, repeats, margin), 0.8)
    assert found.problems is not None
    problems = -(-found.problems // cluster) * cluster
    rate = worlds.go_rate(world._replace(problems=problems), margin, draws=DRAWS, seed=11)  # type: ignore[attr-defined]
    assert rate == pytest.approx(found.power, abs=NEAR)
    assert found.power >= 0.8


@pytest.mark.parametrize(
    ("n", "loss", "gain"), [(60, 0.05, 0.25), (200, 0.1, 0.2), (500, 0.15, 0.1), (40, 0.0, 0.1)]
)
def test_the_power_of_a_comparison_is_that_of_its_test(n: int, loss: float, gain: float) -> None:
    lost, gained, _ = (
        np.random.default_rng(n).multinomial(n, (loss, gain, 1 - loss - gain), size=20_000).T
    )
    p_values = {
        pair: mcnemar(*map(int, pair)).mid_p
        for pair in set(zip(lost.tolist(), gained.tolist(), strict=True))
    }
    rate = np.mean(
        [p_values[pair] <= 0.05 for pair in zip(lost.tolist(), gained.tolist(), strict=True)]
    )
    assert difference_power(Spread(loss=loss, gain=gain), n, 1, gain - loss) == pytest.approx(
        rate, abs=0.012
    )


@pytest.mark.parametrize("changed", [1, 5, 6, 10, 57, 400])
def test_the_most_that_is_still_significant(changed: int) -> None:
    most = most_fewer(changed, 0.05)
    assert most < 0 or mcnemar(most, changed - most).mid_p <= 0.05
    if most + 1 <= changed / 2:
        assert mcnemar(most + 1, changed - most - 1).mid_p > 0.05


def test_for_many_problems_it_is_the_formula_of_the_books() -> None:
    spread = Spread(variance=0.09)
    needed = problems_needed(lambda n: difference_power(spread, n, 1, 0.02), 0.8).problems
    z = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
    assert needed == pytest.approx(z**2 * 0.09 / 0.02**2, rel=0.01)


@pytest.mark.parametrize("power", [difference_power, gate_power])
def test_more_of_anything_gives_more_power(power: object) -> None:
    def of(problems: int, repeats: int, effect: float) -> float:
        found: float = power(assumed(0.7, 0.7, 0.4, 0.6), problems, repeats, effect)  # type: ignore[operator]
        return found

    assert of(100, 2, 0.1) < of(300, 2, 0.1) < of(300, 4, 0.1) < of(300, 4, 0.15)
    assert of(1, 1, 0.1) == 0


def test_repeats_tell_nothing_where_answers_never_change() -> None:
    same = assumed(0.7, 0.7, 0.4, 1.0)
    assert same.of_problem(1) == same.of_problem(100)
    noisy = assumed(0.7, 0.7, 0.4, 0.4)
    assert noisy.of_problem(100) == pytest.approx(noisy.single / 100, rel=0.01)


@given(
    st.floats(0.02, 0.98),
    st.floats(0, 1),
    st.floats(0, 1),
    st.integers(1, 12),
    st.sampled_from([1, 2, 3, 7, 50, 2_000]),
    st.floats(0, 1),
)
def test_the_chances_of_a_unit_have_the_variance_of_the_spread(
    rate: float, consistency: float, shared: float, repeats: int, size: int, icc: float
) -> None:
    spread = assumed(
        rate, rate, shared * consistency, consistency, cluster_size=size, cluster_icc=icc
    )
    values, chances = unit_chances(spread, repeats)
    assert chances.sum() == pytest.approx(1)
    assert (values * chances).sum() == pytest.approx(0, abs=1e-9)
    assert (values**2 * chances).sum() == pytest.approx(spread.of_unit(repeats), rel=2e-3, abs=1e-8)


@pytest.mark.parametrize(("size", "icc", "repeats"), [(1, 0.0, 3), (4, 0.0, 1), (3, 0.5, 2)])
def test_the_chances_of_a_unit_are_how_often_it_is_seen(
    size: int, icc: float, repeats: int
) -> None:
    units = 100_000
    dice = np.random.default_rng(size)
    base = dice.beta(0.7, 0.3, (units, size))
    candidate = np.where(dice.random((units, size)) < 0.6, base, dice.beta(0.7, 0.3, (units, size)))
    found = dice.binomial(repeats, candidate) - dice.binomial(repeats, base)
    seen = np.where(dice.random((units, 1)) < icc, found[:, :1], found).sum(axis=1)
    values, chances = unit_chances(
        assumed(0.7, 0.7, 0.3, 0.5, cluster_size=size, cluster_icc=icc), repeats
    )
    want = np.bincount(
        np.rint(values * size * repeats).astype(int) + size * repeats,
        chances,
        2 * size * repeats + 1,
    )
    got = np.bincount(seen + size * repeats, minlength=len(want)) / units
    assert np.abs(got - want).max() < 5 * (0.25 / units) ** 0.5


def test_a_large_passage_takes_no_more_memory_than_a_problem() -> None:
    def peak(size: int) -> int:
        drawn_units.cache_clear()
        tracemalloc.start()
        gate_power(
            assumed(0.7, 0.7, 0.5, 0.6, cluster_size=size, cluster_icc=0.2), 100 * size, 2, 0.05
        )
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    alone = peak(1)
    assert max(peak(100), peak(100_000)) < 1.5 * alone
    assert alone < 60_000_000


def test_very_many_repeats_still_have_a_plan() -> None:
    few, many = (
        gate_power(assumed(0.7, 0.7, 0.4, 0.6), 150, repeats, 0.1) for repeats in (2_000, 2_001)
    )
    assert many == pytest.approx(few, abs=0.05)


def test_a_correlation_cannot_make_a_share_negative() -> None:
    assert shares(0.9, 0.8, 1.0) == pytest.approx((0.1, 0.0))
    assert min(shares(0.5, 0.5, -1.0)) >= 0


def test_what_no_number_of_problems_reaches_is_none() -> None:
    assert problems_needed(lambda n: 0.5, 0.8) == (None, 0.5)


@pytest.mark.parametrize("counted", [True, False])
def test_how_many_more_would_decide(counted: bool) -> None:
    go = units_to_decide(Sums(10, 10, 20, 100), 0.05, 0.95, counted=counted)
    assert go is not None
    assert go.verdict == "GO"
    assert go.units > 100
    lost = units_to_decide(Sums(30, 10, 40, 200), 0.05, 0.95, counted=counted)
    assert lost is not None
    assert lost.verdict == "NO-GO"
    at_the_margin = units_to_decide(Sums(15, 10, 25, 100), 0.05, 0.95, counted=counted)
    assert at_the_margin is None
