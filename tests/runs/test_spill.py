"""What is kept on the disk is what was put there, however much of it there is."""

from __future__ import annotations

import tracemalloc
from array import array
from collections import defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard import spill
from steelyard.errors import StoreError
from steelyard.metrics.clusters import NamedClusters
from steelyard.models.line_index import LineIndex
from steelyard.report.gathered import spread
from steelyard.runs import cluster_book
from steelyard.runs.cluster_book import ClusterBook
from steelyard.runs.flips import Flip, Flips
from steelyard.spill import BLOCK, HELD, Column, Piles, Scratch, in_order

LENGTH = 3 * BLOCK * HELD
PLACES = st.integers(0, LENGTH - 1)
HASHES = st.integers(-(2**63), 2**63 - 1) | st.integers(0, 3)
VALUES = st.sampled_from([0.0, 1.0, 0.5, 0.1, 1 / 3])


@settings(deadline=None)
@given(st.lists(st.tuples(PLACES, st.integers(-(2**62), 2**62)), max_size=200))
def test_a_column_is_an_array(written: list[tuple[int, int]]) -> None:
    column, plain = Column("q", LENGTH, fill=-1), array("q", [-1]) * LENGTH
    for place, value in written:
        column[place] = plain[place] = value
    assert all(column[place] == plain[place] for place, _ in written)
    assert array("q", column) == plain


@pytest.mark.parametrize("place", [-1, LENGTH])
def test_a_place_outside_is_none(place: int) -> None:
    with pytest.raises(IndexError):
        Column("q", LENGTH)[place]
    with pytest.raises(IndexError):
        Column("q", LENGTH)[place] = 1


def test_numbers_beyond_what_is_sorted_at_once_are_in_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(spill, "_SORTED", 1000)
    values = [(7919 * n) % 10007 / 8 for n in range(2 * LENGTH)]
    assert list(in_order(values)) == sorted(values)


@given(st.lists(HASHES, max_size=400))
def test_lines_are_found_by_their_name(hashes: list[int]) -> None:
    index, known = LineIndex(), defaultdict(list)
    for line, hashed in enumerate(hashes, 1):
        index.add(hashed, 10 * line, line)
        known[hashed].append((10 * line, line))
    index.sort()
    assert {hashed: list(index.of(hashed)) for hashed in hashes} == dict(known)
    assert list(index.of(4)) == known.get(4, [])
    assert sorted(index.shared()) == sorted(
        hashed for hashed, lines in known.items() if len(lines) > 1
    )


def test_a_name_that_most_lines_share() -> None:
    index = LineIndex()
    for line in range(5000):
        index.add(256 * (line % 10 == 0) + 256 * (line % 3 == 0), line, line)
    index.sort()
    assert [line for _, line in index.of(0)] == [n for n in range(5000) if n % 10 and n % 3]
    assert [line for _, line in index.of(512)] == list(range(0, 5000, 30))


def test_piles_hold_more_than_is_in_memory() -> None:
    piles = Piles(1)
    for number in range(100_000):
        piles.add(number * 7919 % 100_003)
    found = [number for pile in piles.ordered() for number in pile]
    assert sorted(found) == sorted(number * 7919 % 100_003 for number in range(100_000))


@pytest.mark.parametrize("held", [1, 10**6])
@given(
    problems=st.lists(
        st.tuples(st.sampled_from(["a", "b", "ü", None]), st.lists(VALUES, max_size=3)), max_size=40
    )
)
def test_clusters_are_summed_as_in_memory(
    held: int, problems: list[tuple[str | None, list[float]]]
) -> None:
    before, cluster_book._HELD = cluster_book._HELD, held
    try:
        book, named = ClusterBook(), NamedClusters()
        pages = book.page(), book.page()
        for number, (cluster, values) in enumerate(problems):
            pages[0].add(cluster, values)
            named.add(("problem", number) if cluster is None else cluster, values)
        assert (pages[0].interval(), pages[1].interval()) == (named.interval(), None)
    finally:
        cluster_book._HELD = before


@pytest.mark.slow
def test_one_large_cluster_takes_no_more_room_than_many() -> None:
    book = ClusterBook()
    page = book.page()
    for _ in range(100_000):
        page.add("all", (0.0, 1.0, 1.0, 0.5))
    tracemalloc.start()
    try:
        assert page.interval() is None  # there is but one cluster
        assert (
            tracemalloc.get_traced_memory()[1] < 1_500_000
        )  # of three million bytes that were written
    finally:
        tracemalloc.stop()


def test_flips_come_back_in_their_order() -> None:
    flips = Flips()
    made = [
        Flip(
            key=f"{n}.0",
            id=str(n),
            stage="comparison",
            before=0.1,
            after=None,
            correct_before=False,
            correct_after=True,
            extracted_before={"a": [n, 0.5]},
            reason="ü",
        )
        for n in range(1000)
    ]
    for one in made:
        flips.add(one)
    assert (list(flips), len(flips)) == (made, 1000)


def test_no_values_have_no_spread() -> None:
    assert spread([]) is None


def test_a_full_disk_is_told() -> None:
    scratch = Scratch()
    scratch.put(b"a")
    with pytest.raises(StoreError, match="temporary folder"):
        scratch.put(b"a", 2**63 - 1)
