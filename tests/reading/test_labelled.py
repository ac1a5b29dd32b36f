"""Error rates of the reader over labelled responses in the style of real outputs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from steelyard.registry import SCORERS
from steelyard.scoring import ScorerInput

FILE = Path(__file__).parent.parent / "cases" / "reading" / "labelled.jsonl"
# How many rows of each scorer were read against their label when this was written: accepted though
# wrong, and rejected though right. A change may not make them more.
LIMITS = {
    "multichoice_regex": (2, 3),
    "answer_line": (0, 2),
    "numeric_match": (0, 4),
    "fuzzy_match": (2, 3),
}


def errors(scorer: str) -> Counter[str]:
    """Count the rows of a scorer, its errors, and the readings that are not found."""
    counts: Counter[str] = Counter()
    for line in FILE.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["scorer"] != scorer:
            continue
        params = {"letters": row["letters"]} if "letters" in row else {}
        answers = row.get("correct_answers")
        metadata = {"correct_answers": answers} if answers else {}
        score = SCORERS.get(scorer).bind(params)(
            ScorerInput(row["response"], row["target"], metadata)
        )
        counts["rows"] += 1
        counts[score.detail.get("reading", "unscored")] += 1
        if score.correct != row["accept"]:
            counts["false accepts" if score.correct else "false rejects"] += 1
    return counts


@pytest.mark.parametrize("scorer", LIMITS)
def test_error_rates_do_not_rise(
    scorer: str, record_property: Callable[[str, object], None]
) -> None:
    found = errors(scorer)
    counts = ", ".join(f"{count} {name}" for name, count in found.items())
    record_property("summary", f"{scorer}: {counts}")
    accepts, rejects = LIMITS[scorer]
    assert found["false accepts"] <= accepts
    assert found["false rejects"] <= rejects
    assert found["unscored"] == 0
