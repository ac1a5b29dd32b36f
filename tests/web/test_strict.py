"""Strict JSON and token buckets, as laws."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.errors import RuleError
from steelyard.web.limits import Buckets, network_of
from steelyard.web.logs import struck
from steelyard.web.strict import DEEPEST, depth_over, read_strictly

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(VALUES)
def test_plain_json_is_read_as_it_is(value: Any) -> None:
    assert read_strictly(msgspec.json.encode(value), Any) == value


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(body: bytes) -> None:
    status, found = read_or_status(body)
    assert status in {200, 400, 422}
    assert status != 200 or found == json.loads(body)


def read_or_status(body: bytes) -> tuple[int, Any]:
    try:
        return 200, read_strictly(body, Any)
    except RuleError as refused:
        return refused.status, None


@given(st.text(alphabet='[]{}"\\a', max_size=300), st.integers(0, 6))
def test_the_depth_is_that_of_a_plain_count(text: str, most: int) -> None:
    body, depth, deepest, inside, escaped = text.encode(), 0, 0, False, False
    for char in text:
        if inside:
            inside = escaped or char != '"'
            escaped = not escaped and char == "\\"
        elif char == '"':
            inside = True
        elif char in "[]{}":
            depth += 1 if char in "[{" else -1
            deepest = max(deepest, depth)
    if inside:
        return  # a string that never ends is no JSON, whatever stands in it
    assert depth_over(body, most) == (deepest > most)


@pytest.mark.parametrize(
    ("depth", "allowed"), [(DEEPEST, True), (DEEPEST + 1, False), (100_000, False)]
)
def test_depth(depth: int, allowed: bool) -> None:
    body = b"[" * depth + b"]" * depth
    if allowed:
        read_strictly(body, Any)
        return
    with pytest.raises(RuleError, match="nested"):
        read_strictly(body, Any)


HOSTILE = {
    "a string without an end": b'{"answer":[' + b"[]," * 101 + b'"' + b'\\"' * 500_000,
    "a key that comes again at the end": b"{"
    + b"".join(b'"%d":0,' % n for n in range(100_000))
    + b'"z":0,"z":0}',
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
def test_a_megabyte_that_wants_to_be_looked_at_again_and_again(body: bytes) -> None:
    assert read_or_status(body)[0] == 400  # within the time that a test has, which it had not been


@given(st.lists(st.floats(0, 3), max_size=60), st.floats(0.5, 5), st.integers(1, 10))
def test_a_bucket_never_lets_more_through_than_its_rate(
    steps: list[float], rate: float, burst: int
) -> None:
    now = [0.0]
    buckets = Buckets(rate=rate, burst=burst, clock=lambda: now[0])
    through = 0
    for step in steps:
        now[0] += step
        wait = buckets.take("a")
        through += not wait
        if wait:
            now[0] += wait + 1e-6
            through += not buckets.take("a")  # whoever waits as long as it was told comes through
        assert through <= burst + now[0] * rate + 1e-3


def test_buckets_are_bounded_and_zero_is_no_limit() -> None:
    buckets = Buckets(rate=1, burst=1, clock=lambda: 0.0, most=100)
    for name in range(1000):
        buckets.take(str(name))
    assert len(buckets) == 100
    free = Buckets(rate=0, burst=0, clock=lambda: 0.0)
    assert {free.take("a") for _ in range(1000)} == {0.0}
    assert len(free) == 0


@given(st.text(max_size=80))
def test_any_text_is_an_address(text: str) -> None:
    assert len(network_of(text)) <= 64


@given(
    st.from_regex(r"sy_[A-Za-z0-9_-]{43}", fullmatch=True),
    st.text(max_size=20),
    st.text(max_size=20),
)
def test_no_key_survives_the_log(key: str, before: str, after: str) -> None:
    assert key not in struck(before + key + after)
