"""All of JSON is read, at any depth; what is not JSON is refused, as the standard library refuses it."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.batch.full_json import Bottomless, is_mended, loads

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4)
    ),
    max_leaves=12,
)
NOT_JSON = [
    "",
    " ",
    "[",
    "[1,]",
    '{"a"}',
    '{"a":1,}',
    "NaN",
    "-Infinity",
    "01",
    "1.",
    ".5",
    '"\n"',
    "[1] 2",
    "{a:1}",
    '"a',
    "tru",
    "[1 2]",
    "-",
    "+1",
    "1e",
    '"\\x"',
    "\u00a01",
    "١",
    "]",
    "{]",
    "[}",
]


@given(VALUES, st.sampled_from([None, 1]), st.booleans())
def test_every_value_is_read_as_it_was_written(
    value: Any, indent: int | None, ascii_only: bool
) -> None:
    assert loads(json.dumps(value, indent=indent, ensure_ascii=ascii_only), number=float) == value


@given(VALUES, st.integers(0, 200), st.sampled_from('[]{},:"1e.-x \\'))
def test_what_the_standard_library_refuses_is_refused(value: Any, place: int, mark: str) -> None:
    text = json.dumps(value)
    broken = text[:place] + mark + text[place + 1 :]
    try:
        wanted = json.loads(broken, parse_constant=lambda name: [][0])
    except (ValueError, IndexError):
        with pytest.raises(json.JSONDecodeError):
            loads(broken)
    else:
        found = loads(broken, number=float)
        assert found == wanted or is_mended(found)


@pytest.mark.parametrize("text", NOT_JSON)
def test_what_is_not_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected|Invalid|Expecting|Unterminated|never closed"):
        loads(text)


@pytest.mark.parametrize("depth", [1_500, 20_000, 20_001, 20_002, 300_000])
def test_any_depth_is_read(depth: int) -> None:
    found = loads('{"deep": ' + "[" * depth + '1, "]", {"a": []}' + "]" * depth + ', "after": 1}')
    assert found["after"] == 1
    for _ in range(1_500):
        found = found["deep"] if isinstance(found, dict) else found[0]
    assert isinstance(found, list)
    with pytest.raises(json.JSONDecodeError):
        loads("[" * depth + "]" * (depth - 1))


def test_what_lies_below_all_bounds_stands_for_itself() -> None:
    found = loads("[" * 30_000 + "]" * 30_000)
    while isinstance(found, list):
        found = found[0]
    assert isinstance(found, Bottomless)


def test_numbers_are_held_exactly_or_not_at_all() -> None:
    assert loads("9" * 5000) == Decimal("9" * 5000)
    assert loads("[0.10, 1E400]") == [Decimal("0.10"), Decimal("1E400")]
    assert loads("[1e99999999999999999999, -1e99999999999999999999]") == [
        Decimal("Infinity"),
        Decimal("-Infinity"),
    ]
