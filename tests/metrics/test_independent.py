"""The formulas agree with sources that are not ours."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from steelyard.metrics import bootstrap_ci, mean_interval, wilson_interval
from steelyard.metrics.student import t_quantile


@given(
    st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))),
    st.floats(0.5, 0.999),
)
def test_wilson_is_that_of_statsmodels(case: tuple[int, int], confidence: float) -> None:
    successes, n = case
    lower, upper = proportion_confint(successes, n, alpha=1 - confidence, method="wilson")
    found = wilson_interval(successes, n, confidence)
    assert (found.lower, found.upper) == (
        pytest.approx(lower, abs=1e-9),
        pytest.approx(upper, abs=1e-9),
    )


@given(
    st.lists(st.floats(0, 1), min_size=2, max_size=50).filter(lambda values: np.std(values) > 1e-3)
)
def test_student_is_that_of_scipy(values: list[float]) -> None:
    lower, upper = stats.t.interval(
        0.95, len(values) - 1, loc=np.mean(values), scale=stats.sem(values)
    )
    found = mean_interval(len(values), sum(values), sum(value * value for value in values))
    assert (found.lower, found.upper) == (
        pytest.approx(max(0, lower), abs=1e-7),
        pytest.approx(min(1, upper), abs=1e-7),
    )


@given(st.floats(0.5, 0.9999), st.integers(1, 5_000))
def test_the_quantiles_are_those_of_scipy(probability: float, degrees: int) -> None:
    assert t_quantile(probability, degrees) == pytest.approx(
        stats.t.ppf(probability, degrees), rel=1e-6, abs=1e-9
    )


CASES = {
    "few zeros and ones": [0, 1, 1, 0, 1, 1, 1, 0, 1, 1, 0, 1],
    "zeros and ones": (np.arange(400) % 3 == 0).astype(float).tolist(),
    "few grades": [0.1, 0.9, 0.4, 0.4, 0.7, 1.0, 0.0, 0.35],
    "steps": (np.arange(600) % 5 / 4).tolist(),
    "skewed grades": (np.linspace(0, 1, 700) ** 6).tolist(),
    "very many grades": (np.linspace(0, 1, 31_000) ** 3).tolist(),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_the_bootstrap_is_that_of_scipy(name: str, confidence: float) -> None:
    scores = CASES[name]
    resamples = 2_000 if len(scores) > 10_000 else 9_999
    theirs = stats.bootstrap(
        (np.array(scores),),
        np.mean,
        n_resamples=resamples,
        batch=50,
        confidence_level=confidence,
        method="percentile",
        rng=np.random.default_rng(1),
    )
    ours = bootstrap_ci(scores, confidence)
    # Two draws of that many resamples differ by a few hundredths of the standard error, or by one step of a mean.
    error = float(np.std(scores)) / len(scores) ** 0.5
    near = max(0.12 * error, 1.01 / len(scores) if len(scores) < 20 else 0.0)
    assert ours.lower == pytest.approx(theirs.confidence_interval.low, abs=near)
    assert ours.upper == pytest.approx(theirs.confidence_interval.high, abs=near)
