"""The JSON value that is the answer: where it is found, and what is strict JSON."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.reading.found import Trace
from steelyard.reading.json_spans import json_spans
from steelyard.reading.json_values import MAX_CHARS, MAX_DEPTH, extract_json, find_json, why_none

CASES = Path(__file__).parent.parent / "cases" / "json" / "values.jsonl"
QUOTE = re.compile(r"^> ?", re.MULTILINE)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.text(), VALUES, min_size=1, max_size=4)


def read_rows() -> list[Any]:
    """Read the table of cases."""
    rows = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    return [pytest.param(row, id=row["text"][:40]) for row in rows]


@pytest.mark.parametrize("row", read_rows())
def test_value_of_a_text(row: dict[str, Any]) -> None:
    text, trace = row["text"], Trace()
    found = find_json(text, trace=trace)
    assert trace.steps
    assert extract_json(text) == (found.value if found else None)
    if "value" not in row:
        assert found is None
        assert trace.steps[-1].note.startswith("missing: ")
        return
    assert found is not None
    assert (type(found.value), found.value) == (type(row["value"]), row["value"])
    verbatim = text[slice(*found.span)]
    assert json.loads(QUOTE.sub("", verbatim)) == row["value"]
    assert found.stage == row.get("stage", found.stage)
    assert verbatim == row.get("verbatim", verbatim)
    assert trace.steps[-1] == ("json", f"found: {found.stage}", found.span)


@given(VALUES)
def test_every_value_is_read_as_itself(value: Any) -> None:
    found = find_json(json.dumps(value))
    assert found is not None
    assert found.value == value


@given(OBJECTS, st.sampled_from(["Here: ", "see [1]: ", "{x} ", "Answer: ", "```json\n"]))
def test_object_is_found_in_prose(value: Any, before: str) -> None:
    after = "\n```" if before.startswith("```") else " as wanted."
    assert extract_json(before + json.dumps(value) + after) == value


@given(st.text(alphabet='[]{}",:1ae\\ \n`~<>'))
def test_spans_are_json_and_do_not_overlap(text: str) -> None:
    spans = json_spans(text)
    for start, end in spans:
        json.loads(text[start:end])
    assert all(left[1] <= right[0] for left, right in pairwise(spans))
    found = find_json(text)
    assert found is None or found.value == json.loads(text[slice(*found.span)])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e400", Decimal("1e400")),
        ('{"a": -1e400}', {"a": Decimal("-1e400")}),
        ("[1e-400]", [Decimal("1e-400")]),
        (
            "[0.1000000000000000055511151231257827]",
            [Decimal("0.1000000000000000055511151231257827")],
        ),
        (
            "[0.1, 1e22, 5e-324, 0e999, 1.7976931348623157e308]",
            [0.1, 1e22, 5e-324, 0.0, 1.7976931348623157e308],
        ),
        ("[12345678901234567890.0]", [Decimal("12345678901234567890")]),
        ("[12345678901234567890]", [12345678901234567890]),
    ],
)
def test_number_has_the_decimals_that_are_written(text: str, value: Any) -> None:
    found = extract_json(text)
    assert found == value
    assert type(found) is type(value)


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (nested(MAX_DEPTH + 1), "nested deeper than 200"),
        ("so: " + nested(MAX_DEPTH + 1), "nested deeper than 200"),
        (nested(100_000), "nested deeper than 200"),
        ("1" * 5_000, "has 5000 digits"),
        ("[1e99999999999999999999]", "is too large"),
        ('{"a": NaN}', "NaN is not JSON"),
        ("[-Infinity]", "-Infinity is not JSON"),
        ('{"a": 1,}', ""),
        ("no value", ""),
        ("", ""),
    ],
)
def test_refused_text_has_no_value_and_json_among_it_a_reason(text: str, why: str) -> None:
    assert find_json(text) is None
    assert why in why_none(text)
    assert bool(why_none(text)) is bool(why)


def test_depth_and_size_are_bounded() -> None:
    assert find_json(nested(MAX_DEPTH)) is not None
    assert find_json("[" + " " * (MAX_CHARS - 2) + "]") is not None
    assert find_json("[" + " " * (MAX_CHARS - 1) + "]") is None
    assert find_json(None) is None  # type: ignore[arg-type]
