"""Replies of judges, well behaved and hostile: which verdict is read, and which is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.judge.reading import parse_judge_response, read_choice, read_object

REPLIES = json.loads((Path(__file__).parent / "replies.json").read_text(encoding="utf-8"))
EVERY_TEXT = st.text(st.characters(codec=None), max_size=200) | st.text("Score: 12345/{}\"'<>think\n\\[]", max_size=80)


@pytest.mark.parametrize("case", REPLIES, ids=lambda case: case["name"])
def test_the_last_own_verdict_is_read(case: dict[str, Any]) -> None:
    read = parse_judge_response(case["reply"], case.get("max_score", 5), answer=case.get("answer", ""),
                                truncated=case.get("truncated", False))  # fmt: skip
    assert read["score"] == case["score"], read.error
    assert read.parse_error is (case["score"] is None)
    if case["score"] is None:
        assert read["parse_error"] is True
        assert read["normalized"] is None
        assert read.error
    else:
        assert "parse_error" not in read
        assert read["normalized"] == pytest.approx(case.get("normalized", case["score"] / 5))
