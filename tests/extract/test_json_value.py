"""The one JSON value that is the answer."""

from __future__ import annotations

import json
import time
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.extract.found import Trace
from steelyard.extract.json.scan import json_spans
from steelyard.extract.json.value import MAX_CHARS, MAX_DEPTH, extract_json, find_json
from steelyard.text.visible import unquoted

CASES = Path(__file__).parent.parent / "cases" / "json" / "values.jsonl"
ROWS = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]

plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["text"][:40])
def test_the_answer(row: dict[str, Any]) -> None:
    trace = Trace()
    found = find_json(row["text"], trace=trace)
    assert trace.steps
    if row.get("found") is False:
        assert found is None
        assert extract_json(row["text"]) is None
        assert trace.steps[-1].note.startswith("nothing found")
        return
    assert found is not None
    assert found.value == row["value"]
    assert type(found.value) is type(row["value"])
    verbatim = row["text"][slice(*found.span)]
    assert (
        json.loads(unquoted(verbatim)) == row["value"]
    )  # each line of a quoted block keeps its mark
    assert found.stage == row.get("stage", found.stage)
    assert verbatim == row.get("verbatim", verbatim)


@given(plain)
def test_any_value_reads_as_itself(value: Any) -> None:
    found = find_json(json.dumps(value))
    assert found is not None
    assert found.value == value


@given(
    plain.filter(lambda value: isinstance(value, dict) and value),
    st.sampled_from(["Here: ", "see [1]: ", "{x} "]),
)
def test_an_object_is_found_in_prose(value: Any, before: str) -> None:
    text = before + json.dumps(value) + " as wanted."
    assert extract_json(text) == value


@given(st.text(alphabet='[]{}",:1ae\\ \n`~'))
def test_spans_hold_json_and_do_not_overlap(text: str) -> None:
    spans = json_spans(text)
    for start, end in spans:
        json.loads(text[start:end])
    assert all(left[1] <= right[0] for left, right in pairwise(spans))
    find_json(text)


@pytest.mark.parametrize(
    "piece",
    [
        "[",
        "{",
        '{"a":',
        '{"a":[',
        "[{",
        '["',
        '{"a" ',
        "[1 ",
        "[1,",
        '[{"a":1} ',
        '[{"a":1},',
        "```\n",
        "~~~json\n",
        "<think>",
        '"',
        '["\\',
        "]",
        "[] ",
    ],
)
def test_hostile_text_gives_no_object(piece: str) -> None:
    found = find_json(piece * 50_000)
    assert found is None or found.value in ([], {"a": 1})


@pytest.mark.parametrize(
    "piece",
    [
        '```json\n{"a":}\n```\n',
        "```\n",
        "```json\n{}\n```\n",
        "[] ",
        "[1] ",
        '{"a":1} ',
        'e.g. {"a":1} ',
        '{"a":1} is wrong. ',
        'Answer: {"a":1} ',
        'If the answer is {"a":1}; ',
        '{"a":"<think>"} ',
        '{"a":"~~x~~"}~~',
        "<answer>",
        "\\boxed{",
    ],
)
def test_the_time_grows_with_the_text_and_not_with_its_square(piece: str) -> None:
    began = time.process_time()
    find_json(piece * (1_000_000 // len(piece)))
    assert (
        time.process_time() - began < 20
    )  # about one second; one with the square of it takes minutes


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
    ],
)
def test_a_number_is_what_is_written(text: str, value: Any) -> None:
    found = extract_json(text)
    assert found == value
    assert type(found) is type(value)


def test_depth_and_size_are_bounded() -> None:
    def nested(depth: int) -> str:
        return "[" * depth + "]" * depth

    assert find_json(nested(MAX_DEPTH)) is not None
    assert find_json(nested(MAX_DEPTH + 1)) is None
    assert find_json("so: " + nested(MAX_DEPTH + 1)) is None
    assert find_json(nested(100_000)) is None
    assert find_json("1" * 5_000) is None
    assert find_json("[" + " " * MAX_CHARS + "]") is None
    assert find_json(None) is None  # type: ignore[arg-type]
