"""Results by category: nothing leaves the denominator silently."""

from __future__ import annotations

import math
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from steelyard.metrics import NO_BOUND, bootstrap_ci, default_interval
from steelyard.metrics.aggregation import category_breakdown
from steelyard.metrics.paired import Pairs
from steelyard.score import full, pending, zero


def row(reward: Any, **metadata: Any) -> dict[str, Any]:
    return {"reward": reward, "metadata": metadata}


def test_categories_are_sorted_and_printable() -> None:
    rows = [
        row(1.0, category="law"),
        row(0.0, category="law"),
        row(True, category="art"),
        row(0.5, category="law"),
    ]
    stats = category_breakdown(rows, "category")
    printed = [f"{c.category}: {c.mean_reward:.3f} ({c.n_samples} samples)" for c in stats]
    assert printed == ["art: 1.000 (1 samples)", "law: 0.500 (3 samples)"]
    assert f"{stats[0].ci_lower:.3f}" == "–"
    assert 0 <= stats[1].ci_lower < 0.5 < stats[1].ci_upper <= 1


def test_a_missing_category_is_unknown() -> None:
    rows: list[Any] = [
        row(1),
        row(1, category=None),
        {"reward": 0},
        {"reward": 0, "metadata": None},
        {"reward": 0, "metadata": "odd"},
        row(1, category="unknown"),
        row(1, category=7),
    ]
    stats = category_breakdown(rows, "category")
    assert [(c.category, c.n_samples, c.mean_reward) for c in stats] == [
        ("7", 1, 1.0),
        ("unknown", 6, 0.5),
    ]


def test_an_unscored_sample_is_counted_and_shown() -> None:
    stats = category_breakdown(
        [row(1, k="a"), row(None, k="a"), row(0, k="a"), row(None, k="b")], "k"
    )
    assert (stats[0].n_samples, stats[0].n_unscored, stats[0].mean_reward) == (3, 1, 0.5)
    assert (stats[0].worst, stats[0].best) == (1 / 3, 2 / 3)
    assert (stats[1].n_samples, stats[1].n_unscored) == (1, 1)
    assert stats[1].mean_reward is NO_BOUND
    assert f"{stats[1].mean_reward:.3f} {stats[1].ci_upper:.3f}" == "– –"


def test_objects_and_scores_are_results_too() -> None:
    rows = [
        SimpleNamespace(reward=1.0, metadata={"k": "a"}),
        SimpleNamespace(score=zero("no"), metadata={"k": "a"}),
        {"score": full(), "metadata": {"k": "a"}},
        {"score": pending(), "metadata": {"k": "a"}},
    ]
    (stats,) = category_breakdown(rows, "k")
    assert (stats.n_samples, stats.n_unscored, stats.mean_reward) == (4, 1, pytest.approx(2 / 3))


def test_right_or_wrong_has_wilsons_interval_and_grades_have_students() -> None:
    assert category_breakdown([row(1), row(0), row(1)], "k")[0].interval.method == "wilson"  # type: ignore[union-attr]
    assert category_breakdown([row(1), row(0.5)], "k")[0].interval.method == "student"  # type: ignore[union-attr]
    assert category_breakdown([], "k") == []


@pytest.mark.parametrize(
    "reward", [math.nan, math.inf, -0.1, 1.5, "1", [1], 10**5000], ids=lambda r: str(type(r))
)
def test_a_reward_that_is_no_score_is_an_error(reward: Any) -> None:
    with pytest.raises(ValueError, match="result 1 has the reward"):
        category_breakdown([row(1), row(reward)], "k")


def test_a_result_without_a_reward_is_an_error() -> None:
    with pytest.raises(ValueError, match="result 0 has no reward"):
        category_breakdown([{"metadata": {}}], "k")


def test_several_keys_make_one_category_each_way() -> None:
    rows = [
        row(1, a="x", b=1),
        row(0, a="x", b=2),
        row(1, a="x", b=1),
        row(0.5, a="y"),
        row(None, a="y", b=None),
    ]
    stats = category_breakdown(rows, ["a", "b"])
    assert [(one.keys, one.category, one.n_samples) for one in stats] == [
        (("x", "1"), "x / 1", 2),
        (("x", "2"), "x / 2", 1),
        (("y", "unknown"), "y / unknown", 2),
    ]
    assert (stats[2].worst, stats[2].best) == (0.25, 0.75)
    assert category_breakdown(rows, ("a",)) == category_breakdown(rows, "a")
    for results, key, why in (([], None, "key is None"), (None, "category", "results is None")):
        with pytest.raises(ValueError, match=why):
            category_breakdown(results, key)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="there are no keys"):
        category_breakdown(rows, [])


@pytest.mark.parametrize("place", ["beside", "in the metadata", "as an attribute"])
@pytest.mark.parametrize("field", ["problem", "problem_id", "problem_idx", "cluster"])
def test_results_that_share_something_have_an_interval_that_knows_it(
    place: str, field: str
) -> None:
    values, names = [1, 1, 1, 0, 0, 0, 1, 0], [0, 0, 0, 1, 1, 1, 2, 3]
    made: dict[str, Any] = {
        "beside": lambda value, name: {"reward": value, field: name, "metadata": {}},
        "in the metadata": lambda value, name: row(value, **{field: name}),
        "as an attribute": lambda value, name: SimpleNamespace(
            reward=value, metadata={}, **{field: name}
        ),
    }
    (stats,) = category_breakdown(
        [made[place](value, name) for value, name in zip(values, names, strict=True)], "k"
    )
    assert stats.interval == default_interval(values, names)
    assert stats.interval is not None
    assert stats.interval.method == "clustered"


def test_a_cluster_that_results_are_grouped_by_is_not_looked_at_again() -> None:
    rows = [
        {"reward": value, "metadata": {"cluster": "a", "problem": place}}
        for place, value in enumerate([1, 0, 1])
    ]
    (stats,) = category_breakdown(rows, "cluster")
    assert stats.interval == default_interval([1, 0, 1])


def test_a_name_of_a_cluster_may_be_anything() -> None:
    (stats,) = category_breakdown(
        [row(1, problem=["a", 1]), row(0, problem=["a", 1]), row(1, problem={"b": 2})], "k"
    )
    assert stats.interval == default_interval([1, 0, 1], ["a", "a", "b"])


@given(st.lists(st.floats(0, 1), min_size=2, max_size=40))
@example([0.1, 0.2, 0.3])
def test_every_mean_is_rounded_once(rewards: list[float]) -> None:
    mean = float(sum(map(Fraction, rewards)) / len(rewards))
    [stats] = category_breakdown([row(reward) for reward in rewards], "category")
    assert (stats.mean_reward, stats.worst, stats.best) == (mean, mean, mean)
    [shared] = category_breakdown([row(reward, problem="one") for reward in rewards], "category")
    assert shared.mean_reward == mean
    assert bootstrap_ci(rewards, resamples=10).value == mean
    assert Pairs(np.array(rewards), np.zeros(len(rewards))).difference == -mean
