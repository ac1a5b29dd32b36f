"""The blocks of code in a response, and the one that is the answer."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.reading.code_blocks import code_blocks, find_code
from steelyard.reading.found import Trace

CASES = Path(__file__).parent.parent / "cases" / "code" / "blocks.jsonl"
ROWS = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
PIECES = ["```", "~~~", "````", "```py", "\n", "x = 1", " ", "> ", "- ", "\r\n", "<think>", "Q:"]
PIECES += ["</think>", "\nQuestion: ", "    ", "```x```", "output\n"]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["text"][:40])
def test_blocks_of_a_text(row: dict[str, Any]) -> None:
    blocks = [
        {"code": b.code, "language": b.language, "closed": b.closed, "stage": b.stage}
        for b in code_blocks(row["text"])
    ]
    assert blocks == row["blocks"]
    trace = Trace()
    found = find_code(row["text"], trace=trace)
    assert (found.value if found else None) == row["found"]
    assert trace.steps
    if found and "\r" not in row["text"] and "\n" not in found.value:
        assert row["text"][slice(*found.span)].strip(" \t>") == found.value.strip()


@given(st.lists(st.sampled_from(PIECES)))
def test_blocks_stand_in_order_and_do_not_overlap(pieces: list[str]) -> None:
    text = "".join(pieces)
    spans = [block.span for block in code_blocks(text)]
    assert all(0 <= start <= end <= len(text) for start, end in spans)
    assert all(left[1] <= right[0] for left, right in pairwise(spans))


@given(st.text(alphabet="abc =()\n\t:#"), st.sampled_from(["```", "~~~", "`````"]))
def test_fenced_code_is_read_as_it_is(code: str, fence: str) -> None:
    (block,) = code_blocks(f"Here:\n{fence}python\n{code}\n{fence}\nBye")
    assert (block.code, block.language, block.closed) == (code, "python", True)


def test_no_text_and_a_text_that_is_too_long_have_no_code() -> None:
    assert code_blocks(None) == ()  # type: ignore[arg-type]
    assert code_blocks("x" * 10_000_001) == ()
