"""Intervals: against formulas of their own, and at the edges."""

from __future__ import annotations

import math
import pickle
import random
import re
from decimal import Decimal
from fractions import Fraction
from statistics import NormalDist, mean, stdev
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.metrics import (
    NO_BOUND,
    Interval,
    bootstrap_ci,
    mean_interval,
    resampling,
    wilson_interval,
)
from steelyard.metrics.student import t_quantile
from steelyard.score import full, unscored, zero


def test_a_single_score_has_no_interval_and_still_prints() -> None:
    ci = bootstrap_ci([0.5])
    assert (
        f"pass@1: {ci.value:.4f} [{ci.ci_lower:.4f}, {ci.ci_upper:.4f}]" == "pass@1: 0.5000 [–, –]"
    )
    assert str(ci) == "0.5000 [–, –]"
    assert ci.lower is None
    assert ci.upper is None
    assert ci.ci_lower == None  # noqa: E711 - that this holds is the point
    assert not ci.ci_upper
    assert msgspec.json.decode(msgspec.json.encode(ci))["ci_lower"] is None
    assert pickle.loads(pickle.dumps(ci.ci_lower)) is NO_BOUND
    assert f"{round(ci.ci_lower, 3)}" == "–"
    assert msgspec.json.encode({"low": ci.lower, "interval": ci})[:11] == b'{"low":null'


def test_an_interval_survives_json() -> None:
    ci = wilson_interval(3, 7)
    assert msgspec.json.decode(msgspec.json.encode(ci), type=Interval) == ci


@pytest.mark.parametrize(
    "scores",
    [
        [],
        [None],
        [1, None],
        [math.nan],
        [0.5, math.inf],
        ["1"],
        "101",
        None,
        5,
        {"a": 1},
        [[1, 0]],
        [1 + 2j],
        [10**400],
        [1e300],
        np.array([[1.0, 0.0]]),
        np.array([1.0, np.nan]),
        np.array(["a"]),
        [unscored("down")],
    ],
    ids=repr,
)
def test_scores_that_cannot_be_averaged_are_refused(scores: Any) -> None:
    with pytest.raises(ValueError, match="score"):
        bootstrap_ci(scores)


@pytest.mark.parametrize(
    ("score", "why"),
    [(1e308, "must be between -1e+150 and 1e+150"), (np.inf, "must be a finite number")],
)
def test_a_score_that_is_too_large_is_told_from_one_that_is_none(score: float, why: str) -> None:
    with pytest.raises(ValueError, match=re.escape(why)):
        bootstrap_ci([score, score])


@pytest.mark.parametrize(
    "options",
    [
        {"confidence": 0},
        {"confidence": 1},
        {"confidence": math.nan},
        {"confidence": "x"},
        {"resamples": 0},
        {"seed": -1},
        {"resamples": 1.5},
        {"confidence": None},
    ],
    ids=str,
)
def test_options_that_mean_nothing_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(options))):
        bootstrap_ci([0, 1, 1], **options)


def test_all_kinds_of_numbers_are_read_alike() -> None:
    want = bootstrap_ci([1.0, 0.0, 1.0, 1.0])
    for scores in (
        [True, False, True, True],
        (1, 0, 1, 1),
        np.array([1, 0, 1, 1]),
        np.array([True, False, True, True]),
        iter([Fraction(1), Decimal(0), 1, 1]),
        [full(), zero("no"), full(), full()],
        [1, 1, 1, 0],
        [1, -0.0, 1, 1],
    ):
        assert bootstrap_ci(scores) == want
    assert want.value == 0.75
    assert want.n == 4


def test_two_values_follow_the_binomial_distribution() -> None:
    ci = bootstrap_ci([1] * 30 + [0] * 70)
    spread = NormalDist(0.3, math.sqrt(0.3 * 0.7 / 100))
    assert ci.lower == pytest.approx(spread.inv_cdf(0.025), abs=0.015)
    assert ci.upper == pytest.approx(spread.inv_cdf(0.975), abs=0.015)


@pytest.mark.parametrize("n", [700, 3_000, 30_000])
def test_many_values_follow_the_normal_distribution(n: int) -> None:
    dice = random.Random(n)
    scores = [dice.random() ** 2 for _ in range(n)]
    ci = bootstrap_ci(scores, resamples=4_000)
    reach = 1.96 * stdev(scores) / math.sqrt(n)
    assert ci.value == pytest.approx(mean(scores), abs=1e-12)
    assert ci.lower == pytest.approx(ci.value - reach, abs=reach / 8)
    assert ci.upper == pytest.approx(ci.value + reach, abs=reach / 8)


@pytest.mark.parametrize("layers", [2, 256])
def test_the_ways_of_drawing_agree(layers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resampling, "_LAYERS", layers)
    values = resampling.read([place % 5 / 4 for place in range(2_000)])
    distinct, counts = np.unique(values, return_counts=True)
    dice = [np.random.Generator(np.random.PCG64(seed)) for seed in range(3)]
    ways = [
        resampling._by_counts(distinct, counts, 10_000, dice[0]),
        resampling._by_draws(values, 10_000, dice[1]),
        resampling._by_strata(values, 10_000, dice[2]),
    ]
    for means in ways:
        assert len(means) == 10_000
        assert float(means.mean()) == pytest.approx(0.5, abs=0.001)
        assert float(means.std()) == pytest.approx(float(values.std()) / math.sqrt(2_000), rel=0.05)


@settings(max_examples=50)
@given(
    st.lists(st.floats(0, 1) | st.sampled_from([0.0, 1.0]), min_size=2, max_size=30), st.randoms()
)
def test_bounds_enclose_and_do_not_depend_on_order(scores: list[float], dice: Any) -> None:
    ci = bootstrap_ci(scores, resamples=200)
    assert ci.lower is not None
    assert ci.upper is not None
    assert min(scores) <= ci.lower <= ci.upper <= max(scores)
    dice.shuffle(scores)
    assert bootstrap_ci(scores, resamples=200) == ci


@pytest.mark.parametrize("outlier", [1e9, -1e9])
def test_an_outlier_among_very_many_scores_is_drawn_as_often_as_it_is(outlier: float) -> None:
    dice = random.Random(5)
    n = 40_000
    ci = bootstrap_ci([outlier, *(dice.random() for _ in range(n - 1))], resamples=2_000)
    near, far = sorted([ci.lower, ci.upper], key=lambda bound: abs(bound or 0))
    assert near == pytest.approx(0.5, abs=0.01)  # not drawn at all
    assert far == pytest.approx(3 * outlier / n, abs=1)  # drawn three times


def test_layers_hold_every_score_once_and_equal_ones_together() -> None:
    dice = random.Random(7)
    for scores in (
        [dice.paretovariate(0.8) for _ in range(5_000)],
        [0.0] * 50 + [1.0] * 50 + [9.0],
        [2.0, 2.0],
    ):
        values = resampling.read(scores)
        layers = resampling._layers(values)
        assert np.concatenate(layers).tolist() == values.tolist()
        assert len(layers) == min(len(set(scores)), resampling._LAYERS)
        inside = sum(float(layer.var()) * len(layer) for layer in layers)
        assert inside <= 1e-4 * float(values.var()) * len(values)


def test_another_seed_is_another_draw() -> None:
    scores = [place**2 / 2500 for place in range(50)]
    assert bootstrap_ci(scores, seed=1) != bootstrap_ci(scores, seed=2)
    assert bootstrap_ci(scores, seed=1) == bootstrap_ci(scores, seed=1)


@given(
    st.integers(1, 5_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))),
    st.floats(0.5, 0.999),
)
def test_wilson_bounds_are_the_roots_of_the_score_test(
    case: tuple[int, int], confidence: float
) -> None:
    successes, n = case
    ci = wilson_interval(successes, n, confidence)
    share, z = successes / n, NormalDist().inv_cdf(0.5 + confidence / 2)
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    reach = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    assert ci.lower == pytest.approx(middle - reach, abs=1e-12)
    assert ci.upper == pytest.approx(middle + reach, abs=1e-12)
    assert ci.lower is not None
    assert ci.upper is not None
    assert 0 <= ci.lower <= ci.value <= ci.upper <= 1


def test_wilson_is_clean_at_the_ends() -> None:
    assert wilson_interval(0, 10).lower == 0.0
    assert wilson_interval(10, 10).upper == 1.0
    assert wilson_interval(0, 10).upper == pytest.approx(0.2775328)
    assert wilson_interval(10**12, 10**12).upper == 1.0


@pytest.mark.parametrize("successes", [0, 1, 10**17, 10**200, 10**201 - 1, 10**201])
def test_wilson_keeps_its_order_for_any_size(successes: int) -> None:
    for n in (10**201, 10**410):
        ci = wilson_interval(successes, n)
        assert 0 <= ci.lower <= ci.value <= ci.upper <= 1
    assert wilson_interval(10**200, 10**201).lower == pytest.approx(0.1)
    tight = wilson_interval(348687540130558459538162070647878, 946695352573488344839535432415745)
    assert tight.lower <= tight.value <= tight.upper


def test_wilson_has_no_cancellation_for_few_successes() -> None:
    ci = wilson_interval(1, 10**17)
    assert (ci.lower * 1e17, ci.upper * 1e17) == (
        pytest.approx(0.176525, abs=1e-6),
        pytest.approx(5.664934, abs=1e-6),
    )


@pytest.mark.parametrize(
    "arguments",
    [
        (1, 0),
        (3, 2),
        (-1, 2),
        (1.0, 2),
        (True, 2),
        (1, 2, 1.5),
        (None, 1),
        (5, 10, 1 - 2**-53),
        (0, 10, 1e-320),
    ],
    ids=str,
)
def test_wilson_refuses_what_cannot_be(arguments: tuple[Any, ...]) -> None:
    with pytest.raises(ValueError, match=r"is .*;"):
        wilson_interval(*arguments)


@pytest.mark.parametrize(
    ("probability", "degrees", "want"),
    [
        (0.975, 1, 12.706204736),
        (0.975, 2, 4.30265273),
        (0.995, 5, 4.032142984),
        (0.95, 10, 1.812461123),
        (0.975, 30, 2.042272456),
        (0.975, 200, 1.971896224),
        (0.975, 201, 1.971836546),
        (0.995, 1000, 2.580754698),
        (0.975, 10**9, 1.959963987),
    ],
)
def test_quantiles_of_student_are_those_of_the_tables(
    probability: float, degrees: int, want: float
) -> None:
    assert t_quantile(probability, degrees) == pytest.approx(want, rel=1e-7)


def test_mean_interval_is_students() -> None:
    scores = [0.2, 0.4, 0.4, 0.6, 0.5]
    ci = mean_interval(len(scores), sum(scores), sum(score**2 for score in scores))
    reach = 2.776445105 * stdev(scores) / math.sqrt(5)
    assert (ci.lower, ci.upper) == (pytest.approx(0.42 - reach), pytest.approx(0.42 + reach))
    assert mean_interval(1, 0.5, 0.25).lower is None
    same = mean_interval(10**6, 10**5, 10**4)  # all of them 0.1: no certainty, but hardly a doubt
    assert (same.method, same.lower, same.upper) == (
        "wilson",
        pytest.approx(0.1, abs=6e-4),
        pytest.approx(0.1, abs=6e-4),
    )


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ((0, 0, 0), "count is 0"),
        ((2.0, 1, 1), "count is 2.0"),
        ((10**400, 5, 5), "count is a number of 1329 bits"),
        ((2, math.nan, 0), "total is nan"),
        ((2, 1, math.inf), "squares is inf"),
        ((4, None, 1), "total is None"),
        ((4, 1, "1"), "squares is '1'"),
        ((2, 10**400, 1), "total is 1000"),
        ((3, 30, 300), "total is 30.0"),
        ((4, -2.0, 3), "total is -2.0"),
        ((4, 2.0, 3.9), "squares is 3.9"),
        ((4, 2.0, 0.9), "squares is 0.9"),
        ((1, 0.5, 0.5), "squares is 0.5"),
        ((2, 1, 1, 1 - 2**-53), "confidence is 0.99"),
        ((2, 0, 0, 1e-320), "confidence is 1e-320"),
    ],
    ids=str,
)
def test_sums_that_no_scores_have_are_refused(arguments: tuple[Any, ...], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        mean_interval(*arguments)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=300))
def test_sums_that_were_added_one_by_one_are_never_refused(scores: list[float]) -> None:
    ci = mean_interval(len(scores), sum(scores), sum(score * score for score in scores))
    assert 0 <= ci.value <= 1
    if ci.lower is not None and ci.upper is not None:
        assert ci.lower <= ci.value <= ci.upper
