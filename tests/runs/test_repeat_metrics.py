"""Several attempts at each problem in ``results.json``: means over problems, a curve, and what the open ones may change."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import Commands
from runs.support import Bench
from steelyard.metrics import best_of_k, default_interval, majority_at_k, pass_hat_k
from steelyard.runs.lines import AttemptLine
from steelyard.runs.results import Prices, results
from steelyard.runs.tally import RunTally
from steelyard.score import Score, full, pending, unscored, zero

REPEATS = 4
ABOUT = {
    "benchmark": "b",
    "model": "m",
    "signature": "s",
    "problems": 3,
    "repeats": REPEATS,
    "changes": [],
}
ATTEMPT = AttemptLine(key="0.0", asked="a", response="4")
READ = [
    full(extracted="4"),
    zero("no", extracted="5"),
    zero("no", extracted=None),
    Score(value=0.5, correct=False, extracted="4.5"),
    unscored("bug"),
    pending(),
]
PROBLEMS = st.lists(
    st.lists(st.sampled_from(READ), min_size=REPEATS, max_size=REPEATS), min_size=1, max_size=6
)


def told(problems: list[list[Score]], clusters: list[str | None] | None = None) -> dict[str, Any]:
    tally = RunTally(REPEATS, clustered=clusters is not None)
    for index, scores in enumerate(problems):
        cluster = None if clusters is None else clusters[index]
        tally.add(index, None, [ATTEMPT] * len(scores), scores, cluster)
    return results(tally, ABOUT, Prices())


def values(scores: list[Score]) -> list[float]:
    return [score.value for score in scores if score.value is not None]


@given(PROBLEMS)
def test_they_are_means_over_the_problems_that_have_enough(problems: list[list[Score]]) -> None:
    found = told(problems)["metrics"]
    for k in (2, 4):
        able = [[score for score in scores if score.value is not None] for scores in problems]
        able = [scores for scores in able if len(scores) >= k]
        want = {
            f"pass^{k}": [
                pass_hat_k(len(scores), sum(score.correct for score in scores), k)
                for scores in able
            ],
            f"best-of-{k}": [best_of_k(values(scores), k) for scores in able],
            f"majority@{k}": [
                majority_at_k([s.extracted for s in scores], values(scores), k) for scores in able
            ],
        }
        for name, each in want.items():
            assert found[name]["value"] == (pytest.approx(mean(each)) if each else None)
            assert (found[name]["problems"], found[name]["total"]) == (len(able), len(problems))
            assert found[name]["worst"] <= found[name]["best"]
            if len(able) == len(problems):
                assert (
                    found[name]["worst"] - 1e-9
                    <= found[name]["value"]
                    <= found[name]["best"] + 1e-9
                )


@given(PROBLEMS, st.data())
def test_the_bounds_hold_whatever_the_open_ones_become(
    problems: list[list[Score]], data: st.DataObject
) -> None:
    before = told(problems)["metrics"]
    ends = [score for score in READ if score.value is not None]
    closed = [
        [data.draw(st.sampled_from(ends)) if score.value is None else score for score in scores]
        for scores in problems
    ]
    after = told(closed)["metrics"]
    for name, metric in before.items():
        if "worst" in metric:
            assert metric["worst"] - 1e-9 <= after[name]["value"] <= metric["best"] + 1e-9, name


def test_where_no_answer_is_read_there_is_no_vote() -> None:
    assert not any(
        "majority" in name
        for name in told([[full()] * 4, [zero("no", extracted="5")] * 4])["metrics"]
    )


@given(PROBLEMS)
def test_the_curve_is_the_mean_of_each_attempt(problems: list[list[Score]]) -> None:
    curve = told(problems)["learning_curve"]
    assert [point["attempt"] for point in curve] == [1, 2, 3, 4]
    for place, point in enumerate(curve):
        here = values([scores[place] for scores in problems])
        assert (point["total"], point["scored"]) == (len(problems), len(here))
        assert point["value"] == (pytest.approx(mean(here)) if here else None)
        if len(here) > 1:
            want = default_interval(here)
            assert (point["ci_lower"], point["interval"]) == (
                pytest.approx(want.lower),
                want.method,
            )


def test_clusters_decide_where_the_benchmark_names_them() -> None:
    problems = [
        [full(extracted="4")] * 4,
        [full(extracted="4")] * 4,
        [zero("no", extracted="5")] * 4,
    ] * 4
    alone, shared = told(problems), told(problems, ["a", "a", "b"] * 4)
    assert alone["headline"]["value"] == shared["headline"]["value"]
    for found in (alone["headline"], shared["headline"]):
        assert found["interval"] == "clustered"
    assert width(shared["headline"]) > width(alone["headline"])
    assert width(shared["metrics"]["pass^4"]) > width(alone["metrics"]["pass^4"])
    own = told(problems, [None] * 12)  # each is a cluster of its own, as without any
    assert own["headline"] == alone["headline"]


def width(found: dict[str, Any]) -> float:
    return float(found["ci_upper"] - found["ci_lower"])


CLUSTERED = """
from steelyard import numeric_match, scorer
from steelyard.bench import benchmark

ROWS = [{"q": f"What is {n} + {n}?", "target": 2 * n, "passage": n // 6} for n in range(60)]


@benchmark(name="passages", dataset=ROWS, prompt="{q}", cluster_field="passage")
@scorer
def sums(sample):
    return numeric_match(sample)
"""


def test_a_benchmark_names_what_its_questions_share(
    bench: Bench, tmp_path: Path, steelyard: Commands
) -> None:
    from steelyard import open_run

    bench.file.write_text(CLUSTERED, encoding="utf-8")
    assert steelyard(*bench.args(tmp_path / "out", judge=False)).code == 0
    run = open_run(tmp_path / "out")
    assert [row.cluster for row in run.samples()] == [str(n // 6) for n in range(60)]
    head = run.results["headline"]
    assert head["interval"] == "clustered"
    want = default_interval(
        [row.value for row in run.samples()], [row.cluster for row in run.samples()]
    )
    assert (head["ci_lower"], head["ci_upper"]) == (want.lower, want.upper)
    assert (
        json.loads((tmp_path / "out" / "run.json").read_text())["shapes"]["benchmark"][
            "cluster_field"
        ]
        == "passage"
    )


def test_a_cluster_that_no_row_has_is_refused(
    bench: Bench, tmp_path: Path, steelyard: Commands
) -> None:
    bench.file.write_text(CLUSTERED.replace('"passage")', '"pasage")'), encoding="utf-8")
    refused = steelyard(*bench.args(tmp_path / "out", judge=False))
    assert refused.code == 2
    assert "there is no column 'pasage'; did you mean 'passage'" in refused.err
