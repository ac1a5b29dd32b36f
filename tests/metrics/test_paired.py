"""The difference of two sides over the same problems, and its interval."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats
from statsmodels.stats.contingency_tables import mcnemar

from steelyard.metrics.paired import Pairs, Sums, lower_bound, statistic, upper_bound

counts = st.tuples(st.integers(0, 30), st.integers(0, 30), st.integers(1, 100))
sides = st.lists(
    st.tuples(st.sampled_from([0.0, 0.3, 0.5, 1.0]), st.sampled_from([0.0, 0.3, 0.5, 1.0])),
    min_size=2,
    max_size=30,
)


def by_maximising(losses: int, gains: int, n: int, delta: float) -> float:
    """Tango's statistic, with the likelihood maximised by a search instead of a formula."""

    def unlikely(loss: float) -> float:
        shares = (loss, loss + delta, 1 - 2 * loss - delta)
        return -sum(
            count * math.log(max(share, 1e-300))
            for count, share in zip((losses, gains, n - losses - gains), shares, strict=True)
            if count
        )

    low, high = max(0.0, -delta), (1 - delta) / 2
    loss = optimize.minimize_scalar(
        unlikely, bounds=(low, high), method="bounded", options={"xatol": 1e-12}
    ).x
    return float((gains - losses - n * delta) / math.sqrt(n * (2 * loss + delta - delta**2)))


@pytest.mark.parametrize("delta", [-0.3, -0.1, -0.02, 0.05, 0.25])
@pytest.mark.parametrize(
    ("losses", "gains", "n"), [(3, 1, 40), (10, 25, 200), (0, 4, 60), (7, 0, 50), (40, 30, 1000)]
)
def test_for_0_and_1_it_is_tangos_statistic(losses: int, gains: int, n: int, delta: float) -> None:
    found = float(statistic(Sums(losses, gains, losses + gains, n), delta))
    assert found == pytest.approx(by_maximising(losses, gains, n, delta), abs=2e-4)


@given(counts)
def test_at_zero_it_is_mcnemars_chi_square(found: tuple[int, int, int]) -> None:
    losses, gains, same = found
    if losses + gains:
        wanted = mcnemar([[same, losses], [gains, 0]], exact=False, correction=False).statistic
        sums = Sums(losses, gains, losses + gains, losses + gains + same)
        assert float(statistic(sums, 0.0)) ** 2 == pytest.approx(wanted)


@pytest.mark.parametrize("n", [5, 30, 1000])
def test_without_any_difference_the_bound_has_a_closed_form(n: int) -> None:
    z = stats.norm.ppf(0.975)
    assert lower_bound(Sums(0, 0, 0, n), z) == pytest.approx(-z * z / (n + z * z))


@given(counts, st.sampled_from([1.0, 1.645, 1.96, 3.0]))
def test_a_bound_is_where_the_statistic_is_critical(
    found: tuple[int, int, int], critical: float
) -> None:
    losses, gains, same = found
    sums = Sums(losses, gains, losses + gains, losses + gains + same)
    low, high = lower_bound(sums, critical), upper_bound(sums, critical)
    assert -1 <= low < high <= 1
    if low > -0.999:
        assert float(statistic(sums, low)) == pytest.approx(critical, abs=1e-3)
    assert high == pytest.approx(-lower_bound(sums.turned(), critical))


@given(sides)
def test_the_two_sides_are_treated_alike(values: list[tuple[float, float]]) -> None:
    base, candidate = zip(*values, strict=True)
    one, other = Pairs(base, candidate).interval(), Pairs(candidate, base).interval()
    assert one is not None
    assert other is not None
    assert one.value == pytest.approx(-other.value)
    assert one.lower == pytest.approx(-(other.upper or 0), abs=1e-9)
    assert (one.lower or 0) <= one.value <= (one.upper or 0)
    assert (one.upper or 0) - (one.lower or 0) > 0


@given(sides, st.integers(2, 6))
def test_repeating_the_same_answers_adds_no_evidence(
    values: list[tuple[float, float]], times: int
) -> None:
    base, candidate = (np.array(side) for side in zip(*values, strict=True))
    units = np.arange(len(base))
    once = Pairs(base, candidate, units)
    often = Pairs(np.repeat(base, times), np.repeat(candidate, times), np.repeat(units, times))
    assert often.units == once.units
    assert tuple(often.sums) == pytest.approx(tuple(once.sums))


def test_unequal_units_have_the_error_of_a_ratio() -> None:
    dice = np.random.default_rng(5)
    units = np.repeat(np.arange(400), dice.integers(1, 9, 400))
    base, candidate = dice.random(len(units)), dice.random(len(units))
    pairs = Pairs(base, candidate, units)
    residuals = np.bincount(units, pairs.differences - pairs.difference)
    error = math.sqrt((residuals**2).sum() * 400 / 399) / len(units)
    assert pairs.error == pytest.approx(error, rel=1e-3)
    interval = pairs.interval()
    assert interval is not None
    reach = stats.t.ppf(0.975, 399) * error
    assert (interval.upper or 0) - interval.value == pytest.approx(reach, rel=0.05)


@pytest.mark.parametrize("n", [2, 5, 50])
def test_no_difference_is_no_certainty(n: int) -> None:
    for pairs in (
        Pairs([1] * n, [1] * n),
        Pairs([0.4] * n, [0.4] * n),
        Pairs([1] * 3 * n, [1] * 3 * n, list(range(n)) * 3),
    ):
        interval = pairs.interval()
        assert interval is not None
        assert (interval.upper or 0) - (interval.lower or 0) > 2 / n / 3
        assert (pairs.error or 0) > 0


def test_one_problem_has_no_interval_and_none_no_difference() -> None:
    one = Pairs([1, 0], [0, 0], ["a", "a"])
    interval = one.interval()
    assert interval is not None
    assert (interval.value, interval.lower, interval.upper, one.error) == (-0.5, None, None, None)
    assert Pairs([], []).interval() is None
    assert Pairs([], []).difference is None


@pytest.mark.parametrize(
    ("base", "candidate", "units"),
    [
        ([1], [1, 0], None),
        ([2], [1], None),
        ([float("nan")], [1], None),
        ([[1]], [[1]], None),
        ([1, 0], [1, 0], [1]),
        ([1, 0], [1, 0], [["a"], ["a"]]),
    ],
)
def test_what_is_no_pair_is_refused(base: object, candidate: object, units: object) -> None:
    with pytest.raises(ValueError, match=r"must|values|unit"):
        Pairs(base, candidate, units)


def test_units_are_told_apart_by_their_whole_names() -> None:
    assert Pairs([1] * 4, [0] * 4, ["a", "a\0", "a\0\0", "a"]).units == 3
    assert Pairs([1] * 4, [0] * 4, [1, "1", None, 2.5]).units == 4


@pytest.mark.parametrize(
    ("n", "loss", "gain"), [(40, 0.1, 0.1), (100, 0.02, 0.08), (300, 0.2, 0.15), (1000, 0.01, 0.01)]
)
def test_the_interval_covers_the_truth(n: int, loss: float, gain: float) -> None:
    dice = np.random.default_rng(n)
    lost, gained, _ = dice.multinomial(n, (loss, gain, 1 - loss - gain), size=40_000).T
    found = np.abs(statistic(Sums(lost, gained, lost + gained, n), gain - loss)) <= stats.norm.ppf(
        0.975
    )
    assert 0.94 <= found.mean() <= 0.97


@pytest.mark.parametrize(("small", "wide"), [(1, True), (5, True), (6, False), (30, False)])
def test_a_few_small_differences_promise_nothing_about_the_others(small: int, wide: bool) -> None:
    """Of thirty grades few moved, by a hundredth: that all the others would stay where they are is not known."""
    base = [0.5] * 30
    found = Pairs(base, [0.51] * small + [0.5] * (30 - small)).interval()
    assert found is not None
    assert ((found.upper or 0) - (found.lower or 0) > 0.2) == wide


def test_a_rare_and_total_loss_among_small_steps_is_reckoned_with() -> None:
    """One in fifty is lost whole, all others barely move: with thirty, none may be seen."""
    dice, held = np.random.default_rng(3), 0
    for _ in range(300):
        moved = np.where(dice.random(30) < 0.05, 0.01, 0.0) - np.where(
            dice.random(30) < 0.02, 0.5, 0.0
        )
        found = Pairs(np.full(30, 0.5), np.clip(0.5 + moved, 0, 1)).interval()
        assert found is not None
        held += (found.lower or 0) <= 0.0005 - 0.01 <= (found.upper or 0)
    assert held / 300 > 0.94
