"""Truths that lint makes up: they fit the spec's own checks, and where none can be made a note says so."""

from __future__ import annotations

import re
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spec.specs import cases
from steelyard.spec import evaluate, lint_spec
from steelyard.spec.answers import right_submission
from steelyard.spec.instances import fitting
from steelyard.spec.load import load_spec
from steelyard.spec.pattern_texts import texts_like
from steelyard.spec.truths import make_truth


@pytest.mark.parametrize("row", cases("made"), ids=lambda row: row["what"])
def test_the_table_of_made_up_truths(row: dict[str, Any]) -> None:
    spec = {"dimensions": row["dimensions"], "format": row.get("format", [])}
    report = lint_spec(spec)
    ceiling = row.get("ceiling", 1000)
    assert (report.ok, report.floor.score) == (row.get("ok", True), row.get("floor", 0))
    assert (None if report.ceiling is None else report.ceiling.score) == ceiling
    told = [f for f in report.findings if "could be made up" in f.message]
    assert [(f.level, f.path) for f in told] == [("note", path) for path in row.get("notes", [])]
    if ceiling == 1000:
        loaded = load_spec(spec)
        truth, lost = make_truth(loaded)
        assert (evaluate(loaded, right_submission(loaded, truth), truth).score, lost) == (1000, [])


def test_a_truth_that_is_given_is_still_held_to_the_checks() -> None:
    spec = {
        "dimensions": cases("made")[0]["dimensions"],
        "format": [{"field": "answer", "type": "integer"}],
    }
    report = lint_spec(spec, {"answer": "seven", "n": 1})
    assert [(f.level, f.path) for f in report.findings if f.level == "error"] == [
        ("error", "dimensions[0]")
    ]
    assert report.ceiling.score == 200


PATTERNS = [
    "^[A-D]$",
    r"^\d{4}-\d{2}-\d{2}$",
    r"^r\d+$",
    "^(yes|no)$",
    r"^[a-z0-9._]+@[a-z]+\.(com|org)$",
    "^#[0-9a-fA-F]{6}$",
    r"^(?:\+\d{1,3} )?\d{3}-\d{4}$",
    r"^(?P<x>a|b)(?<y>c)?$",
    "^[^aeiou]{3}$",
    r"^\S+\s\S+$",
    "x",
    "",
    "^.{5}$",
    r"^\$\d+\.\d\d$",
    r"^[\w-]{3,}?\t$",
    "^a{0}b{2,4}$",
    "^[]x]$",
    r"^[^\W\d]\D$",
]
ODD = [
    "(?=a)b",
    "(?!a)b",
    "(?<=a)b",
    r"(a)\1",
    r"\p{L}",
    "[",
    "a{",
    "a{x}",
    "(",
    ")",
    "*",
    "a" * 3_000,
    "(((a{99}){99}){99}){99}",
    "((()*){9999}){9999}",
    "(" * 5_000,
    r"[^\s\S]",
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_texts_match_their_pattern(pattern: str) -> None:
    for place in (0, 1, 7, 100):
        texts = list(texts_like(pattern, place))
        assert texts
        assert all(re.search(pattern.replace("(?<y>", "(?P<y>"), text) for text in texts)
    assert len({next(texts_like(r"^r\d+$", place)) for place in range(10)}) == 10


@pytest.mark.parametrize("pattern", ODD, ids=range(len(ODD)))
def test_for_a_pattern_that_is_not_read_there_is_no_text(pattern: str) -> None:
    assert list(texts_like(pattern)) == []


@given(st.text("ab()[]{}|*+?\\^$.,09-dw:<>P=!", max_size=20), st.integers(0, 1000))
def test_no_pattern_makes_it_raise(pattern: str, place: int) -> None:
    assert all(isinstance(text, str) for text in texts_like(pattern, place))


SMALL = st.integers(-9, 9)
SCALARS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(
            ["string", "integer", "number", "boolean", "null", ["string", "integer"]]
        ),
        "minimum": SMALL,
        "maximum": SMALL,
        "multipleOf": st.integers(1, 5),
        "pattern": st.sampled_from(PATTERNS[:7]),
        "minLength": st.integers(0, 9),
        "maxLength": st.integers(0, 9),
        "enum": st.lists(st.integers() | st.text(), min_size=1),
    },
)
SCHEMAS = st.recursive(
    SCALARS | st.booleans(),
    lambda inner: st.one_of(
        st.fixed_dictionaries(
            {"type": st.just("array"), "items": inner}, optional={"minItems": st.integers(0, 5)}
        ),
        st.fixed_dictionaries(
            {"properties": st.dictionaries(st.text(), inner)},
            optional={"required": st.just(["a", "b"])},
        ),
        st.fixed_dictionaries(
            {"anyOf": st.lists(inner, min_size=1), "allOf": st.lists(inner, min_size=1)}
        ),
    ),
    max_leaves=8,
)


@given(SCHEMAS)
def test_no_schema_makes_it_raise(schema: Any) -> None:
    jsonschema_rs.validator_for(schema)
    list(fitting(schema, "x"))
