"""A key index is a mapping that keeps its order, whatever is added, however often."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from steelyard.spill import KeyIndex, Place

KEYS = st.text(alphabet="abcé0", max_size=3)


@given(st.lists(st.tuples(KEYS, st.integers(0, 2**60), st.integers(1, 2**40))), st.lists(KEYS))
def test_the_first_place_of_a_key_counts(
    added: list[tuple[str, int, int]], order: list[str]
) -> None:
    places, want = KeyIndex(), dict[str, Place]()
    for key, start, length in added:
        assert places.add(key, start, length) is (key not in want)
        want.setdefault(key, Place(start, length))
    assert list(places) == list(want)
    assert len(places) == len(want)
    assert all(
        places.get(key) == want.get(key) and (key in places) is (key in want)
        for key in [*want, *order]
    )
    first = [key for key in dict.fromkeys(order) if key in want]
    for _ in range(2):  # an order is for one time
        many, found = places.ordered(order)
        assert many == len(first)
        assert dict(found) == want
    assert [key for key, _ in places.ordered(order)[1]] == [
        *first,
        *sorted(want.keys() - set(first), key=str.encode),
    ]
    places.close()
