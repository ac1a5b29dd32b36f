"""What users' scorers return becomes a Score, or an error that says what is wrong; nothing is lost in JSON."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import msgspec
import numpy as np
import pytest

from steelyard.errors import EngineError
from steelyard.lift import lift, plain_numbers
from steelyard.score import Part, Score, full, pending, unscored, weigh, zero


@pytest.mark.parametrize(
    ("returned", "value", "correct"),
    [
        (True, 1.0, True),
        (0.25, 0.25, False),
        (Decimal("0.5"), 0.5, False),
        (np.float32(0.5), 0.5, False),
        (np.bool_(True), 1.0, True),
        ({"correct": np.bool_(False)}, 0.0, False),
        ({"reward": 1}, 1.0, True),
        ({"correct": True, "value": 0.5}, 0.5, True),
    ],
)
def test_what_can_be_a_score_becomes_one(returned: Any, value: float, correct: bool) -> None:
    score = lift(returned)
    assert (score.value, score.correct) == (value, correct)


@pytest.mark.parametrize(
    "returned",
    [
        None,
        "yes",
        [],
        {},
        {"value": "x"},
        {"value": 2},
        {"value": float("nan")},
        {"correct": "yes"},
        {"correct": True, "span": 5},
        {"correct": True, "span": ["a", "b"]},
        {"correct": True, "detail": 3},
    ],
)
def test_what_cannot_be_a_score_is_named(returned: Any) -> None:
    with pytest.raises(EngineError, match="the scorer returned"):
        lift(returned)


def test_evidence_goes_to_json_and_back_without_loss() -> None:
    odd = {
        "tuple": (1, 2),
        "decimal": Decimal("0.1"),
        "third": Fraction(1, 3),
        7: np.int64(3),
        "nan": float("nan"),
        "set": {1},
    }
    score = lift({"correct": False, "extracted": odd, "needs": "no", "detail": {"deep": [odd]}})
    assert msgspec.json.decode(msgspec.json.encode(score), type=Score) == score


def test_a_pending_dict_keeps_what_was_extracted() -> None:
    assert dict(lift({"needs_judge": True, "extracted": "x"})) == {
        "correct": False,
        "extracted": "x",
        "needs_judge": True,
    }


@pytest.mark.parametrize(
    ("returned", "status", "reason"),
    [
        ({"correct": False, "value": None, "reason": "judge down"}, "unscored", "judge down"),
        ({"correct": True, "value": None, "reason": "judge down"}, "unscored", "judge down"),
        ({"value": None, "reason": "judge down"}, "unscored", "judge down"),
        ({"score": None}, "unscored", "the scorer gave no value"),
        ({"value": None, "pending": True}, "pending", "waits for the judge"),
        ({"correct": True, "value": None, "reward": 0.5}, "scored", ""),
    ],
)
def test_a_value_of_none_is_no_zero(returned: Any, status: str, reason: str) -> None:
    score = lift(returned)
    assert (score.status, score.reason) == (status, reason)


@pytest.mark.parametrize(
    "score",
    [
        unscored("no sandbox", extracted="4", detail={"why": 1}),
        pending(),
        full("good"),
        zero("bad"),
    ],
)
def test_a_score_as_plain_data_is_the_same_score(score: Score) -> None:
    assert lift(msgspec.to_builtins(score)) == score


@pytest.mark.parametrize("weights", [(0.0, 0.0), (-1.0, 2.0)])
def test_weights_that_weigh_nothing_are_refused(weights: tuple[float, float]) -> None:
    parts = [Part(name=str(w), score=full(), weight=w) for w in weights]
    with pytest.raises(ValueError, match="weights"):
        weigh(parts)


def test_a_part_without_a_value_leaves_the_whole_without_one() -> None:
    parts = [Part(name="a", score=zero("no")), Part(name="b", score=unscored("the judge is down"))]
    assert weigh(parts).status == "unscored"
    assert weigh(parts).reason == "b: the judge is down"
    assert weigh([Part(name="a", score=pending())]).status == "pending"
    with pytest.raises(ValueError, match="no parts"):
        weigh([])


@pytest.mark.parametrize("value", [10**400, -(10**400), {"value": 10**400}])
def test_a_number_beyond_all_floats_is_no_value(value: Any) -> None:
    with pytest.raises(EngineError, match="beyond all floats"):
        lift(value)


def test_what_a_scorer_extracts_can_be_written() -> None:
    score = lift({"correct": True, "extracted": {"a\ud800": ["\udfff"]}, "reason": "\ud800"})
    assert score.extracted == {"a\ufffd": ["\ufffd"]}
    assert msgspec.json.decode(msgspec.json.encode(score), type=Score) == score


def test_a_score_has_values_as_a_mapping_has() -> None:
    score = lift({"correct": True, "extracted": "x"})
    assert score.values() == [True, "x"] == list(dict(score).values())


def test_a_verdict_stands_where_only_another_number_is_missing() -> None:
    assert lift({"correct": False, "score": None}).value == 0
    assert lift({"correct": True, "reward": None}).value == 1
    assert lift({"correct": False, "value": None}).value is None
    assert lift({"score": None}).value is None


@pytest.mark.parametrize(
    ("given", "plain"),
    [
        (Decimal("0.50"), 0.5),
        (Decimal("3.0"), 3.0),
        (Decimal("1e400"), float("inf")),
        (7, 7),
        ("1.5", "1.5"),
        (None, None),
        (Decimal(10**1000), 10**1000),
        (Decimal("9" * 5000), float("inf")),
        (True, True),
        ({"a": [Decimal("0.1"), (Decimal("2.5"),)]}, {"a": [0.1, [2.5]]}),
    ],
)
def test_decimals_become_the_numbers_that_json_gives(given: Any, plain: Any) -> None:
    found = plain_numbers(given)
    assert (found, type(found)) == (plain, type(plain))
    assert str(plain_numbers([Decimal("sNaN")])) == "[nan]"


def test_numbers_are_found_however_deep_they_are() -> None:
    deep: Any = Decimal("0.5")
    for _ in range(100_000):
        deep = [deep]
    found = plain_numbers(deep)
    for _ in range(100_000):
        (found,) = found
    assert (found, type(found)) == (0.5, float)
    endless: list[Any] = [Decimal("1.5")]
    endless += [endless, endless]
    found = plain_numbers(endless)
    assert found[0] == 1.5
    assert found[1] is found[2] is found


def test_a_text_inside_of_what_was_extracted_can_be_written_too() -> None:
    half = "\ud800"
    score = Score(value=1.0, extracted=["a", {half: (half, 1)}], detail={"x": [half], half: 1})
    assert msgspec.json.decode(msgspec.json.encode(score), type=Score) == score
    assert score.extracted == ["a", {"\ufffd": ["\ufffd", 1]}]
    kept = [1, {"x": [None, 2.5]}]
    assert Score(value=1.0, extracted=kept).extracted is kept
