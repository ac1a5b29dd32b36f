"""Fuzzy metrics: the judge, similarity, a user's own, and the best one-to-one choice."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Iterator, Sequence
from importlib import metadata
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.judges import Down, Known
from steelyard.doors import Judge, Pairing
from steelyard.errors import SpecError
from steelyard.reference import FUZZY, bind_fuzzy, fuzzy_metric, match_entry
from steelyard.reference.fuzzy import similar_pairs, similarity
from steelyard.reference.pairing import best_pairs
from steelyard.registry import Registry

SELECT = "<fuzzy><select2,1,3>['dog', 'cat', 'cow']"
WORDS = st.lists(st.text("abAB é[.", max_size=6), max_size=4)


@pytest.fixture
def _tidy() -> Iterator[None]:
    before = dict(FUZZY._things)
    yield
    FUZZY._things.clear()
    FUZZY._things.update(before)


def test_the_judges_are_judges() -> None:
    assert isinstance(Known(), Judge)
    assert isinstance(Down(), Judge)


def test_the_judge_says_whether_the_entry_is_equivalent() -> None:
    judge = Known(("a hound", "a dog"))
    score = match_entry("<fuzzy>a dog", "a hound", judge=judge, question="2b")
    assert score.value == 1
    assert score.reason == "so it is"
    assert score.detail == {
        "judge": "known",
        "evidence": "a hound",
        "matching": "fuzzy",
        "metric": "llm",
    }
    assert judge.asked == [("a dog", "a hound", "2b")]
    assert match_entry("<fuzzy>a dog", "a cat", judge=judge).value == 0


@pytest.mark.parametrize("entry", ["a dog", " [a dog]. ", "", "  ", 6, None, ["a dog"]])
def test_the_judge_is_not_asked_where_there_is_nothing_to_judge(entry: Any) -> None:
    judge = Known()
    score = match_entry("<fuzzy>a dog", entry, judge=judge)
    assert score.value == (isinstance(entry, str) and "dog" in entry)
    assert judge.asked == []


@pytest.mark.parametrize("reference", ["<fuzzy>a dog", SELECT])
def test_a_judge_that_is_down_leaves_no_value(reference: str) -> None:
    score = match_entry(reference, "a hound", judge=Down())
    assert score.status == "unscored"
    assert score.reason == "the judge did not answer"


@pytest.mark.parametrize("reference", ["<fuzzy>a dog", SELECT])
def test_without_a_judge_the_default_metric_is_refused(reference: str) -> None:
    with pytest.raises(
        SpecError, match="the fuzzy metric 'llm' needs a judge: give one, or choose exact or"
    ):
        match_entry(reference, "a dog")


def test_an_unknown_metric_and_a_bad_parameter_are_refused_before_anything_is_scored() -> None:
    with pytest.raises(
        SpecError, match="unknown fuzzy metric 'similarty'; did you mean 'similarity'"
    ):
        bind_fuzzy("similarty")
    with pytest.raises(
        SpecError, match="similarity has no parameter 'treshold'; did you mean 'threshold'"
    ):
        bind_fuzzy("similarity", {"treshold": 0.5})
    with pytest.raises(SpecError, match="llm has no parameter 'threshold'"):
        bind_fuzzy("llm", {"threshold": 0.5}, judge=Known())
    for bad in (0, 1.1, "x", True, float("nan"), None):
        with pytest.raises(
            SpecError, match=r"threshold: must be (more than 0 and at most 1|a number)"
        ):
            bind_fuzzy("similarity", {"threshold": bad})


def test_similarity_states_its_threshold() -> None:
    metric = bind_fuzzy("similarity", {"threshold": 0.9})
    score = match_entry("<fuzzy>abcd", "abce", fuzzy=metric)
    assert score.detail["similarity"] == 0.75
    assert score.detail["threshold"] == 0.9
    assert score.reason == "the similarity 0.75 is below the threshold 0.9"


@pytest.mark.parametrize(
    ("entry", "pairs", "value"),
    [
        (["hound", "kitty"], [("hound", "dog"), ("kitty", "cat")], 1),
        (["hound", "hound", "kitty"], [("hound", "dog"), ("kitty", "cat")], 1),
        (["hound", "doggy"], [("hound", "dog"), ("doggy", "dog")], 0.5),
        (["pet", "hound"], [("pet", "dog"), ("pet", "cat"), ("hound", "dog")], 1),
        (["dog", "hound"], [("dog", "cat"), ("hound", "dog")], 1),
        (["hound", "kitty", "x"], [("hound", "dog"), ("kitty", "cat")], 0.5),
        (["x", "y"], [], 0),
        (["dog", "x"], [], 0.5),
        ("hound", [("hound", "dog")], 0.5),
    ],
)
def test_fuzzy_select_counts_the_best_one_to_one_choice(
    entry: Any, pairs: Any, value: float
) -> None:
    score = match_entry(SELECT, entry, judge=Known(*pairs), question="1")
    assert score.value == value
    assert score.detail["judge"] == "known"


def test_what_the_judge_says_of_the_pairs_is_kept() -> None:
    score = match_entry(SELECT, ["hound", "kitty"], judge=Known(("hound", "dog")))
    assert score.reason == "1 of 2 wanted items are right"
    assert score.detail["judge_reason"] == "these belong together"
    assert score.detail["evidence"] == "hound, kitty"
    assert score.detail["pairs"] == [["hound", "dog"]]
    assert "judge_reason" not in match_entry(SELECT, ["hound"], fuzzy="exact").detail


@pytest.mark.parametrize("threshold", [0.1, 0.5, 0.75, 0.8333333333333334, 1])
@given(items=WORDS, references=WORDS)
@settings(deadline=None, max_examples=40)
def test_many_texts_are_as_similar_as_two(
    threshold: float, items: list[str], references: list[str]
) -> None:
    found = set(similar_pairs(items, references, threshold=threshold))
    each = {
        (i, r)
        for i, item in enumerate(items)
        for r, reference in enumerate(references)
        if similarity(item, reference, threshold=threshold).correct
    }
    assert found == each


def test_equal_items_match_whatever_a_metric_says() -> None:
    assert match_entry(SELECT, ["dog", "x"], fuzzy=lambda got, want: False).value == 0.5


@pytest.mark.parametrize(
    ("work", "pairs"), [(99, []), (100, [(0, 0)]), (199, [(0, 0)]), (200, [(0, 0), (0, 1)])]
)
def test_all_pairs_share_the_work_of_one(
    work: int, pairs: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("steelyard.reference.fuzzy.MAX_WORK", work)
    assert list(similar_pairs(["abcdefghij"], ["abcdefghix", "abcdefghiy"])) == pairs
    beside = [
        "short",
        "abcdefghix",
        "abcdefghij",
    ]  # neither another length nor the same text takes work
    assert list(similar_pairs(["abcdefghij"], beside)) == [
        *([(0, 1)] if work >= 100 else []),
        (0, 2),
    ]


def test_huge_items_are_similar_in_bounded_time() -> None:
    huge = ["e\u0301" * 200_000 + str(n) for n in range(4)]
    reference = "<fuzzy><select4,1,4>" + json.dumps(
        [*(f"word {n}" for n in range(200)), huge[0] + "x"]
    )
    began = time.perf_counter()
    score = match_entry(reference, huge, fuzzy="similarity")
    assert score.value == 0.25
    assert time.perf_counter() - began < 20


@pytest.mark.parametrize("entry", [["dog", "cow"], [], [""], [6], ["a", "b", "c", "d"], 6, None])
def test_fuzzy_select_asks_only_where_the_answer_decides(entry: Any) -> None:
    judge = Known()
    assert match_entry(SELECT, entry, judge=judge).value == (1 if entry == ["dog", "cow"] else 0)
    assert judge.asked == []


@pytest.mark.parametrize("pair", [(7, 0), (0, 3), (-1, 0), (True, 0), ("0", 0)])
def test_a_judge_that_pairs_what_is_not_there_leaves_no_value(pair: Any) -> None:
    class Wild(Known):
        def assign(self, items: Sequence[str], references: Sequence[str], question: str) -> Pairing:
            return Pairing(pairs=(pair,))

    score = match_entry(SELECT, ["hound"], judge=Wild())
    assert score.value is None
    assert "the judge paired item" in score.reason


@pytest.mark.usefixtures("_tidy")
def test_a_users_own_metric() -> None:
    @fuzzy_metric
    def same_initial(got: str, want: str, *, letters: int = 1) -> bool:
        return got[:letters] == want[:letters]

    assert match_entry("<fuzzy>dog", "duck", fuzzy="same_initial").value == 1
    assert (
        match_entry("<fuzzy>dog", "duck", fuzzy="same_initial", fuzzy_params={"letters": 2}).value
        == 0
    )
    assert match_entry(SELECT, ["duck", "calf"], fuzzy="same_initial").value == 1
    assert match_entry(SELECT, ["duck", "deer"], fuzzy="same_initial").value == 0.5
    assert match_entry("<fuzzy>dog", "dot", fuzzy=lambda got, want: 0.25).value == 0.25


@pytest.mark.parametrize("reference", ["<fuzzy>dog", SELECT])
def test_a_users_metric_that_fails_leaves_no_value(reference: str) -> None:
    score = match_entry(reference, "duck", fuzzy=lambda got, want: 1 / 0)
    assert score.value is None
    assert "ZeroDivisionError" in score.reason


def test_a_metric_is_found_through_an_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    class Entry:
        name, value, dist = "always", "package:always", None

        def load(self) -> Any:
            return lambda got, want: True

    def entry_points(group: str) -> list[Any]:
        return [Entry()] if group == "steelyard.fuzzy" else []

    monkeypatch.setattr(metadata, "entry_points", entry_points)
    fresh = Registry("fuzzy metric", "steelyard.reference", group=FUZZY.group)
    assert fresh.get("always").fn("a", "b") is True


@settings(deadline=None)
@given(st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=12))
def test_no_other_choice_has_more_pairs(candidates: set[tuple[int, int]]) -> None:
    found = best_pairs(candidates)
    assert set(found.items()) <= candidates
    assert len(set(found.values())) == len(found)
    orders = itertools.permutations(range(5))
    most = max(sum((i, r) in candidates for i, r in enumerate(order)) for order in orders)
    assert len(found) == most


def test_a_long_chain_of_moves_is_no_deeper_than_another() -> None:
    size = 3_000
    chain = [(i, i) for i in range(size)] + [(i, i + 1) for i in range(size)]
    assert len(best_pairs([*chain, (size, 0)])) == size + 1
