"""How a file is cut into blocks leaves no trace in its groups, however many there are."""

from __future__ import annotations

import pytest

from steelyard.batch.tally import MOST_GROUPS, OTHERS, Tally
from steelyard.score import full

NAMES = [*(f"g{i}" for i in range(MOST_GROUPS)), *(f"h{i}" for i in range(3000)), *(["g0"] * 500)]


@pytest.mark.parametrize("size", [1, 700, 2500, len(NAMES)])
def test_a_group_that_is_known_is_counted_whatever_block_it_stands_in(size: int) -> None:
    whole = Tally()
    for start in range(0, len(NAMES), size):
        block, names = Tally(), NAMES[start : start + size]
        block.add_groups(names, [full() for _ in names])
        whole.merge(block)
    assert whole.groups["g0"].total == 501
    assert whole.groups[OTHERS].total == 3000
    assert len(whole.groups) == MOST_GROUPS + 1
