"""Why a sample failed: every row of the table, and the collector that counts them."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.metrics import FAILURE_CATEGORIES, ArtifactCollector, classify_failure
from steelyard.score import full, pending, unscored, zero

CASES = Path(__file__).parent.parent / "cases" / "metrics" / "failures.jsonl"
ROWS = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_classify_failure(row: dict[str, Any]) -> None:
    given_row = {key: value for key, value in row.items() if key not in {"response", "category"}}
    assert classify_failure(row["response"], **given_row) == row["category"]


def test_exceptions_are_read_by_their_names() -> None:
    assert classify_failure("", error=TimeoutError()) == "timeout"
    assert classify_failure("", error=ConnectionError("refused")) == "model_error"


@given(st.text(), st.none() | st.text(), st.booleans())
def test_any_text_has_one_category_or_was_right(
    response: str, error: str | None, correct: bool
) -> None:
    category = classify_failure(response, error=error, correct=correct)
    assert (category is None) if correct else (category in FAILURE_CATEGORIES)


@pytest.mark.parametrize(
    "piece", ["I'm sorry ", "'", '"', "\n", " ", "i understand ", "sorry for the ", "answer:", "`"]
)
def test_hostile_text_is_read_to_the_end(piece: str) -> None:
    assert classify_failure("I'm sorry " + piece * 100_000) in FAILURE_CATEGORIES
    assert classify_failure("", error=piece * 100_000) in FAILURE_CATEGORIES


def test_the_analysis_has_the_documented_shape(tmp_path: Path) -> None:
    failures = ArtifactCollector()
    for place in range(200):
        if place in {42, 43, 44, 45, 46}:
            failures.add("I'm sorry, I cannot...", problem_idx=place)
        elif place < 4:
            failures.add("hm", extracted=None, problem_idx=place)
        elif place < 7:
            failures.add("", error="timeout", problem_idx=place)
        else:
            failures.add("right", correct=True, problem_idx=place)
    analysis = failures.analysis()
    assert (analysis["total_failures"], analysis["failure_rate"]) == (12, 0.06)
    assert list(analysis["categories"].items()) == [
        ("refusal", {"count": 5, "rate": 0.025}),
        ("format_error", {"count": 4, "rate": 0.02}),
        ("timeout", {"count": 3, "rate": 0.015}),
    ]
    first = {"category": "refusal", "problem_idx": 42, "response_preview": "I'm sorry, I cannot..."}
    assert analysis["exemplars"][0] == first
    assert list(analysis) == ["total_failures", "failure_rate", "categories", "exemplars"]
    written = failures.write(tmp_path)
    assert written.name == "failure_analysis.json"
    assert json.loads(written.read_text(encoding="utf-8")) == analysis


def test_nothing_added_is_no_failure() -> None:
    assert ArtifactCollector().analysis() == {
        "total_failures": 0,
        "failure_rate": 0.0,
        "categories": {},
        "exemplars": [],
    }


def test_previews_are_short_and_can_be_written(tmp_path: Path) -> None:
    failures = ArtifactCollector(preview_chars=10)
    failures.add("\ud800" + "x" * 1000, problem_idx="a")
    preview = failures.analysis()["exemplars"][0]["response_preview"]
    assert len(preview) == 10
    assert preview.endswith("…")
    assert failures.write(tmp_path / "mine.json").name == "mine.json"


def test_the_lowest_problems_are_kept_in_whatever_order_they_come() -> None:
    failures = ArtifactCollector(max_exemplars=2)
    for place in (9, 3, "b", 5, 1, "a"):
        failures.add("", problem_idx=place)
    assert [one["problem_idx"] for one in failures.analysis()["exemplars"]] == [1, 3]


@given(
    st.lists(st.sampled_from(["", "hm", "I cannot help with that."]), max_size=40),
    st.integers(1, 5),
    st.randoms(),
)
def test_merging_does_not_depend_on_the_split(
    responses: list[str], workers: int, dice: Any
) -> None:
    together = ArtifactCollector(max_exemplars=2)
    apart = [ArtifactCollector(max_exemplars=2) for _ in range(workers)]
    for place, response in enumerate(responses):
        together.add(response, problem_idx=place)
        apart[dice.randrange(workers)].add(response, problem_idx=place)
    merged = ArtifactCollector(max_exemplars=2)
    for part in apart:
        merged.merge(pickle.loads(pickle.dumps(part)))
    assert merged.analysis() == together.analysis()


def test_scores_without_a_value_are_nobodys_failure() -> None:
    failures = ArtifactCollector()
    for score in (full(), pending(), unscored("the judge is down"), zero("no", extracted=None)):
        failures.add_score(score, "some text")
    failures.add_score(unscored("no reply"), "", error="HTTP 500")
    assert failures.n_samples == 5
    assert failures.n_unscored == 2
    assert failures.analysis()["categories"] == {
        "model_error": {"count": 1, "rate": 0.2},
        "format_error": {"count": 1, "rate": 0.2},
    }
