"""How a file is cut into blocks leaves no trace in its groups, however many there are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import Commands
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


def test_only_a_category_that_is_missing_or_null_is_unknown(
    steelyard: Commands, tmp_path: Path
) -> None:
    metadata = [{"e": ""}, {"e": None}, {}, {"e": "x"}]
    rows = [{"response": "x", "target": "x", "metadata": known} for known in metadata]
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    ran = steelyard("score", "--scorer", "exact_match", path, "--by", "e", "--json")
    assert [(group["name"], group["total"]) for group in json.loads(ran.out)["breakdown"]] == [
        ("", 1),
        ("unknown", 2),
        ("x", 1),
    ]
    path.write_text(json.dumps(rows[0]) + "\n")
    ran = steelyard("score", "--scorer", "exact_match", path, "--by", "e")
    assert ran.err == ""
    assert '""             1 / 1' in ran.out
