"""Intervals for samples that share a problem or a passage."""

from __future__ import annotations

import math
from fractions import Fraction
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

from steelyard.metrics import default_interval, wilson_interval
from steelyard.metrics.clusters import Clusters, NamedClusters
from steelyard.metrics.intervals import score_bounds

ZERO_OR_ONE = st.sampled_from([0.0, 1.0])
GRADES = st.sampled_from([0.0, 0.25, 0.5, 0.8, 1.0])


def problems(values: st.SearchStrategy[float]) -> st.SearchStrategy[list[list[float]]]:
    return st.lists(st.lists(values, min_size=1, max_size=5), min_size=2, max_size=12)


def clusters(given: list[list[float]]) -> Clusters:
    made = Clusters()
    for values in given:
        binary = all(value in {0, 1} for value in values)
        made.add(
            len(values), int(sum(values)) if binary else Fraction(math.fsum(values)), binary=binary
        )
    return made


def flat(given: list[list[float]]) -> tuple[list[float], list[int]]:
    """The values, and the number of the cluster that each belongs to."""
    return [value for values in given for value in values], [
        row for row, values in enumerate(given) for _ in values
    ]


def correlation(given: list[list[float]]) -> float:
    """How alike samples of a cluster are, the long way round: which correlation would make clusters differ by so much.

    What is expected of the squared distances of clusters from the mean is worked out from the covariances of all samples.
    """
    every, names = flat(given)
    n, sizes = len(every), np.array([len(values) for values in given])
    means, mean = np.array([np.mean(values) for values in given]), float(np.mean(every))
    seen = float((sizes**1.5 * (means - mean) ** 2).sum())
    same = np.equal.outer(names, names).astype(float)
    takes = np.equal.outer(range(len(given)), names) / sizes[:, None] - 1 / n

    def expected(alike: float) -> tuple[float, float]:
        """Of the distances, and of mean (1 - mean); both over the variance of a sample."""
        covariance = alike * same + (1 - alike) * np.eye(n)
        return float(
            sizes**1.5 @ np.einsum("ij,jk,ik->i", takes, covariance, takes)
        ), 1 - covariance.sum() / n**2

    def beyond(alike: float) -> float:
        apart, spread = expected(alike)
        return seen * spread - mean * (1 - mean) * apart

    # Both are straight lines in the correlation, so that two points of them tell where they meet.
    return beyond(0) / (beyond(0) - beyond(1))


def analysis_of_variance(given: list[list[float]]) -> float:
    """The share of the variance that lies between equally large clusters."""
    groups = np.array(given)
    count, size = groups.shape
    inside = float(((groups - groups.mean(axis=1, keepdims=True)) ** 2).sum()) / (
        count * (size - 1)
    )
    outside = float(size * ((groups.mean(axis=1) - groups.mean()) ** 2).sum()) / (count - 1)
    return (outside - inside) / (outside + (size - 1) * inside)


def score_roots(mean: float, size: float, quantile: float) -> tuple[float, float]:
    """The truths that lie just so many standard errors from the mean, found by search."""

    def beyond(p: float) -> float:
        return (mean - p) ** 2 * size - quantile**2 * p * (1 - p)

    lower = optimize.brentq(beyond, 0.0, mean, xtol=1e-14) if mean > 0 else 0.0
    upper = optimize.brentq(beyond, mean, 1.0, xtol=1e-14) if mean < 1 else 1.0
    if mean in {0, 1}:
        inner = size / (size + quantile**2)
        lower, upper = (inner, 1.0) if mean == 1 else (0.0, 1 - inner)
    return lower, upper


def with_room(given: list[list[float]], bounds: tuple[float, float]) -> tuple[float, float]:
    """Room for clusters that were not drawn, and no wider than if each cluster were one sample: by the quantile of a beta."""
    every, _ = flat(given)
    worth = len(every) ** 2 / sum(len(values) ** 2 for values in given)
    widest = score_roots(float(np.mean(every)), worth, NormalDist().inv_cdf(0.975))
    unseen = stats.beta.ppf(1 - 0.025 / 0.4, 1, worth + 1)
    return max(min(bounds[0], 1 - unseen), widest[0]), min(max(bounds[1], unseen), widest[1])


def student(degrees: float) -> float:
    """Student's quantile between whole degrees of freedom: on the straight line over 1 / degrees."""
    below, above = math.floor(degrees), math.floor(degrees) + 1
    return float(
        np.interp(-1 / degrees, [-1 / below, -1 / above], stats.t.ppf(0.975, [below, above]))
    )


def bounds_without_room(given: list[list[float]]) -> tuple[float, float]:
    """For zeros and ones that are not all the same."""
    every, _ = flat(given)
    n, mean, sizes = len(every), float(np.mean(every)), np.array([len(values) for values in given])
    worth, z = n**2 / (sizes**2).sum(), NormalDist().inv_cdf(0.975)
    found = correlation(given)
    alike, part = min(1.0, found) if found > 1e-9 else 0.0, 1 - worth / n
    variances = sizes * (1 + (sizes - 1) * alike)
    telling = variances.sum() ** 2 / (variances**2).sum()
    quantile = z + (student(max(1, telling - 1)) - z) * part * alike**0.25 * (1 - alike) ** 4 / 4
    inward = found + 0.15 * part * math.sqrt(alike * (1 - alike) / telling) * abs(1 - 2 * mean)
    least = 1 - 0.45 * math.sqrt(2 / max(1, worth - 1))
    lower, upper = (
        score_roots(mean, n / np.clip(1 + (n / worth - 1) * each, least, n / worth), quantile)
        for each in ((inward, found) if mean > 0.5 else (found, inward))
    )
    return lower[0], upper[1]


@given(problems(ZERO_OR_ONE))
def test_zeros_and_ones_are_worth_as_many_as_they_are_alike(given: list[list[float]]) -> None:
    every, _ = flat(given)
    found = clusters(given).interval()
    assert found is not None
    assert (found.value, found.n, found.method) == (
        pytest.approx(np.mean(every)),
        len(every),
        "clustered",
    )
    z, worth = (
        NormalDist().inv_cdf(0.975),
        len(every) ** 2 / sum(len(values) ** 2 for values in given),
    )
    if len(every) == len(given):
        want = score_bounds(found.value, len(every), z)
    else:
        want = with_room(
            given,
            score_roots(found.value, worth, z)
            if len(set(every)) == 1
            else bounds_without_room(given),
        )
    assert (found.lower, found.upper) == (
        pytest.approx(want[0], abs=1e-6),
        pytest.approx(want[1], abs=1e-6),
    )
    assert 0 <= (found.lower or 0) <= found.value <= (found.upper or 0) <= 1


@given(
    st.integers(2, 5).flatmap(
        lambda size: st.lists(st.lists(ZERO_OR_ONE, min_size=size, max_size=size), min_size=2)
    )
)
def test_equally_large_clusters_are_as_alike_as_the_analysis_of_variance_has_it(
    given: list[list[float]],
) -> None:
    every, _ = flat(given)
    if len(set(every)) == 1:
        return
    assert correlation(given) == pytest.approx(analysis_of_variance(given), abs=1e-9)
    found = clusters(given)._correlation(len(every), Fraction(sum(map(int, every)), len(every)))
    assert found == pytest.approx(analysis_of_variance(given), abs=1e-9)


@given(problems(ZERO_OR_ONE))
def test_right_and_wrong_are_mirror_images(given: list[list[float]]) -> None:
    found, turned = (
        clusters(given).interval(),
        clusters([[1 - value for value in values] for values in given]).interval(),
    )
    assert found is not None
    assert turned is not None
    assert (1 - (turned.upper or 0), 1 - (turned.lower or 0)) == pytest.approx(
        (found.lower, found.upper), abs=1e-9
    )


def test_a_large_cluster_among_single_samples_is_heard() -> None:
    """Whichever way it differs from them: by the analysis of variance it would count for nothing if it lies in the middle."""
    singles = [[1.0]] * 60 + [[0.0]] * 15
    for right in (13, 25):
        given = [[1.0] * right + [0.0] * (25 - right), *singles]
        every, names = flat(given)
        found, alone = default_interval(every, names), default_interval(every)
        assert (found.upper or 0) - (found.lower or 0) > 1.2 * (
            (alone.upper or 0) - (alone.lower or 0)
        )
        assert correlation(given) > 0.05


@given(
    problems(GRADES).filter(
        lambda given: any(value not in {0, 1} for values in given for value in values)
    )
)
def test_grades_have_the_cluster_robust_error_of_statsmodels(given: list[list[float]]) -> None:
    every, names = flat(given)
    found = clusters(given).interval()
    assert found is not None
    if len({round(math.fsum(values) / len(values), 9) for values in given}) == 1 or len(
        every
    ) == len(given):
        return
    fit = sm.OLS(np.array(every), np.ones(len(every))).fit(
        cov_type="cluster", cov_kwds={"groups": np.array(names), "df_correction": True}, use_t=True
    )
    assert fit.df_resid_inference == len(given) - 1
    mean, worth = found.value, len(every) ** 2 / sum(len(values) ** 2 for values in given)
    size = max(worth, mean * (1 - mean) / float(fit.bse[0]) ** 2)
    z, wide = NormalDist().inv_cdf(0.975), stats.t.ppf(0.975, max(1, round(worth) - 1))
    want = with_room(
        given, score_roots(mean, size, z + (wide - z) * (1 - worth / len(every)) * 0.3)
    )
    assert (found.lower, found.upper) == (
        pytest.approx(want[0], abs=1e-6),
        pytest.approx(want[1], abs=1e-6),
    )


@given(st.lists(ZERO_OR_ONE | GRADES, min_size=2, max_size=20))
def test_clusters_of_one_sample_are_no_clusters(values: list[float]) -> None:
    found, alone = clusters([[value] for value in values]).interval(), default_interval(values)
    assert found is not None
    assert (found.lower, found.upper) == pytest.approx((alone.lower, alone.upper), abs=1e-9)


@pytest.mark.parametrize(("count", "room"), [(5, 0.630), (10, 0.777), (20, 0.876), (100, 0.973)])
def test_clusters_that_all_lean_to_one_side_may_hide_some_that_do_not(
    count: int, room: float
) -> None:
    """However many samples each has: what is not known is how many clusters go the other way."""
    for size in (50, 1000):
        given = Clusters()
        for _ in range(count):
            given.add(size, size - 1)
        found = given.interval()
        assert found is not None
        assert found.lower == pytest.approx(room, abs=0.001)
        assert found.upper == pytest.approx(1 - 1 / size, abs=0.02)


@given(st.lists(ZERO_OR_ONE, min_size=2, max_size=30), st.integers(1, 10))
def test_repeating_the_same_answer_adds_no_evidence(values: list[float], times: int) -> None:
    often = clusters([[value] * times for value in values]).interval()
    once = wilson_interval(int(sum(values)), len(values))
    assert often is not None
    assert (often.lower, often.upper) == pytest.approx((once.lower, once.upper), abs=1e-12)


@given(problems(ZERO_OR_ONE))
def test_clusters_make_an_interval_shorter_only_by_as_much_as_chance_may(
    given: list[list[float]],
) -> None:
    every, names = flat(given)
    found, alone = default_interval(every, names), wilson_interval(int(sum(every)), len(every))
    worth = len(every) ** 2 / sum(len(values) ** 2 for values in given)
    least = math.sqrt(1 - 0.45 * math.sqrt(2 / max(1, worth - 1)))
    assert (found.upper or 0) - (found.lower or 0) >= (
        (alone.upper or 0) - (alone.lower or 0)
    ) * least - 1e-12


@given(
    problems(ZERO_OR_ONE)
    | problems(GRADES).filter(lambda given: any(len(values) > 1 for values in given))
)
def test_an_interval_is_never_longer_than_if_each_cluster_were_one_sample(
    given: list[list[float]],
) -> None:
    every, names = flat(given)
    found, worth = (
        default_interval(every, names),
        len(every) ** 2 / sum(len(values) ** 2 for values in given),
    )
    lower, upper = score_bounds(found.value, worth, NormalDist().inv_cdf(0.975))
    assert (found.lower or 0) >= lower - 1e-12
    assert (found.upper or 0) <= upper + 1e-12


@pytest.mark.parametrize("value", [0.0, 0.8, 1.0])
def test_no_spread_is_no_certainty(value: float) -> None:
    for found in (clusters([[value] * 8] * 5).interval(), default_interval([value] * 5)):
        assert found is not None
        assert found.value == pytest.approx(value)
        assert (found.upper or 0) - (found.lower or 0) > 0.3
    assert (clusters([[value] * 8] * 5).interval() or found).lower == pytest.approx(
        default_interval([value] * 5).lower
    )


def test_fewer_than_two_have_none() -> None:
    assert Clusters().interval() is None
    assert clusters([[1.0, 0.0]]).interval() is None
    assert default_interval([1, 0], ["a", "a"]).lower is None
    assert default_interval([0.5]).lower is None


def test_an_empty_cluster_is_no_cluster() -> None:
    made = clusters([[1.0], [0.0]])
    made.add(0, Fraction(0))
    assert made.count == 2


@given(problems(ZERO_OR_ONE | GRADES), st.randoms())
def test_names_may_come_in_any_order(given: list[list[float]], dice: Any) -> None:
    every, names = flat(given)
    pairs = list(zip(names, every, strict=True))
    dice.shuffle(pairs)
    named = NamedClusters()
    for name, value in pairs:
        named.add(name, [value])
    want, got = clusters(given).interval(), named.interval()
    assert want is not None
    assert got is not None
    assert (got.value, got.lower, got.upper) == pytest.approx(
        (want.value, want.lower, want.upper), abs=1e-9
    )


def test_what_has_no_cluster_stands_alone() -> None:
    values = [1, 0, 1, 1, 0, 0]
    assert default_interval(values, [None] * 6) == default_interval(values)
    assert default_interval(values, list("abcdef")) == default_interval(values)
    mixed = default_interval(values, ["a", "a", None, None, None, None])
    assert mixed.method == "clustered"


@pytest.mark.parametrize(
    ("values", "names", "why"),
    [
        ([], None, "there are no values"),
        ([1.5], None, "value 0 is 1.5"),
        ([1, None], None, "value 1 is None"),
        ([1, math.nan], None, "value 1 is nan"),
        (["1"], None, "value 0 is '1'"),
        ([1, 0], ["a"], "2 values and 1 clusters"),
        (None, None, "values is None"),
        ([1, 0], 3, "clusters is 3"),
        ([1, 0, 1], [["a"], ["a"], ["b"]], r"cluster 0 is \['a'\]"),
    ],
)
def test_what_cannot_be_averaged_is_refused(values: list[Any], names: Any, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        default_interval(values, names)


@pytest.mark.parametrize("confidence", [0.0, 1.0, "x", None])
def test_a_confidence_that_means_nothing_is_refused(confidence: Any) -> None:
    with pytest.raises(ValueError, match="confidence"):
        clusters([[1.0], [0.0]]).interval(confidence)
