"""McNemar's test, Holm's correction and the sign-flip test, each beside an independent source."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as reference_mcnemar
from statsmodels.stats.multitest import multipletests

from steelyard.metrics.holm import holm
from steelyard.metrics.mcnemar import mcnemar
from steelyard.metrics.permutation import sign_flip

counts = st.integers(0, 3000)
differences = st.lists(
    st.sampled_from([-1.0, -0.5, -0.25, 0.0, 0.1, 0.25, 0.5, 1.0]), min_size=1, max_size=10
)


@pytest.mark.parametrize(
    ("losses", "gains"),
    [(0, 0), (0, 5), (1, 9), (7, 7), (3, 30), (120, 160), (900, 1400), (5000, 5100)],
)
def test_exact_and_mid_p_are_those_of_the_reference(losses: int, gains: int) -> None:
    found = mcnemar(losses, gains)
    wanted = reference_mcnemar([[10, losses], [gains, 10]], exact=True).pvalue
    assert found.exact == pytest.approx(min(1.0, wanted), rel=1e-9)
    k, n = min(losses, gains), losses + gains
    off = np.abs(np.arange(n + 1) - n / 2)
    chances = stats.binom.pmf(np.arange(n + 1), n, 0.5)
    mid = chances[off > n / 2 - k].sum() + chances[off == n / 2 - k].sum() / 2 if n else 1.0
    assert found.mid_p == pytest.approx(mid, rel=1e-9)


@given(counts, counts)
def test_the_two_sides_are_treated_alike(losses: int, gains: int) -> None:
    one, other = mcnemar(losses, gains), mcnemar(gains, losses)
    assert (one.exact, one.mid_p) == (other.exact, other.mid_p)
    assert 0 <= one.mid_p <= one.exact <= 1


@pytest.mark.parametrize("bad", [(-1, 2), (1.5, 2), (True, 2), ("3", 2)])
def test_what_is_no_count_is_refused(bad: tuple[object, object]) -> None:
    with pytest.raises(ValueError, match="losses"):
        mcnemar(*bad)  # type: ignore[arg-type]


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_is_that_of_the_reference(p_values: list[float]) -> None:
    assert holm(p_values) == pytest.approx(multipletests(p_values, method="holm")[1])


def test_holm_refuses_what_is_no_p_value() -> None:
    assert holm([]) == []
    with pytest.raises(ValueError, match="p-value 1"):
        holm([0.5, float("nan")])
    for bad, why in (
        ([None], "p-value 0 is None"),
        (["x"], "p-value 0 is 'x'"),
        (None, "p_values is None"),
    ):
        with pytest.raises(ValueError, match=why):
            holm(bad)  # type: ignore[arg-type]


@given(differences)
def test_few_differences_are_flipped_in_every_way(values: list[float]) -> None:
    seen = abs(sum(values)) - 1e-9
    every = [
        abs(sum(sign * value for sign, value in zip(signs, values, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(values))
    ]
    found = sign_flip(values)
    assert found.exact
    assert found.p == pytest.approx(np.mean([one >= seen for one in every]))


@pytest.mark.parametrize("levels", [5, 10_000])
def test_many_differences_agree_with_the_reference(levels: int) -> None:
    dice = np.random.default_rng(3)
    values = np.round(dice.normal(0.03, 0.2, 300) * levels) / levels
    found = sign_flip(values, seed=1)
    wanted = stats.permutation_test(
        (values,),
        lambda x, axis: x.mean(axis=axis),
        permutation_type="samples",
        n_resamples=9_999,
        vectorized=True,
        rng=dice,
    )
    assert not found.exact
    assert found.p == pytest.approx(wanted.pvalue, abs=0.015)
    assert found == sign_flip(values, seed=1)


def test_a_drawn_p_value_is_never_zero() -> None:
    assert sign_flip(np.ones(500), draws=99).p == 0.01
    assert sign_flip([]).p == sign_flip([0.0] * 100).p == 1.0
    with pytest.raises(ValueError, match="finite"):
        sign_flip([float("nan")])
