"""The figures of a calibration, each against another way of coming to it."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.scripted import Scripted, asker, run, says, verdict
from steelyard.judge.calibration import Calibration, Label, calibrate
from steelyard.judge.config import JudgeScoringConfig
from steelyard.metrics.agreement import confusion, consistency, kappa, paired_share, rate
from steelyard.models.types import Request

SIDES = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=2, max_size=60)


def table(pairs: list[tuple[Any, Any]]) -> Any:
    classes = sorted({side for pair in pairs for side in pair})
    return np.array(
        [[sum(pair == (row, column) for pair in pairs) for column in classes] for row in classes]
    )


def cohen(counts: Any) -> tuple[float, float]:
    """Kappa, and its asymptotic standard error by the formula of Fleiss, Cohen and Everitt."""
    shares = np.asarray(counts, float) / np.sum(counts)
    rows, columns = shares.sum(axis=1), shares.sum(axis=0)
    chance = float(rows @ columns)
    value = (float(np.trace(shares)) - chance) / (1 - chance)
    size, left = len(shares), 1 - value
    same = sum(shares[i, i] * (1 - (rows[i] + columns[i]) * left) ** 2 for i in range(size))
    other = sum(
        shares[i, j] * (columns[i] + rows[j]) ** 2
        for i in range(size)
        for j in range(size)
        if i != j
    )
    spread = same + left**2 * other - (value - chance * left) ** 2
    return value, math.sqrt(max(0.0, spread) / np.sum(counts)) / (1 - chance)


def wilson(hits: int, n: int) -> tuple[float, float]:
    """Both roots of (p - q)^2 = z^2 q (1 - q) / n, the equation that the interval comes from."""
    z2 = NormalDist().inv_cdf(0.975) ** 2
    lower, upper = sorted(np.roots([1 + z2 / n, -2 * hits / n - z2 / n, (hits / n) ** 2]).real)
    return float(lower), float(upper)


@given(SIDES)
def test_kappa_is_that_of_another_implementation(pairs: list[tuple[str, str]]) -> None:
    counts, found = table(pairs), kappa(pairs)
    if len(counts) == 1:
        assert found is None
        return
    assert found is not None
    assert found.value == pytest.approx(cohen(counts)[0])
    assert found.lower is not None
    assert found.upper is not None
    assert -1 <= found.lower <= found.upper <= 1


@pytest.mark.parametrize(
    "counts", [(80, 20, 30, 170), (300, 40, 60, 100), (45, 15, 25, 115), (500, 3, 4, 493)]
)
def test_the_interval_of_kappa_is_near_the_asymptotic_one(
    counts: tuple[int, int, int, int],
) -> None:
    a, b, c, d = counts
    pairs = [("y", "y")] * a + [("y", "n")] * b + [("n", "y")] * c + [("n", "n")] * d
    (value, error), found = cohen(table(pairs)), kappa(pairs)
    assert found is not None
    assert found.value == pytest.approx(value)
    assert found.lower == pytest.approx(value - 1.96 * error, abs=0.02)
    assert found.upper == pytest.approx(value + 1.96 * error, abs=0.02)


@pytest.mark.slow
def test_the_interval_of_kappa_covers_what_it_says() -> None:
    """Of many small samples from one table, about 95 % of the intervals hold the table's own kappa."""
    true = np.array([[0.4, 0.1], [0.15, 0.35]])
    chance = float(true.sum(axis=1) @ true.sum(axis=0))
    own = (float(np.trace(true)) - chance) / (1 - chance)
    dice, held, tried = np.random.default_rng(7), 0, 300
    for _ in range(tried):
        drawn = dice.multinomial(80, true.ravel())
        cells = zip(("yy", "yn", "ny", "nn"), drawn, strict=True)
        found = kappa([(cell[0], cell[1]) for cell, many in cells for _ in range(int(many))])
        assert found is not None
        assert found.lower is not None
        assert found.upper is not None
        held += found.lower <= own <= found.upper
    assert held / tried == pytest.approx(0.95, abs=0.035)


@pytest.mark.parametrize("n", [2, 10, 100])
def test_perfect_agreement_of_a_few_is_not_certain(n: int) -> None:
    found = kappa([("a", "a"), ("b", "b")] * (n // 2))
    assert found is not None
    lower, _ = wilson(n, n)
    assert (found.value, found.upper) == (1.0, 1.0)
    assert found.lower == pytest.approx((lower - 0.5) / 0.5)


@given(st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_rates_have_wilsons_interval(given_counts: tuple[int, int]) -> None:
    hits, n = given_counts
    found = rate(hits, n)
    assert found is not None
    assert found.value == pytest.approx(hits / n)
    assert (found.lower, found.upper) == pytest.approx(wilson(hits, n), abs=1e-7)


@given(st.lists(st.lists(st.sampled_from("ab"), min_size=0, max_size=6), max_size=12))
def test_consistency_is_the_share_of_agreeing_pairs(rows: list[list[str]]) -> None:
    same, agreement = consistency(rows)
    asked = [row for row in rows if len(row) > 1]
    if not asked:
        assert (same, agreement) == (None, None)
        return
    assert same is not None
    assert same.value == pytest.approx(sum(len(set(row)) == 1 for row in asked) / len(asked))
    each = [np.mean([a == b for a, b in itertools.combinations(row, 2)]) for row in asked]
    assert agreement == pytest.approx(float(np.mean(each)))


def test_verdicts_about_one_pair_are_no_independent_evidence() -> None:
    biased = paired_share([[True, True]] * 10)
    assert biased is not None
    lower, _ = wilson(10, 10)
    assert (biased.value, biased.lower) == (1.0, pytest.approx(lower))
    one = paired_share([[True, False], []])
    assert one is not None
    assert (one.value, one.lower, one.n) == (0.5, None, 2)
    assert paired_share([[], []]) is None


SCORES = st.integers(1, 5)
RATED = st.lists(
    st.tuples(st.booleans(), st.lists(SCORES | st.none(), min_size=3, max_size=3)),
    min_size=1,
    max_size=15,
)


@settings(max_examples=60)
@given(RATED)
def test_a_whole_calibration_of_answers(rows: list[tuple[bool, list[int | None]]]) -> None:
    """The judge says what the table says, asking by asking; the figures come out as they do by counting."""
    labels = [
        Label(id=str(n), instruction="?", response=f"Answer {n}.", label=right)
        for n, (right, _) in enumerate(rows)
    ]
    told: Counter[int] = Counter()

    def say(request: Request) -> str:
        number = int(request.messages[1].content.split("Answer ")[1].split(".")[0])
        score = rows[number][1][told[number]]
        told[number] += 1
        return "no idea" if score is None else verdict(score, evidence="")

    found = run(
        calibrate(
            labels, asker(Scripted(say=say)), JudgeScoringConfig(tries=1), repeats=3, at_once=1
        )
    )
    judged = [(right, scores[0] >= 4) for right, scores in rows if scores[0] is not None]
    _answers_are(found, judged, len(rows))
    _is_consistent(
        found, [[score >= 4 for score in scores if score is not None] for _, scores in rows]
    )
    assert set(found.problems) == {
        str(n) for n, (_, scores) in enumerate(rows) if scores[0] is None
    }


def _answers_are(found: Calibration, judged: list[tuple[bool, bool]], labels: int) -> None:
    answers = found.answers
    assert answers is not None
    assert (answers.labels, answers.judged) == (labels, len(judged))
    cells = {
        "true_positive": (True, True),
        "false_positive": (False, True),
        "false_negative": (True, False),
        "true_negative": (False, False),
    }
    assert (
        answers.confusion
        == {name: judged.count(cell) for name, cell in cells.items()}
        == confusion(judged)
    )
    right, wrong = (
        [ours for label, ours in judged if label],
        [ours for label, ours in judged if not label],
    )
    assert _value(answers.tpr) == _mean([float(ours) for ours in right])
    assert _value(answers.tnr) == _mean([float(not ours) for ours in wrong])
    assert _value(answers.agreement) == _mean([float(label == ours) for label, ours in judged])
    if len({side for pair in judged for side in pair}) == 2:
        assert _value(answers.kappa) == pytest.approx(cohen(table(judged))[0])
    else:
        assert answers.kappa is None


def _is_consistent(found: Calibration, verdicts: list[list[bool]]) -> None:
    assert found.consistency is not None
    several = [row for row in verdicts if len(row) > 1]
    assert _value(found.consistency.same) == _mean([float(len(set(row)) == 1) for row in several])


def _value(interval: Any) -> float | None:
    return None if interval is None else interval.value


def _mean(values: list[float]) -> Any:
    return pytest.approx(math.fsum(values) / len(values)) if values else None


WINNERS = st.sampled_from(["A", "B", "tie"])


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.sampled_from(["first", "second", "tie"]), WINNERS, WINNERS),
        min_size=1,
        max_size=15,
    )
)
def test_a_whole_calibration_of_pairs(rows: list[tuple[Any, str, str]]) -> None:
    labels = [
        Label(id=f"p{n}", instruction="?", first=f"one {n}.", second=f"two {n}.", winner=row[0])
        for n, row in enumerate(rows)
    ]

    def say(request: Request) -> str:
        shown = request.messages[1].content
        number = int(shown.split("one ")[1].split(".")[0])
        return says(rows[number][1 if shown.index("one ") < shown.index("two ") else 2])

    found = run(
        calibrate(labels, asker(Scripted(say=say)), JudgeScoringConfig(), at_once=1)
    ).comparisons
    assert found is not None
    in_order = [{"A": "first", "B": "second", "tie": "tie"}[ahead] for _, ahead, _ in rows]
    swapped = [{"A": "second", "B": "first", "tie": "tie"}[behind] for _, _, behind in rows]
    winners = [one if one == two else "tie" for one, two in zip(in_order, swapped, strict=True)]
    assert _value(found.flipped) == _mean(
        [float(a != b) for a, b in zip(in_order, swapped, strict=True)]
    )
    assert _value(found.agreement) == _mean(
        [float(row[0] == won) for row, won in zip(rows, winners, strict=True)]
    )
    said = [word for _, ahead, behind in rows for word in (ahead, behind) if word != "tie"]
    assert _value(found.first_shown) == _mean(
        [float(word == "A") for word in said]
    )  # A is whatever is shown first
