"""Why rows have no score: counted exactly, told whole, however many reasons there are and however the rows are divided."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.batch import reasons
from steelyard.batch.reasons import MOST_REASONS, Reasons, kind_of


def counted(told: list[str], step: int) -> dict[str, int]:
    found = Reasons()
    for at in range(0, len(told), step):
        found.merge(Counter(told[at : at + step]))
    return found.counts()


def test_few_reasons_are_told_as_they_are() -> None:
    told = [f"HTTP {400 + n}" for n in range(MOST_REASONS)]
    assert counted(told, 7) == dict.fromkeys(told, 1)


def test_a_frequent_reason_is_told_however_late_it_comes() -> None:
    told = (
        [f"request {n} failed" for n in range(1000)] + ["quota exhausted"] * 900 + ["HTTP 429"] * 3
    )
    assert counted(told, 50) == {"request # failed": 1000, "quota exhausted": 900, "HTTP 429": 3}


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        ("no such key: 'a b' in \"c\"", "no such key: '…' in \"…\""),
        ("it doesn't parse, and isn't text", "it doesn't parse, and isn't text"),
        ("trace 0f3a-99b1 at 10.0.0.1", "trace # at #.#.#.#"),
    ],
)
def test_the_kind_of_a_reason(reason: str, kind: str) -> None:
    assert kind_of(reason) == kind


TOLD = ["a", "b", "c 1", "c 2", "c #", "d '1'", "d '2'", "(others)"]


@given(st.lists(st.sampled_from(TOLD), max_size=30), st.integers(1, 30))
def test_what_is_told_does_not_depend_on_the_cut(told: list[str], step: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reasons, "MOST_REASONS", 3)
        patch.setattr(reasons, "MOST_KINDS", 3)
        found = counted(told, step)
        assert list(found.items()) == list(counted(told, 1).items())
    assert sum(found.values()) == len(told)
