"""Plain data both ways: what goes in comes out, and nothing hostile does harm."""

from __future__ import annotations

import collections
import datetime
import enum
import json
import math
import time
import tracemalloc
from decimal import Decimal
from typing import Any, NamedTuple

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.sandbox.inside import values
from steelyard.sandbox.inside.values import NotPlain, TooLarge

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-(2**90), 2**90),
    st.floats(allow_nan=False),
    st.text(),
    st.text(alphabet='\ud800\udc00a,[{"\\'),
    st.binary(max_size=20),
    st.complex_numbers(allow_nan=False),
    st.fractions(),
    st.decimals(allow_nan=False, places=4),
    st.dates(),
    st.datetimes(),
    st.timedeltas(),
)
KEYS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text(), st.tuples(st.integers(), st.text())
)
DATA = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.dictionaries(KEYS, inner, max_size=4),
        st.sets(KEYS, max_size=4),
        st.frozensets(KEYS, max_size=4),
    ),
    max_leaves=20,
)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=5)
    | st.sampled_from(["tuple", "set", "dict", "int"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["$", "v", "x"]), inner)
    ),
)


def there_and_back(value: Any) -> Any:
    return values.decode(values.loads(values.dumps({"v": values.encode(value)}))["v"])


def same(got: Any, want: Any) -> bool:
    return type(got) is type(want) and got == want and repr(got) == repr(want)


@given(DATA)
@settings(deadline=None)
def test_plain_data_comes_back_as_it_was(value: Any) -> None:
    back = there_and_back(value)
    assert type(back) is type(value)
    assert back == value


class Point(NamedTuple):
    x: int
    y: int


class Colour(enum.IntEnum):
    RED = 1


class Liar(int):
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = int.__hash__

    def __int__(self) -> int:
        return 99

    def __index__(self) -> int:
        return 99


class Text(str):
    def __str__(self) -> str:
        return "another"


class Items(list[Any]):
    def __iter__(self) -> Any:
        return iter([9, 9, 9])

    def __len__(self) -> int:
        return 3


@pytest.mark.parametrize(
    ("value", "back"),
    [
        (float("inf"), math.inf),
        (-0.0, -0.0),
        (range(2, 9, 3), range(2, 9, 3)),
        (collections.deque([1, 2]), collections.deque([1, 2])),
        (bytearray(b"x"), bytearray(b"x")),
        (Decimal("-Infinity"), Decimal("-Infinity")),
        (Point(1, 2), (1, 2)),
        (Colour.RED, 1),
        (Liar(3), 3),
        (Text("mine"), "mine"),
        (Items([1, 2]), [1, 2]),
        (collections.Counter("aab"), {"a": 2, "b": 1}),
        (collections.defaultdict(list, a=[1]), {"a": [1]}),
        (numpy.float32(0.5), 0.5),
        (numpy.int64(3), 3),
        (numpy.bool_(True), True),
        (numpy.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
        (datetime.time(1, 2), datetime.time(1, 2)),
    ],
)
def test_kinds(value: Any, back: Any) -> None:
    assert same(there_and_back(value), back)


def test_nan_and_order_are_kept() -> None:
    assert math.isnan(there_and_back(math.nan))
    ordered = collections.OrderedDict([("a", 1), ("b", 2)])
    ordered.move_to_end("a")
    assert list(there_and_back(ordered)) == ["b", "a"]


def test_an_array_comes_back_for_who_asks() -> None:
    data = values.encode(numpy.array([1.5, 2.5]))
    array = values.decode(data, arrays=True)
    assert isinstance(array, numpy.ndarray)
    assert array.tolist() == [1.5, 2.5]


@pytest.mark.parametrize(
    "value", [object(), len, type, iter([]), {}.keys(), Ellipsis, open, lambda: 1, [object()]]
)
def test_what_is_no_plain_data_is_refused(value: Any) -> None:
    with pytest.raises(NotPlain):
        values.encode(value)


def endless() -> list[Any]:
    found: list[Any] = []
    found.append(found)
    return found


def doubled() -> list[Any]:
    found: list[Any] = []
    for _ in range(64):
        found = [found, found]
    return found


def deep() -> tuple[Any, ...]:
    found: tuple[Any, ...] = ()
    for _ in range(5_000):
        found = (found,)
    return found


@pytest.mark.parametrize(
    "value",
    [
        endless(),
        doubled(),
        deep(),
        [0] * 400_000,
        "x" * 5_000_000,
        1 << 40_000_000,
        b"x" * 5_000_000,
        Decimal("1e999999"),
        numpy.zeros(1_000_000),
    ],
    ids=["endless", "doubled", "deep", "long", "text", "integer", "bytes", "decimal", "array"],
)
def test_what_is_too_large_is_refused_soon(value: Any) -> None:
    started = time.perf_counter()
    with pytest.raises(TooLarge):
        values.encode(value)
    assert time.perf_counter() - started < 5


HOSTILE_VALUES = [
    {"$": "tuple"},
    {"$": "tuple", "v": 1},
    {"$": "tuple", "v": [], "x": 1},
    {"v": []},
    {},
    {"$": ["tuple"], "v": []},
    {"$": "object", "v": []},
    {"$": "int", "v": "0x1"},
    {"$": "int", "v": "1_0"},
    {"$": "int", "v": ""},
    {"$": "float", "v": "1"},
    {"$": "float", "v": "Infinity"},
    {"$": "bytes", "v": "0"},
    {"$": "bytes", "v": "a b c"},
    {"$": "set", "v": [[1]]},
    {"$": "set", "v": [1, 1]},
    {"$": "set", "v": [1, True]},
    {"$": "dict", "v": [[1]]},
    {"$": "dict", "v": [[[], 1]]},
    {"$": "dict", "v": [[1, 1], [1, 2]]},
    {"$": "dict", "v": [1]},
    {"$": "range", "v": [1, 2]},
    {"$": "range", "v": [1, 2, 0]},
    {"$": "range", "v": [1, 2, True]},
    {"$": "decimal", "v": "1e9999999"},
    {"$": "decimal", "v": "١"},
    {"$": "decimal", "v": " 1"},
    {"$": "fraction", "v": [1, 0]},
    {"$": "fraction", "v": [1.5, 2]},
    {"$": "complex", "v": ["1", 2.0]},
    {"$": "date", "v": "yesterday"},
    {"$": "timedelta", "v": [10**10, 0, 0]},
    {"$": "str", "v": "zz"},
    {"$": "str", "v": "ff"},
    {"$": "array", "v": [1]},
    {"$": "mine", "v": [1, "object"]},
    2**60,
    {
        "$": "set",
        "v": [{"$": "int", "v": format(n * (2**61 - 1), "x")} for n in range(2**10, 2**10 + 200)],
    },
]


@pytest.mark.parametrize("data", HOSTILE_VALUES, ids=lambda data: json.dumps(data)[:50])
def test_a_value_that_nobody_wrote_is_a_value_error(data: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        values.decode(data)


HOSTILE_BYTES = [
    b"",
    b"[]",
    b"1",
    b"nul",
    b'{"a": NaN}',
    b'{"a": Infinity}',
    b'{"a": 1e999}',
    b'{"a": 123456789012345678}',
    b'{"a": 1, "a": 2}',
    b'{"a": "\xc3\xa9"}',
    b"\xff\xfe{\x00}\x00",
    b'{"a": ' + b"[" * 100_000,
    b'{"a": 1} x',
    b'{"a": [' + b"[]," * 1_000_000 + b"1]}",
    b'{"a": [' + b'"",' * 1_000_000 + b"1]}",
    b'{"a": "' + b"\\" * 1_000_001,
]


@pytest.mark.slow
@pytest.mark.parametrize("data", HOSTILE_BYTES, ids=lambda data: repr(data[:24]))
def test_a_message_that_nobody_wrote_is_a_value_error_and_costs_little(data: bytes) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=r"."):
            values.loads(data)
        assert tracemalloc.get_traced_memory()[1] < 40_000_000
    finally:
        tracemalloc.stop()


def test_a_large_message_of_text_is_no_crowd() -> None:
    text = "a,b,[{" * 500_000
    assert values.loads(values.dumps({"v": text})) == {"v": text}


@given(JSON)
@settings(deadline=None)
def test_decoding_gives_plain_data_or_a_value_error(data: Any) -> None:
    try:
        found = values.decode(data)
    except ValueError:
        return
    values.encode(found)
