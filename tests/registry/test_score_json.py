"""Every Score that can be made goes to JSON and comes back equal; what JSON cannot hold is refused when it is made."""

from __future__ import annotations

import datetime
import enum
from collections import OrderedDict
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.errors import EngineError
from steelyard.lift import lift
from steelyard.registry import call
from steelyard.score import Score, full


class Colour(enum.Enum):
    RED = "red"


class Pair(msgspec.Struct):
    left: int
    right: tuple[int, ...] = ()


def again(score: Score) -> Score:
    return msgspec.json.decode(msgspec.json.encode(score), type=Score)


@pytest.mark.parametrize(
    ("given_value", "value"),
    [
        (True, 1.0),
        (False, 0.0),
        (1, 1.0),
        (0, 0.0),
        (Decimal("0.5"), 0.5),
        (Fraction(1, 2), 0.5),
        (np.float64(0.25), 0.25),
        (np.float32(0.5), 0.5),
        (np.int64(1), 1.0),
        (np.bool_(True), 1.0),
        (-0.0, 0.0),
        (5e-324, 5e-324),
    ],
    ids=repr,
)
def test_a_value_of_any_type_is_a_float(given_value: Any, value: float) -> None:
    score = Score(value=given_value)
    assert (score.value, type(score.value), score.correct) == (value, float, value == 1)
    assert again(score) == score
    assert again(msgspec.structs.replace(full(), value=given_value, correct=False)).value == value


@pytest.mark.parametrize(
    "value",
    [
        float("nan"),
        float("inf"),
        -0.1,
        1.0000001,
        2,
        -1,
        Decimal("NaN"),
        Decimal("sNaN"),
        Decimal("Infinity"),
        Decimal("1.00000000000000000000001"),
        Fraction(-1, 10**400),
        10**5000,
        np.float64("nan"),
        np.float32(1.5),
        "0.5",
        "",
        b"1",
        1j,
        [],
        {},
        object(),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_no_number_in_the_range_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match=r"a score's value is 0\.\.1 or None"):
        Score(value=value)


@pytest.mark.parametrize(
    ("evidence", "form"),
    [
        ((1, 2), [1, 2]),
        ([1, (2, ("x", ()))], [1, [2, ["x", []]]]),
        ({"a": (1,)}, {"a": [1]}),
        ({1: 2, "b": {None: 3}}, {"1": 2, "b": {"None": 3}}),
        ({3, 1}, [1, 3]),
        (Decimal("0.5"), 0.5),
        (Fraction(1, 4), 0.25),
        ([np.int64(3), np.float64(0.5), np.bool_(False)], [3, 0.5, False]),
        (OrderedDict(a=(1,)), {"a": [1]}),
        (MappingProxyType({"a": 1}), {"a": 1}),
        (Pair(1, (2,)), {"left": 1, "right": [2]}),
        ([Colour.RED, datetime.date(2024, 2, 29), b"x"], ["red", "2024-02-29", "eA=="]),
        ("\ud800", "\ufffd"),
        ({"\ud800": ("\ud800", Decimal(1))}, {"\ufffd": ["\ufffd", 1.0]}),
    ],
    ids=repr,
)
def test_evidence_is_brought_into_the_form_of_json(evidence: Any, form: Any) -> None:
    score = Score(value=1.0, extracted=evidence, detail={"deep": [evidence]})
    assert (score.extracted, score.detail) == (form, {"deep": [form]})
    assert type(score.extracted) is type(form)
    assert again(score) == score


@pytest.mark.parametrize(
    "evidence", [None, True, 0, -5, 10**30, 0.1, -0.0, "x", "ß", [], {}, [{"a": [None, 1.5, "x"]}]]
)
def test_what_json_holds_stays_the_very_thing(evidence: Any) -> None:
    score = Score(value=1.0, extracted=evidence, detail={"it": evidence})
    assert score.extracted is evidence
    assert score.detail["it"] is evidence
    assert again(score) == score


def endless() -> list[Any]:
    found: list[Any] = []
    found.append(found)
    return found


@pytest.mark.parametrize(
    ("evidence", "what"),
    [
        (float("nan"), "NaN"),
        ([1, {"a": float("-inf")}], "an infinity"),
        (Decimal("NaN"), "NaN"),
        (np.float64("nan"), "NaN"),
        (Fraction(10**400), "beyond all floats"),
        (10**5000, "too many digits"),
        (object(), "a Python object"),
        ((1, object()), "a Python object"),
        ({1: 0, "1": 0}, "two keys"),
        (lambda: 0, "a Python function"),
        (1j, "a Python complex"),
        (endless(), "nested too deeply"),
        (np.array([1, 2]), "a Python ndarray"),
    ],
    ids=range(13),
)
def test_what_json_has_no_form_for_is_refused(evidence: Any, what: str) -> None:
    for name, given_evidence in (("extracted", evidence), ("detail", {"it": evidence})):
        with pytest.raises(ValueError, match=f"a score's {name} .*{what}"):
            Score(value=1.0, **{name: given_evidence})
    failed = call(lambda sample: Score(value=1.0, extracted=evidence), "x")
    assert failed.status == "unscored"
    assert "a score's extracted" in failed.reason


def test_detail_is_a_dict_and_a_verdict_a_truth_value() -> None:
    assert Score(value=1.0, detail=None).detail == {}  # type: ignore[arg-type]
    assert Score(value=0.5, correct=np.bool_(True)).correct is True  # type: ignore[arg-type]
    assert Score(value=0.5, correct=1).correct is True  # type: ignore[arg-type]
    assert Score(value=0.5, reason=None).reason == "None"  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="detail is a dict"):
        Score(value=1.0, detail=[1])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="True or False, not yes"):
        Score(value=1.0, correct="yes")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="cannot be correct"):
        Score(value=None, correct=np.bool_(True))  # type: ignore[arg-type]


def test_a_dict_that_no_score_can_hold_is_the_scorers_fault() -> None:
    with pytest.raises(
        EngineError, match="returned what no score can hold: a score's extracted holds an integer"
    ):
        lift({"correct": True, "extracted": 10**5000})


LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    | st.decimals(allow_nan=False, allow_infinity=False, min_value=-1000, max_value=1000)
    | st.fractions()
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


NUMBERS = st.none() | st.booleans() | st.floats(0, 1) | st.fractions(0, 1) | st.decimals(0, 1)


@pytest.mark.slow
@given(NUMBERS, VALUES, st.dictionaries(st.text(), VALUES))
def test_whatever_a_score_is_made_of_it_comes_back_equal(
    value: Any, extracted: Any, detail: Any
) -> None:
    score = Score(value=value, extracted=extracted, detail=detail)
    assert again(score) == score
