"""What the room for clusters that were not drawn does near 0 and 1, as the guide and decision 0012 tell it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from steelyard.metrics import clusters
from steelyard.metrics.clusters import Clusters
from steelyard.metrics.intervals import Interval

DOCS = Path(__file__).parent.parent.parent / "docs"
GUIDE = (DOCS / "guide" / "metrics.md").read_text(encoding="utf-8")
DECISION = (DOCS / "decisions" / "0012-intervals.md").read_text(encoding="utf-8")


def interval(size: int, right: list[int], *, room: bool = True) -> Interval:
    """Of clusters of one size, with or without the room."""
    given = Clusters.of_sums({size: (len(right), sum(right), sum(each * each for each in right))})
    with pytest.MonkeyPatch.context() as patch:
        if not room:
            patch.setattr(clusters, "_unseen", lambda count, confidence: 0.0)
        found = given.interval()
    assert found is not None
    return found


def one_wrong(count: int, size: int) -> list[int]:
    return [size - 1] + [size] * (count - 1)


def stretch(size: int, right: list[int]) -> float:
    """How many times as long the room makes the interval."""
    (lower, upper), (short, far) = (
        (found.lower or 0.0, found.upper or 0.0)
        for found in (interval(size, right), interval(size, right, room=False))
    )
    return (upper - lower) / (far - short)


@pytest.mark.parametrize(
    ("count", "size", "all_right", "one"),
    [(10, 10, "0.7225", "0.7772"), (100, 4, "0.9630", "0.9729")],
)
def test_all_right_counts_each_cluster_once_and_one_wrong_tells_more(
    count: int, size: int, all_right: str, one: str
) -> None:
    assert f"{interval(size, [size] * count).lower:.4f}" == all_right
    assert f"{interval(size, one_wrong(count, size)).lower:.4f}" == one
    for page in (GUIDE, DECISION):
        assert all_right in page
        assert one in page


@pytest.mark.parametrize(
    ("count", "size", "without", "lower"),
    [(10, 10, "0.9455", "0.7772"), (50, 20, "0.9944", "0.9471"), (100, 4, "0.9860", "0.9729")],
)
def test_one_wrong_answer_pays_for_the_room_with_many_clusters_too(
    count: int, size: int, without: str, lower: str
) -> None:
    right = one_wrong(count, size)
    far, near = interval(size, right), interval(size, right, room=False)
    assert (f"{near.lower:.4f}", f"{far.lower:.4f}", far.upper) == (without, lower, near.upper)
    assert f"from {without} to {lower}" in DECISION


@pytest.mark.parametrize(("count", "size"), [(10, 10), (50, 20), (100, 4)])
def test_where_more_are_wrong_the_room_changes_nothing(count: int, size: int) -> None:
    wrong = int(2.6 * size) + 1  # as many as 2.6 / count of all samples, and one
    right = (
        [size - 1] * wrong + [size] * (count - wrong)
        if wrong <= count
        else [size - wrong // count - 1] * count
    )
    assert interval(size, right) == interval(size, right, room=False)


@pytest.mark.parametrize(
    ("count", "size", "p", "often", "longest"),
    [(50, 4, 0.98, 46, 1.9), (20, 5, 0.95, 55, 2.3), (100, 4, 0.97, 1, 2.0)],
)
def test_clusters_of_a_few_samples_often_need_the_room(
    count: int, size: int, p: float, often: int, longest: float
) -> None:
    dice = np.random.default_rng([41, count])
    right = dice.binomial(size, dice.beta(9 * p, 9 * (1 - p), (3_000, count)))
    every = np.array([stretch(size, each) for each in right.tolist()])
    assert np.mean(every > 1 + 1e-9) == pytest.approx(often / 100, abs=0.025)
    assert every.max() <= stretch(size, one_wrong(count, size)) == pytest.approx(longest, abs=0.05)
    assert f"in {often} of 100 draws" in GUIDE
    assert f"{count} x {size}" in GUIDE
