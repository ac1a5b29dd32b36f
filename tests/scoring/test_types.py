"""The input of scorers: a dataclass that takes what rows hold."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import msgspec
import pytest

from steelyard.errors import DataError
from steelyard.scoring.pattern import answer_line, multichoice_regex
from steelyard.scoring.types import ScorerInput

SAMPLE = ScorerInput("a", "b", {"n": 1})


def test_it_is_a_dataclass() -> None:
    assert [field.name for field in dataclasses.fields(SAMPLE)] == [
        "response",
        "target",
        "metadata",
    ]
    assert dataclasses.replace(SAMPLE, target="c") == ScorerInput("a", "c", {"n": 1})
    assert dataclasses.asdict(SAMPLE) == {"response": "a", "target": "b", "metadata": {"n": 1}}
    assert repr(SAMPLE) == "ScorerInput(response='a', target='b', metadata={'n': 1})"
    with pytest.raises(dataclasses.FrozenInstanceError):
        SAMPLE.target = "c"  # type: ignore[misc]
    for same in (
        copy.copy(SAMPLE),
        copy.deepcopy(SAMPLE),
        pickle.loads(pickle.dumps(SAMPLE)),
        msgspec.convert(msgspec.to_builtins(SAMPLE), ScorerInput),
    ):
        assert same == SAMPLE


def test_inputs_share_no_metadata() -> None:
    first, second = ScorerInput("a"), ScorerInput("a")
    first.metadata["n"] = 1
    assert second.metadata == {}


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ((None,), ("", "", {})),
        (("a", None, None), ("a", "", {})),
        (("a", 42), ("a", "42", {})),
        (("a", True), ("a", "true", {})),
    ],
)
def test_what_rows_hold_is_read(given: tuple[Any, ...], read: tuple[Any, ...]) -> None:
    assert dataclasses.astuple(ScorerInput(*given)) == read


@pytest.mark.parametrize(
    ("given", "told"),
    [((5,), "the response is int"), (("a", "b", [1]), "the metadata are list")],
)
def test_anything_else_is_refused(given: tuple[Any, ...], told: str) -> None:
    with pytest.raises(DataError, match=told):
        ScorerInput(*given)
    with pytest.raises(DataError, match=told):
        dataclasses.replace(
            SAMPLE, **dict(zip(("response", "target", "metadata"), given, strict=False))
        )


def test_a_pattern_may_be_given_by_position() -> None:
    sample = ScorerInput("I pick <<B>>", "B")
    assert multichoice_regex(sample, "<<([A-D])>>").extracted == "B"
    assert multichoice_regex(sample, pattern="<<([A-D])>>").correct
    assert answer_line(sample, "<<(.)>>").extracted == "B"
    assert answer_line(sample, pattern="<<(.)>>").correct
