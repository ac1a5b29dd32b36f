"""The bounds of the gate: a loss as large as the margin gets through at most one time in twenty."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from metrics.worlds import load
from steelyard.metrics.noninferiority import bounds, careful_bounds, critical_value, outcomes
from steelyard.metrics.paired import Pairs, Sums, statistic, unit_sums

worlds = load()
World, Uneven = worlds.World, worlds.Uneven
DRAWS = 3000
# Five in a hundred, and what the dice may add to it in so many draws.
MOST = 0.05 + 3 * (0.05 * 0.95 / DRAWS) ** 0.5


@pytest.mark.parametrize(("n", "loss", "gain"), [(12, 0.3, 0.2), (40, 0.05, 0.0), (25, 0.5, 0.5)])
def test_the_chances_of_outcomes_are_the_multinomial_ones(n: int, loss: float, gain: float) -> None:
    lost, gained, chances = outcomes(n, loss, gain)
    assert chances.sum() == pytest.approx(1, abs=1e-5)
    for row, column in [(0, 0), (3, 0), (min(9, len(lost) - 1), min(4, gained.shape[1] - 1))]:
        b, c = int(lost[row, 0]), int(gained[0, column])
        if b + c <= n:
            wanted = stats.multinomial.pmf([b, c, n - b - c], n, [loss, gain, 1 - loss - gain])
            assert chances[row, column] == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize(
    ("n", "margin"), [(20, 0.2), (50, 0.05), (100, 0.1), (150, 0.3), (400, 0.02), (1000, 0.02)]
)
def test_the_promise_is_kept_exactly_whatever_share_differs(
    n: int, margin: float, upper: bool
) -> None:
    critical = critical_value(n, margin, upper=upper)
    sign = -1 if upper else 1
    for gain in np.linspace(0, (1 - margin) / 2, 67):
        lost, gained, chances = outcomes(n, gain + margin, float(gain))
        found = sign * statistic(Sums(lost, gained, lost + gained, n), -margin)
        assert chances[found > critical].sum() <= 0.05 + 1e-6


def test_the_usual_critical_value_would_not_keep_it() -> None:
    lost, gained, chances = outcomes(20, 0.2, 0.0)
    found = statistic(Sums(lost, gained, lost + gained, 20), -0.2)
    assert chances[found > 1.645].sum() > 0.069


@pytest.mark.parametrize("margin", [0.02, 0.05, 0.1])
@pytest.mark.parametrize(
    "world",
    [
        World(20, base=0.95),
        World(60, base=0.5, shared=0.0),
        World(200, base=0.9, shared=1.0, consistency=1.0),
        World(25, base=0.2, repeats=8, consistency=0.3),
        World(60, repeats=4, consistency=1.0, shared=1.0),
        World(200, base=0.9, repeats=2),
        World(100, cluster=5, alike=1.0),
        World(400, base=0.95, cluster=4, alike=0.3),
        World(60, base=0.5, cluster=2, alike=0.5, repeats=3),
        World(40, graded="small steps"),
        World(30, graded="rare and total"),
        World(200, graded="rare and total"),
        World(150, graded="levels"),
    ],
    ids=lambda world: "-".join(str(part) for part in world if part),
)
def test_a_loss_of_the_margin_rarely_gets_through(world: object, margin: float) -> None:
    lossy = world._replace(loss=margin)  # type: ignore[attr-defined]
    assert worlds.go_rate(lossy, margin, draws=DRAWS, seed=7) <= MOST


@pytest.mark.slow
@pytest.mark.parametrize(
    "world",
    [
        World(2000, loss=0.1),
        World(2000, base=0.2, loss=0.1, repeats=8, consistency=0.3),
        World(2000, loss=0.1, cluster=10, alike=1.0),
        World(2000, loss=0.1, graded="small steps"),
        World(2000, loss=0.1, graded="levels"),
        World(2000, loss=0.5, graded="rare and total"),
    ],
    ids=lambda world: "-".join(str(part) for part in world if part),
)
def test_the_loss_of_a_world_is_what_it_says(world: object) -> None:
    """A world that loses a little less than the margin would have its right GOs counted as wrong ones."""
    found = worlds.differences(world, 1500, np.random.default_rng(3)).mean(axis=1)
    assert found.mean() == pytest.approx(-world.loss, abs=4 * found.std() / 1500**0.5)  # type: ignore[attr-defined]


@pytest.mark.parametrize("margin", [0.02, 0.05, 0.1])
@pytest.mark.parametrize(
    "world",
    [
        Uneven(600, share=0.02, large=30, where="half"),
        Uneven(60, share=0.1, large=20, where="half"),
        Uneven(200, share=0.05, large=20),
        Uneven(200, share=0.1, large=10, where="half", noise=0.05),
        Uneven(200, sizes="one", large=50, where="half"),
        Uneven(600, sizes="one", large=50, noise=0.05),
        Uneven(200, sizes="lognormal", large=0.5, noise=0.05),
        Uneven(200, sizes="lognormal", large=1.0, where="half"),
    ],
    ids=lambda world: "-".join(str(part) for part in world if part),
)
def test_passages_of_unequal_size_do_not_break_the_promise(world: object, margin: float) -> None:
    go, held = worlds.uneven_rates(world._replace(loss=margin), draws=800, seed=3)  # type: ignore[attr-defined]
    assert go <= 0.05 + 3 * (0.05 * 0.95 / 800) ** 0.5
    assert held >= 0.95 - 3 * (0.05 * 0.95 / 800) ** 0.5


def test_passages_taken_as_equal_would_break_it() -> None:
    world = Uneven(600, share=0.02, large=30, where="half", loss=0.02)
    found, sizes = worlds.uneven_passages(world, 400, np.random.default_rng(1))
    equal = unit_sums(found, sizes)._replace(largest=1.0, uneven=0.0, skew=0.0, heavy=1.0)
    assert (statistic(equal.with_one_lost(), -0.02) > 1.66).mean() > 0.3


def test_one_huge_passage_is_no_evidence() -> None:
    units = [0] * 500 + list(range(1, 21))
    found = bounds(Pairs([1] * 520, [1] * 520, units), 0.1)
    assert (found.lower, found.upper, found.method) == (None, None, "too few pairs")
    interval = Pairs([1] * 520, [1] * 520, units).interval()
    assert interval is not None
    assert interval.lower is None


def test_the_simulated_sums_are_those_of_the_pairs() -> None:
    dice = np.random.default_rng(4)
    units = np.repeat(np.arange(30), dice.integers(1, 12, 30))
    pairs = Pairs(dice.random(len(units)), dice.random(len(units)), units)
    assert tuple(
        unit_sums(pairs.unit_sums[None], np.bincount(units)[None]).first()
    ) == pytest.approx(tuple(pairs.sums))
    one, low = pairs.sums.with_one_lost(), careful_bounds(pairs.sums, 0.95)[0]
    worse = Pairs([*pairs.base, *[1] * 11], [*pairs.candidate, *[0] * 11], [*units, *[30] * 11])
    if np.bincount(units).max() == 11:
        assert one.gains / one.units - one.losses / one.units == pytest.approx(worse.difference)
    assert low < (pairs.difference or 0)


def test_a_plain_interval_would_let_it_through() -> None:
    """The simulation can see what it is there to see."""
    found = worlds.differences(
        World(30, graded="rare and total", loss=0.05), DRAWS, np.random.default_rng(1)
    )
    lower = found.mean(axis=1) - stats.t.ppf(0.95, 29) * found.std(axis=1, ddof=1) / np.sqrt(30)
    assert (lower > -0.05).mean() > 0.15


@pytest.mark.parametrize(
    "world",
    [
        World(80, loss=0.03),
        World(40, repeats=3, loss=0.05),
        World(60, cluster=3, alike=0.4),
        World(50, graded="levels"),
    ],
)
def test_the_simulation_decides_as_the_bounds_do(world: object) -> None:
    found = worlds.differences(world, 60, np.random.default_rng(2))
    said = worlds.says_go(world, found, 0.1)
    for units, go in zip(found, said, strict=True):
        # A unit's mean difference as two values in 0..1 that are apart by as much.
        pairs = Pairs(np.maximum(-units, 0), np.maximum(units, 0))
        if world.alone != (pairs.binary and pairs.alone):  # type: ignore[attr-defined]
            continue
        lower = bounds(pairs, 0.1).lower
        assert (lower is not None and lower > -0.1) == go


@settings(max_examples=60, deadline=None)
@given(
    st.integers(2, 80), st.integers(0, 80), st.integers(0, 80), st.sampled_from([0.01, 0.05, 0.2])
)
def test_one_more_loss_never_helps(n: int, losses: int, gains: int, margin: float) -> None:
    losses, gains = min(losses, n - 1), min(gains, n - 1)
    gains = min(gains, n - 1 - losses)

    def lower(lost: int) -> float:
        base = [1] * lost + [0] * gains + [1] * (n - lost - gains)
        candidate = [0] * lost + [1] * gains + [1] * (n - lost - gains)
        return bounds(Pairs(base, candidate), margin).lower or 0.0

    assert lower(losses + 1) <= lower(losses) < (gains - losses) / n + 1e-12


@pytest.mark.parametrize("n", [2, 5, 20, 58])
def test_a_few_pairs_that_all_agree_prove_nothing(n: int) -> None:
    assert (bounds(Pairs([1] * n, [1] * n), 0.05).lower or 0) <= -0.05
    graded = bounds(Pairs([0.5] * n, [0.5] * n), 0.05)
    assert (graded.lower or 0) <= -0.05 <= (graded.upper or 0)
    repeated = bounds(Pairs([1] * 20 * n, [1] * 20 * n, list(range(n)) * 20), 0.02)
    assert (repeated.lower or 0) <= -0.02


def test_one_pair_has_no_bounds() -> None:
    found = bounds(Pairs([1], [1]), 0.05)
    assert (found.lower, found.upper) == (None, None)
    for bad in (0, 1, -0.1, "x"):
        with pytest.raises(ValueError, match="margin"):
            bounds(Pairs([1, 0], [1, 0]), bad)  # type: ignore[arg-type]
