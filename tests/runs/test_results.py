"""The numbers of a run: a closed denominator, bounds, intervals by problem, pass@k, and what reports make of them."""

from __future__ import annotations

from statistics import mean
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.metrics import pass_at_k, wilson_interval
from steelyard.report.run_markdown import run_markdown
from steelyard.runs.lines import AttemptLine
from steelyard.runs.repeats import draws
from steelyard.runs.results import Prices, results
from steelyard.runs.tally import RunTally
from steelyard.score import Score, full, graded, pending, unscored, zero

ABOUT = {
    "benchmark": "b",
    "model": "m",
    "judge": None,
    "signature": "s",
    "problems": 3,
    "repeats": 1,
    "changes": [],
}
OUTCOMES = [full(), zero("no"), graded(0.5), unscored("bug"), pending()]


def attempt(text: str = "4", **more: Any) -> AttemptLine:
    return AttemptLine(key="0.0", asked="a", response=text, **more)


def told(problems: list[list[Score]], repeats: int, **about: Any) -> dict[str, Any]:
    tally = RunTally(repeats)
    for index, scores in enumerate(problems):
        tally.add(index, "even" if index % 2 == 0 else None, [attempt() for _ in scores], scores)
    return results(tally, {**ABOUT, "repeats": repeats, **about}, Prices())


def runs(repeats: int) -> st.SearchStrategy[list[list[Score]]]:
    one = st.lists(st.sampled_from(OUTCOMES), min_size=repeats, max_size=repeats)
    return st.lists(one, min_size=1, max_size=8)


@given(st.integers(1, 4).flatmap(lambda repeats: st.tuples(st.just(repeats), runs(repeats))))
def test_the_denominator_is_closed_and_the_bounds_hold(
    given: tuple[int, list[list[Score]]],
) -> None:
    repeats, problems = given
    found = told(problems, repeats)
    head = found["headline"]
    assert (
        head["total"]
        == repeats * len(problems)
        == head["scored"] + head["pending"] + head["unscored"]
    )
    assert 0 <= head["worst"] <= head["best"] <= 1
    values = [score.value for scores in problems for score in scores if score.value is not None]
    if values:
        assert head["value"] == pytest.approx(mean(values))
        assert head["worst"] <= head["value"] <= head["best"]
    else:
        assert head["value"] is None
    assert sum(group["total"] for group in found["categories"].values()) == head["total"]
    assert sum(found["coverage"]["reasons"].values()) == head["total"] - head["scored"]
    for metric in found["metrics"].values():
        if metric["value"] is not None and metric["ci_lower"] is not None:
            assert metric["ci_lower"] <= metric["value"] <= metric["ci_upper"]


@given(runs(4))
def test_pass_at_k_is_the_mean_over_problems(problems: list[list[Score]]) -> None:
    metrics = told(problems, 4)["metrics"]
    for k in (1, 2, 4):
        able = [
            scores for scores in problems if sum(score.value is not None for score in scores) >= k
        ]
        each = [
            pass_at_k(sum(s.value is not None for s in scores), sum(s.correct for s in scores), k)
            for scores in able
        ]
        found = metrics[f"pass@{k}"]
        assert (found["problems"], found["total"]) == (len(able), len(problems))
        assert found["value"] == (pytest.approx(mean(each)) if each else None)
        assert found["worst"] <= found["best"]


@given(runs(1))
def test_with_one_attempt_pass_at_1_is_the_accuracy(problems: list[list[Score]]) -> None:
    found = told(problems, 1)
    assert found["metrics"]["pass@1"]["value"] == found["headline"]["accuracy"]


def test_the_interval_is_wilsons_alone_and_clustered_with_repeats() -> None:
    once = told([[full()], [full()], [zero("no")]], 1)["headline"]
    bounds = wilson_interval(2, 3)
    assert (once["interval"], once["ci_lower"], once["ci_upper"]) == (
        "wilson",
        bounds.lower,
        bounds.upper,
    )
    often = told([[full()] * 9, [full()] * 9, [zero("no")] * 9], 9)["headline"]
    assert often["interval"] == "clustered"
    assert often["ci_upper"] - often["ci_lower"] >= once["ci_upper"] - once["ci_lower"]


@pytest.mark.parametrize(
    ("line", "score", "category"),
    [
        (attempt("", error="no reply in time", error_kind="timeout"), unscored("down"), "timeout"),
        (attempt("", error="HTTP 429", error_kind="rate_limit"), unscored("down"), "rate_limit"),
        (attempt("", error="HTTP 500", error_kind="server"), unscored("down"), "model_error"),
        (attempt(" "), zero("empty", extracted=None), "empty"),
        (attempt("I'm sorry, I cannot help."), zero("no", extracted=None), "refusal"),
        (attempt("maybe"), zero("no", extracted=None), "format_error"),
        (attempt("5"), zero("no", extracted="5"), "wrong_answer"),
        (attempt("5"), full(extracted="5"), None),
        (attempt("5"), pending(), None),
        (attempt("5"), unscored("bug"), None),
        (None, unscored("not asked"), None),
    ],
)
def test_failures(line: AttemptLine | None, score: Score, category: str | None) -> None:
    tally = RunTally(1)
    assert tally.add(0, None, [line], [score]) == [category]
    analysis = tally.failures.analysis()
    assert list(analysis["categories"]) == ([category] if category else [])
    assert tally.failures.n_samples == 1


def test_draws() -> None:
    assert [draws(repeats) for repeats in (1, 2, 3, 10)] == [
        [1],
        [1, 2],
        [1, 2, 3],
        [1, 2, 4, 8, 10],
    ]


HOSTILE = [
    "<script>alert(1)</script>",
    "| a | b |",
    "![x](http://x/y.png)",
    "\x1b[31mred",
    "$title",
    "</td></table>",
    "`code` **bold**",
    "\u202e evil",
    "${body}",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_a_model_says_stays_text_in_markdown(text: str) -> None:
    tally = RunTally(1)
    tally.add(0, text, [attempt(text)], [zero(text, extracted=text)])
    tally.add(1, text, [attempt(text)], [unscored(text)])
    found = results(tally, {**ABOUT, "model": text, "benchmark": text, "changes": [text]}, Prices())
    markdown = run_markdown(found, tally.failures.analysis())
    assert not {"\x1b", "\u202e"} & set(markdown)
    bars = {
        line.replace("\\|", "").count("|") for line in markdown.splitlines() if line.startswith("|")
    }
    assert bars <= {3, 4, 5, 6}
    assert "](" not in markdown
    assert "<script" not in markdown.replace("\\<", "")
